package page_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots/page"
)

// TestMayNameRobot tells of unknown words before a colon that may be names of robots, where
// known directives follow, which count for all then.
func TestMayNameRobot(t *testing.T) {
	for value, want := range map[string]string{
		"otherbot: futuredirective, noindex":        "otherbot",
		"otherbot: tdm-reservation: 1, noindex":     "otherbot tdm-reservation",
		"otherbot: disallow-x nofollow":             "otherbot",
		"otherbot: future: past, a: b, noindex":     "otherbot future a",
		"otherbot: noindex":                         "",
		"otherbot: futuredirective":                 "",
		"futuredirective, noindex":                  "",
		"noindex, otherbot: futuredirective":        "",
		"otherbot: futuredirective, max-snippet: x": "",
	} {
		doc, _ := page.Read(nil, page.Options{Header: http.Header{"X-Robots-Tag": {value, "noarchive"}}})
		var got []string
		for _, d := range doc.Directives {
			if d.MayNameRobot() {
				got = append(got, d.Name)
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: got %q, want %q", value, got, want)
		}
	}
}
