//go:build unix

package crawl_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/crawler/crawl"
	"github.com/robotsexclusion/robots/crawler/internal/objects"
	"github.com/robotsexclusion/robots/crawler/internal/testweb"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// A pageLine is a result of a page.
type pageLine struct {
	URL       string    `json:"url"`
	FetchedAt time.Time `json:"fetched_at"`
	Archive   string    `json:"archive"`
}

// TestFleetLostMachine kills one of three workers and deletes its folder: the others go on, and
// visit everything. Each result that the log has of a page has its archive in the object store, or
// is named as missing by a worker that took over.
func TestFleetLostMachine(t *testing.T) {
	t.Parallel()
	// An archive syncs a page: there is no trap, whose pages are the most of a small web.
	o := testweb.Options{Hosts: 16, Pages: 80, Scale: 0.01, Token: "TestBot", TLS: true, Kinds: []string{"ordinary"},
		Texts: sharedTexts(), Seed: 23}
	if isWhole() {
		o.Hosts, o.Pages, o.Kinds = 60, 700, quickKinds()
	}
	web := startWild(t, o)
	b := newBand(t, web)
	b.pause = longestRetryAfter
	url := "file://" + filepath.ToSlash(t.TempDir())
	b.task = func(ch *robotTask) { ch.Store, ch.Hurried = url, hurried() }
	b.start(0)
	b.until(1)
	b.start(1)
	b.start(2)
	for len(readFetched(t, b.dir(0))) < 5 { // the others may join when little is left
		b.until(1)
	}
	lost := b.run[0]
	delete(b.run, 0)
	fatal.If(t, lost.Process.Kill())
	lost.Wait()
	cut := time.Now()
	fatal.If(t, os.RemoveAll(b.dir(0)))
	for _, n := range []int{1, 2} {
		b.wait(n, "finished true")
	}
	check := wildCheck
	check.Kills = []time.Time{cut}
	b.polite(check)

	store, err := objects.Open(t.Context(), objects.Options{URL: url})
	fatal.If(t, err)
	defer store.Close()
	k := readObjects(t, store, "fleet")
	got, lines := make(map[string]time.Time), make(map[string]pageLine)
	add := func(text []byte) (n int) {
		for line := range strings.Lines(string(text)) {
			var r pageLine
			fatal.If(t, json.Unmarshal([]byte(line), &r))
			if r.FetchedAt.IsZero() {
				continue
			}
			if before, ok := lines[r.URL]; ok && before != r {
				t.Errorf("%s has two results: %+v and %+v", r.URL, before, r)
			}
			lines[r.URL], got[r.URL] = r, r.FetchedAt
			n++
		}
		return n
	}
	for name := range k.objects {
		if strings.HasSuffix(name, ".jsonl") {
			add(readObject(t, store, name))
		}
	}
	missing := make(map[string]bool)
	named := 0
	files, err := filepath.Glob(filepath.Join(b.base, "worker*", "missing-*.jsonl"))
	fatal.If(t, err)
	for _, name := range files {
		text, err := os.ReadFile(name)
		fatal.If(t, err)
		named += add(text)
		for line := range strings.Lines(string(text)) {
			var r pageLine
			fatal.If(t, json.Unmarshal([]byte(line), &r))
			missing[r.URL] = true
		}
	}
	for url, r := range lines {
		worker := strings.Split(r.Archive+"--", "-")[1]
		_, ok := k.objects[fmt.Sprintf("fleet/archive/%s/%s.json", worker, strings.TrimSuffix(r.Archive, ".warc.gz"))]
		if ok == missing[url] && r.Archive != "" {
			t.Errorf("%s in %s: in the object store %v, missing %v", url, r.Archive, ok, missing[url])
		}
	}
	for url := range k.archived { // of a worker that died before its results were uploaded
		if _, ok := got[url]; !ok {
			got[url] = time.Time{}
		}
	}
	log := ""
	for _, p := range b.ended {
		log += p.out.String()
	}
	if told := strings.Contains(log, "a worker died before it had uploaded pages"); told != (named > 0) {
		t.Errorf("%d pages are missing, and the log says so: %v", named, told)
	}
	t.Logf("%d pages, of which %d are missing", len(got), named)

	alone := startWild(t, o)
	one := aloneConfig(t, alone)
	_, err = crawl.NewQuick(*one).Run(t.Context(), alone.Seeds()...)
	fatal.If(t, err)
	comparePages(t, web, got, alone, readFetched(t, one.Dir))
}
