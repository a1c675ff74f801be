package weburl_test

import (
	"strings"
	"testing"

	"github.com/robotsexclusion/robots/crawler/internal/weburl"
	"github.com/robotsexclusion/robots/fetch"
)

// FuzzOrigin compares the origin of every URL with that of package fetch, which fetches
// robots.txt from there.
func FuzzOrigin(f *testing.F) {
	for _, s := range seeds {
		f.Add(s.ref)
	}
	f.Fuzz(func(t *testing.T, text string) {
		u, err := new(weburl.Form).Parse(text)
		if err != nil {
			t.Skip()
		}
		if strings.HasPrefix(u.Host(), "[::ffff:") {
			t.Skip() // fetch writes its embedded IPv4 address with dots, and refuses to dial it
		}
		if origin, err := fetch.Origin(u.String()); err != nil || origin != u.Origin() {
			t.Errorf("%q: origin %q, to fetch it is %q (%v)", u, u.Origin(), origin, err)
		}
	})
}
