package feed_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/korean"

	"github.com/robotsexclusion/robots/crawler/crawl"
	"github.com/robotsexclusion/robots/crawler/internal/feed"
	"github.com/robotsexclusion/robots/crawler/internal/index"
	"github.com/robotsexclusion/robots/crawler/warc"
	"github.com/robotsexclusion/robots/fetch"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// A served is a page of a site.
type served struct {
	status   int // 0 means 200
	header   map[string]string
	text     string
	encoding encoding.Encoding // nil means UTF-8
}

// A site is a server that counts requests.
type site struct {
	*httptest.Server
	mu    sync.Mutex
	pages map[string]served
	asked map[string]int
	twice chan struct{} // closed when all pages were requested twice
}

func newSite(t *testing.T, pages map[string]served) *site {
	s := &site{pages: make(map[string]served)}
	s.change(pages)
	s.Server = httptest.NewServer(s)
	t.Cleanup(s.Close)
	return s
}

// change replaces the pages of the site, and resets the counts.
func (s *site) change(pages map[string]served) {
	s.mu.Lock()
	defer s.mu.Unlock()
	maps.Copy(s.pages, pages)
	s.asked, s.twice = make(map[string]int), make(chan struct{})
}

// ask counts a request, and returns the page.
func (s *site) ask(path string) (p served, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if p, ok = s.pages[path]; !ok {
		return p, false
	}
	if s.asked[path]++; s.asked[path] == 2 {
		for path := range s.pages {
			if s.asked[path] < 2 {
				return p, true
			}
		}
		close(s.twice)
	}
	return p, true
}

func (s *site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	p, ok := s.ask(r.URL.Path)
	if !ok {
		http.NotFound(w, r)
		return
	}
	h := w.Header()
	h.Set("Content-Type", "text/html")
	for name, value := range p.header {
		h.Set(name, value)
	}
	if tag := h.Get("ETag"); tag != "" && r.Header.Get("If-None-Match") == tag {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	text := p.text
	if p.encoding != nil {
		var err error
		if text, err = p.encoding.NewEncoder().String(text); err != nil {
			panic(err)
		}
	}
	if h.Get("Content-Encoding") == "gzip" {
		var b bytes.Buffer
		zip := gzip.NewWriter(&b)
		io.WriteString(zip, text)
		zip.Close()
		text = b.String()
	}
	w.WriteHeader(max(p.status, http.StatusOK))
	io.WriteString(w, text)
}

func newCrawler(dir string) *crawl.Config {
	return &crawl.Config{
		Dir: dir, UserAgent: "TestBot/1.0 (+https://example.com/bot)", DialFilter: fetch.DialFilter{AllowPrivate: true},
		Workers: 4, Patience: -1, Archive: &warc.Options{}, Pauses: crawl.Pauses{MinDelay: -1, Slowness: -1,
			AddressGap: -1, AddressBudget: -1, FirstPause: 10 * time.Millisecond, LastPause: 100 * time.Millisecond},
	}
}

// TestCrawl crawls a site several times, with an index beside it.
func TestCrawl(t *testing.T) {
	plain := map[string]string{"Content-Type": "text/plain; charset=windows-1251"}
	s := newSite(t, map[string]served{
		"/": {text: `<title>Polite robots</title><p>A robot visits its sites and waits between them.
			<a href=es.html></a><a href=ru.html></a><a href=ko.html></a><a href=ru.txt></a>
			<a href=noindex.html></a><a href=header.html></a><a href=other.html></a><a href=gone.html></a><a href=lost.html></a>
			<a href=moves.html></a><a href=closes.html></a><a href=opens.html></a><a href=changes.html></a><a href=steady.html></a>
			<a href=copy1.html></a><a href=copy2.html></a><a href=named.html></a><a href=data.xml></a>`},
		"/es.html": {text: `<html lang=es><title>Robots educados</title><p>Los rastreadores esperan su turno en el servidor.`,
			header: map[string]string{"Content-Type": "text/html; charset=utf-8", "Content-Encoding": "gzip"}},
		"/ru.html": {text: `<meta charset=windows-1251><title>Вежливые роботы</title><p>Роботы посещают сайты и ждут.`,
			encoding: charmap.Windows1251},
		"/ru.txt": {text: "Для каждого паука есть правила.", encoding: charmap.Windows1251, header: plain},
		"/ko.html": {text: `<title>예의 바른 로봇</title><p>로봇이 서버를 방문한다. 관리자는 로봇을 막을 수 있다.`, encoding: korean.EUCKR,
			header: map[string]string{"Content-Type": "text/html; charset=euc-kr"}},
		"/noindex.html": {text: `<meta name=robots content=noindex><p>secret`},
		"/header.html":  {text: `<p>secret`, header: map[string]string{"X-Robots-Tag": "noindex"}},
		"/other.html":   {text: `<p>public`, header: map[string]string{"X-Robots-Tag": "otherbot: noindex"}},
		"/gone.html":    {text: `<p>transient one`},
		"/lost.html":    {text: `<p>transient two`},
		"/moves.html":   {text: `<p>transient three`},
		"/closes.html":  {text: `<p>transient four`},
		"/opens.html":   {text: `<meta name=TestBot content=noindex><p>belated`},
		"/changes.html": {text: `<p>formerly`},
		"/steady.html":  {text: `<p>steady`, header: map[string]string{"ETag": `"1"`}},
		"/copy1.html":   {text: `<p>copied words`},
		"/copy2.html":   {text: `<p>copied words`},
		"/named.html":   {text: `<link rel=canonical href="es.html?utm_source=x"><p>rastreadores sobran`},
		"/data.xml":     {text: `<data>words</data>`, header: map[string]string{"Content-Type": "text/xml"}},
	})
	dir := filepath.Join(t.TempDir(), "crawl")
	round := func() {
		t.Helper()
		c := newCrawler(dir)
		c.Revisits = &crawl.Revisits{First: time.Millisecond, Min: time.Millisecond, Max: 5 * time.Millisecond}
		x, err := feed.Open(dir, feed.Options{Robot: []string{"TestBot"}, Pause: 10 * time.Millisecond})
		fatal.If(t, err)
		defer x.Close()
		ended, fed := make(chan struct{}), make(chan error, 1)
		go func() { fed <- x.Follow(t.Context(), ended) }()
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
		defer cancel()
		twice := s.twice
		go func() {
			select {
			case <-twice:
				cancel()
			case <-ctx.Done():
			}
		}()
		if _, err := crawl.New(*c).Run(ctx, s.URL+"/"); err != nil {
			t.Fatal(err)
		}
		close(ended)
		fatal.If(t, <-fed)
		if !errors.Is(ctx.Err(), context.Canceled) {
			t.Fatalf("some page was not asked for twice: %v", s.asked)
		}
		if status := x.Status(); status.Passed > 0 {
			t.Errorf("got %+v", status)
		}
	}
	finds := func(query string, want ...string) {
		t.Helper()
		for i := range want {
			want[i] = s.URL + want[i]
		}
		if got := find(t, filepath.Join(dir, "index"), query); !slices.Equal(got, want) {
			t.Errorf("%s: found %q, want %q", query, got, want)
		}
	}
	always := func() {
		t.Helper()
		finds("visit site", "/")
		finds("polite lang:en", "/")
		finds("rastreador", "/es.html")
		finds("educado lang:es", "/es.html")
		finds("вежливый робот lang:ru", "/ru.html")
		finds("сайтов", "/ru.html")
		finds("пауки lang:ru", "/ru.txt")
		finds("로봇을 lang:ko", "/ko.html")
		finds("관리자가", "/ko.html")
		finds("secret")
		finds("public", "/other.html")
		finds("steady", "/steady.html")
		if got := find(t, filepath.Join(dir, "index"), "copied"); len(got) != 1 {
			t.Errorf("of two copies %q are found", got)
		}
	}
	round()
	always()
	finds("transient", "/closes.html", "/gone.html", "/lost.html", "/moves.html")
	finds("belated")
	finds("formerly", "/changes.html")

	s.change(map[string]served{
		"/gone.html":    {status: http.StatusNotFound, text: "<p>transient"},
		"/lost.html":    {status: http.StatusGone, text: "<p>transient"},
		"/moves.html":   {status: http.StatusFound, header: map[string]string{"Location": "/new.html"}},
		"/new.html":     {text: "<p>moved"},
		"/closes.html":  {text: "<p>transient four", header: map[string]string{"X-Robots-Tag": "TestBot: none"}},
		"/opens.html":   {text: "<p>belated"},
		"/changes.html": {text: "<p>afterwards"},
	})
	round()
	always()
	finds("transient")
	finds("belated", "/opens.html")
	finds("formerly")
	finds("afterwards", "/changes.html")
	finds("moved", "/new.html")

	// A crawl without an index, or with a lost one, gets one.
	fatal.If(t, os.RemoveAll(filepath.Join(dir, "index")))
	x, err := feed.Open(dir, feed.Options{Robot: []string{"TestBot"}})
	fatal.If(t, err)
	fatal.If(t, x.Update(t.Context()))
	x.Close()
	always()
	finds("transient")
	finds("moved", "/new.html")
	x2, err := index.Open(filepath.Join(dir, "index"), index.Options{ReadOnly: true})
	fatal.If(t, err)
	defer x2.Close()
	r, err := x2.Search(t.Context(), index.Query{Text: "сайт"})
	if err != nil || len(r.Hits) != 1 || !strings.Contains(fmt.Sprint(r.Hits[0].Title, r.Hits[0].Snippet),
		"Вежливые роботы") {
		t.Errorf("got %v, %v", r, err)
	}
}
