package testweb

import "golang.org/x/net/dns/dnsmessage"

// A Kind is what a host is like, besides its robots.txt.
type Kind struct {
	Name  string
	Doc   string // a sentence on what it is for
	Share int    // how many of a round of the wheel are of this kind

	tree    bool // it has a tree of pages
	calm    bool // it answers as it should, so that redirects may lead to it
	secure  bool // only over https
	deaf    bool // nobody listens at its address
	closed  bool // not even its robots.txt can be had, so that nothing is to be requested
	refused bool // it is at an address that no dial filter lets through

	nameless dnsmessage.RCode // its name has no address
	rebinds  bool             // its name has an address that is refused, every second time
	badCert  certificate

	// page says what the host answers to a request. One that is settled comes from
	// nobody: it is answered as it is when nothing is in the way, and changes nothing.
	page func(h *host, r *request) answer
	// records are lines that its robots.txt has besides.
	records func(h *host) string
	// part says what a path belongs to. Nil stands for content.
	part func(path string) part
}

// A part is what a path belongs to.
type part uint8

const (
	content part = iota
	endless      // a trap: there is no end of such pages
	effect       // a visit does something
)

// Kinds returns all kinds of hosts.
func Kinds() []Kind {
	return []Kind{
		ordinary,
		busy,
		overloaded,
		slow,
		dripping,
		cutting,
		resetting,
		garbage,
		stalling,
		moved,
		refreshing,
		looping,
		inward,
		calendar,
		sessions,
		appending,
		queries,
		copies,
		longURLs,
		shop,
		directed,
		validated,
		changing,
		packed,
		bomb,
		charsets,
		media,
		mapped,
		dead,
		hole,
		noName,
		brokenName,
		rebinding,
		trapdoor,
		expired,
		otherName,
		unknownIssuer,
	}
}

// partOf returns what a path of the host belongs to.
func (h *host) partOf(path string) part {
	if h.kind.part == nil {
		return content
	}
	return h.kind.part(path)
}
