package crawl

import (
	"bytes"
	"container/heap"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/crawler/internal/pace"
	"github.com/robotsexclusion/robots/crawler/internal/store"
	"github.com/robotsexclusion/robots/crawler/internal/weburl"
	"github.com/robotsexclusion/robots/crawler/result"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// TestSoonest compares the selection from a heap with its slow twin, which sorts the whole heap.
func TestSoonest(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	base := time.Now()
	for _, size := range []int{0, 1, 2, 3, 10, 1000} {
		var due hostHeap
		for i := range size {
			heap.Push(&due, &host{origin: fmt.Sprint(i), at: base.Add(time.Duration(r.IntN(size)) * time.Second)})
		}
		all := slices.Clone(due)
		slices.SortFunc(all, func(a, b *host) int { return a.at.Compare(b.at) })
		for _, n := range []int{-1, 0, 1, 2, size / 2, size, size + 1} {
			got := due.soonest(n)
			if want := all[:max(min(n, size), 0)]; !slices.EqualFunc(got, want,
				func(a, b *host) bool { return a.at.Equal(b.at) }) {
				t.Errorf("%d of %d: wrong times", n, size)
			}
			seen := make(map[*host]bool)
			for _, h := range got {
				if seen[h] {
					t.Errorf("%d of %d: a host is there twice", n, size)
				}
				seen[h] = true
			}
		}
	}
}

// TestReport: the report has each host with its wait, and hosts that are asked now come first.
func TestReport(t *testing.T) {
	now := time.Now()
	f := newFrontier(frontierLimits{}, nil)
	add := func(name string, at time.Time, why pace.Wait) *host {
		h := &host{origin: name, reason: why, index: -1, queued: 1}
		f.setDue(h, at)
		return h
	}
	addr := netip.MustParseAddr("192.0.2.1")
	soon, late := now.Add(time.Minute), now.Add(time.Hour)
	add("https://delay.example", soon, pace.Wait{At: soon, Reason: pace.CrawlDelay, Delay: time.Minute, Line: 4})
	add("https://due.example", late, pace.Wait{At: soon, Reason: pace.CrawlDelay})
	add("https://ready.example", now.Add(-time.Second), pace.Wait{At: now.Add(-time.Second)})
	add("https://later.example", late.Add(time.Hour), pace.Wait{At: late.Add(time.Hour), Reason: pace.RetryAfter})
	add("https://damaged.example", late.Add(2*time.Hour), pace.Wait{At: late.Add(2 * time.Hour), Reason: 255})
	parked := add("https://parked.example", now, pace.Wait{})
	f.addresses.open[addr] = 8
	f.due.remove(parked)
	f.addresses.park(parked, addr, false)
	f.setLeased(add("https://asked.example", now, pace.Wait{}), now.Add(-time.Second))

	s := &Status{At: now, Waits: make(map[string]int64)}
	report := &frontierReport{f, now}
	report.fill(s, 100)
	if got, want := fmt.Sprint(s.Waits),
		"map[address:1 asked:1 crawl-delay:1 due:1 ready:1 retry-after:1 unknown:1]"; got != want || s.Busy != 1 ||
		s.Waiting != 6 {
		t.Errorf("got %s, %d asked, %d waiting, want %s", got, s.Busy, s.Waiting, want)
	}
	var got []string
	for _, h := range s.Hosts {
		got = append(got, strings.TrimSuffix(strings.TrimPrefix(h.Origin, "https://"), ".example")+" "+h.Wait)
	}
	if want := "asked asked,parked address,ready ready,delay crawl-delay,due due,later retry-after,damaged unknown"; strings.Join(got, ",") != want {
		t.Errorf("got %s, want %s", strings.Join(got, ","), want)
	}
	for i, want := range map[int]string{
		0: "it is asked now", 1: "its address 192.0.2.1 is busy: 8 requests are under way there", 2: "it may be asked",
		3: "until " + soon.UTC().Format(time.RFC3339) + ": Crawl-delay: 1m0s, line 4 of robots.txt",
		4: "until " + late.UTC().Format(time.RFC3339) + ": nothing that is queued is due before",
	} {
		if s.Hosts[i].Why != want {
			t.Errorf("%s: got %q, want %q", s.Hosts[i].Origin, s.Hosts[i].Why, want)
		}
	}
	for _, n := range []int{0, 1, 2, 3} {
		some := &Status{At: now, Waits: make(map[string]int64)}
		if report.fill(some, n); len(some.Hosts) != n || n > 0 && some.Hosts[n-1].Origin != s.Hosts[n-1].Origin {
			t.Errorf("of %d hosts, the status has %v", n, some.Hosts)
		}
	}
}

func TestParseHost(t *testing.T) {
	for name, want := range map[string]string{
		"example.com":             "https://example.com http://example.com, example.com:",
		"EXAMPLE.com":             "https://example.com http://example.com, example.com:",
		"example.com:8080":        "https://example.com:8080 http://example.com:8080, ",
		"example.com:80":          "https://example.com:80 http://example.com, ",
		"example.com:443":         "https://example.com http://example.com:443, ",
		"bücher.example":          "https://xn--bcher-kva.example http://xn--bcher-kva.example, xn--bcher-kva.example:",
		"[::1]":                   "https://[::1] http://[::1], [::1]:",
		"https://example.com/a?b": "https://example.com, ",
		"http://example.com:81":   "http://example.com:81, ",
		"":                        "error",
		"a b":                     "error",
		"ftp://example.com":       "error",
		"\x1b[2J":                 "error",
		"exa\u202emple.com":       "error",
	} {
		origins, rest, err := parseHost(name)
		var all []string
		for _, u := range origins {
			all = append(all, u.Origin())
		}
		got := strings.Join(all, " ") + ", " + rest
		if err != nil {
			got = "error"
			for _, c := range err.Error() {
				if c < ' ' || c == '\u202e' {
					t.Errorf("%q: the error has %U", name, c)
				}
			}
		}
		if got != want {
			t.Errorf("%q: got %s, want %s", name, got, want)
		}
	}
}

// TestSeedsFile: lines are durable, or missing altogether.
func TestSeedsFile(t *testing.T) {
	name := filepath.Join(t.TempDir(), "seeds.txt")
	file := seedFile(name)
	read := func() (lines []string) {
		t.Helper()
		fatal.If(t, file.read(t.Context(), func(line string) { lines = append(lines, line) }))
		return lines
	}
	if got := read(); got != nil {
		t.Errorf("without a file: %q", got)
	}
	a, b := parse(t, "https://a.example/"), parse(t, "https://b.example/")
	fatal.If(t, file.append([]weburl.URL{a, b}))
	whole, err := os.ReadFile(name)
	fatal.If(t, err)
	for n := range whole { // torn at each byte, and appended to after that
		fatal.If(t, os.WriteFile(name, whole[:n], 0o666))
		lines := read()
		if len(lines) != bytes.Count(whole[:n], []byte("\n")) {
			t.Errorf("%q: read %q", whole[:n], lines)
		}
		fatal.If(t, file.append([]weburl.URL{b}))
		if got, want := read(), append(lines, b.String()); !slices.Equal(got, want) {
			t.Errorf("%q: got %q after an addition, want %q", whole[:n], got, want)
		}
	}
	long := "https://a.example/" + strings.Repeat("x", 4096-len("https://a.example/")) + "\n"
	fatal.If(t, os.WriteFile(name, []byte(long), 0o666))
	if got := read(); len(got) != 1 || len(got[0]) != 4096 {
		t.Errorf("the longest URL: %d lines", len(got))
	}
	fatal.If(t, os.WriteFile(name, []byte(strings.Repeat("x", 1<<20)+"\n"), 0o666))
	err = file.read(t.Context(), func(string) {})
	if err == nil || !strings.Contains(err.Error(), "longer than any URL") {
		t.Errorf("an endless line: %v", err)
	}
}

func TestReasonText(t *testing.T) {
	for i := range result.Reasons {
		text, _ := result.Reason(i).MarshalText()
		var again result.Reason
		if err := again.UnmarshalText(text); err != nil || again != result.Reason(i) {
			t.Errorf("%s: got %v, %v", text, again, err)
		}
	}
	var r result.Reason
	if err := r.UnmarshalText([]byte("moon\x1b")); err == nil || strings.Contains(err.Error(), "\x1b") {
		t.Errorf("%q", err)
	}
}

// TestNoCrawl: a folder without a crawl is an error, and stays unchanged.
func TestNoCrawl(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{filepath.Join(dir, "missing"), dir} {
		if _, err := Inspect(name); !errors.Is(err, ErrNoCrawl) {
			t.Errorf("%s: %v", name, err)
		}
	}
	os.Mkdir(filepath.Join(dir, "store"), 0o777)
	if _, err := Inspect(dir); !errors.Is(err, ErrNoCrawl) {
		t.Errorf("an empty store: %v", err)
	}
	if files, err := os.ReadDir(filepath.Join(dir, "store")); err != nil || len(files) > 0 {
		t.Errorf("now there is %v, %v", files, err)
	}
}

func BenchmarkReport(b *testing.B) {
	for _, size := range []int{10_000, 100_000} {
		b.Run(fmt.Sprintf("%d-hosts", size), func(b *testing.B) {
			f := newFrontier(frontierLimits{}, nil)
			now := time.Now()
			for i := range size {
				at := now.Add(time.Duration(rand.Int64N(1e12)))
				f.setDue(&host{origin: fmt.Sprintf("https://h%d.example", i),
					reason: pace.Wait{At: at, Reason: pace.Reason(i % 10)}, queued: 1}, at)
			}
			report := &frontierReport{f, now}
			for b.Loop() {
				report.fill(&Status{At: now, Waits: make(map[string]int64)}, 20)
			}
		})
	}
}

func BenchmarkInspect(b *testing.B) {
	for _, size := range []int{1000, 10_000} {
		b.Run(fmt.Sprintf("%d-hosts", size), func(b *testing.B) {
			dir := b.TempDir()
			s, err := store.Open(store.Options{Dir: filepath.Join(dir, "store")})
			fatal.If(b, err)
			batch := s.Batch(0)
			state := (&host{}).appendState(nil)
			for i := range size {
				origin := fmt.Sprintf("https://h%d.example", i)
				batch.Seen(store.Item{URL: origin + "/"})
				batch.SetHost(origin, state)
			}
			fatal.If(b, errors.Join(batch.Commit(1), s.Close()))
			for b.Loop() {
				i, err := Inspect(dir)
				fatal.If(b, err)
				if s, err := i.Status(b.Context(), 20); err != nil || s.Waiting != size || len(s.Hosts) != 20 {
					b.Fatalf("%+v, %v", s, err)
				}
				fatal.If(b, i.Close())
			}
		})
	}
}
