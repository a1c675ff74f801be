package main

import (
	"encoding/json"
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
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// A liar is a server behind the page, all of whose answers a test makes.
type liar struct {
	url     string
	answers sync.Map // of paths, such as "watch": a string, or a func(w, r)
	asked   sync.Map // of paths: *atomic.Int64, how often they were asked
}

func newLiar(t *testing.T) *liar {
	t.Helper()
	index, err := os.ReadFile(filepath.Join(static, "index.html"))
	if err != nil {
		t.Fatal(err)
	}
	var services strings.Builder
	for _, name := range []string{"robots-service", "robots-watch", "robots-crawl"} {
		fmt.Fprintf(&services, `<meta name=%q content="v1/">`, name)
	}
	page := strings.Replace(string(index), "</head>", services.String()+"</head>", 1)
	files := http.FileServer(http.Dir(static))
	l := new(liar)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		path, ok := strings.CutPrefix(r.URL.Path, "/v1/")
		switch {
		case r.URL.Path == "/":
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			io.WriteString(w, page)
			return
		case !ok:
			files.ServeHTTP(w, r)
			return
		}
		n, _ := l.asked.LoadOrStore(path, new(atomic.Int64))
		defer n.(*atomic.Int64).Add(1)
		w.Header().Set("Content-Type", "application/json")
		switch answer, _ := l.answers.Load(path); a := answer.(type) {
		case string:
			io.WriteString(w, a)
		case func(http.ResponseWriter, *http.Request):
			a(w, r)
		default:
			http.NotFound(w, r)
		}
	}))
	t.Cleanup(s.Close)
	l.url = s.URL + "/"
	return l
}

// next makes the view ask again, and waits until it has drawn the answer of a path.
func (l *liar) next(p *tab, path string) {
	p.t.Helper()
	n, _ := l.asked.LoadOrStore(path, new(atomic.Int64))
	before := n.(*atomic.Int64).Load()
	get[any](p, `void document.dispatchEvent(new Event("visibilitychange"))`)
	for n.(*atomic.Int64).Load() == before {
		time.Sleep(5 * time.Millisecond)
	}
	get[any](p, `new Promise((resolve) => setTimeout(resolve, 50))`)
}

// surrogate stands for half a character, which Go writes in no JSON.
const surrogate = "(half a character)"

// goodAnswers are answers as the programs give them.
var goodAnswers = map[string]string{
	"watch":        `{"began": "2026-01-02T03:04:05Z", "total": 1, "here": 1, "states": {"critical": 1}, "found": 1, "sites": [{"origin": "https://example.com", "state": "critical", "last": "2026-01-02T03:04:05Z", "next": "2096-01-02T03:04:05Z", "file": {"state": "ok", "status": 200, "size": 7}, "error": "e", "incidents": [{"state": "open", "began": "2026-01-02T03:04:05Z", "finding": {"kind": "k", "severity": "critical"}, "sentence": "a sentence"}]}]}`,
	"watch/events": `{"events": [{"id": "e1", "origin": "https://example.com", "time": "2026-01-02T03:04:05Z", "updates": [{"step": "begun", "finding": {"kind": "k", "severity": "critical"}, "sentence": "an event"}]}], "more": true}`,
	"crawl":        `{"state": "running", "began": "2026-01-02T03:04:05Z", "counts": {"hosts": 1, "seen": 2, "queued": 3, "done": 4}, "pages": 1, "octets": 2, "busy": 0, "waiting": 1, "waits": {"ready": 1}, "reasons": {"trap": 1}, "hosts": [{"origin": "https://example.com", "queued": 1, "done": 1, "wait": "ready", "why": "why", "next": "2096-01-02T03:04:05Z"}], "user_agent": "Bot"}`,
	"crawl/host":   `{"state": "running", "counts": {"hosts": 1, "seen": 2, "queued": 3, "done": 4}, "pages": 1, "octets": 2, "busy": 0, "waiting": 1, "waits": {}, "reasons": {}, "hosts": [{"origin": "https://example.com", "queued": 1, "done": 1, "wait": "ready", "why": "why", "reasons": {"trap": 1}, "pages": 1, "octets": 2, "robots": {"state": "ok", "status": 200, "cause": "c", "fresh_until": "2026-01-02T03:04:05Z", "group": "*", "rules": 1, "crawl_delay": 1, "closed": false}, "urls": [{"url": "https://example.com/next"}]}]}`,
	"search":       `{"total": 1, "from": 0, "hits": [{"url": "https://example.com/found", "title": "a title", "snippet": {"text": "some words", "marks": [{"start": 0, "end": 4}]}, "fetched_at": "2026-01-02T03:04:05Z", "language": "en"}]}`,
	"robots":       `{"text": "User-agent: *\nDisallow: /fetched/\n", "state": "ok", "status": 200}`,
	"history":      `{"origin": "https://example.com", "versions": [{"from": "2026-01-02T03:04:05Z", "state": "ok", "status": 200, "sha256": "aa"}, {"from": "2026-02-02T03:04:05Z", "state": "ok", "status": 200, "sha256": "bb"}], "texts": {"aa": {"text": "User-agent: *\nDisallow: /one/\n"}, "bb": {"text": "User-agent: *\nDisallow: /two/\n"}}}`,
}

// badWholes are answers that are none.
func badWholes() map[string]string {
	return map[string]string{
		"nothing": "", "null": "null", "a number": "1e999", "a text": `"x"`, "a list": "[]", "no members": "{}",
		"HTML": "<!doctype html><script>ran()</script>", "cut": `{"began": "2026`,
		"deep": strings.Repeat(`{"sites":[`, 200_000), "deep and whole": strings.Repeat("[",
			200_000) + strings.Repeat("]", 200_000),
		"prototype": `{"__proto__": {"sites": []}, "constructor": {"prototype": 1}}`,
	}
}

// lies returns copies of a good answer, each with another member that is wrong, by the place of the
// member. Each member has two wrong values in turn.
func lies(t *testing.T, good string) map[string]string {
	t.Helper()
	var root any
	if err := json.Unmarshal([]byte(good), &root); err != nil {
		t.Fatal(err)
	}
	values := []any{nil, hostile, -1e300, []any{nil}, "javascript:ran()", map[string]any{"__proto__": "x",
		"length": 1e9}, surrogate, strings.Repeat("x", 1<<20)}
	turn := 0
	all := make(map[string]string)
	var walk func(place string, node any)
	try := func(place string, old any, set func(any)) {
		for range 2 {
			set(values[turn%len(values)])
			b, err := json.Marshal(root)
			if err != nil {
				t.Fatal(err)
			}
			all[fmt.Sprintf("%s is %.20v", place, values[turn%len(values)])] = strings.ReplaceAll(string(b), surrogate,
				`\ud800`)
			turn++
		}
		set(old)
		walk(place, old)
	}
	walk = func(place string, node any) {
		switch n := node.(type) {
		case map[string]any:
			for _, key := range slices.Sorted(maps.Keys(n)) {
				try(place+"."+key, n[key], func(v any) { n[key] = v })
			}
		case []any:
			for i := range n {
				try(fmt.Sprintf("%s[%d]", place, i), n[i], func(v any) { n[i] = v })
			}
		}
	}
	walk("", root)
	return all
}

// strangers counts elements that text of a stranger would become.
const strangers = `document.querySelectorAll("#panel script, main img, main iframe, main style, .view a[href]:not([href^='http']), .toast").length`

// Whatever the program behind Watch and Crawl answers, nothing runs, the page says that it cannot
// read the answer or shows it as text, and goes on.
func TestLyingPrograms(t *testing.T) {
	for view, paths := range map[string][]string{"watch": {"watch", "watch/events"}, "crawl": {"crawl", "crawl/host"}} {
		l := newLiar(t)
		for path, answer := range goodAnswers {
			l.answers.Store(path, answer)
		}
		// words without a text have no English form there
		p := openEarly(t, l.url+"#"+fragmentOf([]byte(`{"view": "`+view+`", "host": "https://example.com"}`)), 1280,
			false, "ru")
		p.waitText(".view", "https://example.com")
		for _, path := range paths {
			for name, answer := range badWholes() {
				t.Logf("%s: %s", path, name)
				l.answers.Store(path, goodAnswers[path])
				l.next(p, path)
				p.wait(`!document.querySelector(".offline")`)
				l.answers.Store(path, answer)
				l.next(p, path)
				p.waitText(".offline", "Ответ сервера прочитать не удалось.")
			}
			for name, answer := range lies(t, goodAnswers[path]) {
				l.answers.Store(path, answer)
				l.next(p, path)
				if n := get[int](p, strangers); n > 0 {
					t.Errorf("%s%s: text became %d elements", path, name, n)
				}
			}
			l.answers.Store(path, goodAnswers[path])
			l.next(p, path)
			p.wait(`!document.querySelector(".offline")`) // after a good answer the page does not complain
			get[any](p, `void document.querySelectorAll(".hosts button").forEach((b) => { b.click(); b.click(); })`)
		}
		p.check()
	}
}

// An answer without an end is not read to the end of the memory.
func TestEndlessAnswer(t *testing.T) {
	l := newLiar(t)
	sent := make(chan int64, 100)
	l.answers.Store("watch", func(w http.ResponseWriter, r *http.Request) {
		piece := []byte(strings.Repeat(" ", 1<<20))
		n := int64(0)
		for r.Context().Err() == nil && n < 1<<30 {
			if _, err := w.Write(piece); err != nil {
				break
			}
			n += int64(len(piece))
		}
		sent <- n
	})
	l.answers.Store("watch/events", goodAnswers["watch/events"])
	p := openEarly(t, l.url+"#"+fragmentOf([]byte(`{"view": "watch"}`)), 1280, false, "en")
	p.waitText(".offline", "The server's answer cannot be read.")
	if n := <-sent; n > 64<<20 {
		t.Errorf("the page read %d bytes", n)
	}
	p.waitText(".events", "an event")
	p.check()
}

// The page shows hostile results of a search, live texts and histories as errors or as text, and
// runs none of their code.
func TestLyingService(t *testing.T) {
	l := newLiar(t)
	for path, answer := range goodAnswers {
		l.answers.Store(path, answer)
	}
	p := open(t, l.url+"#"+fragmentOf([]byte(`{"view": "crawl", "search": "words"}`)), 1280, false, "en")
	p.waitText(".hits", "a title")
	submit := func(path, form string) {
		t.Helper()
		n, _ := l.asked.LoadOrStore(path, new(atomic.Int64))
		before := n.(*atomic.Int64).Load()
		get[any](p,
			fmt.Sprintf(`void (() => { const form = document.querySelector(%s); form.querySelector("input").value = "example.com"; form.requestSubmit(); })()`, quoted(form)))
		for n.(*atomic.Int64).Load() == before {
			time.Sleep(5 * time.Millisecond)
		}
		get[any](p, `new Promise((resolve) => setTimeout(resolve, 100))`)
		if n := get[int](p, strangers); n > 0 {
			t.Errorf("%s: text became %d elements", path, n)
		}
	}
	for _, c := range []struct{ view, path, form, said string }{
		{"crawl", "search", ".searching", ".found .wrong"},
		{"test", "robots", ".pane .live", "#warnings .warning"},
		{"compare", "history", ".past .live", "#warnings .warning"},
	} {
		p.run(chromedp.Click("#tab-"+c.view, chromedp.ByQuery))
		for name, answer := range badWholes() {
			if c.path == "robots" && (name == "no members" || name == "prototype") {
				continue // a site without a robots.txt
			}
			t.Logf("%s: %s", c.path, name)
			get[any](p, `void document.querySelector("#warnings button")?.click()`)
			l.answers.Store(c.path, goodAnswers[c.path])
			submit(c.path, c.form)
			p.wait(fmt.Sprintf(`!document.querySelector(%s)`, quoted(c.said)))
			l.answers.Store(c.path, answer)
			submit(c.path, c.form)
			p.waitText(c.said, "The server's answer cannot be read.")
		}
		for _, answer := range lies(t, goodAnswers[c.path]) {
			l.answers.Store(c.path, answer)
			submit(c.path, c.form)
		}
		l.answers.Store(c.path, goodAnswers[c.path])
		get[any](p, `void document.querySelector("#warnings button")?.click()`)
		submit(c.path, c.form)
		p.wait(fmt.Sprintf(`!document.querySelector(%s)`, quoted(c.said)))
	}
	p.waitText(".timeline", "/two/")
	p.check()
}
