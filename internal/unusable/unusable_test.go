package unusable_test

import (
	"testing"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/unusable"
)

func TestFind(t *testing.T) {
	for _, test := range []struct {
		text string
		want unusable.Reason
		ok   bool
	}{
		{"", unusable.Reason{}, true},
		{"\ufeff\r\n \t\r\n", unusable.Reason{}, true},
		{"# welcome\n", unusable.Reason{}, false},
		{"User-agent: *\n", unusable.Reason{}, false},
		{"<p>\nuser-AGENT: *\n", unusable.Reason{}, false},
		{"Disallow: /\nSitemap: https://a.example/s.xml\n", unusable.Reason{}, false},
		{"# all\n\n  Disalow: /admin/ \nUseragent: *\n", unusable.Reason{Line: 3, Text: "Disalow: /admin/"}, true},
		{"Disallow: /\n", unusable.Reason{Line: 1, Text: "Disallow: /"}, true},
		{"not found", unusable.Reason{Line: 1, Text: "not found"}, true},
	} {
		if got, ok := unusable.Find(robots.ParseString(test.text)); got != test.want || ok != test.ok {
			t.Errorf("%q: got %+v, %t, want %+v, %t", test.text, got, ok, test.want, test.ok)
		}
	}
}
