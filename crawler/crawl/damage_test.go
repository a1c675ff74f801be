package crawl_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/crawler/crawl"
	"github.com/robotsexclusion/robots/crawler/internal/testweb"
	"github.com/robotsexclusion/robots/internal/test/corpus"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// damageWild returns a web that takes a second to crawl.
func damageWild(t *testing.T) *testweb.Web {
	return startWild(t, testweb.Options{Hosts: 8, Pages: 60, Scale: 0.01, Token: "TestBot",
		Kinds: []string{"ordinary", "moved"}, Texts: []string{"none", "folder", "named"}})
}

// A harm is one kind of damage to a file of a crawl.
type harm struct {
	name string
	do   func(name string) error
}

// harms returns the kinds of damage to a file of a given length: remove, empty, replace by a
// folder, and cut and alter at several places.
func harms(size int64, places int, random *rand.Rand) (all []harm) {
	all = append(all, harm{"removed", os.Remove},
		harm{"emptied", func(name string) error { return os.Truncate(name, 0) }},
		harm{"folder", func(name string) error { return errors.Join(os.Remove(name), os.Mkdir(name, 0o777)) }},
	)
	if size == 0 {
		return all
	}
	at := []int64{0, size / 2, size - 1}
	for range places {
		at = append(at, random.Int64N(size))
	}
	slices.Sort(at)
	for _, n := range slices.Compact(at) {
		if n > 0 {
			all = append(all, harm{fmt.Sprintf("cut at %d", n),
				func(name string) error { return os.Truncate(name, n) }})
		}
		bit := byte(1) << random.IntN(8)
		all = append(all, harm{fmt.Sprintf("byte %d", n), func(name string) error {
			data, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			data[n] ^= bit
			return os.WriteFile(name, data, 0o666)
		}})
	}
	return all
}

// filesOf returns the files of a crawl that are not locks or sockets, with their lengths.
func filesOf(t *testing.T, dir string) map[string]int64 {
	t.Helper()
	all := make(map[string]int64)
	err := filepath.WalkDir(dir, func(name string, e fs.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() {
			return err
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		relative, err := filepath.Rel(dir, name)
		all[relative] = info.Size()
		return err
	})
	fatal.If(t, err)
	return all
}

// TestDamaged damages every file of a crawl that stopped halfway, in every way. Either the
// crawl refuses to start and says what to do, or it resumes; after a repair it always resumes.
// In the end the results have every page of the web, no forbidden URL was requested, and no
// host was requested too early.
func TestDamaged(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it takes a minute")
	}
	places, rounds := 0, 4
	switch {
	case isWhole():
		places, rounds = 4, 1<<30
	case corpus.All():
		rounds = 60
	}
	web := damageWild(t)
	whole := filepath.Join(t.TempDir(), "crawl")
	ch := newTask(web, whole)
	c := ch.crawler()
	c.Budget.Pages = 25
	if s, err := crawl.NewQuick(*c).Run(t.Context(), ch.Seeds...); err != nil || !s.Spent {
		t.Fatalf("%+v, %v", s, err)
	}
	random := rand.New(rand.NewPCG(1, 2))
	type one struct {
		file string
		harm
	}
	var all []one
	for name, size := range filesOf(t, whole) {
		for _, h := range harms(size, places, random) {
			all = append(all, one{name, h})
		}
	}
	slices.SortFunc(all, func(a, b one) int { return strings.Compare(a.file+a.name, b.file+b.name) })
	random.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	refused := 0
	for _, h := range all[:min(len(all), rounds)] {
		t.Run(strings.ReplaceAll(h.file, "/", "_")+"_"+strings.ReplaceAll(h.name, " ", "_"), func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "crawl")
			fatal.If(t, os.CopyFS(dir, os.DirFS(whole)))
			fatal.If(t, h.do(filepath.Join(dir, h.file)))
			if goOn(t, web, dir) {
				refused++
			}
		})
	}
	o := wildCheck
	o.Interval, o.Whole, o.Sitemaps = -1, false, false // each copy of the folder fetches robots.txt and sitemaps again
	for _, v := range web.Check(o) {
		if v.What != testweb.Unconditional {
			t.Error(v)
		}
	}
	t.Logf("%d of %d ways to harm, %d of them refused at the start", min(len(all), rounds), len(all), refused)
}

// goOn resumes a crawl with a damaged folder. It reports whether the crawl refused and was
// repaired.
func goOn(t *testing.T, web *testweb.Web, dir string) (refused bool) {
	t.Helper()
	ch := newTask(web, dir)
	if seeds, err := os.ReadFile(filepath.Join(dir, "seeds.txt")); err == nil && bytes.Contains(seeds, []byte("\n")) {
		ch.Seeds = nil // otherwise the crawl was killed before it began, and starts again
	}
	served := web.Served()
	summary, err := crawl.NewQuick(*ch.crawler()).Run(t.Context(), ch.Seeds...)
	var damage *crawl.DamageError
	if errors.As(err, &damage) {
		refused = true
		if text := err.Error(); !strings.Contains(text, "robots crawl repair --dir "+dir) {
			t.Errorf("it does not say what to do: %s", text)
		}
		if n := web.Served() - served; n > 0 && !strings.Contains(err.Error(), "has stopped") {
			t.Errorf("%d requests before it was refused", n)
		}
		t.Log(damage)
		mend(t, repairer(dir), crawl.RepairOptions{Again: true})
		summary, err = crawl.NewQuick(*ch.crawler()).Run(t.Context(), ch.Seeds...)
		if err != nil {
			t.Fatalf("repaired, it does not go on: %v", err)
		}
	} else if err != nil {
		t.Fatalf("no sentence about damage: %v", err)
	}
	if !summary.Finished {
		t.Errorf("it did not finish: %+v", summary)
	}
	mend(t, repairer(dir), crawl.RepairOptions{Check: true})
	wantComplete(t, web, dir)
	return refused
}

// wantComplete fails if the results lack a reachable page of the web.
func wantComplete(t *testing.T, web *testweb.Web, dir string) {
	t.Helper()
	fetched := make(map[string]bool)
	text := readFile(t, filepath.Join(dir, "results.jsonl"))
	for line := range strings.Lines(string(text)) {
		var r struct {
			URL       string    `json:"url"`
			FetchedAt time.Time `json:"fetched_at"`
		}
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		fetched[r.URL] = fetched[r.URL] || !r.FetchedAt.IsZero()
	}
	missing := 0
	all := web.Reachable(wildCheck)
	for _, url := range all {
		if !fetched[url] {
			if missing++; missing <= 5 {
				t.Errorf("%s is not in the results", url)
			}
		}
	}
	if missing > 0 || len(all) == 0 {
		t.Errorf("%d of %d pages are not in the results", missing, len(all))
	}
}
