package auditreport

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/audit"
	"github.com/robotsexclusion/robots/internal/language"
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

// TestChartErrors draws the answers 5xx of hours from the tops of their bars, also few among many.
func TestChartErrors(t *testing.T) {
	first := time.Date(2026, 2, 27, 9, 0, 0, 0, time.UTC)
	r := &audit.Report{First: first, Last: first.Add(3 * time.Hour),
		Robots: []audit.Robot{{Token: "ExampleBot", Hours: []audit.Hour{
			{Begin: first, Requests: 1000, Bytes: 5_000_000, Errors: 500},
			{Begin: first.Add(time.Hour), Requests: 1000, Errors: 1},
			{Begin: first.Add(2 * time.Hour), Requests: 1, Bytes: 7},
		}}}}
	var got []string
	for _, b := range charts(language.English, r)[0].Bars {
		got = append(got, fmt.Sprintf("%s %v from %v: %s", b.Class, b.Height, b.Y, b.Title))
	}
	want := []string{
		" 100 from 0: 2026-02-27 09:00: requests: 1,000, bytes: 5,000,000, 5xx: 500",
		"errors 50 from 0: 2026-02-27 09:00: requests: 1,000, bytes: 5,000,000, 5xx: 500",
		" 100 from 0: 2026-02-27 10:00: requests: 1,000, bytes: 0, 5xx: 1",
		"errors 1 from 0: 2026-02-27 10:00: requests: 1,000, bytes: 0, 5xx: 1",
		" 1 from 99: 2026-02-27 11:00: requests: 1, bytes: 7, 5xx: 0",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
}

// TestDays draws the load by day as a bar for each day, and that by hour in the same days, with
// certain violations over it.
func TestDays(t *testing.T) {
	at := func(day, hour int) time.Time { return time.Date(2026, 2, day, hour, 0, 0, 0, time.UTC) }
	r := &audit.Report{First: at(1, 22), Last: at(3, 1), Robots: []audit.Robot{
		{Token: "a", Requests: 9, Days: []audit.Hour{{Begin: at(1, 0), Requests: 4},
			{Begin: at(3, 0), Requests: 5, Violations: &audit.Count{Certain: 2, Grace: 1}}}},
		{Token: "b", Requests: 3, Hours: []audit.Hour{{Begin: at(1, 22), Requests: 1}, {Begin: at(1, 23), Requests: 1},
			{Begin: at(2, 0), Requests: 1}}},
	}}
	var got []string
	for _, c := range charts(language.English, r) {
		got = append(got, fmt.Sprint(c.Name, " ", c.Width))
		for _, b := range c.Bars {
			title, _, _ := strings.Cut(b.Title, ", bytes")
			got = append(got, fmt.Sprint(b.X, " ", title, " ", b.Class, " ", b.Height))
		}
	}
	want := "a 3, 0 2026-02-01 00:00: requests: 4  80, 2 2026-02-03 00:00: requests: 5  100, 2 2026-02-03 00:00: requests: 5 bad 40, " +
		"b 3, 0 2026-02-01 00:00: requests: 2  40, 1 2026-02-02 00:00: requests: 1  20"
	if text := strings.Join(got, ", "); text != want {
		t.Errorf("got %s, want %s", text, want)
	}
}
