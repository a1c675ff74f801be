package ask

import (
	"errors"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/internal/url/urlcheck"
)

// TestBadURL checks that each fault of a URL has the English message of package robots, and other
// messages in other languages.
func TestBadURL(t *testing.T) {
	seen := make(map[urlcheck.Fault]bool)
	for _, url := range []string{
		"", "//x", "private/x", "ftp://h/", "HTTP:/x", "http://", "http://[::1/", "http://[::1]x/", "http://h:80a/",
		"http://a..b/", "http://127.1/",
		"http://h^/", "a\x1b%s b",
	} {
		want := robots.CheckURL(url)
		fault := (*urlcheck.Error)(nil)
		if !errors.As(want, &fault) {
			t.Fatalf("%q: the error of package robots is %v", url, want)
		}
		seen[fault.Fault] = true
		got := checkURL(url)
		if got == nil || got.Error() != want.Error() {
			t.Errorf("%q: got %v, want %v", url, got, want)
		}
		for _, l := range []language.Language{language.Spanish, language.Korean, language.Russian} {
			if text := language.Explain(l, got); text == want.Error() || strings.Contains(text, "%!") ||
				!strings.Contains(text, fault.URL) || !strings.Contains(text, fault.Detail) {
				t.Errorf("%q in %v: %s", url, l, text)
			}
		}
	}
	if len(seen) != len(badURLs) || !seen[urlcheck.BadByte] || len(badURLs) != int(urlcheck.BadByte) {
		t.Errorf("%d faults tested, %d have texts, want %d", len(seen), len(badURLs), urlcheck.BadByte)
	}
	if err := checkURL("/x"); err != nil {
		t.Errorf("a path: %v", err)
	}
}
