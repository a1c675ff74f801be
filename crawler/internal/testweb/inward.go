package testweb

import (
	"fmt"

	"golang.org/x/net/dns/dnsmessage"
)

var inward = Kind{
	Name: "inward", Share: 2,
	Doc: "Links and redirects to addresses where a robot must not go: loopback in all spellings, private networks, the metadata service of clouds.",
	page: func(h *host, r *request) answer {
		addresses := h.web.insideURLs()
		if r.path == "/" {
			a := answer{title: "The inside", links: []link{h.inside(), h.to("/page.html")}}
			for i, url := range addresses {
				a.links = append(a.links, away(url), h.to(fmt.Sprint("/to/", i)))
			}
			return a
		}
		if r.path == "/page.html" {
			return answer{title: "A page"}
		}
		for i, url := range addresses {
			if r.path == fmt.Sprint("/to/", i) {
				return redirect(302, away(url))
			}
		}
		return notFound
	},
}

// insideURLs returns URLs of addresses that a dial filter must refuse.
func (w *world) insideURLs() (urls []string) {
	// The web listens at the first ones.
	for _, name := range []string{"127.200.0.1", "127.0.0.1", "2130706433", "0x7f.1", "017700000001"} {
		urls = append(urls, fmt.Sprintf("http://%s:%d/admin", name, w.port))
	}
	return append(urls, fmt.Sprintf("http://[::ffff:127.200.0.1]:%d/admin", w.port),
		fmt.Sprintf("http://[::1]:%d/admin", w.port),
		fmt.Sprintf("http://0.0.0.0:%d/admin", w.port),
		"http://169.254.169.254/latest/meta-data/",
		"http://10.0.0.1/",
		"http://192.168.1.1/",
		"http://[fd00:ec2::254]/latest/meta-data/")
}

// inside returns a link to a host whose name resolves to a refused address or, if there
// is none, a link to the address.
func (h *host) inside() link {
	for i := range h.web.hosts {
		if to := &h.web.hosts[(i+int(h.number))%len(h.web.hosts)]; to.kind.refused {
			return to.to("/admin")
		}
	}
	return away(h.web.insideURLs()[0])
}

var trapdoor = Kind{
	Name: "trapdoor", Share: 1, closed: true, refused: true,
	Doc:  "A name with an address that a dial filter refuses.",
	page: func(*host, *request) answer { return notFound },
}

var rebinding = Kind{
	Name: "rebinding", Share: 1, rebinds: true,
	Doc: "A name that has another address every time: one that is allowed, and one that is not.",
	page: func(h *host, r *request) answer {
		if r.path == "/" {
			return answer{title: "Here, or elsewhere"}
		}
		return notFound
	},
}

var noName = Kind{
	Name: "no-name", Share: 1, closed: true, nameless: dnsmessage.RCodeNameError,
	Doc:  "A name that does not exist.",
	page: func(*host, *request) answer { return notFound },
}

var brokenName = Kind{
	Name: "broken-name", Share: 1, closed: true, nameless: dnsmessage.RCodeServerFailure,
	Doc:  "A name about which the name server fails.",
	page: func(*host, *request) answer { return notFound },
}
