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
		336: "4.76% 2026-02-28, 61.9% 2026-03-08",
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
	for _, b := range pictureOf(language.English, r).Rows[0].Bars {
		got = append(got, fmt.Sprintf("%s %v from %v: %s", b.Class, b.Height, b.Y, b.Title))
	}
	want := []string{
		" 100 from 0: 2026-02-27 09:00: requests: 1,000, bytes: 5,000,000, 5xx: 500",
		"errors 50 from 0: 2026-02-27 09:00: requests: 1,000, bytes: 5,000,000, 5xx: 500",
		" 100 from 0: 2026-02-27 10:00: requests: 1,000, bytes: 0, 5xx: 1",
		"errors 4 from 0: 2026-02-27 10:00: requests: 1,000, bytes: 0, 5xx: 1",
		" 4 from 96: 2026-02-27 11:00: requests: 1, bytes: 7, 5xx: 0",
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
	p := pictureOf(language.English, r)
	for _, c := range p.Rows {
		got = append(got, fmt.Sprint(c.Name, " ", p.Width))
		for _, b := range c.Bars {
			title, _, _ := strings.Cut(b.Title, ", bytes")
			got = append(got, fmt.Sprint(b.X, " ", title, " ", b.Class, " ", b.Height))
		}
	}
	want := "a 12, 0 2026-02-01 00:00: requests: 4  80, 2 2026-02-03 00:00: requests: 5  100, " +
		"2 2026-02-03 00:00: requests: 5 bad 40, " +
		"b 12, 0 2026-02-01 00:00: requests: 2  40, 1 2026-02-02 00:00: requests: 1  20"
	if text := strings.Join(got, ", "); text != want {
		t.Errorf("got %s, want %s", text, want)
	}
}

// TestPicture has rows in the order of the table, each with its numbers in words: the robots that
// did not obey are there, also with few requests, and all others have one row. The bar of a short
// log does not fill its row.
func TestPicture(t *testing.T) {
	first := time.Date(2026, 2, 27, 9, 0, 0, 0, time.UTC)
	r := &audit.Report{First: first, Last: first.Add(time.Minute)}
	add := func(name string, requests, judged int64, v audit.Count) {
		robot := audit.Robot{Token: name, Requests: requests, Judged: judged,
			Hours: []audit.Hour{{Begin: first, Requests: requests, Violations: &v}}}
		robot.Violations.Count = v
		r.Robots = append(r.Robots, robot)
	}
	add("all", 5, 5, audit.Count{Certain: 5})
	add("some", 1, 1, audit.Count{})
	r.Robots[1].Requests, r.Robots[1].Violations.Certain = 1234, 3
	r.Robots[1].Statuses.ServerError = 7
	add("perhaps", 900, 900, audit.Count{Informed: 2, Grace: 1})
	add("program", 800, 0, audit.Count{})
	for i := range 10 {
		add(fmt.Sprint("obeys", i), int64(100-i), 1, audit.Count{})
	}
	r.Others = &audit.Others{Requests: 1000}
	p := pictureOf(language.English, r)
	var got []string
	for _, row := range p.Rows {
		text := row.Name
		for _, s := range row.Said {
			text += "; " + s.Text + " " + s.Class
		}
		got = append(got, text)
	}
	want := []string{
		"all; 5 requests ; all against robots.txt bad",
		"some; 1,234 requests ; 3 against robots.txt bad; 7 answered with an error of the server (5xx) errors",
		"perhaps; 900 requests ; 3 perhaps against robots.txt doubt",
		"program; 800 requests ; not judged soft",
	}
	for i := range 6 {
		want = append(want, fmt.Sprintf("obeys%d; %d requests ; none against robots.txt good", i, 100-i))
	}
	want = append(want, "4 other robots and programs; 1,370 requests ; none against robots.txt good")
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if p.Width != fewestBars || p.Scale != "The tallest bar is 900 requests in 1 hour. Times are UTC." {
		t.Errorf("%d bars: %s", p.Width, p.Scale)
	}
	r.Robots = nil
	if p := pictureOf(language.English, r); p.Rows != nil {
		t.Errorf("without robots: %v", p)
	}
}

// TestVerdictIdentities accuses robots only of what verified addresses did, and says if the given
// robots.txt may be another one.
func TestVerdictIdentities(t *testing.T) {
	robot := func(verified int64) audit.Robot {
		r := audit.Robot{Token: "x", Requests: 2, Judged: 2}
		r.Violations.Certain, r.Violations.Verified.Certain = 2, verified
		return r
	}
	version := audit.InForce{Host: "", ID: "robots.txt", State: audit.Served}
	hosts := []audit.Host{{Requests: 4, Judged: true}}
	const named, of = "requests in the name of ", " certainly did not obey robots.txt"
	for want, robots := range map[string][]audit.Robot{
		named + "1 robot" + of:                                               {robot(0)},
		"2 robots" + of + ", and came from verified addresses":               {robot(2), robot(1)},
		named + "2 robots" + of + "; 1 of them came from verified addresses": {robot(2), robot(0)},
	} {
		r := &audit.Report{Requests: 4, Robots: robots, Hosts: hosts, Versions: []audit.InForce{version}}
		if got, bad := verdict(language.English, r); got != want || !bad {
			t.Errorf("got %q, want %q", got, want)
		}
		r.Hosts = []audit.Host{{Requests: 4, Judged: true, RobotsTxt: audit.Answers{Read: 3, OtherSize: 3}}}
		got, _ := verdict(language.English, r)
		if strings.Contains(got, "certainly") || !strings.HasPrefix(got, "if the given robots.txt was in force") {
			t.Errorf("with another robots.txt in the logs: %q", got)
		}
	}
}
