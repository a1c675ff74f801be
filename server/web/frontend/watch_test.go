package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// A watched is a site whose robots.txt a test changes.
type watched struct {
	*httptest.Server
	text atomic.Value
}

func newWatched(t *testing.T, text string) *watched {
	w := new(watched)
	w.text.Store(text)
	w.Server = httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		io.WriteString(rw,
			w.text.Load().(string))
	}))
	t.Cleanup(w.Close)
	return w
}

// watch looks at sites once, changes some of them, and starts robots monitor, which sees the
// changes at once. The first site is hostile.
func watch(t *testing.T) (sites []*watched, s *service, args []string) {
	t.Helper()
	dir := t.TempDir()
	var config strings.Builder
	for range 4 {
		s := newWatched(t, "User-agent: *\nDisallow: /admin/\n")
		sites = append(sites, s)
		fmt.Fprintf(&config, "%s\n", s.URL)
	}
	file := filepath.Join(dir, "monitor.conf")
	if err := os.WriteFile(file, []byte(config.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	state := filepath.Join(dir, "state")
	once := exec.Command(program(t, "robotsd"), "monitor", "--allow-private", "--once", "--config", file, "--dir",
		state)
	if out, err := once.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	sites[0].text.Store("User-agent: *\nDisallow: /" + hostile + "\n")
	sites[1].text.Store("User-agent: *\nDisallow: /\n")
	sites[2].text.Store("User-agent: GPTBot\nDisallow: /\n\nUser-agent: *\nDisallow: /admin/\nSitemap: https://example.com/" + strings.ReplaceAll(hostile, " ", "") + "\n")
	args = []string{"monitor", "--allow-private", "--config", file, "--dir", state, "--json", "--listen", "127.0.0.1:0"}
	return sites, serve(t, "robotsd", args...), args
}

// The view Watch shows what the watch sees while it sees it, by mouse and by keyboard, and goes on
// after its server was killed.
func TestWatch(t *testing.T) {
	sites, s, args := watch(t)
	p := open(t, s.url, 1280, false, "en")
	if got := get[string](p, `document.querySelector("[role=tab][aria-selected=true]").id`); got != "tab-watch" {
		t.Errorf("the page begins with %s", got)
	}
	p.waitText(".site", "the whole site is closed to all robots: Disallow: /")
	p.waitText(".events", "closed to")
	p.waitText(".tallies", "critical")
	p.wait(`document.querySelectorAll(".site").length === 4`)
	if first := get[string](p, `document.querySelector(".site").textContent`); !strings.Contains(first, "critical") {
		t.Errorf("the first site is %q", first)
	}
	if n := get[int](p,
		`document.querySelectorAll("#panel script, main img, main iframe, main style, main svg, main a[href^='javascript']").length`); n > 0 {
		t.Errorf("text of strangers became %d elements", n)
	}

	// The filter, with the keyboard alone.
	p.tabTo("Watch")
	p.tabTo("Only sites with")
	p.run(chromedp.KeyEvent(strings.TrimPrefix(sites[3].URL, "http://")))
	p.wait(`document.querySelectorAll(".site").length === 1`)
	p.waitText(".site", "in order")
	p.wait(`location.hash.length > 3`)

	// The focus stays in the field, and what is typed too, while answers come.
	time.Sleep(5 * time.Second)
	if got := p.focused(); got != "Only sites with" {
		t.Errorf("after an answer, the focus is at %q", got)
	}
	p.run(chromedp.KeyEvent("a", chromedp.KeyModifiers(2)), chromedp.KeyEvent(kb.Backspace))
	p.wait(`document.querySelectorAll(".site").length === 4`)

	// The same elements stay, with the focus on one of them.
	get[any](p, `void (globalThis.kept = document.querySelector(".site a"), kept.focus(), scrollTo(0, 40))`)
	time.Sleep(5 * time.Second)
	if !get[bool](p,
		`kept.isConnected && document.activeElement === kept && scrollY === Math.min(40, document.documentElement.scrollHeight - innerHeight)`) {
		t.Error("an answer took the focus or the place away")
	}

	// The server is killed, and comes back at the same address.
	s.kill()
	p.waitText(".offline", "The server does not answer. This is what it said")
	p.waitText(".site", "the whole site is closed")
	args[len(args)-1] = strings.TrimSuffix(strings.TrimPrefix(s.url, "http://"), "/")
	serve(t, "robotsd", args...)
	p.wait(`!document.querySelector(".offline")`)
	p.waitText(".site", "the whole site is closed")
	p.waitText(".events", "closed to") // events survive a kill
	p.refusals()
	p.check()
}

// The answers have the updates that the command prints with --json, each with its sentence.
func TestWatchAnswers(t *testing.T) {
	_, s, _ := watch(t)
	type look struct {
		Origin  string
		Updates []map[string]any
	}
	var events struct{ Events []look }
	for len(events.Events) < 3 {
		time.Sleep(100 * time.Millisecond)
		s.fetched(t, "v1/watch/events", &events)
	}
	// A line comes after its event.
	printed := make(map[string][]map[string]any)
	missing := func(e look) bool { return printed[e.Origin] == nil }
	for end := time.Now().Add(time.Minute); slices.ContainsFunc(events.Events, missing) &&
		time.Now().Before(end); time.Sleep(100 * time.Millisecond) {
		for line := range strings.Lines(s.out.String()) {
			if !strings.HasSuffix(line, "\n") {
				break // the rest of the line comes
			}
			var l look
			if err := json.Unmarshal([]byte(line), &l); err != nil {
				t.Fatal(err)
			}
			printed[l.Origin] = l.Updates
		}
	}
	for _, e := range events.Events {
		for _, u := range e.Updates {
			if sentence, _ := u["sentence"].(string); sentence == "" || strings.ContainsAny(sentence, "\x00\n") {
				t.Errorf("%s: the sentence is %q", e.Origin, sentence)
			}
			delete(u, "sentence")
		}
		if !reflect.DeepEqual(e.Updates, printed[e.Origin]) {
			t.Errorf("%s: the page has %v, and the command prints %v", e.Origin, e.Updates, printed[e.Origin])
		}
	}
}

// axe-core finds nothing in the view, in each width, language and colour, and no view is wider than
// the screen.
func TestWatchLooks(t *testing.T) {
	_, s, _ := watch(t)
	looks(t, s.url, "watch", ".site .incident")
}

// The static site has no such view, and says so of a link to it.
func TestLinkWithoutServer(t *testing.T) {
	p := open(t, site(t)+"#"+fragmentOf([]byte(`{"view":"watch","sites":"a"}`)), 1280, false, "en")
	p.waitText(".warning", "This link shows a view that this page does not have: it needs robots monitor --listen.")
	if get[bool](p, `document.querySelector("#tab-watch") !== null`) {
		t.Error("the static site has the view Watch")
	}
	p.check()
}
