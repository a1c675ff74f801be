package lint

import (
	"bytes"
	"flag"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/test/corpus"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

var hits = flag.String("hits", "",
	"with TestCorpus: show up to 30 places where the check of this `name` fires, each of another site")

// corpusFiles returns every sixtieth robots.txt of the corpus, every hundredth for a
// short test, or all of them with ROBOTS_CORPUS_ALL=1. Without a corpus the test is
// skipped.
func corpusFiles(tb testing.TB) []corpus.File {
	tb.Helper()
	step := 60
	if testing.Short() {
		step = 100
	}
	return corpus.Every(step, corpus.Files(tb, "*"))
}

// fourth returns every fourth of some files.
func fourth(files []corpus.File) (some []corpus.File) {
	for i := 0; i < len(files); i += 4 {
		some = append(some, files[i])
	}
	return some
}

// A tally is the number of diagnostics of a check.
type tally struct{ files, diagnostics, errors int }

// TestCorpus runs all checks over the corpus, and logs the number of diagnostics and the time
// of each: go test ./lint -run TestCorpus -v.
func TestCorpus(t *testing.T) {
	files := corpusFiles(t)
	o := Options{Profile: Strict, Limit: 1 << 30}
	for _, c := range Checks() {
		o.Enable = append(o.Enable, c.Name)
	}
	tallies := make(map[*Check]*tally)
	for _, c := range Checks() {
		tallies[c] = &tally{}
	}
	reports := make([]*Report, len(files))
	start := time.Now()
	var wait sync.WaitGroup
	next := make(chan int)
	for range runtime.GOMAXPROCS(0) {
		wait.Go(func() {
			for i := range next {
				reports[i] = Run(robots.Parse(files[i].Data), o)
			}
		})
	}
	size := 0
	for i := range files {
		size += len(files[i].Data)
		next <- i
	}
	close(next)
	wait.Wait()
	took := time.Since(start)
	shown := make(map[string]bool)
	for i, r := range reports {
		site, _, _ := strings.Cut(strings.TrimPrefix(files[i].Name, "site-histories/"), "/20")
		seen := make(map[*Check]bool)
		for j := range r.Diagnostics {
			d := &r.Diagnostics[j]
			n := tallies[d.Check]
			n.diagnostics++
			if d.Severity == Error {
				n.errors++
			}
			if !seen[d.Check] {
				seen[d.Check] = true
				n.files++
				if d.Check.Name == *hits && len(shown) < 30 && !shown[site] {
					shown[site] = true
					showHit(t, files[i].Name, r, d)
				}
			}
		}
	}
	var b strings.Builder
	for _, c := range Checks() {
		n := tallies[c]
		fmt.Fprintf(&b, "%-20s %-8s %6d files %8d diagnostics %8d errors\n", c.Name, c.Severity, n.files, n.diagnostics,
			n.errors)
	}
	t.Logf("%d files, %d bytes, %.1f s on %d cores\n%s", len(files), size, took.Seconds(), runtime.GOMAXPROCS(0),
		b.String())
}

func showHit(t *testing.T, name string, r *Report, d *Diagnostic) {
	t.Helper()
	var b bytes.Buffer
	one := &Report{Policy: r.Policy, Diagnostics: []Diagnostic{*d}}
	fatal.If(t, (Writer{}).Write(&b, File{name, one}))
	t.Log("\n" + b.String())
}

// TestCorpusFixes applies all safe fixes to a fourth of corpusFiles. Where all applied fixes
// keep the meaning, it proves that the answers are the same.
func TestCorpusFixes(t *testing.T) {
	corpus.Unraced(t)
	var kept, changed atomic.Int64
	corpus.Each(fourth(corpusFiles(t)), func(f corpus.File) {
		r := Run(robots.Parse(f.Data), Options{Profile: Strict})
		safe := slices.DeleteFunc(slices.Clone(r.Diagnostics), func(d Diagnostic) bool {
			return d.Fix == nil ||
				!d.Fix.Safe
		})
		if len(safe) == 0 || len(f.Data) > 1<<18 {
			return
		}
		keeping := r.edits(func(fix *Fix) bool { return fix.Safe && fix.Effect == Keeps })
		if len(keeping) > 0 {
			kept.Add(1)
			if err := proven(string(f.Data), &Fix{Edits: keeping}); err != nil {
				t.Errorf("%s: fixes that keep the meaning: %v", f.Name, err)
			}
		}
		if slices.ContainsFunc(safe, func(d Diagnostic) bool { return d.Fix.Effect != Keeps }) {
			changed.Add(1)
			for _, d := range safe[:min(len(safe), 3)] {
				if err := proven(string(f.Data), d.Fix); err != nil {
					t.Errorf("%s: %s: %v", f.Name, d, err)
				}
			}
		}
		fixed := r.Fix()
		again := Run(robots.Parse([]byte(fixed)), Options{Profile: Strict})
		for _, d := range again.Diagnostics {
			if d.Fix != nil && d.Fix.Safe {
				t.Errorf("%s: after all fixes: %s", f.Name, d)
				break
			}
		}
	})
	t.Logf("%d files with fixes that keep the meaning, %d with others", kept.Load(), changed.Load())
}
