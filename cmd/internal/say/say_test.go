package say

import (
	"strings"
	"testing"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/internal/test/fatal"
	"github.com/robotsexclusion/robots/proof"
)

// TestEnglish compares the English texts with those of the packages, and checks that the others
// are not English.
func TestEnglish(t *testing.T) {
	rule := robots.Rule{Pattern: "/a\x1b", Line: 3}
	for reason := robots.NoGroup; reason <= robots.Unreachable; reason++ {
		for _, allowed := range []bool{false, true} {
			m := robots.Match{Allowed: allowed, Reason: reason}
			if reason == robots.DecidingRule {
				m.Rule = rule
			}
			if got, want := Match(language.English, m), m.String(); got != want {
				t.Errorf("got %q, want %q", got, want)
			}
			for l := range language.Language(len(language.Codes())) {
				if l != language.English && Match(l, m) == m.String() {
					t.Errorf("%v is English in %v", m, l)
				}
			}
		}
	}
	p := new(Printer)
	for _, c := range []proof.RecordChange{
		{Record: robots.Record{Field: "Sitemap", Value: "http://h/"}, Added: true},
		{Record: robots.Record{Field: "Crawl-delay", Value: "5"}, Agents: []string{"*", "a"}},
	} {
		if got, want := p.recordChange(c), c.String(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// TestEnglishOutcomes compares the English texts about rules with those of package robots.
func TestEnglishOutcomes(t *testing.T) {
	p := new(Printer)
	seen := make(map[string]bool)
	for _, text := range []string{
		"User-agent: *\nDisallow: /a\nDisallow: /ab\nAllow: /ab\nDisallow: /abc\nAllow: /abc\nDisallow: /abc\n",
		"User-agent: *\nAllow: /robots.txt\nDisallow: /\n",
	} {
		for _, d := range robots.Dialects() {
			g := d.Parse([]byte(text)).For("*")
			for _, url := range []string{"/a", "/abcd", "/robots.txt", "/x"} {
				e := g.Explain(url)
				for i, c := range e.Candidates {
					seen[strings.Fields(c.Outcome)[0]] = true
					if got := p.outcome(d, &e, i); got != c.Outcome {
						t.Errorf("%v: %s: got %q, want %q", d, url, got, c.Outcome)
					}
				}
			}
		}
	}
	if len(seen) < 6 {
		t.Errorf("only %d kinds of outcomes: %v", len(seen), seen)
	}
}

// TestEnglishAgents compares the English texts about agents with those of package agent.
func TestEnglishAgents(t *testing.T) {
	for _, header := range []string{
		"Mozilla/5.0 (compatible; NoSuchBot/1.0; +https://example.com/)", "foo bot", "curl/8.0", "Thing/1.0",
		"Googlebot",
		"Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0 Safari/537.36", "",
	} {
		a := agent.Lookup(header)
		if got, want := why(language.English, a), a.Why(); got != want {
			t.Errorf("%s: got %q, want %q", header, got, want)
		}
		if got, want := oneOf(language.English, kindTexts, a.Kind), a.Kind.String(); got != want {
			t.Errorf("%s: got %q, want %q", header, got, want)
		}
		if got, want := oneOf(language.English, obedienceTexts, a.Obedience()), a.Obedience().String(); got != want {
			t.Errorf("%s: got %q, want %q", header, got, want)
		}
	}
}

// TestMinimized checks the English of the lines that are left out, which is that of package proof,
// and the note about readers for which nothing was decided.
func TestMinimized(t *testing.T) {
	small, err := proof.Minimize(robots.Parse([]byte("User-agent: *\nDisallow: /a\nDisallow: /a/b\n")), proof.Options{})
	fatal.If(t, err)
	var got strings.Builder
	LeftOut(&got, language.English, small, 44)
	if want := small.LeftOut[0].String() + "\n27 of 44 bytes are enough\n"; got.String() != want ||
		len(small.LeftOut) != 1 {
		t.Errorf("got\n%s\nwant\n%s", got.String(), want)
	}
	got.Reset()
	Shifts(&got, language.English, &proof.Minimized{ShiftsUndecided: true})
	if want := "note: whether readers beside RFC 9309 and Google answer otherwise could not be decided for all of them: --limit lets it look at more\n"; got.String() != want {
		t.Errorf("got\n%s\nwant\n%s", got.String(), want)
	}
	got.Reset()
	Shifts(&got, language.Russian, &proof.Minimized{ShiftsUndecided: true})
	if !strings.HasPrefix(got.String(), "примечание: не для всех ") {
		t.Errorf("in Russian: %s", got.String())
	}
}
