package lint

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots"
)

// TestByteOrderMarks proves the effects of the fixes of files that start with byte order marks. A
// file with several loses its first line, and the fix gives it back.
func TestByteOrderMarks(t *testing.T) {
	lines := []string{"User-agent: *", "User-agent: ExampleBot", "Disallow: /a", "Allow: /a/b", "Disallow: /", "",
		"# text", "\ufeff", "\ufeffDisallow: /c", "Crawl-delay: 1", "Sitemap: https://example.com/s.xml"}
	random := rand.New(rand.NewPCG(20, 8))
	fixed := [4]int{} // by the number of marks
	changes := 0
	for i := range 600 {
		marks := 1 + i%3
		text := strings.Repeat(byteOrderMark, marks)
		text += []string{"User-agent: *", "Disallow: /", "# text", "User-agent: ExampleBot"}[random.IntN(4)] + "\n"
		for range random.IntN(8) {
			text += lines[random.IntN(len(lines))] + "\n"
		}
		r := Run(robots.ParseString(text), Options{})
		provenEffects(t, text, r)
		for _, d := range r.Diagnostics {
			if d.Check != byteOrderMarkCheck {
				continue
			}
			fixed[marks]++
			if after := d.Fix.Apply(text); strings.HasPrefix(after, byteOrderMark) {
				t.Errorf("%q: a mark is left: %q", text, after)
			}
			if keeps := marks == 1; (d.Fix.Effect == Keeps) != keeps || d.Fix.Safe != keeps {
				t.Errorf("%q: the effect is %q, safe %t", text, d.Fix.Effect, d.Fix.Safe)
			}
			if d.Fix.Effect == Changes && proven(text, &Fix{Edits: d.Fix.Edits, Effect: Keeps}) != nil {
				changes++
			}
		}
	}
	if min(fixed[1], fixed[2], fixed[3]) < 50 || changes < 50 {
		t.Errorf("%v files by their marks have a fix, and %d change answers: the test proves little", fixed[1:], changes)
	}
}
