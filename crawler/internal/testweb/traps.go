package testweb

import (
	"fmt"
	"strconv"
	"strings"
)

// below returns a function that declares all paths with a prefix a trap.
func below(prefix string) func(path string) part {
	return func(path string) part {
		if strings.HasPrefix(path, prefix) {
			return endless
		}
		return content
	}
}

var calendar = Kind{
	Name: "calendar", Share: 2,
	Doc: "A calendar with a page for each month, and links to the months before and after it.",
	page: func(h *host, r *request) answer {
		now := h.web.began.UTC()
		if r.path == "/" || r.path == "/events.html" {
			return answer{title: "Events", links: []link{h.to("/events.html"),
				h.to(fmt.Sprintf("/calendar/%d/%02d", now.Year(), now.Month()))}}
		}
		return h.month(r.path)
	},
	part: below("/calendar/"),
}

// month returns a page of the calendar.
func (h *host) month(path string) answer {
	rest, ok := strings.CutPrefix(path, "/calendar/")
	y, m, _ := strings.Cut(rest, "/")
	year, err := strconv.Atoi(y)
	month, err2 := strconv.Atoi(m)
	if !ok || err != nil || err2 != nil || month < 1 || month > 12 || year < 1 || year > 9999 {
		return notFound
	}
	to := func(month int) link {
		n := year*12 + month - 1
		return h.to(fmt.Sprintf("/calendar/%d/%02d", n/12, n%12+1))
	}
	return answer{title: fmt.Sprintf("%d, month %d", year, month), links: []link{to(month - 1), to(month + 1),
		to(month + 12)}}
}

var sessions = Kind{
	Name: "sessions", Share: 2,
	Doc: "A session id in every link, which is new each time.",
	page: func(h *host, r *request) answer {
		path, _, _ := strings.Cut(r.path, "?")
		path, _, _ = strings.Cut(path, ";")
		if path != "/" && path != "/item/1.html" && path != "/item/2.html" {
			return notFound
		}
		id := fmt.Sprintf("%016x%016x", mix(h.pick, uint64(r.turn)), mix(h.pick, uint64(r.turn), 1))
		return answer{title: "Items", links: []link{
			h.to("/item/1.html?PHPSESSID=" + id), h.to("/item/2.html;jsessionid=" + id), h.to("/?sid=" + id),
			// These are for robots that drop session ids.
			{host: h, page: -1, path: "/item/1.html", element: bare, maybe: true}, {host: h, page: -1,
				path: "/item/2.html", element: bare, maybe: true},
		}}
	},
	part: func(path string) part {
		if strings.Contains(path, "PHPSESSID=") || strings.Contains(path, "jsessionid=") ||
			strings.Contains(path, "?sid=") {
			return endless
		}
		return content
	},
}

var appending = Kind{
	Name: "appending", Share: 2,
	Doc: "Relative links on pages that answer to every path below them, so that paths get longer and longer.",
	page: func(h *host, r *request) answer {
		switch {
		case r.path == "/":
			return answer{title: "More and more", links: []link{h.to("/page.html"), h.to("/more/and/")}}
		case r.path == "/page.html":
			return answer{title: "A page"}
		case strings.HasPrefix(r.path, "/more/") && strings.HasSuffix(r.path, "/") && len(r.path) < maxHead-100:
			return answer{title: "More", head: `<link rel="icon" href="data:,">`,
				links: []link{{host: h, page: -1, path: r.path + "more/and/"}, {host: h, page: -1, path: r.path +
					"and/"}}}
		}
		return notFound
	},
	part: below("/more/"),
}

var queries = Kind{
	Name: "queries", Share: 2,
	Doc: "A list that can be sorted, filtered and turned over in any combination, by parameters.",
	page: func(h *host, r *request) answer {
		query, isList := strings.CutPrefix(r.path, "/list?")
		switch {
		case r.path == "/":
			return answer{title: "The list", links: []link{h.to("/list?page=1"), h.to("/about.html")}}
		case r.path == "/about.html":
			return answer{title: "About the list"}
		case isList && len(query) < maxHead-200:
			a := answer{title: "The list"}
			for i, more := range []string{"&sort=name", "&sort=date", "&filter=" + strconv.Itoa(len(query)), "&page=" +
				strconv.Itoa(strings.Count(query, "&")+2)} {
				if i < 3 || !strings.Contains(query, more) {
					a.links = append(a.links, h.to(r.path+more))
				}
			}
			return a
		}
		return notFound
	},
	part: below("/list?"),
}

var copies = Kind{
	Name: "copies", Share: 1,
	Doc: "Pages without end that differ in a number only.",
	page: func(h *host, r *request) answer {
		if r.path == "/" {
			return answer{title: "Copies", links: []link{h.to("/copy/1.html"), h.to("/page.html")}}
		}
		if r.path == "/page.html" {
			return answer{title: "A page"}
		}
		digits, ok := strings.CutPrefix(r.path, "/copy/")
		digits, ok2 := strings.CutSuffix(digits, ".html")
		n, err := strconv.ParseUint(digits, 10, 32)
		if !ok || !ok2 || err != nil {
			return notFound
		}
		body := fmt.Appendf(nil, "<!DOCTYPE html>\n<title>Copy %d</title>\n", n)
		a := answer{links: []link{h.to(fmt.Sprintf("/copy/%d.html", n+1)), h.to(fmt.Sprintf("/copy/%d.html", 2*n+7))}}
		for _, l := range a.links {
			body = fmt.Appendf(body, "<a href=\"%s\">the next one</a>\n", l.path)
		}
		s := source(h.pick)
		a.body = append(body, h.web.appendText(nil, 0, &s)...)
		return a
	},
	part: below("/copy/"),
}

var longURLs = Kind{
	Name: "long-urls", Share: 1,
	Doc: "URLs that get longer with every page, up to 7,000 bytes.",
	page: func(h *host, r *request) answer {
		switch {
		case r.path == "/":
			return answer{title: "Short", links: []link{h.to("/long/x"), h.to("/page.html")}}
		case r.path == "/page.html":
			return answer{title: "A page"}
		case strings.HasPrefix(r.path, "/long/"):
			a := answer{title: "Longer"}
			for i := range 2 {
				next := r.path + strings.Repeat("xyz"[i:i+1], min(len(r.path), 1000))
				if len(next) <= 7000 {
					a.links = append(a.links, h.to(next))
				}
			}
			return a
		}
		return notFound
	},
	part: below("/long/"),
}
