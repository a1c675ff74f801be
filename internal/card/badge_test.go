package card

import (
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/language"
)

// badgeText returns the name of a badge, and fails if the badge has any element or attribute but
// those of a picture.
func badgeText(t *testing.T, badge []byte) (label string) {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(string(badge)))
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return label
		}
		if err != nil {
			t.Fatalf("%v:\n%s", err, badge)
		}
		start, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		if !strings.Contains(" svg title g rect text ", " "+start.Name.Local+" ") {
			t.Errorf("the badge has an element %s:\n%s", start.Name.Local, badge)
		}
		for _, a := range start.Attr {
			name := a.Name.Local
			if strings.HasPrefix(name, "on") || strings.HasSuffix(name, "href") || name == "style" {
				t.Errorf("the badge has an attribute %s:\n%s", name, badge)
			}
			if name == "aria-label" {
				label = a.Value
			}
		}
	}
}

// A badge says what a file says to search engines and AI training, and takes no name for markup.
func TestBadge(t *testing.T) {
	const train = "User-agent: GPTBot\nDisallow: /\n"
	for _, c := range []struct{ text, subject, want string }{
		{"User-agent: *\nDisallow: /cart/\n", "https://a.example",
			"https://a.example: search engines: open, AI training: open"},
		{"", "robots.txt", "robots.txt: search engines: open, AI training: open"},
		{train, "robots.txt", "robots.txt: search engines: open, AI training: partly open"},
		{"User-agent: *\nDisallow: /\n", "robots.txt", "robots.txt: search engines: closed, AI training: closed"},
		{"User-agent: *\nDisallow: /\nAllow: /a\n", "x", "x: search engines: partly open, AI training: partly open"},
		{train, `"><script>alert(1)</script>&<svg onload=x>`, ""},
		{train, "a\x00\x1b]0;x\x07\u202e\ufffe\xff'\"/><foreignObject>", ""},
		{train, strings.Repeat("<a href='javascript:x'>", 100), ""},
	} {
		for _, l := range []language.Language{language.English, language.Spanish, language.Korean, language.Russian} {
			badge := Badge(Make(robots.ParseString(c.text), Options{Subject: c.subject, Language: l}), l)
			name := badgeText(t, badge)
			if l == language.English && c.want != "" && name != c.want {
				t.Errorf("%q: got %q, want %q", c.text, name, c.want)
			}
			if l != language.English && strings.Contains(name, "search engines") {
				t.Errorf("in %v the badge says %q", l, name)
			}
			if len(badge) > 4<<10 {
				t.Errorf("the badge has %d bytes", len(badge))
			}
		}
	}
	down := Make(robots.ParseString("User-agent: *\nDisallow: /\n"), Options{Subject: "https://a.example", Site: true,
		Answer: &Response{State: "unreachable"}})
	if got := badgeText(t, Badge(down, language.English)); got != "https://a.example: robots.txt cannot be read" {
		t.Errorf("got %q", got)
	}
}
