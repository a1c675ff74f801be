package agent_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// A fault of a document or of its server does not make a request forged.
func TestVerifyBadServers(t *testing.T) {
	bomb := zeros(t, 9<<20)
	plain := httptest.NewServer(text(moreRanges))
	defer plain.Close()
	for name, handle := range map[string]http.HandlerFunc{
		"no such document": status(404),
		"an error":         status(503),
		"no content":       status(204),
		"a page":           text("<!doctype html><title>moved</title>"),
		"no prefix":        text(`{"creationTime": "2024-06-18T22:00:57", "prefixes": []}`),
		"everyone":         text("0.0.0.0/0"),
		"cut": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "1000")
			fmt.Fprint(w, moreRanges)
		},
		"reset": func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
		"endless": func(w http.ResponseWriter, r *http.Request) {
			lines := []byte(strings.Repeat("192.0.2.1\n", 10_000))
			for r.Context().Err() == nil {
				if _, err := w.Write(lines); err != nil {
					return
				}
			}
		},
		"large and compressed": func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Encoding", "gzip")
			w.Write(bomb)
		},
		"a redirect to itself": func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, r.URL.Path,
				http.StatusFound)
		},
		"a redirect without TLS": func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, plain.URL,
				http.StatusFound)
		},
		"a redirect without a place": status(302),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPublisher(t, handle)
			v := &agent.Verifier{Client: p.Client(), Folder: t.TempDir()}
			verdict := asks(t, v, "192.0.2.1", agent.Recipe{Ranges: []string{p.URL}}, agent.Unverifiable)
			if verdict.Documents[0].Error == "" {
				t.Errorf("got %s, want an error in the evidence", verdict)
			}
			if files, _ := os.ReadDir(v.Folder); len(files) > 0 {
				t.Errorf("%d files were kept", len(files))
			}
			n := p.requests.Load()
			asks(t, v, "192.0.2.1", agent.Recipe{Ranges: []string{p.URL}}, agent.Unverifiable)
			if p.requests.Load() != n {
				t.Error("the server was asked again at once")
			}
		})
	}
}

// A silent server costs the timeout, or the time until the deadline of the caller.
func TestVerifySilentServer(t *testing.T) {
	done := make(chan struct{})
	p := newPublisher(t, func(_ http.ResponseWriter, r *http.Request) {
		select {
		case <-r.Context().Done():
		case <-done:
		}
	})
	defer close(done)
	v := &agent.Verifier{Client: p.Client(), Timeout: 20 * time.Millisecond}
	asks(t, v, "192.0.2.1", agent.Recipe{Ranges: []string{p.URL}}, agent.Unverifiable)

	// After one caller gives up, others can still try.
	v = &agent.Verifier{Client: p.Client()}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if verdict, err := v.Verify(ctx, netip.MustParseAddr("192.0.2.1"),
		agent.Recipe{Ranges: []string{p.URL}}); err == nil {
		t.Errorf("got %s, want the error of the context", verdict)
	}
	p.serve(text(goodRanges))
	asks(t, v, "192.0.2.1", agent.Recipe{Ranges: []string{p.URL}}, agent.Verified)
}

// Without a client nothing is fetched, and the verdict says so.
func TestVerifyNoClient(t *testing.T) {
	p := newPublisher(t, text(goodRanges))
	verdict := asks(t, new(agent.Verifier), "192.0.2.1", agent.Recipe{Ranges: []string{p.URL}}, agent.Unverifiable)
	if p.requests.Load() > 0 || !strings.Contains(verdict.Why(), "there is no HTTP client to fetch it") {
		t.Errorf("got %s after %d requests", verdict, p.requests.Load())
	}
}

func TestVerifyFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "bot.json")
	recipe := agent.Recipe{Ranges: []string{file}}
	v := new(agent.Verifier)
	verdict := asks(t, v, "192.0.2.1", recipe, agent.Unverifiable)
	if !strings.Contains(verdict.Why(), "no such file") {
		t.Errorf("got %s", verdict)
	}
	write(t, file, goodRanges)
	asks(t, v, "192.0.2.1", recipe, agent.Verified)
	asks(t, v, "198.51.100.1", recipe, agent.Forged)

	// A file of the caller is valid at any age, and is read again when it changes.
	write(t, file, moreRanges)
	os.Chtimes(file, time.Time{}, time.Now().AddDate(-3, 0, 0))
	asks(t, v, "192.0.2.1", recipe, agent.Forged)
	asks(t, v, "198.51.100.1", recipe, agent.Verified)
	write(t, file, "<html>")
	asks(t, v, "198.51.100.1", recipe, agent.Unverifiable)

	asks(t, v, "192.0.2.1", agent.Recipe{Ranges: []string{t.TempDir()}}, agent.Unverifiable) // a folder
	large := filepath.Join(t.TempDir(), "large")
	write(t, large, strings.Repeat("#", 8<<20)+"\n192.0.2.1\n")
	asks(t, v, "192.0.2.1", agent.Recipe{Ranges: []string{large}}, agent.Unverifiable)
}

// zeros returns n bytes that are 0, compressed.
func zeros(t *testing.T, n int) []byte {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := z.Write(make([]byte, n)); err != nil {
		t.Error(err)
	}
	z.Close()
	return b.Bytes()
}

func write(t *testing.T, file, text string) {
	t.Helper()
	fatal.If(t, os.WriteFile(file, []byte(text), 0o666))
}

// A document with unreadable entries can verify an address, but cannot prove that it is forged.
func TestVerifySkipped(t *testing.T) {
	file := filepath.Join(t.TempDir(), "bot.txt")
	write(t, file, "192.0.2.0/24\n198.51.100.0/24\n203.0.113.0/240\n")
	recipe := agent.Recipe{Ranges: []string{file}}
	asks(t, new(agent.Verifier), "192.0.2.1", recipe, agent.Verified)
	verdict := asks(t, new(agent.Verifier), "203.0.113.1", recipe, agent.Unverifiable)
	if want := ", but 1 of its entries could not be read"; !strings.HasSuffix(verdict.Why(), want) {
		t.Errorf("got %s, want %s", verdict, want)
	}
}

// The folder outlives the process, is shared with other processes, and can be filled by hand.
func TestVerifyFolder(t *testing.T) {
	p := newPublisher(t, text(goodRanges))
	folder := filepath.Join(t.TempDir(), "made", "when needed")
	recipe := agent.Recipe{Ranges: []string{p.URL + "/bot.json?v=1"}}
	asks(t, &agent.Verifier{Client: p.Client(), Folder: folder}, "192.0.2.1", recipe, agent.Verified)

	kept := filepath.Join(folder, url.QueryEscape(recipe.Ranges[0]))
	if _, err := os.Stat(kept); err != nil {
		t.Fatal(err)
	}
	if files, _ := os.ReadDir(folder); len(files) != 1 {
		t.Errorf("got %d files, want 1", len(files))
	}
	asks(t, &agent.Verifier{Folder: folder}, "192.0.2.1", recipe, agent.Verified)
	asks(t, &agent.Verifier{Folder: folder}, "198.51.100.1", recipe, agent.Forged)
	asks(t, &agent.Verifier{Client: p.Client(), Folder: folder}, "192.0.2.1", recipe, agent.Verified)
	if n := p.requests.Load(); n != 1 {
		t.Errorf("got %d requests, want 1", n)
	}

	// Another process writes a newer document.
	running := &agent.Verifier{Folder: folder, MaxAge: time.Nanosecond}
	asks(t, running, "192.0.2.1", recipe, agent.Verified)
	write(t, kept, moreRanges)
	os.Chtimes(kept, time.Time{}, time.Now().Add(time.Minute))
	time.Sleep(agent.LookAgain)
	asks(t, running, "198.51.100.1", recipe, agent.Verified)

	// A file left by a crash is ignored.
	write(t, kept, `{"prefixes": [`)
	asks(t, &agent.Verifier{Folder: folder}, "192.0.2.1", recipe, agent.Unverifiable)
	asks(t, &agent.Verifier{Client: p.Client(), Folder: folder}, "192.0.2.1", recipe, agent.Verified)
	asks(t, &agent.Verifier{Folder: folder}, "192.0.2.1", recipe, agent.Verified)

	// The verdict says that the document cannot be kept; nothing else changes.
	file := filepath.Join(t.TempDir(), "file")
	write(t, file, "")
	verdict := asks(t, &agent.Verifier{Client: p.Client(), Folder: file}, "192.0.2.1", recipe, agent.Verified)
	if !strings.HasPrefix(verdict.Documents[0].Error, "keep the range document in the folder: ") {
		t.Errorf("got the evidence %+v", verdict.Documents[0])
	}

	// A name that is too long for a file system.
	long := agent.Recipe{Ranges: []string{p.URL + "/" + strings.Repeat("x", 300)}}
	verdict = asks(t, &agent.Verifier{Client: p.Client(), Folder: folder}, "192.0.2.1", long, agent.Verified)
	if verdict.Documents[0].Error != "" {
		t.Errorf("got the evidence %+v", verdict.Documents[0])
	}
	asks(t, &agent.Verifier{Folder: folder}, "192.0.2.1", long, agent.Verified)
}

// Files that killed processes left are removed when a document is kept, and no others.
func TestVerifyAbandoned(t *testing.T) {
	p := newPublisher(t, text(goodRanges))
	folder := t.TempDir()
	old, left := time.Now().Add(-2*time.Hour), []string{"new-3", "new-", "new-x1", "new-12.json", "renew-1"}
	for _, name := range append([]string{"new-1", "new-4294967295"}, left...) {
		write(t, filepath.Join(folder, name), "half a docum")
		if name == "new-3" { // another process writes it now
			continue
		}
		fatal.If(t, os.Chtimes(filepath.Join(folder, name), old, old))
	}
	fatal.If(t, os.Mkdir(filepath.Join(folder, "new-2"), 0o777))
	fatal.If(t, os.Chtimes(filepath.Join(folder, "new-2"), old, old))
	recipe := agent.Recipe{Ranges: []string{p.URL + "/bot.json"}}
	asks(t, &agent.Verifier{Client: p.Client(), Folder: folder}, "192.0.2.1", recipe, agent.Verified)
	left = append(left, "new-2", url.QueryEscape(recipe.Ranges[0]))
	slices.Sort(left)
	files, err := os.ReadDir(folder)
	fatal.If(t, err)
	var got []string
	for _, f := range files {
		got = append(got, f.Name())
	}
	if !slices.Equal(got, left) {
		t.Errorf("got the files %q, want %q", got, left)
	}
}

// A document that could not be renewed can verify an address for a time, but cannot prove that it
// is forged.
func TestVerifyStale(t *testing.T) {
	p := newPublisher(t, status(500))
	recipe := agent.Recipe{Ranges: []string{p.URL}}
	folder := t.TempDir()
	kept := filepath.Join(folder, url.QueryEscape(p.URL))
	for _, client := range []*http.Client{nil, p.Client()} {
		write(t, kept, goodRanges)
		age := func(d time.Duration) *agent.Verifier {
			fatal.If(t, os.Chtimes(kept, time.Time{}, time.Now().Add(-d)))
			return &agent.Verifier{Folder: folder, Client: client}
		}
		asks(t, age(23*time.Hour), "198.51.100.1", recipe, agent.Forged)
		old := age(25 * time.Hour)
		verdict := asks(t, old, "192.0.2.1", recipe, agent.Verified)
		if !verdict.Documents[0].Stale || !strings.Contains(verdict.Why(), "could not be renewed") {
			t.Errorf("got %s", verdict)
		}
		verdict = asks(t, old, "198.51.100.1", recipe, agent.Unverifiable)
		if !strings.Contains(verdict.Why(), "could not be renewed: ") {
			t.Errorf("got %s", verdict)
		}
		asks(t, age(29*24*time.Hour), "192.0.2.1", recipe, agent.Verified)
		asks(t, age(31*24*time.Hour), "192.0.2.1", recipe, agent.Unverifiable)
	}
	if n := p.requests.Load(); n != 3 {
		t.Errorf("got %d requests, want 3: one by each verifier that needed it", n)
	}

	p.serve(text(moreRanges))
	v := &agent.Verifier{Folder: folder, Client: p.Client()}
	asks(t, v, "192.0.2.1", recipe, agent.Forged)
	asks(t, v, "198.51.100.1", recipe, agent.Verified)
}

// After a failure the server is not asked for five minutes.
func TestVerifyRetry(t *testing.T) {
	p := newPublisher(t, status(500))
	client := p.Client()
	client.Transport.(*http.Transport).DisableKeepAlives = true // a connection kept open would stop the clock
	synctest.Test(t, func(t *testing.T) {
		v := &agent.Verifier{Client: client}
		recipe := agent.Recipe{Ranges: []string{p.URL}}
		for _, pause := range []time.Duration{0, time.Minute, 3 * time.Minute} {
			time.Sleep(pause)
			asks(t, v, "192.0.2.1", recipe, agent.Unverifiable)
		}
		if n := p.requests.Load(); n != 1 {
			t.Errorf("got %d requests, want 1", n)
		}
		time.Sleep(time.Minute)
		p.serve(text(goodRanges))
		asks(t, v, "192.0.2.1", recipe, agent.Verified)
		time.Sleep(23 * time.Hour)
		p.serve(text(moreRanges))
		asks(t, v, "192.0.2.1", recipe, agent.Verified)
		time.Sleep(time.Hour)
		asks(t, v, "192.0.2.1", recipe, agent.Forged)
		if n := p.requests.Load(); n != 3 {
			t.Errorf("got %d requests, want 3", n)
		}
	})
}

// An unchanged document is not sent again.
func TestVerifyNotModified(t *testing.T) {
	var fresh atomic.Int32
	p := newPublisher(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("ETag", `"1"`)
		if r.Header.Get("If-None-Match") == `"1"` {
			fresh.Add(1)
			w.WriteHeader(http.StatusNotModified)
			return
		}
		fmt.Fprint(w, goodRanges)
	})
	v := &agent.Verifier{Client: p.Client(), MaxAge: time.Nanosecond, Folder: t.TempDir()}
	recipe := agent.Recipe{Ranges: []string{p.URL}}
	for range 3 {
		asks(t, v, "192.0.2.1", recipe, agent.Verified)
		asks(t, v, "198.51.100.1", recipe, agent.Forged)
	}
	if n := fresh.Load(); n == 0 {
		t.Error("the document was never asked for by its ETag")
	}
}

// Concurrent callers share one request.
func TestVerifyOneFlight(t *testing.T) {
	p := newPublisher(t, text(goodRanges))
	v := &agent.Verifier{Client: p.Client()}
	var wg sync.WaitGroup
	for i := range 50 {
		wg.Go(func() {
			addr := netip.AddrFrom4([4]byte{192, 0, 2, byte(i)})
			verdict, err := v.Verify(t.Context(), addr, agent.Recipe{Ranges: []string{p.URL}})
			if want := (i < 32); err != nil || (verdict.Result == agent.Verified) != want {
				t.Errorf("%s: got %s, %v", addr, verdict, err)
			}
		})
	}
	wg.Wait()
	if n := p.requests.Load(); n != 1 {
		t.Errorf("got %d requests, want 1", n)
	}
}

// The memory for documents is bounded, and the answers are still right.
func TestVerifyManyDocuments(t *testing.T) {
	dir := t.TempDir()
	v := new(agent.Verifier)
	for i := range 1200 {
		file := filepath.Join(dir, fmt.Sprint(i))
		write(t, file, goodRanges)
		asks(t, v, "192.0.2.1", agent.Recipe{Ranges: []string{file}}, agent.Verified)
	}
	if n := agent.Sources(v); n > 1024 {
		t.Errorf("got %d documents in memory, want 1024 at most", n)
	}
}
