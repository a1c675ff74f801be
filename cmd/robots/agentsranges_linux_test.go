package main

import (
	"bytes"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// A rangePublisher serves lists of addresses over https, each by its path, and keeps the requests.
type rangePublisher struct {
	*httptest.Server
	t      *testing.T
	folder string // of the test
	robots []string

	mu       sync.Mutex
	lists    map[string]http.HandlerFunc
	requests []*http.Request
	open     int // requests at this moment
	most     int // of open
}

// newRangePublisher starts a server, and lets the command trust its certificate.
func newRangePublisher(t *testing.T) *rangePublisher {
	p := &rangePublisher{t: t, folder: t.TempDir(), lists: make(map[string]http.HandlerFunc)}
	p.Server = httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p.mu.Lock()
		serve := p.lists[r.URL.Path]
		p.requests = append(p.requests, r)
		p.open++
		p.most = max(p.most, p.open)
		p.mu.Unlock()
		defer func() {
			p.mu.Lock()
			p.open--
			p.mu.Unlock()
		}()
		if serve == nil {
			http.NotFound(w, r)
			return
		}
		serve(w, r)
	}))
	t.Cleanup(p.Close)
	trusted := filepath.Join(p.folder, "trusted.pem")
	p.write(trusted, string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: p.Certificate().Raw})))
	t.Setenv("SSL_CERT_FILE", trusted)
	return p
}

func (p *rangePublisher) write(name, text string) {
	p.t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		p.t.Fatal(err)
	}
}

// publish serves a list, for a robot that is named after its path.
func (p *rangePublisher) publish(path string, serve http.HandlerFunc) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.lists[path] == nil {
		p.robots = append(p.robots, fmt.Sprintf(`{"token": "%sBot", "verify": {"ranges": ["%s%s"]}}`,
			strings.Trim(path, "/"), p.URL, path))
	}
	p.lists[path] = serve
}

// kept returns the path of the file that the command keeps for a list.
func (p *rangePublisher) kept(path string) string {
	return filepath.Join(p.folder, "ranges", url.QueryEscape(p.URL+path))
}

// update runs robots agents ranges update, and returns the lists by path.
func (p *rangePublisher) update(status int, args ...string) map[string]rangeList {
	p.t.Helper()
	table := filepath.Join(p.folder, "table.json")
	p.write(table, `{"replace": true, "robots": [`+strings.Join(p.robots, ", ")+`]}`)
	cmd := robotsProcess(p.t, append([]string{"agents", "ranges", "update", "--json", "--cache",
		filepath.Join(p.folder, "ranges"), "--robots-table", table, "--allow-private"}, args...)...)
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, _ := cmd.Output()
	if got := cmd.ProcessState.ExitCode(); got != status {
		p.t.Errorf("the status is %d, want %d: %s%s", got, status, out, errs.String())
	}
	var answer struct{ Lists []rangeList }
	if err := json.Unmarshal(out, &answer); err != nil {
		p.t.Fatalf("%v: %s%s", err, out, errs.String())
	}
	lists := make(map[string]rangeList)
	for _, list := range answer.Lists {
		lists[strings.TrimPrefix(list.Source, p.URL)] = list
	}
	return lists
}

// fixed returns a handler for a list that has not changed since it was fetched.
func fixed(text string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		http.ServeContent(w, r, "", time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC), strings.NewReader(text))
	}
}

// Lists are fetched, asked for on condition the next time, and told apart by what changed.
func TestAgentsRangesUpdate(t *testing.T) {
	p := newRangePublisher(t)
	p.publish("/a", fixed(`{"creationTime": "2026-03-01T00:00:00Z", "prefixes": [{"ipv4Prefix": "192.0.2.0/24"}]}`))
	p.publish("/b", fixed("192.0.2.0/24\n198.51.100.0/24\n"))
	for path, list := range p.update(0) {
		if list.State != rangesNew || list.Ranges == 0 || !slices.Equal(list.Robots, []string{path[1:] + "Bot"}) {
			t.Errorf("%s: got %+v", path, list)
		}
	}
	if agent := p.requests[0].UserAgent(); !strings.HasPrefix(agent, "robots (+https://") {
		t.Errorf("asked as %q", agent)
	}
	p.requests = nil
	p.publish("/b", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, "192.0.2.0/24\n203.0.113.0/24\n203.0.113.0/25\n")
	})
	lists := p.update(0)
	if a := lists["/a"]; a.State != rangesUnchanged || a.Ranges != 1 || time.Since(a.Read) > time.Minute {
		t.Errorf("/a: got %+v", a)
	}
	if b := lists["/b"]; b.State != rangesChanged || b.Added != 2 || b.Removed != 1 || b.Ranges != 3 {
		t.Errorf("/b: got %+v", b)
	}
	for _, r := range p.requests {
		if r.Header.Get("If-Modified-Since") == "" {
			t.Errorf("%s was asked for without a condition", r.URL)
		}
	}
	if p.most != 1 {
		t.Errorf("the server got %d requests at once, want one after the other", p.most)
	}
	p.requests = nil
	if lists = p.update(0, "bBot"); len(lists) != 1 || len(p.requests) != 1 || p.requests[0].URL.Path != "/b" {
		t.Errorf("one robot: got %+v", lists)
	}
}

// Whatever goes wrong with one list, its file stays, and the others are fetched.
func TestAgentsRangesUpdateFails(t *testing.T) {
	p := newRangePublisher(t)
	const before = "192.0.2.0/24\n"
	failing := map[string]http.HandlerFunc{
		"/gone": http.NotFound,
		"/page": func(w http.ResponseWriter, _ *http.Request) {
			io.WriteString(w, "<!doctype html><title>Sign in</title>")
		},
		"/huge": func(w http.ResponseWriter, _ *http.Request) {
			io.WriteString(w,
				strings.Repeat("192.0.2.1\n", 1<<20))
		},
		"/silent": func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() },
		"/cut": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "1000")
			io.WriteString(w, "203.0.113.0/24\n")
		},
		"/hostile": func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "http://\u009b2J\u202e/", http.StatusFound)
		},
	}
	for path := range failing {
		p.publish(path, fixed(before))
	}
	p.publish("/good", fixed(before))
	p.update(0)
	hourAgo := time.Now().Add(-time.Hour).Truncate(time.Second)
	for path, serve := range failing {
		p.publish(path, serve)
		fatal.If(t, os.Chtimes(p.kept(path), hourAgo, hourAgo))
	}
	lists := p.update(2, "--timeout", "10s")
	for path := range failing {
		if list := lists[path]; list.State != rangesFailed || list.Error == "" || list.Ranges != 1 ||
			!list.Read.Equal(hourAgo) {
			t.Errorf("%s: got %+v", path, list)
		}
		if text, err := os.ReadFile(p.kept(path)); err != nil || string(text) != before {
			t.Errorf("%s: the file has %.40q, %v", path, text, err)
		}
	}
	if list := lists["/good"]; list.State != rangesUnchanged {
		t.Errorf("/good: got %+v", list)
	}
	p.Close()
	if list := p.update(2)["/good"]; list.State != rangesFailed || list.Ranges != 1 {
		t.Errorf("a dead server: got %+v", list)
	}
}

// A command that is killed while a list comes leaves the file as it was.
func TestAgentsRangesUpdateKilled(t *testing.T) {
	p := newRangePublisher(t)
	const before = "192.0.2.0/24\n"
	p.publish("/a", fixed(before))
	p.update(0)
	half := make(chan struct{})
	p.publish("/a", func(w http.ResponseWriter, r *http.Request) {
		io.WriteString(w, "203.0.113.0/24\n")
		w.(http.Flusher).Flush()
		close(half)
		<-r.Context().Done()
	})
	cmd := robotsProcess(t, "agents", "ranges", "update", "--cache", filepath.Join(p.folder, "ranges"),
		"--robots-table", filepath.Join(p.folder, "table.json"), "--allow-private", "--timeout", "1m")
	fatal.If(t, cmd.Start())
	<-half
	fatal.If(t, cmd.Process.Kill())
	cmd.Wait()
	if text, err := os.ReadFile(p.kept("/a")); err != nil || string(text) != before {
		t.Errorf("the file has %q, %v", text, err)
	}
}
