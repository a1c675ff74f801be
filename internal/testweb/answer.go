package testweb

// An answer is what a host says to a request.
type answer struct {
	status int      // 0 stands for 200
	header []string // lines, such as "Retry-After: 1"
	media  string   // Content-Type; empty stands for HTML in UTF-8, "-" for none

	// A page is made of a title, words that no other page has in this order, and
	// links, or it is body.
	title string
	head  string // more HTML for its head
	links []link
	body  []byte
	// pack is applied to the bytes of the page.
	pack func([]byte) []byte

	to   *link // of a redirect
	way  way
	wait float64 // seconds, before scaling

	tag      string // the entity tag, in quotes
	modified string // Last-Modified

	nofollow bool  // the page asks not to follow its links
	vague    bool  // a robot may see the links or not
	faulty   bool  // its bytes are not what its header says
	later    bool  // the answer is to come again
	retry    int64 // when, in nanoseconds since the web began; 0 where it does not say

	tree    bool // it is a page of the tree
	version uint8
}

// A way is how an answer is delivered.
type way uint8

const (
	whole  way = iota
	never      // not at all
	drip       // a bit at a time
	cut        // it ends before its length
	reset      // the connection is reset before its length
	noHTTP     // what is sent is no answer
	flood      // without end
)

// broken reports whether a client cannot have the whole answer.
func (w way) broken() bool { return w != whole && w != drip }

// A link leads from a page to another.
type link struct {
	host *host  // nil: path is a URL of another web
	page int32  // the number of a page of its tree
	path string // if it is none of those

	element  element
	nofollow bool
	maybe    bool // a robot may follow it or not
	listed   bool // it is of a sitemap
}

// An element is what a link stands in.
type element uint8

const (
	anchor  element = iota
	refresh         // <meta http-equiv=refresh>
	frame
	form // nobody fills it in
	bare // in the text, or in a header; not a link for a robot that reads HTML only
)

// to returns a link to a path of the host.
func (h *host) to(path string) link {
	if path == "/" {
		return link{host: h}
	}
	return link{host: h, page: -1, path: path}
}

// away returns a link to a URL that is not of this web.
func away(url string) link { return link{page: -1, path: url, maybe: true} }

// target returns the path of the link.
func (l link) target() string {
	if l.host != nil && l.page >= 0 {
		return string(l.host.appendPath(nil, l.page))
	}
	return l.path
}

// url returns the absolute URL of the link.
func (l link) url() string {
	if l.host == nil {
		return l.path
	}
	return l.host.origin + l.target()
}

var notFound = answer{status: 404, title: "Not found"}

// redirect returns an answer that leads elsewhere.
func redirect(status int, to link) answer {
	return answer{status: status, to: &to, title: "Moved"}
}
