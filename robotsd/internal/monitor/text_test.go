package monitor_test

import (
	"strings"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/lint"
	"github.com/robotsexclusion/robots/robotsd/internal/monitor"
)

// sentences has a finding of each kind, in each of its forms, with its sentence.
var sentences = []struct {
	finding monitor.Finding
	want    string
}{
	{monitor.Finding{Kind: monitor.ClosedSite, Patterns: []string{"Disallow: /"}},
		"the whole site is closed to all robots: Disallow: /"},
	{monitor.Finding{Kind: monitor.ClosedSearch, Robots: []string{"a", "b", "c", "d", "e", "f"},
		Patterns: []string{"Disallow: /x"}, Witness: "/x"},
		"closed to search engines (a, b, c, d and 2 more): Disallow: /x, for example /x"},
	{monitor.Finding{Kind: monitor.OpenedSite, Patterns: []string{"Disallow: /"}},
		"the whole site was closed, and is open to all robots: Disallow: /"},
	{monitor.Finding{Kind: monitor.Closed, Robots: []string{"GPTBot"}, Patterns: []string{"Disallow: /x"},
		Witness: "/x"}, "closed to GPTBot: Disallow: /x, for example /x"},
	{monitor.Finding{Kind: monitor.Opened, Robots: []string{"GPTBot"}, Patterns: []string{"Disallow: /x"},
		Witness: "/x"}, "open to GPTBot: Disallow: /x, for example /x"},
	{monitor.Finding{Kind: monitor.Undecided, Robots: []string{"GPTBot"}}, "GPTBot: too many cases to decide"},
	{monitor.Finding{Kind: monitor.Undecided, Subject: "* may fetch /"}, "* may fetch /: too many cases to decide"},
	{monitor.Finding{Kind: monitor.Records, Patterns: []string{"+ Crawl-delay: 5 (for *)"}},
		"records changed: + Crawl-delay: 5 (for *)"},
	{monitor.Finding{Kind: monitor.Status, Before: "200", After: "404"},
		"robots.txt answers 404, and answered 200 before"},
	{monitor.Finding{Kind: monitor.Redirected, After: "https://b.example/robots.txt"},
		"robots.txt redirects to https://b.example/robots.txt"},
	{monitor.Finding{Kind: monitor.Redirected, Before: "https://b.example/robots.txt"},
		"robots.txt no longer redirects to https://b.example/robots.txt"},
	{monitor.Finding{Kind: monitor.PageChanged, Subject: "https://a.example/", Before: "200", After: "200, noindex"},
		"the page https://a.example/ says to search engines: 200, noindex; before: 200"},
	{monitor.Finding{Kind: monitor.PageChanged, Subject: "https://a.example/", After: "404"},
		"the page https://a.example/ says to search engines: 404"},
	{monitor.Finding{Kind: monitor.Mistake, Severity: monitor.Warning, Subject: "misspelt-field",
		Patterns: []string{"Disalow: /a"}},
		"lines of robots.txt do not do what they say: Disalow: /a (misspelt-field: The spelling of a field is close to that of a known field)"},
	{monitor.Finding{Kind: monitor.Mistake, Severity: monitor.Notice, Subject: "unknown-field",
		Patterns: []string{"Foo: a"}}, "lines of robots.txt may not do what they say: Foo: a (unknown-field: " +
		strings.TrimSuffix(lint.Find("unknown-field").Summary("en"), ".") + ")"},
	{monitor.Finding{Kind: monitor.Unreachable, Before: "503", After: "copy", Since: time.Unix(0, 0)},
		"robots.txt has failed since 1970-01-01T00:00:00Z (503): robots use their copies for 24 hours"},
	{monitor.Finding{Kind: monitor.Unreachable, Before: "503", After: "day", Since: time.Unix(0, 0)},
		"robots.txt has failed since 1970-01-01T00:00:00Z (503): copies have expired, and robots may stop visiting the site"},
	{monitor.Finding{Kind: monitor.Unreachable, Before: "503", After: "month", Since: time.Unix(0, 0)},
		"robots.txt has failed since 1970-01-01T00:00:00Z (503), for more than 30 days: robots may visit everything"},
	{monitor.Finding{Kind: monitor.HTML, After: "200"},
		"an HTML page is in place of robots.txt (status 200): robots find no rules there"},
	{monitor.Finding{Kind: monitor.Challenge, After: "Cf-Mitigated: challenge"},
		"a challenge page is in place of robots.txt (Cf-Mitigated: challenge): robots cannot read the rules"},
	{monitor.Finding{Kind: monitor.Empty},
		"robots.txt is empty: robots may visit everything; if that is meant, write a comment"},
	{monitor.Finding{Kind: monitor.Unusable, After: "Not Found"},
		"the text in place of robots.txt has no line for robots, and begins with Not Found: robots find no rules in it"},
	{monitor.Finding{Kind: monitor.UTF16}, "robots.txt is UTF-16: robots expect UTF-8, and find no rules in it"},
	{monitor.Finding{Kind: monitor.Cut, After: "512000"}, "robots.txt is longer than 500 KiB: robots ignore the rest"},
	{monitor.Finding{Kind: monitor.Claim, Subject: "* may fetch /", Robots: []string{"*"}, Witness: "/x"},
		"a claim does not hold: * may fetch / (see * and /x)"},
	{monitor.Finding{Kind: monitor.Unexpected, Robots: []string{"*"}, Patterns: []string{"Disallow: /x"},
		Witness: "/x"}, "other rules than expected for *: Disallow: /x, for example /x"},
	{monitor.Finding{Kind: monitor.Unexpected, Patterns: []string{"+ Host: a.example"}},
		"other records than expected: + Host: a.example"},
	{monitor.Finding{Kind: monitor.Unread, After: "no such file"},
		"the expected robots.txt cannot be read: no such file"},
	{monitor.Finding{Kind: monitor.Vantage, Subject: "GPTBot/1", Before: "200", After: "403"},
		"another answer for GPTBot/1: 403 in place of 200"},
	{monitor.Finding{Kind: monitor.Vantage, Subject: "GPTBot/1", Patterns: []string{"Disallow: /"}},
		"other rules for GPTBot/1: Disallow: /"},
	{monitor.Finding{Kind: monitor.Certificate, Since: time.Unix(0, 0)},
		"the certificate ends at 1970-01-01T00:00:00Z"},
	{monitor.Finding{Kind: monitor.Certificate, After: "expired"}, "the certificate is not valid: expired"},
	{monitor.Finding{Kind: monitor.BadSitemap, Subject: "https://a.example/s", After: "500"},
		"the sitemap https://a.example/s answers 500"},
	{monitor.Finding{Kind: monitor.BadSitemap, Subject: "https://a.example/s", After: "failed", Before: "no route"},
		"the sitemap https://a.example/s cannot be fetched: no route"},
	{monitor.Finding{Kind: monitor.BadSitemap, Subject: "https://a.example/s", After: "html"},
		"an HTML page is in place of the sitemap https://a.example/s"},
	{monitor.Finding{Kind: monitor.BadSitemap, Subject: "https://a.example/s", After: "empty"},
		"the sitemap https://a.example/s is empty: it names no page"},
	{monitor.Finding{Kind: monitor.BadSitemap, Subject: "https://a.example/s", After: "malformed", Before: "line 1"},
		"the sitemap https://a.example/s is not well-formed: line 1"},
	{monitor.Finding{Kind: monitor.BadSitemap, Subject: "https://a.example/s", After: "large"},
		"the sitemap https://a.example/s has more than 50 MiB or 50,000 entries: robots ignore the rest"},
}

func TestSentence(t *testing.T) {
	for _, test := range sentences {
		if got := test.finding.String(); got != test.want {
			t.Errorf("got %q, want %q", got, test.want)
		}
		for _, code := range []string{"es", "ko", "ru"} {
			if got := test.finding.Sentence(code); got == test.want || strings.Contains(got, "%!") {
				t.Errorf("in %s: %q", code, got)
			}
		}
	}
}

// TestSentenceSafe checks that no text of a stranger reaches a terminal unescaped.
func TestSentenceSafe(t *testing.T) {
	const bad = "a\x1b[2J\r\nb\u202e"
	for _, test := range sentences {
		f := monitor.Finding{Kind: test.finding.Kind, Subject: bad, Robots: []string{bad}, Patterns: []string{bad},
			Witness: bad, Before: bad, After: bad}
		if f.Kind == monitor.Unreachable {
			f.After = test.finding.After
		}
		if got := f.String(); strings.ContainsAny(got, "\x1b\r\n\u202e") || len(got) < 20 {
			t.Errorf("%s: %q", f.Kind, got)
		}
	}
	if got := (monitor.Finding{Kind: monitor.Unreachable, After: bad}).String(); strings.ContainsAny(got,
		"\x1b\r\n\u202e") {
		t.Errorf("an unknown stage: %q", got)
	}
}

func TestUpdateSentence(t *testing.T) {
	for step, want := range map[monitor.Step]string{
		monitor.Begun: "new: ", monitor.Changed: "changed: ", monitor.Ended: "over: ",
		monitor.Accepted: "normal from now on: ", monitor.Flapping: "comes and goes: ", monitor.Noted: "noted: ",
		"x\x1b": "noted: ",
	} {
		u := monitor.Update{Step: step, Finding: monitor.Finding{Kind: monitor.Cut}}
		if got := u.Sentence("en"); got != want+u.Finding.String() {
			t.Errorf("got %q, want %q first", got, want)
		}
	}
	for severity, want := range map[monitor.Severity]string{monitor.Notice: "notice", monitor.Critical: "critical",
		9: "severity 9"} {
		if got := severity.In("en"); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
