package crawl

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// TestShapes names the shapes of URLs, from the narrowest to the widest.
func TestShapes(t *testing.T) {
	for path, want := range map[string]string{
		"/":                            "/ /…",
		"/about.html":                  "/about.html /…",
		"/cal/17":                      "/cal/# /cal/… /cal/…/…",
		"/calq?m=17":                   "/calq?m /calq?… /…",
		"/calq?m=17&a=2&m=3&%6d=4":     "/calq?a&m /calq?… /…",
		"/calq?20261122":               "/calq?… /calq?… /…",
		"/d?a1b2c3=1":                  "/d?* /d?… /…",
		"/page17.html":                 "/page#.html /…",
		"/17th-page_2":                 "/#th-page_# /…",
		"/s/8f3a9c01/page2":            "/s/*/page# /s/*/… /s/*/…/… /s/…/…",
		"/%63al/%31%37":                "/cal/# /cal/… /cal/…/…",
		"/a%2Fb/c":                     "/a%#Fb/c /a%#Fb/… /a%#Fb/…/…",
		"/p;v=1;w=2/x;v":               "/p;v;w/x;v /p;v;w/… /p;v;w/…/…",
		"/%D0%B4%D0%B5%D0%BD%D1%8C/12": "/день/# /день/… /день/…/…",
	} {
		var got []string
		for _, s := range shapesOf(nil, parse(t, "https://example.com"+path)) {
			got = append(got, s.String())
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: got %s, want %s", path, strings.Join(got, " "), want)
		}
	}
}

// TestShapeKeys holds the keys of shapes, which are stored, to what they always were.
func TestShapeKeys(t *testing.T) {
	var got []string
	for _, s := range shapesOf(nil, parse(t, "https://example.com/s/8f3a9c01/page2?sort=1&page=2")) {
		got = append(got, fmt.Sprintf("%016x", s.key()))
	}
	want := []string{"13eeabeaf3744a66", "618688aa6cca2b57", "095c081224bbf8e3", "728316eaa1f82d1a", "9f63d30b123e2994"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

