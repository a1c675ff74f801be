package auditreport

import (
	"strings"
	"testing"

	"github.com/robotsexclusion/robots/audit"
	"github.com/robotsexclusion/robots/internal/language"
)

// Each kind of evidence has a sentence in each language, with its figures.
func TestEvidence(t *testing.T) {
	figures := map[string]float64{"pages": 11, "assets": 12, "requests": 13, "gaps": 14, "median": 2.5, "numbers": 15,
		"peak": 16, "hours": 17, "addresses": 18}
	for kind, want := range map[string][]string{
		"no-styles": {"11", "12"}, "no-referrer": {"13"}, "robots-txt": {"13"}, "regular": {"14", "2.5"},
		"sequential": {"15"}, "rapid": {"16"}, "all-hours": {"17"}, "many-addresses": {"18"},
		"same-referrer": {"13"},
	} {
		for l := range language.Language(len(language.Codes())) {
			text := evidence(l, &audit.Evidence{Kind: kind, Figures: figures})
			for _, figure := range want {
				if !strings.Contains(text, figure) {
					t.Errorf("%s: %q lacks %s", kind, text, figure)
				}
			}
			if strings.Contains(text, kind) || strings.Contains(text, "%!") {
				t.Errorf("%s: got %q", kind, text)
			}
		}
	}
}

// A suspect is shown with its evidence, and escaped.
func TestSuspects(t *testing.T) {
	var b strings.Builder
	p := Printer{W: &b}
	p.suspects([]audit.Suspect{{
		Address: "192.0.2.9", UserAgent: "Mozilla/5.0\x1b[31m", Requests: 120,
		Evidence: []audit.Evidence{{Kind: "rapid", Figures: map[string]float64{"peak": 99},
			Lines: []audit.Line{{Log: "access.log", Line: 7}, {Log: "access.log", Line: 9},
				{Log: "other.log", Line: 2}}}},
	}})
	for _, want := range []string{"192.0.2.9\n", "  documents in one minute: up to 99 (access.log:7, 9; other.log:2)\n",
		"suspicion and no proof"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("%q lacks %q", b.String(), want)
		}
	}
	if strings.Contains(b.String(), "\x1b") {
		t.Error("an escape of the log is in the text")
	}
}

// The table of the text has all robots with disallowed requests up to its limit, and few of the
// others.
func TestShownRobots(t *testing.T) {
	robots := make([]audit.Robot, 80)
	for _, test := range []struct{ bad, want int }{{0, 15}, {3, 15}, {30, 30}, {80, 50}} {
		for i := range robots {
			robots[i].Violations.Grace = 0
			if i < test.bad {
				robots[i].Violations.Grace = 1
			}
		}
		if got := shownRobots(robots); got != test.want {
			t.Errorf("with %d: got %d, want %d", test.bad, got, test.want)
		}
	}
	if got := shownRobots(robots[:2]); got != 2 {
		t.Errorf("of two: got %d", got)
	}
}

// A robot without a name, and a time without robots.txt, are not shown as an empty text.
func TestNames(t *testing.T) {
	if got := robotName(language.English, &audit.Robot{}, 10); got != "(no name)" {
		t.Errorf("got %q", got)
	}
	if got := versionName(language.English, audit.InForce{State: audit.Nothing}); got != "none: everything is allowed" {
		t.Errorf("got %q", got)
	}
	if got := versionName(language.English, audit.InForce{State: audit.Unknown, ID: "a"}); got != "a" {
		t.Errorf("got %q", got)
	}
}
