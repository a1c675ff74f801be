package fetch_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/robotsexclusion/robots/fetch"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// nowhere is a network without any reachable host.
type nowhere struct{}

func (nowhere) RoundTrip(*http.Request) (*http.Response, error) { return nil, io.ErrClosedPipe }

// TestHistory fetches from a site for some months, and then asks for the rules in force at each
// time.
func TestHistory(t *testing.T) {
	const day = 24 * time.Hour
	synctest.Test(t, func(t *testing.T) {
		n, c := newNetwork(t)
		dir := scratch(t)
		c.Cache = dir
		start := time.Now()
		var log strings.Builder
		for _, period := range []struct {
			serve http.HandlerFunc
			days  int
		}{
			{text(closed), 3},
			{text("User-agent: *\nDisallow:\n"), 2},
			{text(closed), 2},
			{status(404), 2},
			{status(500), 2},  // no text is in force
			{text(closed), 2}, // then a copy is in force, for 30 days
			{nil, 40},
			{text(closed), 3},
			{status(403), 1},
			{status(410), 1},
		} {
			n.set("a.example", period.serve)
			for range period.days {
				policy(t, c, site)
				step(day)
			}
		}
		history, err := dir.History(t.Context(), site+"/some/page")
		fatal.If(t, err)
		for i, v := range history {
			fmt.Fprintf(&log, "%v %v %v", v.From.Sub(start).Hours()/24, v.State, v.Status)
			p, err := v.Policy()
			fatal.If(t, err)
			fmt.Fprintf(&log, " %v %v", allowed(p, "/"), allowed(p, "/private/x"))
			if i+1 < len(history) {
				check(t, "until", v.Until, history[i+1].From)
			} else {
				check(t, "until", v.Until, time.Time{})
			}
			fmt.Fprintf(&log, " seen %v\n", v.Seen.Sub(start).Hours()/24)
		}
		got, expected := log.String(), `0 ok 200 true false seen 2
3 ok 200 true true seen 4
5 ok 200 true false seen 6
7 unavailable 404 true true seen 8
9 unreachable 500 false false seen 10
11 ok 200 true false seen 12
13 unreachable 0 true false seen 43
43 unavailable 0 true true seen 52
53 ok 200 true false seen 55
56 unavailable 403 true true seen 56
57 unavailable 410 true true seen 57
`
		if got != expected {
			t.Errorf("got\n%swant\n%s", got, expected)
		}
		// Ask for each day as well.
		for d := time.Duration(-1); d < 60; d++ {
			at := start.Add(d*day + day/2)
			v, ok, err := dir.At(t.Context(), site, at)
			if err != nil || ok != (d >= 0) {
				t.Fatalf("day %d: %v, %v", d, ok, err)
			}
			if ok && (v.From.After(at) || !v.Until.IsZero() && !v.Until.After(at)) {
				t.Errorf("day %d: got the version from %v until %v", d, v.From, v.Until)
			}
		}
		// The history has one line for each change.
		if lines := bytes.Count(read(t, dir.HistoryFile(site)), []byte("\n")); lines != len(history)-1 {
			t.Errorf("the file has %d lines for %d versions, one of which nobody saw", lines, len(history))
		}
		for line := range bytes.Lines(read(t, dir.HistoryFile(site))) {
			if !json.Valid(line) {
				t.Errorf("%q is not JSON", line)
			}
		}
	})
}

// The history must later say what the client obeys now.
func TestHistoryIsWhatWasObeyed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n, c := newNetwork(t)
		dir := scratch(t)
		c.Cache = dir
		random := rand.New(rand.NewPCG(3, 4))
		type answer struct {
			at                time.Time
			everything, other bool
		}
		var obeyed []answer
		for range 80 {
			n.set("a.example", []http.HandlerFunc{
				text(closed), text(lines(random.IntN(3))), status(404), status(500), nil, nil, nil,
			}[random.IntN(7)])
			r := policy(t, c, site)
			obeyed = append(obeyed, answer{time.Now(), allowed(r.Policy, "/"), allowed(r.Policy, "/private/x/y/")})
			step(time.Duration(random.IntN(400)) * time.Hour)
		}
		for _, want := range obeyed {
			v, ok, err := dir.At(t.Context(), site, want.at)
			if !ok || err != nil {
				t.Fatalf("%v: %v, %v", want.at, ok, err)
			}
			p, err := v.Policy()
			fatal.If(t, err)
			if got := (answer{want.at, allowed(p, "/"), allowed(p, "/private/x/y/")}); got != want {
				t.Errorf("got %v by %v, want %v", got, v, want)
			}
		}
	})
}

// A last line that was cut is ignored, and lines appended after it count.
func TestHistoryRepair(t *testing.T) {
	first, second := entry(site, "# 1\n", received), entry(site, "# 2\n", received.Add(time.Hour))
	dir := scratch(t)
	put(t, dir, first)
	put(t, dir, second)
	name := dir.HistoryFile(site)
	data := read(t, name)
	for cut := 1; cut < len(data); cut += 23 {
		write(t, name, data[:len(data)-cut])
		before, err := dir.History(t.Context(), site)
		fatal.If(t, err)
		third := entry(site, "# 3\n", received.Add(2*time.Hour))
		put(t, dir, third)
		after, err := dir.History(t.Context(), site)
		if err != nil || len(after) != len(before)+1 || after[len(after)-1].SHA256 != third.File.SHA256 {
			t.Errorf("cut by %d: got %v, %v after %v", cut, after, err, before)
		}
	}
}

// Lines that are not of the history are ignored, wherever they are.
func TestHistoryDamage(t *testing.T) {
	dir := scratch(t)
	var want []string
	for i := range 5 {
		put(t, dir, entry(site, fmt.Sprintf("# %d\n", i), received.Add(time.Duration(i)*time.Hour)))
	}
	name := dir.HistoryFile(site)
	good := bytes.SplitAfter(read(t, name), []byte("\n"))
	other := scratch(t)
	put(t, other, entry("http://b.example", "", received))
	for _, junk := range [][]byte{
		nil, []byte("\n"), []byte("{}\n"), []byte("nonsense\n"), []byte("\x00\x00\n"), []byte("{\"sum\":\"\"}\n"),
		[]byte(strings.Repeat("x", 200_000) + "\n"), []byte(flipped(string(good[0]), 40)),
		read(t, other.HistoryFile("http://b.example")),
		bytes.Repeat([]byte("\n"), 1000),
	} {
		write(t, name, append(append(bytes.Join(good, junk), junk...), junk...))
		history, err := dir.History(t.Context(), site)
		fatal.If(t, err)
		var got []string
		for _, v := range history {
			text, err := v.Text()
			if err != nil {
				t.Error(err)
			}
			got = append(got, string(text))
		}
		if want == nil {
			want = got
		}
		if fmt.Sprint(got) != fmt.Sprint(want) || len(got) != 5 {
			t.Errorf("with %.40q: got %q, want %q", junk, got, want)
		}
	}
	// A history that is not a file, and a missing text, are errors.
	for _, v := range []string{"gone", "other"} {
		h, _ := dir.History(t.Context(), site)
		file := dir.TextFile(h[0].SHA256)
		if v == "gone" {
			os.Remove(file)
		} else {
			write(t, file, []byte("# 7\n"))
		}
		if p, err := h[0].Policy(); err == nil {
			t.Errorf("%s: got %q", v, p)
		}
	}
	os.Remove(name)
	os.Mkdir(name, 0o777)
	if h, err := dir.History(t.Context(), site); err == nil {
		t.Errorf("got %v from a folder", h)
	}
	if h, err := dir.History(t.Context(), "ftp://a.example"); err == nil {
		t.Errorf("got %v for a wrong URL", h)
	} else if _, ok := errors.AsType[*fetch.URLError](err); !ok {
		t.Errorf("got %v, want a URLError", err)
	}
	if h, err := dir.History(t.Context(), "http://b.example"); len(h) > 0 || err != nil {
		t.Errorf("got %v, %v for an origin that was never put", h, err)
	}
}

// Entries from a time when the clock was in the future do not end the history.
func TestHistoryWrongClock(t *testing.T) {
	dir := scratch(t)
	for _, put1 := range []struct {
		text string
		at   time.Duration
	}{{"# 1\n", 0}, {"# 2\n", 1}, {"# 3\n", 9999}, {"# 4\n", 9999}, {"# 4\n", 2}, {"# 4\n", 3}, {"# 5\n", 4}} {
		put(t, dir, entry(site, put1.text, received.Add(put1.at*time.Hour)))
	}
	history, err := dir.History(t.Context(), site)
	fatal.If(t, err)
	got := ""
	for _, v := range history {
		text, _ := v.Text()
		got += fmt.Sprintf("%v %s", v.From.Sub(received).Hours(), text)
	}
	check(t, "history", got, "0 # 1\n1 # 2\n2 # 4\n4 # 5\n")
}

// slowAt is the twin of At. It has all entries that were put, in the order of the file, and not
// only the lines that were written. The last entry that is not after t counts.
func slowAt(put []*fetch.Entry, t time.Time) (state fetch.State, hash string) {
	for _, e := range put {
		if e.CheckedAt.After(t) {
			continue
		}
		state, hash = e.State, ""
		if e.State == fetch.Unreachable && t.Sub(e.UnreachableSince) >= 30*24*time.Hour {
			state = fetch.Unavailable
		} else if e.File != nil {
			hash = e.File.SHA256
		}
	}
	return state, hash
}

// FuzzHistory puts entries. Two bytes of its input describe each: the kind of entry, and how much
// later or earlier it is.
func FuzzHistory(f *testing.F) {
	f.Add([]byte{0, 1, 1, 1, 2, 1, 3, 1, 3, 200, 0, 1})
	f.Add([]byte{0, 1, 3, 1, 3, 250, 0, 5, 1, 130, 1, 10, 3, 127, 3, 127, 0, 1})
	f.Fuzz(func(t *testing.T, steps []byte) {
		dir := scratch(t)
		at := received.Add(-1000 * 24 * time.Hour) // so that all entries are in the past
		last := entry(site, "", at)
		var entries []*fetch.Entry
		for ; len(steps) >= 2 && len(entries) < 30; steps = steps[2:] {
			at = at.Add(time.Duration(int8(steps[1])) * 6 * time.Hour)
			switch steps[0] % 4 {
			case 0, 1:
				last = entry(site, fmt.Sprintf("# %d\n", steps[0]%4), at)
			case 2:
				last = entry(site, "", at)
			case 3:
				last = unreachable(last, at)
			}
			put(t, dir, last)
			entries = append(entries, last)
		}
		for _, e := range entries {
			for _, at := range []time.Time{e.CheckedAt.Add(-time.Millisecond), e.CheckedAt,
				e.CheckedAt.Add(30 * 24 * time.Hour)} {
				v, _, err := dir.At(t.Context(), site, at)
				state, hash := slowAt(entries, at)
				if err != nil || v.State != state || v.SHA256 != hash {
					t.Errorf("%v: got %v, %v, want %v %s", at, v, err, state, hash)
				}
			}
		}
	})
}

// TestOrigins lists the origins of a folder, also if files are damaged.
func TestOrigins(t *testing.T) {
	dir := scratch(t)
	if got, err := dir.Origins(t.Context()); len(got) > 0 || err != nil {
		t.Errorf("in an empty folder: got %q, %v", got, err)
	}
	want := []string{"http://a.example", "https://a.example", "https://b.example:8443"}
	for _, origin := range append([]string{"https://damaged.example"}, want...) {
		put(t, dir, entry(origin, "# 1\n", received))
		put(t, dir, entry(origin, "# 2\n", received.Add(time.Hour)))
	}
	name := dir.HistoryFile("https://b.example:8443")
	write(t, name, append([]byte(strings.Repeat("x", 200_000)+"\n"), read(t, name)...))
	write(t, dir.HistoryFile("https://damaged.example"), []byte("nonsense\n"))
	if got, err := dir.Origins(t.Context()); err != nil || fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("got %q, %v, want %q", got, err, want)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if got, err := dir.Origins(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("after the end: got %q, %v", got, err)
	}
}
