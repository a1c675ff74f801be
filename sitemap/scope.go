package sitemap

import (
	"net/url"
	"strings"
)

// MayList reports whether a sitemap may list a URL. The protocol allows this if the URL
// has the same scheme, host and port, and is in the folder of the sitemap or below it
// (section "Sitemap file location"), or if the robots.txt of the URL's host names the sitemap, on
// any host (section "Sitemaps & Cross Submits"). fromRobots are the sitemaps that this robots.txt
// names.
//
// Without that rule any site could claim changes of other sites' pages, and send robots to them. If
// robots.txt names an index, call MayList for the index too: the sitemaps of an index may list the
// same URLs as the index.
//
// The URLs are absolute. An invalid URL may not be listed, nor list others.
func MayList(sitemap, page string, fromRobots []string) bool {
	s, ok := parse(sitemap)
	p, ok2 := parse(page)
	if !ok || !ok2 {
		return false
	}
	folder := s.path[:strings.LastIndexByte(s.path, '/')+1]
	return s.origin == p.origin && strings.HasPrefix(p.path, folder) || named(s, fromRobots)
}

// MayIndex reports whether an index may list another sitemap: if the sitemap has the same
// scheme, host and port, in any folder (section "Using Sitemap index files"), or if the
// robots.txt of its host names the index.
func MayIndex(index, sitemap string, fromRobots []string) bool {
	i, ok := parse(index)
	s, ok2 := parse(sitemap)
	return ok && ok2 && (i.origin == s.origin || named(i, fromRobots))
}

// A place is the parts of a URL that the protocol compares.
type place struct {
	origin string // scheme, host and port
	path   string // without dot segments; it begins with "/"
	query  string
}

// parse returns the place of an absolute URL.
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
	// Resolving a URL removes its dot segments. Encoded dots count too (URL Standard).
	u.Path, u.RawPath = dots.Replace(u.EscapedPath()), ""
	path := (&url.URL{Path: "/"}).ResolveReference(&url.URL{Path: "/" + strings.TrimPrefix(u.Path, "/")}).Path
	return place{scheme + "://" + strings.ToLower(u.Hostname()) + ":" + port, path, u.RawQuery}, true
}

// dots decodes the dots of a path.
var dots = strings.NewReplacer("%2e", ".", "%2E", ".")

// named reports whether one of these URLs has the place p.
func named(p place, urls []string) bool {
	for _, text := range urls {
		if q, ok := parse(text); ok && p == q {
			return true
		}
	}
	return false
}
