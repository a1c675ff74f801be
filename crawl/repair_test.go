package crawl_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/crawl"
	"github.com/robotsexclusion/robots/crawl/store"
	"github.com/robotsexclusion/robots/internal/wild"
)

// half crawls a part of a web, and returns the folder.
func half(t *testing.T, ch *child, pages int64) {
	t.Helper()
	c := ch.crawler()
	c.Budget.Pages = pages
	if s, err := c.Run(t.Context(), ch.Seeds...); err != nil || !s.Spent {
		t.Fatalf("%+v, %v", s, err)
	}
}

// remove removes files of a folder.
func remove(t *testing.T, dir string, names ...string) {
	t.Helper()
	for _, name := range names {
		if err := os.RemoveAll(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
}

// wantRefused fails unless a crawl does not start because of damage to a file.
func wantRefused(t *testing.T, ch *child, file string) {
	t.Helper()
	_, err := ch.crawler().Run(t.Context())
	var damage *crawl.DamageError
	if !errors.As(err, &damage) || !slices.ContainsFunc(damage.Faults, func(f crawl.Fault) bool { return strings.HasPrefix(f.File, file) }) {
		t.Fatalf("got %v, want damage of %s", err, file)
	}
	t.Log(err)
}

// TestRepairLost removes what a crawl keeps, in combinations: whatever can be made again is,
// so that the crawl goes on with its queue and asks for no page twice that it has.
func TestRepairLost(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it takes some seconds")
	}
	for _, test := range []struct {
		name    string
		lost    []string
		file    string // that the error names
		refetch bool   // pages are asked for again
	}{
		{"store", []string{"store"}, "store", false},
		{"journal", []string{"journal"}, "journal", false},
		{"store and checkpoint", []string{"store", "checkpoint"}, "store", false},
		{"journal and checkpoint", []string{"journal", "checkpoint"}, "journal", false},
		{"store and journal", []string{"store", "journal"}, "store", false},
		{"all but results and archive", []string{"store", "journal", "checkpoint", "robots", "index", "owed"}, "store", false},
		{"results", []string{"results.jsonl"}, "results.jsonl", false},
		{"results and checkpoint", []string{"results.jsonl", "checkpoint"}, "results.jsonl", false},
		{"results and store", []string{"results.jsonl", "store"}, "store", false},
		{"seeds", []string{"seeds.txt"}, "seeds.txt", false},
		{"archive", []string{"archive"}, "archive/", true},
		{"archive and store", []string{"archive", "store"}, "store", true},
		{"seeds and results", []string{"seeds.txt", "results.jsonl"}, "results.jsonl", false},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			web := damageWild(t)
			ch := newChild(web, filepath.Join(t.TempDir(), "crawl"))
			half(t, ch, 30)
			done := readTold(t, ch.Dir)
			remove(t, ch.Dir, test.lost...)
			wantRefused(t, ch, test.file)
			told, err := repairer(ch.Dir).Repair(t.Context(), crawl.RepairOptions{Again: true})
			if err != nil {
				t.Fatalf("%v; %+v", err, told)
			}
			t.Logf("restored: %q\nlost: %q", told.Restored, told.Lost)
			if len(told.Faults) == 0 || len(told.Restored) == 0 && !test.refetch {
				t.Errorf("%+v", told)
			}
			after := readTold(t, ch.Dir)
			for url, at := range done {
				if after[url].UnixMilli() != at.UnixMilli() {
					t.Errorf("%s was told as fetched at %v, and now at %v", url, at, after[url])
				}
			}
			served := web.Served()
			if s, err := ch.crawler().Run(t.Context()); err != nil || !s.Finished {
				t.Fatalf("%+v, %v", s, err)
			}
			wantComplete(t, web, ch.Dir)
			again := 0
			n := 0
			for r := range web.Requests() {
				if n++; n > served && !done[r.URL].IsZero() {
					again++
				}
			}
			if again > 0 && !test.refetch || again == 0 && test.refetch {
				t.Errorf("%d of %d pages are asked for again", again, len(done))
			}
			clean, err := repairer(ch.Dir).Repair(t.Context(), crawl.RepairOptions{Check: true})
			if err != nil || len(clean.Faults) > 0 {
				t.Errorf("in the end: %+v, %v", clean, err)
			}
		})
	}
}

// TestRepairUntold takes away lines of the results that no mark covers, as crawls may have left
// them that an earlier version of this program was killed in: a repair tells them again.
func TestRepairUntold(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it takes some seconds")
	}
	web := damageWild(t)
	ch := newChild(web, filepath.Join(t.TempDir(), "crawl"))
	half(t, ch, 40)
	name := filepath.Join(ch.Dir, "results.jsonl")
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	short := int64(bytes.IndexByte(text[len(text)/3:], '\n') + 1 + len(text)/3)
	s, err := store.Open(store.Options{Dir: filepath.Join(ch.Dir, "store")})
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(s.SetMarks(map[string][]byte{"results": fmt.Appendf(nil, `{"size":%d}`, short)}), s.Close(), os.Truncate(name, short)); err != nil {
		t.Fatal(err)
	}
	remove(t, ch.Dir, "journal")
	wantRefused(t, ch, "journal")
	told, err := repairer(ch.Dir).Repair(t.Context(), crawl.RepairOptions{})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%v\nrestored: %q\nlost: %q", told.Faults, told.Restored, told.Lost)
	if s, err := ch.crawler().Run(t.Context()); err != nil || !s.Finished {
		t.Fatalf("%+v, %v", s, err)
	}
	wantComplete(t, web, ch.Dir)
}

// TestRepairJournalEnd has a journal and a store that are older than the results, as a journal is
// that has lost its end, and the store of a process that was killed then: that is noticed, and
// what the results and the archive have is taken over from there.
func TestRepairJournalEnd(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it takes some seconds")
	}
	for _, all := range []bool{false, true} {
		t.Run(fmt.Sprint("all of it is lost: ", all), func(t *testing.T) {
			t.Parallel()
			web := damageWild(t)
			ch := newChild(web, filepath.Join(t.TempDir(), "crawl"))
			old := filepath.Join(t.TempDir(), "old")
			for lines := 0; ; {
				p := ch.start(t)
				lines = waitForLines(t, ch.Dir, lines+15)
				p.Process.Kill()
				p.Wait()
				if _, err := os.Stat(old); err == nil {
					break
				}
				for _, name := range []string{"journal", "store"} {
					if err := os.CopyFS(filepath.Join(old, name), os.DirFS(filepath.Join(ch.Dir, name))); err != nil {
						t.Fatal(err)
					}
				}
			}
			time.Sleep(served)
			done := readTold(t, ch.Dir)
			remove(t, ch.Dir, "journal", "store", "owed")
			if err := os.CopyFS(ch.Dir, os.DirFS(old)); err != nil {
				t.Fatal(err)
			}
			if all {
				// What the store began with stays.
				remove(t, ch.Dir, "journal")
				if err := os.Truncate(filepath.Join(ch.Dir, "store", "000002.log"), 286); err != nil {
					t.Fatal(err)
				}
			}
			wantRefused(t, ch, "journal")
			told, err := repairer(ch.Dir).Repair(t.Context(), crawl.RepairOptions{})
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%v\nrestored: %q\nlost: %q", told.Faults, told.Restored, told.Lost)
			before := web.Served()
			if s, err := ch.crawler().Run(t.Context()); err != nil || !s.Finished {
				t.Fatalf("%+v, %v", s, err)
			}
			wantComplete(t, web, ch.Dir)
			wantOnce(t, web, before, done)
		})
	}
}

// TestRepairAltered alters a line of the results of a crawl that was killed, of which the store
// has nothing: no mark of it says what the results are, but the journal does.
func TestRepairAltered(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it takes some seconds")
	}
	for _, byURL := range []bool{false, true} {
		for _, late := range []bool{false, true} {
			t.Run(fmt.Sprintf("by its URL: %v, with marks: %v", byURL, late), func(t *testing.T) {
				t.Parallel()
				repairAltered(t, byURL, late)
			})
		}
	}
}

func repairAltered(t *testing.T, byURL, late bool) {
	web := damageWild(t)
	ch := newChild(web, filepath.Join(t.TempDir(), "crawl"))
	p := ch.start(t)
	waitForLines(t, ch.Dir, 20)
	p.Process.Kill()
	p.Wait()
	time.Sleep(served)
	if !late {
		// What the store began with stays.
		if err := os.Truncate(filepath.Join(ch.Dir, "store", "000002.log"), 286); err != nil {
			t.Fatal(err)
		}
	}
	name := filepath.Join(ch.Dir, "results.jsonl")
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	second := bytes.IndexByte(text, '\n') + 1
	if byURL {
		second += len(`{"url":"http://h0`)
	}
	text[second] ^= 4
	if err := os.WriteFile(name, text, 0o666); err != nil {
		t.Fatal(err)
	}
	done := readTold(t, copyWithout(t, text))
	if !byURL { // by a URL that nobody knows it may be the journal too that is damaged
		wantRefused(t, ch, "results.jsonl")
	}
	told, err := repairer(ch.Dir).Repair(t.Context(), crawl.RepairOptions{})
	if err != nil || len(told.Lost) > 0 {
		t.Fatalf("%+v, %v", told, err)
	}
	t.Logf("%v\nrestored: %q", told.Faults, told.Restored)
	before := web.Served()
	if s, err := ch.crawler().Run(t.Context()); err != nil || !s.Finished {
		t.Fatalf("%+v, %v", s, err)
	}
	wantComplete(t, web, ch.Dir)
	wantOnce(t, web, before, done)
}

// copyWithout returns a folder with the results but for lines that are none.
func copyWithout(t *testing.T, text []byte) (dir string) {
	t.Helper()
	var whole []byte
	for line := range bytes.Lines(text) {
		if line[0] == '{' {
			whole = append(whole, line...)
		}
	}
	dir = t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "results.jsonl"), whole, 0o666); err != nil {
		t.Fatal(err)
	}
	return dir
}

// waitForLines waits until the results have so many lines, and returns how many they have.
func waitForLines(t *testing.T, dir string, lines int) int {
	t.Helper()
	for began := time.Now(); time.Since(began) < time.Minute; time.Sleep(time.Millisecond) {
		text, _ := os.ReadFile(filepath.Join(dir, "results.jsonl"))
		if n := bytes.Count(text, []byte("\n")); n >= lines {
			return n
		}
	}
	t.Fatalf("there are no %d results after a minute", lines)
	return 0
}

// wantOnce fails if pages that were done are asked for again after a number of requests.
func wantOnce(t *testing.T, web *wild.Web, after int, done map[string]time.Time) {
	t.Helper()
	again, n := 0, 0
	for r := range web.Requests() {
		if n++; n > after && !done[r.URL].IsZero() {
			again++
		}
	}
	if again > 0 {
		t.Errorf("%d of %d pages are asked for again", again, len(done))
	}
}

// TestRepairUnnamed loses all that says how a crawl was made: the error says with what line it
// is repaired, and what was done is taken over.
func TestRepairUnnamed(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it takes some seconds")
	}
	web := damageWild(t)
	ch := newChild(web, filepath.Join(t.TempDir(), "crawl"))
	half(t, ch, 30)
	done := readTold(t, ch.Dir)
	remove(t, ch.Dir, "robot.json", "store", "checkpoint")
	_, err := repairer(ch.Dir).Repair(t.Context(), crawl.RepairOptions{})
	if want := "robots crawl repair --dir " + ch.Dir + " --user-agent 'TestBot/1.0 (+https://example.com/bot)'"; err == nil || !strings.Contains(err.Error(), want) {
		t.Fatalf("got %v, want advice with %s", err, want)
	}
	told, err := ch.crawler().Repair(t.Context(), crawl.RepairOptions{})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%v\nrestored: %q\nlost: %q", told.Faults, told.Restored, told.Lost)
	before := web.Served()
	if s, err := ch.crawler().Run(t.Context()); err != nil || !s.Finished {
		t.Fatalf("%+v, %v", s, err)
	}
	wantComplete(t, web, ch.Dir)
	wantOnce(t, web, before, done)
}

