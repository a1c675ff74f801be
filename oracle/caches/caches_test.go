package caches_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	_ "modernc.org/sqlite"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/fetch"
	"github.com/robotsexclusion/robots/internal/test/fatal"
	"github.com/robotsexclusion/robots/oracle/caches"
)

// Several machines share the files that they fetched by a table of SQL.
func ExampleSQL() {
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.WriteString(w, "User-agent: *\nDisallow: /search\n")
	}))
	defer site.Close()
	db, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		panic(err)
	}
	defer db.Close()
	db.SetMaxOpenConns(1) // each connection would have a memory of its own
	table := caches.SQL{DB: db}
	if err := table.Create(context.Background()); err != nil {
		panic(err)
	}
	for range 2 {
		client := &fetch.Client{Cache: table, DialFilter: fetch.DialFilter{AllowPrivate: true}}
		r, err := client.Policy(context.Background(), site.URL)
		fmt.Println(r.Source, r.Policy.For("ExampleBot").Match("/search"), r.CacheErr, err)
	}
	// Output:
	// fetched disallowed by line 2: Disallow: /search <nil> <nil>
	// cached disallowed by line 2: Disallow: /search <nil> <nil>
}

func TestSQL(t *testing.T) {
	db, err := sql.Open("sqlite", filepath.Join(t.TempDir(), "robots.db")+"?_pragma=busy_timeout(10000)")
	fatal.If(t, err)
	t.Cleanup(func() { db.Close() })
	table := caches.SQL{DB: db}
	fatal.If(t, table.Create(t.Context()))
	testCache(t, table)
	old := &fetch.Entry{Origin: "https://late.example", State: fetch.Unavailable, CheckedAt: time.UnixMilli(2000),
		URL: "new"}
	older := &fetch.Entry{Origin: old.Origin, State: fetch.Unavailable, CheckedAt: time.UnixMilli(1000), URL: "old"}
	for _, e := range []*fetch.Entry{old, older} {
		fatal.If(t, table.Put(t.Context(), e))
	}
	if e, err := table.Get(t.Context(), old.Origin); err != nil || e.URL != "new" {
		t.Errorf("an earlier entry replaced a later one: %v, %v", e, err)
	}
}

// TestRedis starts a Redis server on a socket.
func TestRedis(t *testing.T) {
	program, err := exec.LookPath("redis-server")
	if err != nil {
		t.Skip("redis-server is not installed (apt-get install redis-server)")
	}
	dir := t.TempDir()
	socket := filepath.Join(dir, "s")
	server := exec.Command(program, "--port", "0", "--unixsocket", socket, "--dir", dir, "--save", "")
	fatal.If(t, server.Start())
	t.Cleanup(func() { server.Process.Kill(); server.Wait() })
	client := redis.NewClient(&redis.Options{Network: "unix", Addr: socket})
	t.Cleanup(func() { client.Close() })
	for client.Ping(t.Context()).Err() != nil { // until go test's own time-out
		time.Sleep(10 * time.Millisecond)
	}
	testCache(t, caches.Redis{Client: client, Prefix: "robots:"})
	client.HSet(t.Context(), "robots:https://bad.example", "entry", "{")
	if _, err := (caches.Redis{Client: client, Prefix: "robots:"}).Get(t.Context(),
		"https://bad.example"); !errors.Is(err, fetch.ErrCorrupt) {
		t.Errorf("a damaged entry: %v", err)
	}
}

// testCache has two clients with one cache, for sites that answer in each way, and checks that the
// second one asks no site and answers as the first one does.
func testCache(t *testing.T, cache fetch.Cache) {
	if _, err := cache.Get(t.Context(), "https://missing.example"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing entry: %v", err)
	}
	var mu sync.Mutex
	asked := 0
	network := answers(func(r *http.Request) *http.Response {
		mu.Lock()
		defer mu.Unlock()
		asked++
		status := map[string]int{"gone.example": 404, "down.example": 503}[r.URL.Host]
		if status == 0 {
			status = 200
		}
		recorder := httptest.NewRecorder()
		recorder.WriteHeader(status)
		io.WriteString(recorder, "User-agent: *\nDisallow: /\x00\xff\n# "+r.URL.Host+"\n")
		return recorder.Result()
	})
	hosts := []string{"gone.example", "down.example", "a.example", "b.example", "c.example"}
	ask := func(d robots.Dialect) (all string) {
		client := &fetch.Client{Cache: cache, Transport: network, Dialect: d}
		results := make([]string, len(hosts))
		var clients sync.WaitGroup
		for i, host := range hosts {
			clients.Go(func() {
				r, err := client.Policy(t.Context(), "https://"+host+"/")
				if err != nil || r.CacheErr != nil {
					t.Errorf("%s: %v, %v", host, err, r.CacheErr)
					return
				}
				results[i] = fmt.Sprintf("%s %s %q\n", r.State, r.Policy.For("x").Match("/\x00\xff"), r.Policy)
			})
		}
		clients.Wait()
		for _, s := range results {
			all += s
		}
		return all
	}
	first := ask(robots.RFC9309)
	if second := ask(robots.RFC9309); second != first || asked != len(hosts) {
		t.Errorf("%d requests; the second client got\n%s, want\n%s", asked, second, first)
	}
	ask(robots.Google)
	if asked != len(hosts) {
		t.Errorf("another dialect made %d requests", asked-len(hosts))
	}
}

type answers func(*http.Request) *http.Response

func (f answers) RoundTrip(r *http.Request) (*http.Response, error) { return f(r), nil }
