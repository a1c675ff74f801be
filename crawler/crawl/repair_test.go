package crawl_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/crawler/crawl"
	"github.com/robotsexclusion/robots/crawler/internal/store"
	"github.com/robotsexclusion/robots/crawler/internal/testweb"
	"github.com/robotsexclusion/robots/internal/test/corpus"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// half crawls a part of a web, and returns the folder of the crawl.
func half(t *testing.T, ch *robotTask, pages int64) {
	t.Helper()
	c := ch.crawler()
	c.Budget.Pages = pages
	if s, err := crawl.NewQuick(*c).Run(t.Context(), ch.Seeds...); err != nil || !s.Spent {
		t.Fatalf("%+v, %v", s, err)
	}
}

// remove removes files from a folder.
func remove(t *testing.T, dir string, names ...string) {
	t.Helper()
	for _, name := range names {
		fatal.If(t, os.RemoveAll(filepath.Join(dir, name)))
	}
}

// writeFile writes a file.
func writeFile(t *testing.T, name string, data []byte) {
	t.Helper()
	fatal.If(t, os.WriteFile(name, data, 0o666))
}

// readFile reads a file.
func readFile(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(name)
	fatal.If(t, err)
	return data
}

// wantRefused fails unless a crawl refuses to start because of damage to a file.
func wantRefused(t *testing.T, ch *robotTask, file string) {
	t.Helper()
	_, err := crawl.NewQuick(*ch.crawler()).Run(t.Context())
	var damage *crawl.DamageError
	if !errors.As(err, &damage) || !slices.ContainsFunc(damage.Faults,
		func(f crawl.Fault) bool { return strings.HasPrefix(f.File, file) }) {
		t.Fatalf("got %v, want damage of %s", err, file)
	}
	t.Log(err)
}

// mend repairs a crawl.
func mend(t *testing.T, c *crawl.Config, o crawl.RepairOptions) *crawl.Repair {
	t.Helper()
	repair, err := crawl.New(*c).Repair(t.Context(), o)
	if err != nil {
		t.Fatalf("it cannot be repaired: %v; %+v", err, repair)
	}
	t.Logf("%v\nrestored: %q\nlost: %q", repair.Faults, repair.Restored, repair.Lost)
	return repair
}

// wantFinished finishes a crawl. It fails unless the results are complete then.
func wantFinished(t *testing.T, web *testweb.Web, ch *robotTask) {
	t.Helper()
	if s, err := crawl.NewQuick(*ch.crawler()).Run(t.Context()); err != nil || !s.Finished {
		t.Fatalf("%+v, %v", s, err)
	}
	wantComplete(t, web, ch.Dir)
}

// mendAndFinish repairs a crawl and finishes it. It fails unless the results are complete then, or
// if one of the done pages is requested again.
func mendAndFinish(t *testing.T, web *testweb.Web, ch *robotTask, done map[string]time.Time) *crawl.Repair {
	t.Helper()
	repair := mend(t, repairer(ch.Dir), crawl.RepairOptions{})
	served := web.Served()
	wantFinished(t, web, ch)
	if again := requestedAgain(web, served, done); again > 0 {
		t.Errorf("%d of %d pages are requested again", again, len(done))
	}
	return repair
}

// wantClean fails if a check finds damage.
func wantClean(t *testing.T, dir string) {
	t.Helper()
	if repair := mend(t, repairer(dir), crawl.RepairOptions{Check: true}); len(repair.Faults) > 0 {
		t.Errorf("in the end: %+v", repair)
	}
}

// TestRepairLost removes combinations of the files of a crawl. The repair must restore as much as
// possible, so that the crawl continues with its queue and requests no page that it has.
func TestRepairLost(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it takes some seconds")
	}
	for _, test := range []struct {
		name    string
		lost    []string
		file    string // the file that the error names
		refetch bool   // pages are requested again
	}{
		{"store", []string{"store"}, "store", false},
		{"journal", []string{"journal"}, "journal", false},
		{"store and checkpoint", []string{"store", "checkpoint"}, "store", false},
		{"journal and checkpoint", []string{"journal", "checkpoint"}, "journal", false},
		{"store and journal", []string{"store", "journal"}, "store", false},
		{"all but results and archive", []string{"store", "journal", "checkpoint", "robots", "index", "owed"}, "store",
			false},
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
			ch := newTask(web, filepath.Join(t.TempDir(), "crawl"))
			half(t, ch, 30)
			done := readFetched(t, ch.Dir)
			remove(t, ch.Dir, test.lost...)
			wantRefused(t, ch, test.file)
			repair := mend(t, repairer(ch.Dir), crawl.RepairOptions{Again: true})
			if len(repair.Faults) == 0 || len(repair.Restored) == 0 && !test.refetch {
				t.Errorf("%+v", repair)
			}
			after := readFetched(t, ch.Dir)
			for url, at := range done {
				if after[url].UnixMilli() != at.UnixMilli() {
					t.Errorf("the results had %s as fetched at %v, and now at %v", url, at, after[url])
				}
			}
			served := web.Served()
			wantFinished(t, web, ch)
			if again := requestedAgain(web, served, done); again > 0 && !test.refetch || again == 0 && test.refetch {
				t.Errorf("%d of %d pages are requested again", again, len(done))
			}
			wantClean(t, ch.Dir)
		})
	}
}

// TestRepairMissing removes lines of the results that no mark covers, as a kill of an earlier
// version of this program may have done. A repair must write them again.
func TestRepairMissing(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it takes some seconds")
	}
	web := damageWild(t)
	ch := newTask(web, filepath.Join(t.TempDir(), "crawl"))
	half(t, ch, 40)
	name := filepath.Join(ch.Dir, "results.jsonl")
	text := readFile(t, name)
	short := int64(bytes.IndexByte(text[len(text)/3:], '\n') + 1 + len(text)/3)
	s, err := store.Open(store.Options{Dir: filepath.Join(ch.Dir, "store")})
	fatal.If(t, err)
	fatal.If(t, errors.Join(s.SetMarks(map[string][]byte{"results": fmt.Appendf(nil, `{"size":%d}`, short)}), s.Close(),
		os.Truncate(name, short)))
	remove(t, ch.Dir, "journal")
	wantRefused(t, ch, "journal")
	mendAndFinish(t, web, ch, nil)
}

// TestRepairJournalEnd has a journal and a store that are older than the results, as after a
// kill and the loss of the journal's end. The crawl must notice, and the repair must restore the
// missing part from the results and the archive.
func TestRepairJournalEnd(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it takes some seconds")
	}
	for _, all := range []bool{false, true} {
		t.Run(fmt.Sprint("all of it is lost: ", all), func(t *testing.T) {
			t.Parallel()
			web := damageWild(t)
			ch := newTask(web, filepath.Join(t.TempDir(), "crawl"))
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
					fatal.If(t, os.CopyFS(filepath.Join(old, name), os.DirFS(filepath.Join(ch.Dir, name))))
				}
			}
			time.Sleep(served)
			done := readFetched(t, ch.Dir)
			remove(t, ch.Dir, "journal", "store", "owed")
			fatal.If(t, os.CopyFS(ch.Dir, os.DirFS(old)))
			if all {
				// The first part of the store stays.
				remove(t, ch.Dir, "journal")
				fatal.If(t, os.Truncate(filepath.Join(ch.Dir, "store", "000002.log"), 286))
			}
			wantRefused(t, ch, "journal")
			mendAndFinish(t, web, ch, done)
		})
	}
}

// TestRepairAltered alters a line of the results of a killed crawl, past the marks of the store:
// only the journal has the original of the line.
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
	ch := newTask(web, filepath.Join(t.TempDir(), "crawl"))
	p := ch.start(t)
	waitForLines(t, ch.Dir, 20)
	p.Process.Kill()
	p.Wait()
	time.Sleep(served)
	if !late {
		// The records at the start of the store remain.
		fatal.If(t, os.Truncate(filepath.Join(ch.Dir, "store", "000002.log"), 286))
	}
	name := filepath.Join(ch.Dir, "results.jsonl")
	text := readFile(t, name)
	second := bytes.IndexByte(text, '\n') + 1
	if byURL {
		second += len(`{"url":"http://h0`)
	}
	text[second] ^= 4
	writeFile(t, name, text)
	done := readFetched(t, copyWithout(t, text))
	if !byURL { // if the URL is unknown, the journal may be the damaged file
		wantRefused(t, ch, "results.jsonl")
	}
	if repair := mendAndFinish(t, web, ch, done); len(repair.Lost) > 0 {
		t.Errorf("%+v", repair)
	}
}

// copyWithout returns a folder with the results, without lines that are not JSON objects.
func copyWithout(t *testing.T, text []byte) (dir string) {
	t.Helper()
	var whole []byte
	for line := range bytes.Lines(text) {
		if line[0] == '{' {
			whole = append(whole, line...)
		}
	}
	dir = t.TempDir()
	writeFile(t, filepath.Join(dir, "results.jsonl"), whole)
	return dir
}

// waitForLines waits until the results have at least a number of lines, and returns their number.
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

// requestedAgain returns the number of requests for done pages, without the first requests, as many
// as served.
func requestedAgain(web *testweb.Web, served int, done map[string]time.Time) (again int) {
	n := 0
	for r := range web.Requests() {
		if n++; n > served && !done[r.URL].IsZero() {
			again++
		}
	}
	return again
}

// TestRepairUnnamed loses all options of a crawl. The error must name the command line that
// repairs the crawl, and the repair must keep the finished work.
func TestRepairUnnamed(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it takes some seconds")
	}
	web := damageWild(t)
	ch := newTask(web, filepath.Join(t.TempDir(), "crawl"))
	half(t, ch, 30)
	done := readFetched(t, ch.Dir)
	remove(t, ch.Dir, "robot.json", "store", "checkpoint")
	_, err := crawl.New(*repairer(ch.Dir)).Repair(t.Context(), crawl.RepairOptions{})
	if want := "robots crawl repair --dir " + ch.Dir +
		" --user-agent 'TestBot/1.0 (+https://example.com/bot)'"; err == nil || !strings.Contains(err.Error(), want) {
		t.Fatalf("got %v, want advice with %s", err, want)
	}
	mend(t, ch.crawler(), crawl.RepairOptions{})
	served := web.Served()
	wantFinished(t, web, ch)
	if again := requestedAgain(web, served, done); again > 0 {
		t.Errorf("%d of %d pages are requested again", again, len(done))
	}
}

// TestRepairSeeds has only the seeds left: the crawl begins again from them, although a repair and
// not a killed process ended last.
func TestRepairSeeds(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it takes some seconds")
	}
	web := damageWild(t)
	ch := newTask(web, filepath.Join(t.TempDir(), "crawl"))
	half(t, ch, 10)
	remove(t, ch.Dir, "store", "journal", "checkpoint", "results.jsonl", "archive", "owed", "robots")
	wantRefused(t, ch, "store")
	mendAndFinish(t, web, ch, nil)
}

// TestRepairTwice has a damaged store, and a checkpoint that can be copied but not used.
func TestRepairTwice(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it takes some seconds")
	}
	web := damageWild(t)
	ch := newTask(web, filepath.Join(t.TempDir(), "crawl"))
	half(t, ch, 20)
	for _, dir := range []string{"store", "checkpoint"} {
		names, err := filepath.Glob(filepath.Join(ch.Dir, dir, "MANIFEST-*"))
		if err != nil || len(names) == 0 {
			t.Fatalf("%s has no list of its tables: %v", dir, err)
		}
		for _, name := range names {
			writeFile(t, name, []byte("no list"))
		}
	}
	wantRefused(t, ch, "store")
	repair := mendAndFinish(t, web, ch, nil)
	for _, name := range []string{"store", "store.2"} {
		if _, err := os.Stat(filepath.Join(repair.Aside, name)); err != nil {
			t.Error(err)
		}
	}
}

// TestRepairBefore repairs the folder of a crawl that ended before its first visit.
func TestRepairBefore(t *testing.T) {
	dir := t.TempDir()
	fatal.If(t, os.MkdirAll(filepath.Join(dir, "journal", "lock"), 0o777))
	ch := &robotTask{Dir: dir}
	wantRefused(t, ch, "journal")
	if repair := mend(t, repairer(dir), crawl.RepairOptions{}); len(repair.Restored) != 1 || repair.Aside == "" {
		t.Fatalf("%+v", repair)
	}
	if _, err := os.Stat(filepath.Join(dir, "journal")); err == nil {
		t.Error("the journal is as it was")
	}
}

// TestArchiveAltered alters a byte inside the archive. The crawl must notice before the first
// fetch, also after a kill that left the file open. New file times alone are not damage.
func TestArchiveAltered(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it takes some seconds")
	}
	for _, killed := range []bool{false, true} {
		t.Run(fmt.Sprint("killed: ", killed), func(t *testing.T) {
			t.Parallel()
			web := damageWild(t)
			ch := newTask(web, filepath.Join(t.TempDir(), "crawl"))
			if killed {
				p := ch.start(t)
				waitForLines(t, ch.Dir, 60) // the mark in the store is later than the first lines
				p.Process.Kill()
				p.Wait()
				time.Sleep(served)
			} else {
				half(t, ch, 30)
			}
			names, err := filepath.Glob(filepath.Join(ch.Dir, "archive", "*.warc.gz*"))
			if err != nil || len(names) != 1 {
				t.Fatalf("the archive has the files %q, %v", names, err)
			}
			data := readFile(t, names[0])
			at := len(data) / 2
			if size := archiveMark(t, ch.Dir); killed {
				if size == 0 {
					t.Skip("the kill was before the first mark")
				}
				at = size / 2
			}
			data[at] ^= 0x20
			writeFile(t, names[0], data)
			wantRefused(t, ch, "archive/")
			data[at] ^= 0x20
			writeFile(t, names[0], data)
			wantFinished(t, web, ch)
			// A crawl rebuilds the index at its end, and may be killed before it marks the index.
			index := filepath.Join(ch.Dir, "archive", "index.cdxj")
			lines, err := os.ReadFile(index)
			if err == nil {
				err = os.WriteFile(index, append([]byte("a line before all others\n"), lines...), 0o666)
			}
			fatal.If(t, err)
			if _, err := crawl.NewQuick(*ch.crawler()).Run(t.Context()); err != nil {
				t.Error(err)
			}
			wantClean(t, ch.Dir)
		})
	}
}

// archiveMark returns the size of an archive file in the store's mark.
func archiveMark(t *testing.T, dir string) (size int) {
	t.Helper()
	s, err := store.Open(store.Options{Dir: filepath.Join(dir, "store"), ReadOnly: true})
	fatal.If(t, err)
	defer s.Close()
	err = s.Marks(func(name string, value []byte) error {
		var mark struct{ Size int }
		if strings.HasPrefix(name, "archive/") && strings.HasSuffix(name, ".gz") &&
			json.Unmarshal(value, &mark) == nil {
			size = mark.Size
		}
		return nil
	})
	fatal.If(t, err)
	return size
}

// TestRepairPolite loses everything but the results and the archive of a crawl. A host that
// asked to be left alone must be left alone after the repair too.
func TestRepairPolite(t *testing.T) {
	t.Parallel()
	const alone = 5 * time.Second
	var mu sync.Mutex
	var asked time.Time
	early := 0
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		if !asked.IsZero() && time.Since(asked) < alone-time.Second { // a date has whole seconds
			early++
		}
		switch {
		case r.URL.Path == "/":
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprint(w, "<a href=/a>a</a><a href=/b>b</a>")
		case r.URL.Path == "/a" && asked.IsZero():
			asked = time.Now()
			w.Header().Set("Retry-After", fmt.Sprint(int(alone.Seconds())))
			w.WriteHeader(http.StatusTooManyRequests)
		}
	}))
	defer site.Close()
	c := newCrawler(t)
	c.Budget.Pages = 2
	if s, err := crawl.New(*c).Run(t.Context(), site.URL); err != nil || !s.Spent {
		t.Fatalf("%+v, %v", s, err)
	}
	remove(t, c.Dir, "store", "journal", "checkpoint", "robots", "owed")
	mend(t, repairer(c.Dir), crawl.RepairOptions{})
	again := newCrawler(t)
	again.Dir, again.Pauses.FirstPause = c.Dir, time.Millisecond
	if s, err := crawl.New(*again).Run(t.Context()); err != nil || !s.Finished || s.Pages != 2 {
		t.Fatalf("%+v, %v", s, err)
	}
	if early > 0 {
		t.Errorf("%d requests while the host wanted to be left alone", early)
	}
}

// TestRepairRandom damages killed or stopped crawls in several places at once.
func TestRepairRandom(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it takes some seconds")
	}
	rounds, seed := 2, uint64(1)
	switch {
	case isWhole():
		rounds, seed = 200, uint64(time.Now().UnixNano())
	case corpus.All():
		rounds = 20
	}
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	for round := range rounds {
		t.Run(fmt.Sprint(round), func(t *testing.T) {
			web := damageWild(t)
			ch := newTask(web, filepath.Join(t.TempDir(), "crawl"))
			if round%2 == 0 {
				half(t, ch, 10+random.Int64N(40))
			} else {
				p := ch.start(t)
				time.AfterFunc(time.Duration(300+random.IntN(700))*time.Millisecond, func() { p.Process.Kill() })
				p.Wait()
				time.Sleep(served)
			}
			if err := os.MkdirAll(ch.Dir, 0o777); err != nil { // the kill may have come earlier
				t.Fatal(err)
			}
			files := filesOf(t, ch.Dir)
			names := make([]string, 0, len(files))
			for name := range files {
				if name != "seeds.txt" && name != "robot.json" { // without both the options are lost
					names = append(names, name)
				}
			}
			slices.Sort(names)
			for range 1 + random.IntN(3) {
				if len(names) == 0 {
					break // the crawl was killed before its first write
				}
				name := names[random.IntN(len(names))]
				info, err := os.Stat(filepath.Join(ch.Dir, name))
				if err != nil || !info.Mode().IsRegular() {
					continue
				}
				all := harms(info.Size(), 3, random)
				h := all[random.IntN(len(all))]
				t.Logf("%s: %s", name, h.name)
				fatal.If(t, h.do(filepath.Join(ch.Dir, name)))
			}
			goOn(t, web, ch.Dir)
		})
	}
}

// repairer returns the options of a repair of a folder, with the pauses of the tests' crawlers.
func repairer(dir string) *crawl.Config { return &crawl.Config{Dir: dir, Pauses: wildPauses} }

// TestRepairJSON checks that empty lists are arrays, and that a fault is a sentence.
func TestRepairJSON(t *testing.T) {
	for _, test := range []struct {
		repair crawl.Repair
		want   string
	}{
		{crawl.Repair{}, `{"aside":"","faults":[],"lost":[],"restored":[]}`},
		{crawl.Repair{Aside: "damaged-1", Faults: []crawl.Fault{{File: "store", What: "is <cut>"}}, Lost: []string{"a"},
			Restored: []string{"b"}},
			`{"aside":"damaged-1","faults":["store is <cut>"],"lost":["a"],"restored":["b"]}`},
	} {
		if got, err := test.repair.MarshalJSON(); string(got) != test.want || err != nil {
			t.Errorf("got %s, %v, want %s", got, err, test.want)
		}
	}
}
