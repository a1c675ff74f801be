package testweb

import "golang.org/x/net/dns/dnsmessage"

// A Kind is the behaviour of a host, apart from its robots.txt.
type Kind struct {
	Name  string
	Doc   string // a sentence about its purpose
	Share int    // number of hosts of this kind in a round of the wheel

	tree    bool // it has a tree of pages
	calm    bool // it answers properly, so redirects may lead to it
	secure  bool // only over https
	deaf    bool // nothing listens at its address
	closed  bool // even its robots.txt is unavailable, so nothing may be requested
	refused bool // every dial filter must refuse its address

	nameless dnsmessage.RCode // its name has no address
	rebinds  bool             // its name resolves to a refused address every second time
	badCert  certificate

	// page returns the answer of the host to a request. A settled request has no
	// client: page returns the answer without obstacles, and changes nothing.
	page func(h *host, r *request) answer
	// records returns additional lines of its robots.txt.
	records func(h *host) string
	// part returns the part of a path. Nil means content for all paths.
	part func(path string) part
}

// A part classifies a path.
type part uint8

const (
	content part = iota
	endless      // a trap: the number of such pages is infinite
	effect       // a visit has a side effect
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

// partOf returns the part of a path of the host.
func (h *host) partOf(path string) part {
	if h.kind.part == nil {
		return content
	}
	return h.kind.part(path)
}
