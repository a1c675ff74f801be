package sitemap

import (
	"net/url"
	"strings"
)

// MayList reports whether a sitemap may list a URL. By the protocol it may if the URL
// is of the same scheme, host and port, and in the folder of the sitemap or below it
// (section "Sitemap file location"), or if the robots.txt of the URL's host names the
// sitemap, wherever that is (section "Sitemaps & Cross Submits"): fromRobots are the
// sitemaps that it names.
//
// Without that rule anybody could say when a stranger's pages change, and send robots
// to them. Where robots.txt names an index, ask about the index too: what it may list,
// so may the sitemaps that it lists.
//
// The URLs are absolute. One that cannot be parsed may not be listed, nor list.
func MayList(sitemap, page string, fromRobots []string) bool {
	s, ok := parse(sitemap)
	p, ok2 := parse(page)
	if !ok || !ok2 {
		return false
	}
	folder := s.path[:strings.LastIndexByte(s.path, '/')+1]
	return s.origin == p.origin && strings.HasPrefix(p.path, folder) || named(s, fromRobots)
}

// MayIndex reports whether an index may list another sitemap: if that is of the same
// scheme, host and port, in any folder (section "Using Sitemap index files"), or if the
// robots.txt of its host names the index.
func MayIndex(index, sitemap string, fromRobots []string) bool {
	i, ok := parse(index)
	s, ok2 := parse(sitemap)
	return ok && ok2 && (i.origin == s.origin || named(i, fromRobots))
}

// A place is where a URL leads to, as far as the protocol compares it.
type place struct {
	origin string // scheme, host and port
	path   string // without dot segments; it begins with "/"
	query  string
}

// parse returns the place that an absolute URL leads to.
func parse(text string) (place, bool) {
	u, err := url.Parse(strings.TrimSpace(text))
	if err != nil || u.Hostname() == "" {
		return place{}, false
	}
	scheme, port := strings.ToLower(u.Scheme), u.Port()
	switch {
	case scheme != "http" && scheme != "https":
		return place{}, false
	case scheme == "http" && port == "80", scheme == "https" && port == "443":
		port = ""
	}
	// A URL that is resolved loses its dot segments. Those that are encoded count too
	// (URL Standard).
	u.Path, u.RawPath = dots.Replace(u.EscapedPath()), ""
	path := (&url.URL{Path: "/"}).ResolveReference(&url.URL{Path: "/" + strings.TrimPrefix(u.Path, "/")}).Path
	return place{scheme + "://" + strings.ToLower(u.Hostname()) + ":" + port, path, u.RawQuery}, true
}

// dots decodes the dots of a path.
var dots = strings.NewReplacer("%2e", ".", "%2E", ".")

// named reports whether a place is that of one of these URLs.
func named(p place, urls []string) bool {
	for _, text := range urls {
		if q, ok := parse(text); ok && p == q {
			return true
		}
	}
	return false
}
