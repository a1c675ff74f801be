package feed_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/crawler/crawl"
	"github.com/robotsexclusion/robots/crawler/internal/feed"
	"github.com/robotsexclusion/robots/crawler/internal/index"
	"github.com/robotsexclusion/robots/internal/test/child"
	"github.com/robotsexclusion/robots/internal/test/corpus"
	"github.com/robotsexclusion/robots/internal/test/disk"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

func TestMain(m *testing.M) {
	child.Main(child.Tasks{"feed": func(dir string) { child.Check(crawlAndFeed(dir, os.Getenv("FEED_TEST_SEED"))) }})
	disk.InMemory(1 << 30)
	os.Exit(m.Run())
}

// crawlAndFeed is the task of the child process, until it is killed.
func crawlAndFeed(dir, seed string) error {
	x, err := feed.Open(dir, feed.Options{Pause: time.Millisecond, Memory: 10_000})
	if err != nil {
		return err
	}
	ended, fed := make(chan struct{}), make(chan error, 1)
	go func() { fed <- x.Follow(context.Background(), ended) }()
	summary, err := crawl.New(*newCrawler(dir)).Run(context.Background(), seed)
	if err != nil {
		return err
	}
	if !summary.Finished {
		return fmt.Errorf("it did not finish")
	}
	close(ended)
	if err := <-fed; err != nil {
		return err
	}
	return x.Close()
}

// TestKill kills a process that crawls and indexes, at any moment. After another run of
// the Feeder a search finds all pages in the results. The site has 80 pages and the process is
// killed twice, or 2,000 and twenty times with ROBOTS_CORPUS_ALL.
func TestKill(t *testing.T) {
	t.Parallel()
	pages, kills := 80, 2
	switch {
	case testing.Short():
		t.Skip("it takes some time")
	case corpus.All():
		pages, kills = 2000, 20
	}
	var asked, killAt atomic.Int64
	reached := make(chan struct{}, 1)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var i int
		if _, err := fmt.Sscanf(r.URL.Path, "/%d", &i); err != nil && r.URL.Path != "/" || i >= pages {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, "<title>page %d</title><p>word unique%d <a href=/%d></a><a href=/%d></a>", i, i, 2*i+1, 2*i+2)
		// If pages were too much alike, the crawler would not follow their links.
		for words := rand.New(rand.NewPCG(0, uint64(i))); words.IntN(100) > 0; {
			fmt.Fprintf(w, " more%d", words.IntN(1000))
		}
		if asked.Add(1) == killAt.Load() {
			reached <- struct{}{}
		}
	}))
	defer server.Close()
	dir := filepath.Join(t.TempDir(), "crawl")
	random := rand.New(rand.NewPCG(1, 2))
	for range kills {
		select {
		case <-reached: // of the previous process
		default:
		}
		killAt.Store(asked.Load() + 1 + random.Int64N(int64(pages/kills)))
		c := child.Start(t, "feed", dir, "FEED_TEST_SEED="+server.URL+"/")
		ended := make(chan struct{})
		go func() {
			select {
			case <-reached:
				c.Process.Kill()
			case <-ended:
			}
		}()
		c.Wait()
		close(ended)
		told := readTold(t, dir)
		x, err := feed.Open(dir, feed.Options{})
		fatal.If(t, err)
		fatal.If(t, x.Update(t.Context()))
		if status := x.Status(); status.Passed > 0 {
			t.Errorf("got %+v", status)
		}
		x.Close()
		checkTold(t, dir, told)
	}
	c := child.Start(t, "feed", dir, "FEED_TEST_SEED="+server.URL+"/")
	fatal.If(t, c.Wait())
	told := readTold(t, dir)
	if len(told) < pages/2 {
		t.Errorf("%d pages are told of %d", len(told), pages)
	}
	checkTold(t, dir, told)
}

// readTold returns the URLs of the pages in the results.
func readTold(t *testing.T, dir string) (urls []string) {
	t.Helper()
	f, err := os.Open(filepath.Join(dir, "results.jsonl"))
	if err != nil {
		return nil // it was killed before the first result
	}
	defer f.Close()
	for in := bufio.NewReader(f); ; {
		line, err := in.ReadBytes('\n')
		if err == io.EOF {
			return urls // the last line may be unfinished
		}
		var r struct {
			URL    string `json:"url"`
			Status int    `json:"status"`
			Index  *bool  `json:"index"`
		}
		if err := json.Unmarshal(line, &r); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		if r.Status == http.StatusOK && r.Index != nil {
			urls = append(urls, r.URL)
		}
	}
}

// checkTold searches for the pages in the results.
func checkTold(t *testing.T, dir string, urls []string) {
	t.Helper()
	x, err := index.Open(filepath.Join(dir, "index"), index.Options{ReadOnly: true})
	fatal.If(t, err)
	defer x.Close()
	for _, url := range urls {
		there, err := x.Has(url)
		fatal.If(t, err)
		// The page 0 has the same content as the first one.
		if !there && !strings.HasSuffix(url, "/0") {
			t.Errorf("%s is told and not found", url)
		}
	}
	for i, url := range urls {
		_, number, _ := strings.Cut(strings.TrimPrefix(url, "http://"), "/")
		if i > 50 || number == "" || number == "0" {
			continue // a sample is enough
		}
		r, err := x.Search(t.Context(), index.Query{Text: "unique" + number})
		if err != nil || len(r.Hits) != 1 || r.Hits[0].URL != url {
			t.Errorf("unique%s: found %v, %v", number, r, err)
		}
	}
}
