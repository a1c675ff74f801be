package testweb

import (
	"fmt"
	"strconv"
	"strings"
)

var redirects = []int{301, 302, 303, 307, 308}

var moved = Kind{
	Name: "moved", Share: 2, calm: true,
	Doc: "Redirects with each status, in chains, relative ones, to other hosts, and to folders that other hosts close.",
	page: func(h *host, r *request) answer {
		if r.path == "/" {
			a := answer{title: "Everything has moved", links: []link{h.to("/chain/4"), h.to("/relative/here"),
				h.to("/home"), h.to("/elsewhere"), h.to("/closed")}}
			for _, status := range redirects {
				a.links = append(a.links, h.to(fmt.Sprint("/from/", status)))
			}
			return a
		}
		other := h.web.calmHost(h, 1)
		switch folder, name, _ := strings.Cut(r.path[1:], "/"); folder {
		case "from":
			for _, status := range redirects {
				if name == strconv.Itoa(status) {
					return redirect(status, h.to("/to/"+name))
				}
			}
		case "to", "arrived":
			return answer{title: "The new place", links: []link{h.to("/")}}
		case "chain":
			switch n, err := strconv.Atoi(name); {
			case err != nil || n < 0 || n > 4:
			case n == 0:
				return answer{title: "The end of the chain"}
			default:
				return redirect(302, h.to(fmt.Sprint("/chain/", n-1)))
			}
		case "relative":
			if name == "here" {
				to := h.to("/arrived/there")
				return answer{status: 301, title: "Moved", header: []string{"Location: ../arrived/there"},
					links: []link{{host: h, page: -1, path: to.path, element: bare}}}
			}
		case "home":
			return redirect(301, h.to("/"))
		case "elsewhere":
			return redirect(301, other.to("/"))
		case "closed":
			// The other host decides whether the page is closed. The page exists on no
			// host.
			return redirect(302, other.to("/private/from-"+strconv.Itoa(int(h.number))))
		}
		return notFound
	},
}

var refreshing = Kind{
	Name: "refreshing", Share: 1,
	Doc: "Pages with META refresh: to another page, after a while, to themselves, in a circle.",
	page: func(h *host, r *request) answer {
		to := func(path string) link { return link{host: h, page: -1, path: path, element: refresh} }
		switch r.path {
		case "/":
			return answer{title: "Fresh pages", links: []link{h.to("/old"), h.to("/self"), h.to("/circle/1")}}
		case "/old":
			return answer{title: "Old", links: []link{to("/new?from=old&way=refresh")}}
		case "/new?from=old&way=refresh":
			return answer{title: "New"}
		case "/self":
			return answer{title: "Reloads", head: `<meta http-equiv="refresh" content="30">`}
		case "/circle/1":
			return answer{title: "Round", links: []link{to("/circle/2")}}
		case "/circle/2":
			return answer{title: "And round", links: []link{to("/circle/1")}}
		}
		return notFound
	},
}

var looping = Kind{
	Name: "looping", Share: 1,
	Doc: "Redirects in circles, to themselves, and without end.",
	page: func(h *host, r *request) answer {
		switch r.path {
		case "/":
			return answer{title: "Round about", links: []link{h.to("/a"), h.to("/self"), h.to("/on?n=1"),
				h.to("/page.html")}}
		case "/a":
			return redirect(302, h.to("/b"))
		case "/b":
			return redirect(301, h.to("/a"))
		case "/self":
			return redirect(302, h.to("/self"))
		case "/page.html":
			return answer{title: "A page"}
		}
		if rest, ok := strings.CutPrefix(r.path, "/on?n="); ok {
			if n, err := strconv.ParseUint(rest, 10, 32); err == nil {
				return redirect(302, h.to(fmt.Sprint("/on?n=", n+1)))
			}
		}
		return notFound
	},
	part: func(path string) part {
		if strings.HasPrefix(path, "/on?") {
			return endless
		}
		return content
	},
}
