package robottest

import (
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"
)

// exercises are all hosts of the web. The first has the start page.
var exercises = []exercise{
	// Its robots.txt is not empty: a robot that reads an empty file as a ban would show nothing.
	{name: "start", page: startPage, robots: "User-agent: *\nDisallow:\n"},

	{name: "disallow", closed: []string{"/private/", "/private/page"}, open: []string{"/privat", "/public/private/"},
		robots: "User-agent: robot-of-nobody\nDisallow: /public/\n\nUser-agent: *\nDisallow: /private/\n"},
	{name: "closed", unvisited: true,
		robots: "User-agent: *\nDisallow: /\n"},
	{name: "own-group", closed: []string{"/for-you/a", "/for-you/b"}, open: []string{"/for-all/a"},
		robots: "User-agent: *\nDisallow: /for-all/\n\nUser-agent: {agent}\nDisallow: /for-you/\n\nUser-agent: robot-of-nobody\nDisallow: /\n"},
	{name: "group-case", closed: []string{"/case/a", "/case/b"}, open: []string{"/all/a"},
		robots: "user-agent: *\ndisallow: /all/\n\nUSER-AGENT: {AGENT}\nDISALLOW: /case/\n"},
	{name: "joined-groups", closed: []string{"/one/a", "/two/a", "/three/a"}, open: []string{"/four/a"},
		robots: "User-agent: {agent}\nDisallow: /one/\n\nUser-agent: *\nDisallow: /four/\n\nUser-agent: {agent}\nDisallow: /two/\n\n" +
			"User-agent: robot-of-nobody\nUser-agent: {agent}\nDisallow: /three/\n"},
	{name: "longest", closed: []string{"/a/b/c", "/d/e/f/g"}, open: []string{"/a/x", "/d/e/x"},
		robots: "User-agent: *\nAllow: /a/\nDisallow: /a/b/\nDisallow: /d/\nAllow: /d/e/\nDisallow: /d/e/f/\n"},
	{name: "tie", closed: []string{"/other/a"}, open: []string{"/same/a", "/same/b"},
		robots: "User-agent: *\nDisallow: /same/\nAllow: /same/\nDisallow: /other/\n"},
	{name: "wildcards", closed: []string{"/x/y/secret/z", "/letter.pdf", "/a/z-list"},
		open:   []string{"/letter.pdf.html", "/x/y/z"},
		robots: "User-agent: *\nDisallow: /*/secret/\nDisallow: /*.pdf$\nDisallow: /a*-list\n"},
	{name: "escapes", closed: []string{"/caf%C3%A9/a", "/%7Ejoe/a", "/b%2Fc/d"}, open: []string{"/b/c/d", "/cafe/a"},
		robots: "User-agent: *\nDisallow: /café/\nDisallow: /~joe/\nDisallow: /b%2fc/\n"},
	{name: "queries", closed: []string{"/find?q=a&page=2", "/view?print=1"}, open: []string{"/find?page=2", "/view"},
		robots: "User-agent: *\nDisallow: /find?q=\nDisallow: /view?print\n"},
	{name: "mark", closed: []string{"/mark/a", "/mark/b"},
		robots: "\ufeffUser-agent: *\nDisallow: /mark/\n"},
	{name: "line-ends", closed: []string{"/cr/a", "/crlf/a", "/last/a"},
		robots: "User-agent: *\rDisallow: /cr/\rDisallow: /crlf/\r\nDisallow: /last/"},
	{name: "unknown-lines", closed: []string{"/one/a", "/two/a"}, open: []string{"/three/a"},
		robots: "# User-agent: *\n# Disallow: /three/\n\nUser-agent: robot-of-nobody\n# not for you\n\nNoodle: soup\nUser-agent: * # everyone\n\n" +
			"Clean-param: sid /\nDisallow: /one/ # with a comment\n\nthis is no record\nSitemap: /none.xml\nDisallow:/two/\n"},
	{name: "empty", open: []string{"/a"}},
	{name: "missing", open: []string{"/a"}, unaudited: true, file: failing(404)},
	{name: "forbidden", open: []string{"/a"}, unaudited: true, file: failing(403)},
	{name: "server-error", unvisited: true, unaudited: true, file: failing(500)},
	{name: "no-answer", unvisited: true, unaudited: true,
		file: func(*site, *visit, string, int) *answer { return &answer{broken: true} }},
	{name: "moved", closed: []string{"/moved/a", "/moved/b"},
		robots: "User-agent: *\nDisallow: /moved/\n", file: moved, page: movedPage},
	{name: "aside", unlinked: true, aside: true, file: asideFile, page: asidePage},
	{name: "elsewhere", closed: []string{"/away/a", "/away/b"},
		robots: "User-agent: *\nDisallow: /away/\n", file: elsewhere},
	{name: "large", closed: []string{"/near/a", "/far/a"},
		large: sync.OnceValue(func() string {
			const comment = "# forty bytes of comment on every line..\n"
			return "User-agent: *\nDisallow: /near/\n" + strings.Repeat(comment, 12_000) + "Disallow: /far/\n" +
				strings.Repeat(comment, 4_000)
		})},
	{name: "html", open: []string{"/a"}, file: htmlFile},

	{name: "one-at-a-time", open: []string{"/a", "/b", "/c", "/d"}, page: slowPages},
	{name: "delay", open: []string{"/a", "/b", "/c"},
		robots: "User-agent: *\nCrawl-delay: 2\n\nUser-agent: {agent}\nCrawl-delay: 2\n"},
	{name: "pause", open: []string{"/a", "/b", "/c", "/d", "/e", "/f", "/g", "/h", "/i", "/j", "/k"}},
	{name: "retry-seconds", open: []string{"/a", "/b", "/c"},
		page: retryLater(429, func(time.Time) string { return "4" })},
	{name: "retry-date", open: []string{"/a", "/b", "/c"}, page: retryLater(503, func(now time.Time) string {
		return now.Add(5 * time.Second).UTC().Format(http.TimeFormat)
	})},
	{name: "loop", open: []string{"/a"}, closed: nil, page: loopPages, more: []string{"/loop/1"}},
	{name: "dead", open: []string{"/a"}, page: deadPages, more: []string{"/dead/error"}},
	{name: "cut", open: []string{"/a"}, page: deadPages, more: []string{"/dead/cut"}},
	{name: "gone", open: []string{"/a", "/b", "/c", "/d"}, page: gonePages, more: []string{"/gone"}},
	{name: "overload", open: []string{"/a", "/b", "/c", "/d", "/e", "/f", "/g", "/h", "/i", "/j"}, page: overloaded},

	{name: "calendar", page: month, more: []string{"/calendar/2026/11"}},
	{name: "sessions", page: session, more: []string{"/item/1", "/item/2"}},
	{name: "deeper", page: deeper, more: []string{"/deep/"}},
	{name: "link-nofollow", baits: []string{"/followed/a", "/followed/b"},
		extra: "<p><a rel=\"nofollow\" href=\"/followed/a\">one</a> <a rel=\"external nofollow\" href=\"/followed/b\">two</a>\n"},
	{name: "page-nofollow", open: []string{"/page"}, page: tagged, baits: []string{"/followed/a", "/followed/b"}},
	{name: "header-nofollow", open: []string{"/page"}, page: tagged, baits: []string{"/followed/a", "/followed/b"}},
	{name: "side-effects", baits: effects, more: effects,
		extra: "<form method=\"post\" action=\"/subscribe\"><input name=\"mail\"><button>Subscribe</button></form>\n"},
	{name: "rate", open: []string{"/a", "/b", "/c"},
		robots: "User-agent: *\nRequest-rate: 1/3s\n\nUser-agent: {agent}\nRequest-rate: 1/3s\n"},
	{name: "visit-time", unvisited: true, unaudited: true, file: visitLater},
	{name: "endless", page: endlessPage, more: []string{"/endless"}},
	{name: "slow", page: slowPage, more: []string{"/slow"}},
	{name: "sitemap", file: mapFile, page: mapPage},
}

// effects are paths whose names say that a visit changes something.
var effects = []string{"/cart?add-to-cart=7", "/logout", "/item/delete?id=3"}

// startPage is the page that links to all exercises.
func startPage(s *site, v *visit, _ int) *answer {
	if v.path != "/" {
		return notFound()
	}
	var links []string
	for _, to := range s.web.sites[1:] {
		if !to.exercise.unlinked {
			links = append(links, v.base(to)+"/")
		}
	}
	return s.page(v, links, "")
}

// failing returns a function that answers robots.txt with a status.
func failing(status int) func(*site, *visit, string, int) *answer {
	return func(*site, *visit, string, int) *answer {
		return &answer{status: status, media: "text/plain", body: http.StatusText(status) + "\n"}
	}
}

func redirect(to string) *answer {
	return &answer{status: http.StatusFound, header: http.Header{"Location": {to}},
		body: "<!DOCTYPE html>\n<title>Moved</title>\n"}
}

// moved redirects robots.txt over five hops of the same host.
func moved(*site, *visit, string, int) *answer { return redirect("/hop/1") }

// movedPage is a hop of that.
func movedPage(s *site, v *visit, _ int) *answer {
	rest, ok := strings.CutPrefix(v.path, "/hop/")
	switch n, err := strconv.Atoi(rest); {
	case !ok || err != nil:
		return nil
	case n < 5:
		return redirect("/hop/" + strconv.Itoa(n+1))
	}
	return s.plain(v)
}

// asideFile and asidePage serve the texts to which other hosts redirect robots.txt.
func asideFile(s *site, v *visit, _ string, _ int) *answer {
	return s.web.byName["elsewhere.test"].plain(v)
}

func asidePage(*site, *visit, int) *answer { return notFound() }

// plain returns the text of robots.txt of the site.
func (s *site) plain(v *visit) *answer {
	return &answer{status: 200, media: "text/plain; charset=utf-8", body: s.exercise.text(v.tokens)}
}

// elsewhere redirects robots.txt to another host.
func elsewhere(s *site, v *visit, _ string, _ int) *answer {
	return redirect(v.base(s.web.byName["aside.test"]) + "/robots.txt")
}

// htmlFile answers robots.txt with a page, as sites do that have a page for everything.
func htmlFile(s *site, v *visit, _ string, _ int) *answer { return s.page(v, []string{"/"}, "") }

// slowPages answer after a while, so that a second request finds the first one open.
func slowPages(s *site, v *visit, _ int) *answer {
	if v.path == "/" {
		return nil
	}
	for _, path := range s.exercise.links() {
		if path == v.path {
			a := s.page(v, nil, "")
			a.hold = true
			return a
		}
	}
	return nil
}

// retryLater answers the second page with Retry-After.
func retryLater(status int, value func(now time.Time) string) func(*site, *visit, int) *answer {
	return func(s *site, v *visit, n int) *answer {
		if n != 1 {
			return nil
		}
		return &answer{status: status, header: http.Header{"Retry-After": {value(s.web.options.clock.now())}},
			body: http.StatusText(status) + "\n"}
	}
}

// loopPages redirect to each other for ever.
func loopPages(_ *site, v *visit, _ int) *answer {
	rest, ok := strings.CutPrefix(v.path, "/loop/")
	if n, err := strconv.Atoi(rest); ok && err == nil {
		return redirect("/loop/" + strconv.Itoa(n%3+1))
	}
	return nil
}

// deadPages never answer properly.
func deadPages(_ *site, v *visit, _ int) *answer {
	switch v.path {
	case "/dead/error":
		return &answer{status: 500, body: "Internal Server Error\n"}
	case "/dead/cut":
		return &answer{broken: true}
	}
	return nil
}

// gonePages all link to a page that does not exist.
func gonePages(s *site, v *visit, _ int) *answer {
	switch v.path {
	case "/":
		return nil
	case "/gone":
		return notFound()
	}
	for _, path := range s.exercise.links() {
		if path == v.path {
			return s.page(v, []string{"/gone"}, "")
		}
	}
	return nil
}
