package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots/crawler/internal/feed"
	"github.com/robotsexclusion/robots/crawler/internal/index"
	"github.com/robotsexclusion/robots/internal/pageserver"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// searched runs robots search --json, and returns what it prints.
func searched(t *testing.T, args ...string) (string, error) {
	t.Helper()
	root := newRoot()
	var out bytes.Buffer
	root.SetOut(&out)
	root.SetErr(io.Discard)
	root.SetArgs(append([]string{"search", "--json"}, args...))
	err := root.Execute()
	return out.String(), err
}

// TestSearchServers searches in the folders of three workers, over their servers and as folders:
// the answers are those of one index of all pages. A server that ends is named in the answer.
func TestSearchServers(t *testing.T) {
	dir := t.TempDir()
	var folders, urls, names []string
	var servers []*pageserver.Server
	whole, err := index.Open(filepath.Join(dir, "whole"), index.Options{})
	fatal.If(t, err)
	for i := range 3 {
		folder := filepath.Join(dir, fmt.Sprint("worker", i))
		x, err := index.Open(feed.IndexIn(folder), index.Options{})
		fatal.If(t, err)
		for j := range 5 + i {
			p := &index.Page{URL: fmt.Sprintf("https://%d.example/%d", i, j), Title: strings.Repeat("robot ", j),
				Passages: []index.Passage{{Text: fmt.Sprint("polite ", i*j)}},
				Links:    []index.Link{{URL: fmt.Sprintf("https://%d.example/%d", (i+1)%3, j), Text: "robots"}}}
			fatal.If(t, x.Put(p))
			fatal.If(t, whole.Put(p))
		}
		fatal.If(t, x.Close())
		s, err := pageserver.Start("127.0.0.1:0", (&crawlServer{dir: folder}).config())
		fatal.If(t, err)
		t.Cleanup(s.Close)
		servers = append(servers, s)
		folders, urls = append(folders, "--dir", folder), append(urls, "--index", s.URL())
		names = append(names, strings.TrimSuffix(s.URL(), "/"))
	}
	fatal.If(t, whole.Close())
	for _, query := range [][]string{{"robot"}, {"polite"}, {"--site", "1.example"},
		{"--from", "4", "--limit", "5", "polite"}} {
		want, err := searched(t, append(query, "--index", filepath.Join(dir, "whole"))...)
		fatal.If(t, err)
		for _, parts := range [][]string{folders, urls} {
			if got, err := searched(t, append(parts, query...)...); err != nil || got != want {
				t.Errorf("%q: %v\ngot  %s\nwant %s", query, err, got, want)
			}
		}
	}
	servers[1].Close()
	got, err := searched(t, append(urls, "polite")...)
	var answer index.Results
	fatal.If(t, json.Unmarshal([]byte(got), &answer))
	if err == nil || !strings.Contains(err.Error(), "1 of the 3 indexes") || answer.Total != 5+7 ||
		len(answer.Missing) != 1 || answer.Missing[0].Part != names[1] {
		t.Errorf("got %s, %v", got, err)
	}
	for body, want := range map[string]int{`{"format":"0"}`: 400, "{": 400,
		strings.Repeat(" ", index.MaxAsked+1): 413} {
		resp, err := http.Post(names[0]+index.PartPath, "application/json", strings.NewReader(body))
		fatal.If(t, err)
		if resp.Body.Close(); resp.StatusCode != want {
			t.Errorf("%.20s: status %d, want %d", body, resp.StatusCode, want)
		}
	}
}
