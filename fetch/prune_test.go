package fetch_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/fetch"
	"github.com/robotsexclusion/robots/internal/test/child"
	"github.com/robotsexclusion/robots/internal/test/corpus"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// prune prunes a folder up to a time, or fails the test.
func prune(t *testing.T, dir fetch.Dir, before time.Time) fetch.Pruned {
	t.Helper()
	p, err := dir.PruneAll(t.Context(), before)
	fatal.If(t, err)
	return p
}

// at returns a text with all properties of the version in force, or one that says that it is
// unknown.
func at(t *testing.T, dir fetch.Dir, origin string, when time.Time) string {
	t.Helper()
	v, ok, err := dir.At(t.Context(), origin, when)
	fatal.If(t, err)
	if !ok {
		return "not known"
	}
	text, err := v.Text()
	if err != nil {
		t.Error(err)
	}
	return fmt.Sprintf("%v until %v seen %v %v %d %q %q %v", v.From, v.Until, v.Seen, v.State, v.Status, v.Cause, text,
		v.Cut)
}

// size returns the bytes of all files of a folder, and the number of texts.
func size(t *testing.T, dir fetch.Dir) (bytes int64, texts int) {
	t.Helper()
	err := filepath.WalkDir(string(dir), func(name string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		info, err := d.Info()
		if err == nil {
			bytes += info.Size()
		}
		if filepath.Ext(name) == ".txt" {
			texts++
		}
		return err
	})
	fatal.If(t, err)
	return bytes, texts
}

// FuzzPrune puts entries, as FuzzHistory does, into a folder that is pruned in between, and into a
// folder that is not. From the last bound on, both must give the same answers.
func FuzzPrune(f *testing.F) {
	f.Add([]byte{0, 1, 1, 1, 2, 1, 4, 1, 3, 1, 3, 200, 4, 3, 0, 1})
	f.Add([]byte{0, 1, 3, 1, 3, 250, 4, 0, 0, 5, 1, 130, 1, 10, 4, 200, 3, 127, 3, 127, 0, 1})
	f.Add([]byte{1, 1, 0, 1, 3, 1, 3, 127, 0, 127, 4, 1, 1, 200, 4, 255, 2, 1, 0, 1, 4, 2})
	f.Fuzz(func(t *testing.T, steps []byte) {
		whole, pruned := scratch(t), scratch(t)
		at0 := received.Add(-1000 * 24 * time.Hour) // so that all entries are in the past
		now, bound := at0, time.Time{}
		last := entry(site, "", now)
		times := []time.Time{at0}
		put(t, whole, last)
		put(t, pruned, last)
		for ; len(steps) >= 2 && len(times) < 30; steps = steps[2:] {
			by := time.Duration(int8(steps[1])) * 6 * time.Hour
			if steps[0]%5 == 4 {
				if before := now.Add(by); before.After(bound) {
					bound = before
				}
				prune(t, pruned, bound)
				continue
			}
			now = now.Add(by)
			switch steps[0] % 5 {
			case 0, 1:
				last = entry(site, fmt.Sprintf("# %d\n", steps[0]%5), now)
			case 2:
				last = entry(site, "", now)
			case 3:
				last = unreachable(last, now)
			}
			put(t, whole, last)
			put(t, pruned, last)
			times = append(times, now)
		}
		times = append(times, bound, time.Now())
		for _, u := range times {
			for _, u := range []time.Time{u.Add(-time.Millisecond), u, u.Add(30 * 24 * time.Hour)} {
				if u.Before(bound) {
					continue
				}
				if got, want := at(t, pruned, site, u), at(t, whole, site, u); got != want {
					t.Errorf("%v: after pruning before %v got\n%s\nwant\n%s", u, bound, got, want)
				}
			}
		}
		if got, err := pruned.Get(t.Context(), site); err != nil || got.CheckedAt != last.CheckedAt {
			t.Errorf("the entry is %v, %v", got, err)
		}
	})
}

// TestPrune fetches from 20 sites for four years, and measures the folder after two years are
// pruned.
func TestPrune(t *testing.T) {
	dir, sites := scratch(t), corpus.Cases(7, 20)
	random := rand.New(rand.NewPCG(1, 2))
	start := received.Add(-4 * 365 * 24 * time.Hour)
	bound := start.Add(2 * 365 * 24 * time.Hour)
	var origins []string
	for i := range sites {
		origin := fmt.Sprintf("https://h%d.example", i)
		origins = append(origins, origin)
		for u := start; u.Before(received); u = u.Add(time.Duration(random.IntN(60*24)) * time.Hour) {
			text := strings.Repeat(fmt.Sprintf("User-agent: *\nDisallow: /%d/%v\n", i, u.Unix()), 50)
			put(t, dir, entry(origin, text, u))
		}
	}
	var times []time.Time
	want := make(map[string]string)
	for u := bound; u.Before(received); u = u.Add(10 * 24 * time.Hour) {
		times = append(times, u)
		for _, origin := range origins {
			want[origin+u.String()] = at(t, dir, origin, u)
		}
	}
	before, textsBefore := size(t, dir)
	// Texts from the last minute stay. A busy machine may have written the first of them earlier.
	young := time.Now()
	if err := filepath.WalkDir(string(dir), func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		return os.Chtimes(name, young, young)
	}); err != nil {
		t.Fatal(err)
	}
	if p, err := dir.Prune(t.Context(), bound); err != nil || p.Versions == 0 || p.Texts != 0 {
		t.Errorf("got %+v, %v", p, err)
	}
	middle, _ := size(t, dir)
	p := prune(t, dir, bound)
	after, textsAfter := size(t, dir)
	if p.Bytes != middle-after || p.Texts != textsBefore-textsAfter || after > before*6/10 || p.Versions != 0 {
		t.Errorf("got %+v for %d texts, %d bytes before and %d, %d after", p, textsBefore, before, textsAfter, after)
	}
	t.Logf("%d bytes and %d texts before, %d and %d after", before, textsBefore, after, textsAfter)
	for _, u := range times {
		for _, origin := range origins {
			if got := at(t, dir, origin, u); got != want[origin+u.String()] {
				t.Errorf("%s, %v: got %s, want %s", origin, u, got, want[origin+u.String()])
			}
		}
	}
	if p := prune(t, dir, bound); p != (fetch.Pruned{}) {
		t.Errorf("the second time: %+v", p)
	}
	if got := at(t, dir, origins[0], start); got != "not known" {
		t.Errorf("before the bound: %s", got)
	}
	// The last version stays, whatever the bound.
	prune(t, dir, received.Add(1000*time.Hour))
	if _, texts := size(t, dir); texts != sites {
		t.Errorf("%d texts are left of %d sites", texts, sites)
	}
}

// TestPruneErrors checks that Prune does not write to a folder that is not a cache, that all texts
// stay if a file cannot be read, and that damaged files do not stop Prune.
func TestPruneErrors(t *testing.T) {
	other := t.TempDir()
	for _, dir := range []fetch.Dir{fetch.Dir(other), fetch.Dir(filepath.Join(other, "missing")), ""} {
		if p, err := dir.Prune(t.Context(), time.Now()); err == nil {
			t.Errorf("%q: got %+v", dir, p)
		}
	}
	if files, err := os.ReadDir(other); len(files) > 0 || err != nil {
		t.Errorf("%v was made there, %v", files, err)
	}
	dir := scratch(t)
	for i := range 4 {
		put(t, dir, entry(site, fmt.Sprintf("# %d\n", i), received.Add(time.Duration(i)*time.Hour)))
	}
	put(t, dir, entry("http://b.example", "# b\n", received))
	put(t, dir, entry("http://c.example", "# c\n", received))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := dir.Prune(ctx, received.Add(time.Hour)); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	write(t, dir.EntryFile("http://b.example"), []byte("nonsense"))
	write(t, dir.HistoryFile("http://c.example"), []byte("nonsense\n\n{}"))
	name := dir.HistoryFile(site)
	write(t, name, append([]byte("junk\n"), append(read(t, name), "cut"...)...))
	if p := prune(t, dir, received.Add(time.Hour)); p.Versions != 1 || p.Texts != 1 {
		t.Errorf("got %+v, want one version and its text", p)
	}
	if got := string(read(t, name)); strings.Contains(got, "junk") || !strings.HasSuffix(got, "}\ncut") {
		t.Errorf("the history is %s", got)
	}
	put(t, dir, entry(site, "# 9\n", received.Add(9*time.Hour)))
	if h, err := dir.History(t.Context(), site); len(h) != 4 || err != nil {
		t.Errorf("got %v, %v", h, err)
	}
	if os.Getuid() > 0 {
		os.Chmod(name, 0)
		_, texts := size(t, dir)
		if p, err := dir.PruneAll(t.Context(), received.Add(10*time.Hour)); err == nil || p.Texts > 0 {
			t.Errorf("with a history that cannot be read: %+v, %v", p, err)
		}
		if _, now := size(t, dir); now != texts {
			t.Errorf("%d texts, %d before", now, texts)
		}
	}
}

// hours returns the time of an entry of the tests below.
func hours(n int) time.Time { return received.Add(time.Duration(n-5000) * time.Hour) }

// pruneUntilKilled is the work of another process: it prunes hour after hour, and prints the hour
// before.
func pruneUntilKilled(dir string) {
	n, _ := strconv.Atoi(os.Getenv("FETCH_TEST_FROM"))
	for ; n < 250; n++ {
		fmt.Println(n)
		_, err := fetch.Dir(dir).PruneAll(context.Background(), hours(n))
		child.Check(err)
	}
}

// TestPruneKilled repeatedly kills a process that prunes, while this process writes. There are few
// texts, so that an unused text is soon put again. From the last bound on, each answer must be the
// entry that was put.
func TestPruneKilled(t *testing.T) {
	dir := scratch(t)
	put1 := func(n int) {
		for _, origin := range origins {
			put(t, dir, entry(origin, fmt.Sprintf("# %d\n", n%7), hours(n)))
		}
	}
	const first, most = 60, 150 // hours with versions at the start and at the end
	end := 0
	for ; end < first; end++ {
		put1(end)
	}
	from, killed := 0, 0
	for round := 0; from < most-1; round++ {
		c, lines := child.Start(t, "prune", string(dir), fmt.Sprintf("FETCH_TEST_FROM=%d", from)), 0
		for line := range c.Lines() {
			var err error
			if from, err = strconv.Atoi(line); err != nil {
				t.Fatal(err)
			}
			last := 8 + round*7%19
			if lines%3 == 0 && lines < last && end < most {
				put1(end)
				end++
			}
			if lines++; lines == last {
				time.Sleep(time.Duration(round*13%17) * time.Millisecond / 4) // at any point of its work
				c.Process.Kill()
			}
		}
		if c.Wait() != nil {
			killed++
		}
		for n := from; n < end; n++ {
			for _, origin := range origins {
				v, ok, err := dir.At(t.Context(), origin, hours(n).Add(time.Minute))
				if err != nil || !ok {
					t.Fatalf("%s, hour %d, pruned before %d: %v, %v", origin, n, from, ok, err)
				}
				if text, err := v.Text(); err != nil || string(text) != fmt.Sprintf("# %d\n", n%7) {
					t.Fatalf("%s, hour %d, pruned before %d: got %q, %v", origin, n, from, text, err)
				}
			}
		}
	}
	if killed < 3 {
		t.Errorf("only %d processes were killed", killed)
	}
}

// A hookContext calls a function when its Err is called for the nth time.
type hookContext struct {
	context.Context
	n  *int
	do func()
}

func (c hookContext) Err() error {
	if *c.n--; *c.n == 0 {
		c.do()
	}
	return nil
}

// TestPruneStep puts an unused text again, for another origin, at each step of pruning.
func TestPruneStep(t *testing.T) {
	for step := 1; ; step++ {
		dir := scratch(t)
		for i, origin := range origins {
			put(t, dir, entry(origin, "# unused\n", received))
			put(t, dir, entry(origin, fmt.Sprintf("# %d\n", i), received.Add(time.Hour)))
		}
		n := step
		_, err := dir.PruneAll(hookContext{t.Context(), &n, func() {
			put(t, dir, entry(origins[1], "# unused\n", received.Add(2*time.Hour)))
		}}, received.Add(time.Hour))
		fatal.If(t, err)
		if n > 0 {
			if step < 10 {
				t.Errorf("pruning has only %d steps", step)
			}
			return
		}
		for at, want := range map[time.Duration]string{1: "# 1\n", 2: "# unused\n"} {
			v, ok, err := dir.At(t.Context(), origins[1], received.Add(at*time.Hour))
			if text, textErr := v.Text(); !ok || err != nil || textErr != nil || string(text) != want {
				t.Errorf("step %d: got %q, %v, %v, %v, want %q", step, text, ok, err, textErr, want)
			}
		}
	}
}

// TestPruneBesideWriters prunes all the time while several goroutines write, each for its own
// origin, with texts that are soon unused and soon put again. No entry that was put may be missing.
func TestPruneBesideWriters(t *testing.T) {
	const writers = 4
	puts := corpus.Cases(150, 400)
	dir := scratch(t)
	var reached [writers]atomic.Int64
	var all sync.WaitGroup
	for i := range writers {
		origin := fmt.Sprintf("https://h%d.example", i)
		put(t, dir, entry(origin, "# first\n", hours(0)))
		all.Go(func() {
			for n := 1; n < puts; n++ {
				want := fmt.Sprintf("# %d %d\n", i, n%2)
				if err := dir.Put(t.Context(), entry(origin, want, hours(n))); err != nil {
					t.Errorf("put %d: %v", n, err)
					return
				}
				reached[i].Store(int64(n))
				v, ok, err := dir.At(t.Context(), origin, hours(n))
				if !ok || err != nil {
					t.Errorf("%s, hour %d: %v, %v", origin, n, ok, err)
					return
				}
				if text, err := v.Text(); err != nil || string(text) != want {
					t.Errorf("%s, hour %d: got %q, %v, want %q", origin, n, text, err, want)
					return
				}
			}
		})
	}
	ended := make(chan bool)
	go func() { all.Wait(); close(ended) }()
	var total fetch.Pruned
	for done := false; !done; {
		select {
		case <-ended:
			done = true
		default:
		}
		bound := int64(puts)
		for i := range reached {
			bound = min(bound, reached[i].Load())
		}
		p := prune(t, dir, hours(int(bound)))
		total.Versions += p.Versions
		total.Texts += p.Texts
	}
	if total.Versions < writers*puts/2 || total.Texts == 0 {
		t.Errorf("got %+v", total)
	}
	t.Logf("pruned %+v", total)
}
