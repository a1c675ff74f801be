package auditreport_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots/cmd/internal/audit/auditreport"
)

// TestTextPeaks checks that the text has the fastest minutes, and says how many it leaves out.
func TestTextPeaks(t *testing.T) {
	r := report("ExampleBot")
	text := textOf(r, auditreport.Printer{})
	if !strings.Contains(text, "\n\nFastest minutes\n") ||
		!strings.Contains(text, "\n  2026-03-01 02:00  ≥ 1,234  ExampleBot  ExampleBot:7\n") ||
		strings.Contains(text, "further minute") {
		t.Errorf("the fastest minute is not in the text:\n%s", text)
	}
	r.Peaks = slices.Repeat(r.Peaks, 20)
	if text := textOf(r, auditreport.Printer{}); strings.Count(text, "≥ 1,234") != 5 ||
		!strings.Contains(text, "\n15 further minutes: ") {
		t.Errorf("of 20 minutes, the text does not have 5:\n%s", text)
	}
	r.Peaks = nil
	if text := textOf(r, auditreport.Printer{}); strings.Contains(text, "Fastest") {
		t.Errorf("there is a title without minutes:\n%s", text)
	}
}
