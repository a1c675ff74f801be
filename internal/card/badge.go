package card

import (
	"encoding/xml"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/internal/printable"
)

// badgePurposes are the purposes on a badge, in their order, by the names that people read.
var badgePurposes = []struct {
	purpose string
	text    language.Text
}{
	{"search", language.New("search engines")},
	{"ai-train", language.New("AI training")},
}

var (
	textBadgeOpen   = language.InContext("a site, to robots", "open")
	textBadgeClosed = language.InContext("a site, to robots", "closed")
	textBadgePartly = language.New("partly open")
	textBadgeDown   = language.New("robots.txt cannot be read")
	textBadgeNone   = language.New("not decided")
)

// Colours of the parts of a badge. White text on them has a contrast of 4.5 at least.
const (
	badgeGrey  = "#444d56"
	badgeGreen = "#1a7f37"
	badgeAmber = "#8a5a00"
	badgeRed   = "#b3261e"
)

// Badge returns an SVG picture for other pages, with what the card says to search engines and to AI
// training: "open" if no path but exceptions is closed to any of their robots, "closed" if every
// path is closed to all of them. It has no script and no style, and asks for nothing.
func Badge(c *Card, l language.Language) []byte {
	parts := []badgePart{{"robots.txt", badgeGrey}}
	words := []string{}
	if a := c.Answer; a != nil && a.State == "unreachable" && !a.Copy {
		parts = append(parts, badgePart{textBadgeDown.In(l), badgeAmber})
		words = append(words, textBadgeDown.In(l))
	} else {
		for _, shown := range badgePurposes {
			for _, p := range c.Purposes {
				if p.Purpose == shown.purpose {
					state, colour := badgeState(p.Says, l)
					words = append(words, shown.text.In(l)+": "+state)
					parts = append(parts, badgePart{words[len(words)-1], colour})
				}
			}
		}
	}
	name := escapeXML(printable.Clipped(c.Subject, 200) + ": " + strings.Join(words, ", "))
	width := 0
	var b strings.Builder
	for _, p := range parts {
		w := p.width()
		fmt.Fprintf(&b, `<rect x="%d" width="%d" height="20" fill="%s"/>`, width, w, p.colour)
		fmt.Fprintf(&b, `<text x="%d" y="14" textLength="%d" lengthAdjust="spacingAndGlyphs">%s</text>`, width+6, w-12,
			escapeXML(p.text))
		width += w
	}
	return fmt.Appendf(nil, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="20" viewBox="0 0 %[1]d 20" `+
		`role="img" aria-label="%s" lang="%s"><title>%[2]s</title>`+
		`<g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">%[4]s</g></svg>`+"\n",
		width, name, l, b.String())
}

// badgeState returns what a policy says to the robots of a purpose, and the colour for it.
func badgeState(says []Says, l language.Language) (text, colour string) {
	open, closed := true, true
	for _, s := range says {
		if s.State == Undecided {
			return textBadgeNone.In(l), badgeGrey
		}
		open = open && (s.State == Open || s.State == OpenExcept)
		closed = closed && s.State == Closed
	}
	switch {
	case open:
		return textBadgeOpen.In(l), badgeGreen
	case closed:
		return textBadgeClosed.In(l), badgeRed
	}
	return textBadgePartly.In(l), badgeAmber
}

// A badgePart is a text on a colour.
type badgePart struct{ text, colour string }

// width returns the width of a part in pixels. A letter of Verdana takes seven; one of Korean takes
// eleven.
func (p badgePart) width() int {
	wide := 0
	for _, c := range p.text {
		if c >= 0x1100 {
			wide++
		}
	}
	return 12 + 7*utf8.RuneCountInString(p.text) + 4*wide
}

// escapeXML returns a text for an element or an attribute. Characters that XML does not have become
// U+FFFD.
func escapeXML(text string) string {
	var b strings.Builder
	xml.EscapeText(&b, []byte(text)) // a Builder takes all
	return b.String()
}
