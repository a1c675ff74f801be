package testweb

import (
	"fmt"
	"strconv"
	"time"
)

var validated = Kind{
	Name: "validated", Share: 2,
	Doc: "Entity tags and dates, strong, weak, new each time, not looked at, and a 304 that nobody asked for.",
	page: func(h *host, r *request) answer {
		date := time.Unix(1.6e9, 0).UTC().Format(httpDate)
		switch r.path {
		case "/":
			a := answer{title: "Validators", tag: `"root"`}
			for _, path := range []string{"/tag.html", "/weak.html", "/date.html", "/both.html", "/other-tag.html",
				"/unread.html", "/unasked.html"} {
				a.links = append(a.links, h.to(path))
			}
			return a
		case "/tag.html":
			return answer{title: "A tag", tag: `"strong, with a comma"`}
		case "/weak.html":
			return answer{title: "A weak tag", tag: `W/"weak"`}
		case "/date.html", "/both.html":
			a := answer{title: "A date", modified: date}
			if r.path == "/both.html" {
				a.tag = `"both"`
			}
			if r.since == date && r.tag == "" {
				return answer{status: 304, modified: date, tag: a.tag}
			}
			return a
		case "/other-tag.html":
			return answer{title: "A new tag each time", tag: `"` + strconv.Itoa(r.turn) + `"`}
		case "/unread.html":
			// The explicit 200 disables the comparison of the tag.
			return answer{status: 200, title: "A tag that does not matter", tag: `"unread"`}
		case "/unasked.html":
			return answer{status: 304, tag: `"unasked"`}
		}
		return notFound
	},
}

var changing = Kind{
	Name: "changing", Share: 2,
	Doc: "Pages of which some change every ten seconds or every hour, and some never.",
	page: func(h *host, r *request) answer {
		periods := map[string]float64{"/": 0, "/often.html": 10, "/sometimes.html": 3600, "/never.html": 0}
		period, ok := periods[r.path]
		if !ok {
			return notFound
		}
		version := int64(0)
		if period > 0 && !r.settled {
			version = int64(h.web.now().Seconds() / (period * h.web.options.Scale))
		}
		a := answer{title: fmt.Sprintf("Version %d", version), tag: fmt.Sprintf(`"%d"`, version)}
		if r.path == "/" {
			a.links = []link{h.to("/often.html"), h.to("/sometimes.html"), h.to("/never.html")}
		}
		if period == 10 {
			a.head = `<meta name="DOCUMENT-STATE" content="DYNAMIC">`
		}
		return a
	},
}
