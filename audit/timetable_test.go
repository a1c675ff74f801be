package audit

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/test/corpus"
)

// TestTimetable compares 40 timetables with a search minute by minute, or 100 with
// ROBOTS_CORPUS_ALL.
func TestTimetable(t *testing.T) {
	corpus.Unraced(t)
	random := rand.New(rand.NewPCG(14, 81))
	for range corpus.Cases(40, 100) {
		var windows []robots.Window
		for range random.IntN(4) {
			windows = append(windows, robots.Window{From: time.Duration(random.IntN(97)) * 15 * time.Minute,
				To: time.Duration(random.IntN(97)) * 15 * time.Minute})
		}
		holds := func(t time.Time) (n int) {
			for i, w := range windows {
				if w.Contains(t) {
					n += 1 << i
				}
			}
			return n
		}
		table := newTimetable(windows, holds)
		for second := int64(-daySeconds); second < daySeconds; second += 60 * random.Int64N(60) {
			value, since, until := table.at(second)
			wantSince, wantUntil := second, second+60
			for second-wantSince < 2*daySeconds && holds(clock(wantSince-60)) == holds(clock(second)) {
				wantSince -= 60
			}
			for wantUntil-second < 2*daySeconds && holds(clock(wantUntil)) == holds(clock(second)) {
				wantUntil += 60
			}
			if second-wantSince >= 2*daySeconds {
				wantSince, wantUntil = always, never
			}
			if value != holds(clock(second)) || since != wantSince || until != wantUntil {
				t.Fatalf("%v: at %v got %d from %d to %d, want %d from %d to %d", windows, clock(second), value, since,
					until, holds(clock(second)), wantSince, wantUntil)
			}
		}
	}
}

// TestRateAt compares rates of any size, and those for a time of the day with the others.
func TestRateAt(t *testing.T) {
	for _, c := range []struct{ text, night, day string }{
		{"Request-rate: 1/10", "1/10", "1/10"},
		{"Request-rate: 1/10\nRequest-rate: 2/30", "2/30", "2/30"},
		{"Request-rate: 1/10\nRequest-rate: 6/60\nRequest-rate: 2/20", "6/1m", "6/1m"},
		{"Request-rate: 1/1m\nRequest-rate: 1/1 0000-0600", "1/1", "1/1m"},
		{"Request-rate: 1/1 0000-0600\nRequest-rate: 1/2 2200-0100\nRequest-rate: 1/60", "1/2", "1/1m"},
		{"Request-rate: 1/1h 0600-1800", "0/0h", "1/1h"},
		{"Request-rate: 2147483647/2562047h\nRequest-rate: 2147483646/2562047h", "2147483646/876000h",
			"2147483646/876000h"},
	} {
		a := newAsk(0, robots.Parse([]byte("User-agent: *\n"+c.text)).For("*"))
		night, _, _ := a.rate.at(0)
		day, _, _ := a.rate.at(12 * 3600)
		if night.String() != c.night || day.String() != c.day {
			t.Errorf("%q: got %v and %v, want %s and %s", c.text, night, day, c.night, c.day)
		}
	}
}
