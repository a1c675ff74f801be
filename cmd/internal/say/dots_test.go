package say

import (
	"net/url"
	"strings"
	"testing"
)

func TestResolved(t *testing.T) {
	for text, want := range map[string]string{
		"/a/../private": "/private", "/a/./b": "/a/b", "/a/..": "/", "/a/b/.": "/a/b/", "/..": "/", "/../../x/": "/x/",
		"/%2e%2E/x": "/x", "/a/.%2e/b?c/../d": "/b?c/../d", "/a//../b": "/a/b", "/./a#/../b": "/a#/../b",
		"https://h.example/a/../b": "https://h.example/b", "https://h.example": "", "/": "", "/a.b/..c/...": "",
		"/a?b/../c": "", "https://h.example?/../x": "",
	} {
		got, ok := resolved(text)
		if ok != (want != "") || ok && got != want {
			t.Errorf("%q: got %q, %t, want %q", text, got, ok, want)
		}
		if !ok || strings.ContainsAny(text, "%#") {
			continue
		}
		u, err := url.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		if twin := (&url.URL{}).ResolveReference(u).String(); twin != got {
			t.Errorf("%q: net/url resolves it to %q, not %q", text, twin, got)
		}
	}
}
