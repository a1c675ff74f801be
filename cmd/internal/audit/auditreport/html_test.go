package auditreport_test

import (
	"bytes"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots/audit"
	"github.com/robotsexclusion/robots/cmd/internal/audit/auditreport"
	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/internal/printable"
	"github.com/robotsexclusion/robots/internal/test/fatal"
	"golang.org/x/net/html"
)

// pageOf returns a report as HTML.
func pageOf(t *testing.T, r *audit.Report, l language.Language) string {
	t.Helper()
	var b bytes.Buffer
	fatal.If(t, auditreport.WriteHTML(&b, r, l))
	return b.String()
}

// withHours returns a report with charts, a suspect and a peak.
func withHours(text string) *audit.Report {
	r := report(text)
	lines := []audit.Line{{Log: text, Line: 7}}
	r.Suspects = []audit.Suspect{{
		Address: text, UserAgent: text, Requests: 99, First: day(1, 0), Last: day(1, 1),
		Evidence: []audit.Evidence{{Kind: text, Lines: lines}, {Kind: "rapid", Figures: map[string]float64{"peak": 77},
			Lines: lines}},
	}}
	r.Peaks = []audit.Peak{{Address: text, UserAgent: text, Requests: 1234, Sampled: true, Minute: day(1, 2),
		Lines: lines}}
	r.Robots[0].Hours = []audit.Hour{{Begin: day(1, 0), Requests: 5}, {Begin: day(2, 7), Requests: 1}}
	return r
}

// TestHTMLIsSafe parses pages with hostile texts: each element and each attribute is the
// template's.
func TestHTMLIsSafe(t *testing.T) {
	elements := strings.Fields("html head meta title style body header h1 p main section a h2 h3 figure figcaption svg rect line text div table thead tbody tr th td details summary dl dt dd article pre b ul li script span")
	attributes := strings.Fields("id href lang charset http-equiv content name class scope data-sort colspan tabindex viewBox preserveAspectRatio role aria-label aria-hidden x y x1 x2 y2 text-anchor width height")
	for _, l := range languages() {
		page := pageOf(t, withHours(hostile), l)
		root, err := html.Parse(strings.NewReader(page))
		fatal.If(t, err)
		scripts := 0
		for n := range root.Descendants() {
			switch n.Type {
			case html.ElementNode:
				if !slices.Contains(elements, n.Data) {
					t.Errorf("%v: element %s is not the template's", l, n.Data)
				}
				if n.Data == "script" {
					scripts++
				}
				for _, a := range n.Attr {
					if !slices.Contains(attributes, a.Key) {
						t.Errorf("%v: attribute %s=%q of %s is not the template's", l, a.Key, a.Val, n.Data)
					}
					if a.Key == "href" && !regexp.MustCompile(`^#robot-\d+$`).MatchString(a.Val) {
						t.Errorf("%v: a link leads to %q", l, a.Val)
					}
					if !printable.IsText(a.Val) {
						t.Errorf("%v: attribute %s is not printable: %q", l, a.Key, a.Val)
					}
				}
			case html.TextNode:
				if text := strings.NewReplacer("\n", "", "\t", "").Replace(n.Data); !printable.IsText(text) {
					t.Errorf("%v: text of %s is not printable: %q", l, n.Parent.Data, text)
				}
			case html.CommentNode:
				t.Errorf("%v: a comment: %q", l, n.Data)
			}
		}
		if scripts != 1 {
			t.Errorf("%v: %d scripts, want 1", l, scripts)
		}
		if strings.Contains(page, "⟨") || strings.Contains(page, "%!") || strings.Contains(page, "<no value>") {
			t.Errorf("%v: a text is not filled in", l)
		}
	}
}

// TestHTMLStandsAlone checks that the page names no other file, and forbids all requests.
func TestHTMLStandsAlone(t *testing.T) {
	page := pageOf(t, withHours("ExampleBot"), language.English)
	for _, sign := range []string{"src=", "url(", "@import", "fetch(", "http://", "https://", "style=\"", "onclick"} {
		if strings.Contains(page, sign) {
			t.Errorf("the page has %q", sign)
		}
	}
	for _, sign := range []string{"default-src &#39;none&#39;", "base-uri &#39;none&#39;", "form-action &#39;none&#39;",
		"<rect ", "prefers-color-scheme: dark", "@media print", "192.0.2.1 ExampleBot"} {
		if !strings.Contains(page, sign) {
			t.Errorf("the page lacks %q", sign)
		}
	}
}

// TestHTMLSuspects checks that a page shows suspects with their evidence, as suspected only, and
// the fastest minutes.
func TestHTMLSuspects(t *testing.T) {
	page := pageOf(t, withHours("ExampleBot"), language.English)
	for _, sign := range []string{
		"<h2>Suspects</h2>\n<p>These clients do not call themselves robots, and behave like robots. That is a suspicion and no proof.</p>",
		"<li>documents in one minute: up to 77 (ExampleBot:7)</li>",
		"<h2>Fastest minutes</h2>", "<td class=\"n\" data-sort=\"1234\">≥ 1,234</td>",
		"<td data-sort=\"ExampleBot:7\">ExampleBot:7</td>",
	} {
		if !strings.Contains(page, sign) {
			t.Errorf("the page lacks %q", sign)
		}
	}
	r := withHours("ExampleBot")
	r.Suspects = slices.Repeat(r.Suspects, 103)
	if page := pageOf(t, r, language.English); strings.Count(page, "documents in one minute") != 100 ||
		!strings.Contains(page, "3 further suspects") {
		t.Error("of 103 suspects, the page does not show 100 and say that there are 3 more")
	}
	r.Suspects, r.Peaks = nil, nil
	if page := pageOf(t, r, language.English); strings.Contains(page, "Suspects") || strings.Contains(page, "Fastest") {
		t.Error("a page without suspects and peaks has their titles")
	}
}

// TestHTMLWithoutEvidence checks that a robot without evidence says why it has none.
func TestHTMLWithoutEvidence(t *testing.T) {
	r := report("ExampleBot")
	for i := range r.Robots {
		r.Robots[i].Violations.Rules = nil
	}
	r.Robots = append(r.Robots, audit.Robot{Token: "curl", Kind: "program"}, audit.Robot{Token: "other", Kind: "robot"})
	page := pageOf(t, r, language.English)
	for _, sign := range []string{"No request that was judged is disallowed.",
		"Programs that do not call themselves robots are not judged.", "No request of this robot was judged: ",
		"<summary>details</summary>"} {
		if !strings.Contains(page, sign) {
			t.Errorf("the page lacks %q", sign)
		}
	}
	if strings.Contains(page, "evidence (0)") {
		t.Error("the page opens evidence that there is not")
	}
}

// chromium returns the path of Chromium, and skips the test without it.
func chromium(t *testing.T) string {
	t.Helper()
	for _, name := range []string{os.Getenv("CHROMIUM"), "chromium", "chromium-browser", "google-chrome"} {
		if name == "" {
			continue
		}
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Skip("there is no Chromium: install it, or name it in CHROMIUM")
	return ""
}
