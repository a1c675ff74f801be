package matchtext_test

import (
	"testing"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/internal/language/matchtext"
)

// The English sentences are those of package robots, and every reason has a text in every
// language.
func TestSentence(t *testing.T) {
	for _, allowed := range []bool{false, true} {
		for r := robots.NoGroup; r <= robots.Unreachable; r++ {
			m := robots.Match{Allowed: allowed, Reason: r}
			if r == robots.DecidingRule {
				m.Rule = robots.Rule{Allow: allowed, Pattern: "/x", Line: 3}
			}
			say := func(l language.Language) string {
				return matchtext.Sentence(l, m.Allowed, m.Reason.String(), m.Rule.Line, m.Rule.String())
			}
			english := say(language.English)
			if want := m.String(); english != want {
				t.Errorf("got %q, want %q", english, want)
			}
			for _, l := range []language.Language{language.Spanish, language.Korean, language.Russian} {
				if got := say(l); got == english {
					t.Errorf("%v has no text for %v", l, r)
				}
			}
		}
	}
}
