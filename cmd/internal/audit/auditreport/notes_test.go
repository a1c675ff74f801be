package auditreport

import (
	"slices"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots/audit"
	"github.com/robotsexclusion/robots/audit/accesslog"
	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// TestLacking checks that a report says in each language what its limits left out.
func TestLacking(t *testing.T) {
	r := &audit.Report{OtherHosts: 101, Others: &audit.Others{Requests: 202}, WithoutHours: 212, MoreSuspects: 303,
		Sample: audit.Sample{Requests: 505, Kept: 404}}
	var notes Notes
	for l := range language.Language(len(language.Codes())) {
		got := notes.In(l, r, nil)
		if len(got) != 5 {
			t.Fatalf("%v: got %q", l, got)
		}
		for i, figures := range [][]string{{"101"}, {"202"}, {"212"}, {"303"}, {"404", "505"}} {
			for _, figure := range figures {
				if !strings.Contains(got[i], figure) || strings.Contains(got[i], "%!") {
					t.Errorf("%v: got %q, want %s in it", l, got[i], figure)
				}
			}
		}
	}
	r = &audit.Report{Sample: audit.Sample{Requests: 5, Kept: 5}}
	if got := notes.In(language.English, r, nil); got == nil || !slices.Equal(got, []string{}) {
		t.Errorf("nothing is left out, and yet there are the notes %q", got)
	}
}

// TestFormats checks that formats of one name count as one, in the same order each time.
func TestFormats(t *testing.T) {
	formats := make(map[*accesslog.Format]int64)
	for i, text := range []string{`%h %t "%r" %s`, `%h %t "%r" %s`, `%h %t "%r" %s "%{User-Agent}i"`} {
		f, err := accesslog.ParseFormat(text)
		fatal.If(t, err)
		formats[f] = int64(i + 1)
	}
	got := formatNotes(language.English, Formats([]accesslog.Log{{Formats: formats}, {Formats: formats}}))
	if len(got) < 2 || strings.Count(got[0], "%s (6)") != 1 || strings.Count(got[0], "(") != 2 ||
		strings.Count(strings.Join(got, "\n"), "no User-Agent") != 1 {
		t.Errorf("got %q, want the first format once with 6 requests", got)
	}
	for range 20 {
		if again := formatNotes(language.English,
			Formats([]accesslog.Log{{Formats: formats}, {Formats: formats}})); !slices.Equal(got, again) {
			t.Fatalf("got %q, then %q", got, again)
		}
	}
}
