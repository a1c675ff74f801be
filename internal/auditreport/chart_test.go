package auditreport

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// TestTicks has few ticks on an axis, at round times and within it, however long a log is.
func TestTicks(t *testing.T) {
	first := time.Date(2026, 2, 27, 9, 0, 0, 0, time.FixedZone("", 3600)) // 8:00 in UTC
	for hours, want := range map[int]string{
		1:   "0% 2026-02-27 08:00",
		5:   "0% 2026-02-27 08:00, 40% 2026-02-27 10:00, 80% 2026-02-27 12:00",
		30:  "13.33% 2026-02-27 12:00, 53.33% 2026-02-28 00:00, 93.33% 2026-02-28 12:00",
		72:  "22.22% 2026-02-28, 55.56% 2026-03-01, 88.89% 2026-03-02",
		336: "4.76% 2026-02-28, 33.33% 2026-03-04, 61.9% 2026-03-08, 90.48% 2026-03-12",
	} {
		var got []string
		for _, tick := range ticks(first, hours) {
			got = append(got, fmt.Sprintf("%v%% %s", tick.X, tick.Text))
		}
		if text := strings.Join(got, ", "); text != want {
			t.Errorf("%d hours: got %s, want %s", hours, text, want)
		}
	}
	for hours := 1; hours < 200_000; hours += 1 + hours/7 {
		all := ticks(first, hours)
		if len(all) == 0 || len(all) > mostTicks || all[0].X < 0 || all[len(all)-1].X >= 100 {
			t.Errorf("%d hours: got %v", hours, all)
		}
	}
}
