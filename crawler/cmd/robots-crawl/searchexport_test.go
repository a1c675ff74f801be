package main

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/robotsexclusion/robots/crawler/warc"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// TestSearchUpdateTo sends a crawl to a server that takes everything: once, and all of it again
// when its index was deleted.
func TestSearchUpdateTo(t *testing.T) {
	there, refuse, actions := false, false, 0
	var requests []string
	var mu sync.Mutex // guards these
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		user, password, _ := r.BasicAuth()
		requests = append(requests, r.Method+" "+r.URL.Path+" "+user+":"+password)
		switch r.Method {
		case "HEAD":
			if !there {
				w.WriteHeader(http.StatusNotFound)
			}
		case "PUT":
			there = true
		case "POST":
			body, err := io.ReadAll(r.Body)
			if err != nil {
				return
			}
			var items []any
			for line := range bytes.Lines(body) {
				var action map[string]struct {
					ID string `json:"_id"`
				}
				if json.Unmarshal(line, &action); action["index"].ID != "" {
					actions++
					status := http.StatusCreated
					if refuse {
						status = http.StatusBadRequest
					}
					items = append(
						items,
						map[string]any{"index": map[string]any{"_id": action["index"].ID, "status": status}},
					)
				}
			}
			json.NewEncoder(w).Encode(map[string]any{"items": items})
		}
	}))
	t.Cleanup(web.Close)
	dir := t.TempDir()
	archive, err := warc.Open(filepath.Join(dir, "archive"), warc.Options{})
	fatal.If(t, err)
	c, err := archive.Write(&warc.Exchange{URL: "https://example.com/",
		Request:  warc.Message{Head: []byte("GET / HTTP/1.1\r\nHost: example.com\r\n\r\n")},
		Response: warc.Message{Head: []byte("HTTP/1.1 200 OK\r\n\r\n"), Body: []byte("<p>word")}})
	fatal.If(t, err)
	fatal.If(t, archive.Close())
	line, err := json.Marshal(map[string]any{"url": "https://example.com/", "status": 200, "index": true,
		"fetched_at": "2026-11-30T12:00:00Z", "media_type": "text/html", "archive": c.File, "offset": c.Offset})
	fatal.If(t, err)
	fatal.If(t, os.WriteFile(filepath.Join(dir, "results.jsonl"), append(line, '\n'), 0o666))

	run := func(want string) error {
		t.Helper()
		root := newRoot()
		var out bytes.Buffer
		root.SetOut(&out)
		root.SetErr(io.Discard)
		at := strings.Replace(web.URL, "://", "://me:secret@", 1) + "/pages"
		root.SetArgs([]string{"search", "--update", "--to", at, dir})
		err := root.Execute()
		if out.String() != want {
			t.Errorf("printed %q, want %q", out.String(), want)
		}
		return err
	}
	fatal.If(t, run("1 page indexed\n"))
	fatal.If(t, run("0 pages indexed\n"))
	if got := strings.Join(requests, ", "); actions != 1 ||
		got != "HEAD /pages me:secret, PUT /pages me:secret, POST /pages/_bulk me:secret, HEAD /pages me:secret" {
		t.Errorf("%d actions: %s", actions, got)
	}
	there, refuse = false, true
	if err := run("1 page indexed\n"); err == nil || !strings.Contains(err.Error(), "refused 1 page for good") ||
		actions != 2 {
		t.Errorf("%d actions: %v", actions, err)
	}
}
