package testweb

// An answer is the response of a host.
type answer struct {
	status int      // 0 means 200
	header []string // lines, such as "Retry-After: 1"
	media  string   // Content-Type; empty means HTML in UTF-8, "-" none

	// A page consists of a title, words that no other page has in this order, and
	// links; or it is body.
	title string
	head  string // additional HTML for the head
	links []link
	body  []byte
	// pack transforms the bytes of the page.
	pack func([]byte) []byte

	to   *link // of a redirect
	way  way
	wait float64 // seconds, before scaling

	tag      string // the entity tag, in quotes
	modified string // Last-Modified

	nofollow bool  // the page asks not to follow its links
	vague    bool  // a robot may find the links or not
	faulty   bool  // the bytes do not match the header
	later    bool  // the answer asks for a retry
	retry    int64 // time of the retry, in nanoseconds since the web began; 0 if not given

	tree    bool // a page of the tree
	version uint8
}

// A way is how an answer is delivered.
type way uint8

const (
	whole  way = iota
	never      // not at all
	drip       // a bit at a time
	cut        // ends before the declared length
	reset      // the connection is reset before the declared length
	noHTTP     // not an HTTP answer
	flood      // endless
)

// broken reports whether a client cannot receive the whole answer.
func (w way) broken() bool { return w != whole && w != drip }

// A link is a link from a page to another.
type link struct {
	host *host  // nil: path is a URL outside the web
	page int32  // number of a page in the tree of host
	path string // if it is not a page of the tree

	element  element
	nofollow bool
	maybe    bool // a robot may follow it or not
	listed   bool // in a sitemap
}

// An element is the place of a link in the page.
type element uint8

const (
	anchor  element = iota
	refresh         // <meta http-equiv=refresh>
	frame
	form // robots do not submit forms
	bare // in the text, or in a header; not a link for a robot that reads HTML only
)

// to returns a link to a path of the host.
func (h *host) to(path string) link {
	if path == "/" {
		return link{host: h}
	}
	return link{host: h, page: -1, path: path}
}

// away returns a link to a URL outside this web.
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

// redirect returns an answer that redirects.
func redirect(status int, to link) answer {
	return answer{status: status, to: &to, title: "Moved"}
}
