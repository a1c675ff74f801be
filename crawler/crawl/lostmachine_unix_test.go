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
	b.kill(0)
	fatal.If(t, os.RemoveAll(b.dir(0)))
	for _, n := range []int{1, 2} {
		b.wait(n, "finished true")
	}
	check := wildCheck
	check.Kills = b.cuts
	b.polite(check)
	got, _ := b.reported(url)

	alone := startWild(t, o)
	one := aloneConfig(t, alone)
	_, err := crawl.NewQuick(*one).Run(t.Context(), alone.Seeds()...)
	fatal.If(t, err)
	comparePages(t, web, got, alone, readFetched(t, one.Dir))
}

// reported returns the pages that the workers have visited by the object store: when they fetched
// those that have a result, the zero time for those that have an archive only, and the URLs that
// have a result of any kind. It checks that each page has one result, which has its archive in the
// object store, or which a worker that took over names as missing.
func (b *band) reported(url string) (got map[string]time.Time, known map[string]bool) {
	t := b.t
	t.Helper()
	store, err := objects.Open(t.Context(), objects.Options{URL: url})
	fatal.If(t, err)
	defer store.Close()
	k := readObjects(t, store, "fleet")
	got, known = make(map[string]time.Time), make(map[string]bool)
	lines, missing := make(map[string]pageLine), make(map[string]bool)
	add := func(text []byte, named bool) {
		for line := range strings.Lines(string(text)) {
			var r pageLine
			fatal.If(t, json.Unmarshal([]byte(line), &r))
			known[r.URL] = true
			missing[r.URL] = missing[r.URL] || named
			if r.FetchedAt.IsZero() {
				continue
			}
			if before, ok := lines[r.URL]; ok && before != r {
				t.Errorf("%s has two results: %+v and %+v", r.URL, before, r)
			}
			lines[r.URL], got[r.URL] = r, r.FetchedAt
		}
	}
	for name := range k.objects {
		if strings.HasSuffix(name, ".jsonl") {
			add(readObject(t, store, name), false)
		}
	}
	files, err := filepath.Glob(filepath.Join(b.base, "worker*", "missing-*.jsonl"))
	fatal.If(t, err)
	for _, name := range files {
		text, err := os.ReadFile(name)
		fatal.If(t, err)
		add(text, true)
	}
	named := 0
	for url, r := range lines {
		worker := strings.Split(r.Archive+"--", "-")[1]
		_, ok := k.objects[fmt.Sprintf("fleet/archive/%s/%s.json", worker, strings.TrimSuffix(r.Archive, ".warc.gz"))]
		if ok == missing[url] && r.Archive != "" {
			t.Errorf("%s in %s: in the object store %v, missing %v", url, r.Archive, ok, missing[url])
		}
		if missing[url] {
			named++
		}
	}
	for url := range k.archived { // of a worker that died before its results were uploaded
		if _, ok := got[url]; !ok {
			got[url], known[url] = time.Time{}, true
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
	return got, known
}
