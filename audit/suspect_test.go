package audit_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"
)

const firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0"

// A visitLog is lines of a log that are made up.
type visitLog struct{ lines []string }

func (l *visitLog) add(address string, second int, path, referrer, header string) {
	t := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC).Add(time.Duration(second) * time.Second)
	l.lines = append(l.lines, fmt.Sprintf("%s - - [%s] \"GET %s HTTP/1.1\" 200 9 %q %q", address, t.Format("02/Jan/2006:15:04:05 -0700"), path, referrer, header))
}

// people adds visitors with the parts of pages and Referers.
func (l *visitLog) people() {
	for i := range 30 {
		address := fmt.Sprintf("198.51.100.%d", i)
		for page := range 12 {
			at := i*977 + page*page*31
			path := fmt.Sprintf("/story-%c", 'a'+(i*7+page*5)%26)
			l.add(address, at, path, "https://example.com/", firefox)
			l.add(address, at+1, "/style.css", "https://example.com"+path, firefox)
			l.add(address, at+1, "/a.png", "https://example.com"+path, firefox)
		}
	}
}

// Peaks do not depend on the order, the workers, and the parts.
func TestPeaksFreeOfOrder(t *testing.T) {
	random := rand.New(rand.NewPCG(6, 1))
	a := newAuditor(t)
	var l visitLog
	l.people()
	for i := range 300 {
		l.add("203.0.113.5", i/10, fmt.Sprintf("/x/%d", i%7), "-", "GPTBot/1.2")
	}
	part := readLines(t, a, 1, l.lines)
	if r := part.Report(); len(r.Peaks) != 1 || !r.Peaks[0].Robot || r.Peaks[0].Requests != 300 || r.Peaks[0].Sampled {
		t.Fatalf("peaks %+v", r.Peaks)
	}
	want := reportOf(t, part)
	for range 5 {
		random.Shuffle(len(l.lines), func(i, j int) { l.lines[i], l.lines[j] = l.lines[j], l.lines[i] })
		cut := random.IntN(len(l.lines))
		all := stored(t, readLines(t, a, 1+random.IntN(7), l.lines[:cut]))
		if err := all.Join(readLines(t, a, 1+random.IntN(7), l.lines[cut:])); err != nil {
			t.Fatal(err)
		}
		if got := reportOf(t, stored(t, all)); got != want {
			t.Fatalf("got\n%s\nwant\n%s", got, want)
		}
	}
}
