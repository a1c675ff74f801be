package testweb

import "strings"

var (
	cutting   = damaged("cutting", cut, "Some pages end before their length.")
	resetting = damaged("resetting", reset, "At some pages the connection is reset in the middle.")
	garbage   = damaged("garbage", noHTTP, "Some answers are not HTTP.")
	stalling  = damaged("stalling", never, "Some pages never come.")
)

// damaged returns a kind of host that delivers some of its pages broken. The part of
// such a page before its end may be processed or not.
func damaged(name string, w way, doc string) Kind {
	return Kind{Name: name, Share: 1, Doc: doc, page: func(h *host, r *request) answer {
		switch {
		case r.path == "/":
			return answer{title: "Some are whole", links: []link{h.to("/bad/1.html"), h.to("/good/1.html"),
				h.to("/bad/2.html"), h.to("/good/2.html")}}
		case r.path == "/good/1.html" || r.path == "/good/2.html" || r.path == "/hidden.html":
			return answer{title: "A whole page", links: []link{h.to("/")}}
		case strings.HasPrefix(r.path, "/bad/") && len(r.path) == len("/bad/1.html"):
			return answer{title: "A page", links: []link{h.to("/hidden.html")}, vague: true, way: w}
		}
		return notFound
	}}
}

var hole = Kind{
	Name: "hole", Share: 1, closed: true,
	Doc:  "Connections are accepted, and nothing is ever answered.",
	page: func(*host, *request) answer { return answer{way: never} },
}

var dead = Kind{
	Name: "dead", Share: 1, closed: true, deaf: true,
	Doc:  "Connections are refused.",
	page: func(*host, *request) answer { return notFound },
}
