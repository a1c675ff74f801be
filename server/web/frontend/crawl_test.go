package main

import (
	"encoding/json"
	"fmt"
	"html"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	cdpage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// A crawled is a crawl of two sites, one of which has hostile titles, texts and addresses, and one
// asks for long pauses, so that the crawl goes on.
type crawled struct {
	*service
	dir        string
	fast, slow string // origins
	args       []string
	stop       func()
}

// crawl starts robots crawl, and robots crawl serve beside it.
func crawl(t *testing.T) *crawled {
	t.Helper()
	garden := func(w http.ResponseWriter, title, text string) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintf(w, "<!doctype html><html lang=en><title>%s</title><p>%s", html.EscapeString(title), text)
	}
	fast := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.URL.Path == "/robots.txt":
			fmt.Fprint(w, "User-agent: *\nDisallow: /private/\n")
		case r.URL.Path == "/":
			garden(w, "The garden",
				`A garden with a pond. <a href="/hostile?<script>ran()</script>">one</a> <a href="/private/x">private</a> <a href="/gone">gone</a>`)
		case r.URL.Path == "/hostile":
			garden(w, hostile+"\u202e", "Garden "+html.EscapeString(hostile))
		case strings.HasPrefix(r.URL.Path, "/p/"):
			garden(w, "Bed "+r.URL.Path[3:], "A bed in the garden, number "+r.URL.Path[3:])
		default:
			http.NotFound(w, r)
		}
	}))
	t.Cleanup(fast.Close)
	slow := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/robots.txt" {
			fmt.Fprint(w, "User-agent: *\nCrawl-delay: 100\n")
			return
		}
		garden(w, "Slow", `<a href="/a">a</a> <a href="/b">b</a>`)
	}))
	t.Cleanup(slow.Close)
	c := &crawled{dir: filepath.Join(t.TempDir(), "crawl"), fast: fast.URL, slow: slow.URL}
	seeds := []string{fast.URL + "/", slow.URL + "/"}
	for i := range 14 {
		seeds = append(seeds, fmt.Sprintf("%s/p/%d", fast.URL, i))
	}
	cmd := exec.Command(program(t, "robots-crawl"),
		append([]string{"crawl", "--dir", c.dir, "--allow-private", "--delay", "0s", "--user-agent",
			"ExampleBot/1.0 (+https://example.com/bot)"}, seeds...)...)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan bool)
	go func() { cmd.Wait(); close(ended) }()
	c.stop = sync.OnceFunc(func() { cmd.Process.Signal(os.Interrupt); <-ended })
	t.Cleanup(func() { cmd.Process.Kill(); <-ended })
	for !strings.Contains(c.command(t, "search", "--dir", c.dir, "--json", "bed"), `"total":14`) {
		time.Sleep(200 * time.Millisecond)
	}
	c.args = []string{"crawl", "serve", "--dir", c.dir, "--listen", "127.0.0.1:0"}
	c.service = serve(t, "robots-crawl", c.args...)
	return c
}

// command runs robots-crawl, and returns what it prints.
func (c *crawled) command(t *testing.T, args ...string) string {
	t.Helper()
	out, _ := exec.Command(program(t, "robots-crawl"), args...).Output() // it exits with 1 if it finds nothing
	return string(out)
}

// The view Crawl shows a crawl that runs, by mouse and by keyboard, then the same crawl after it
// has stopped, and goes on after its server was killed.
func TestCrawl(t *testing.T) {
	c := crawl(t)
	p := open(t, c.url, 1280, false, "en")
	p.waitText("[role=tab][aria-selected=true]", "Crawl")
	p.waitText(".tallies .state", "running")
	p.waitText(".hosts", c.slow)
	p.waitText(".hosts", "Crawl-delay")
	p.waitText(".counts", "disallowed by robots.txt")

	// A host, by mouse.
	p.run(chromedp.Click(".hosts button", chromedp.ByQuery))
	p.waitText(".hosts dl", "group *")
	p.waitText(".hosts dl code", c.slow+"/")
	time.Sleep(5 * time.Second) // answers come
	p.waitText(".hosts button[aria-expanded=true]", c.slow)
	if got := get[string](p, `document.activeElement.textContent`); got != c.slow {
		t.Errorf("after an answer, the focus is at %q", got)
	}

	// A search, with the keyboard alone.
	before := get[string](p, "location.hash")
	p.tabTo("Crawl")
	p.tabTo("Words on pages")
	p.run(chromedp.KeyEvent("garden\r"))
	p.waitText(".hits h3", "ran()")
	p.waitText(".found .summary", "16 pages found")
	if n := get[int](p,
		`document.querySelectorAll("#panel script, main img, main iframe, main style, main svg, main a[href^='javascript'], main a:not([rel~=noopener][rel~=noreferrer])").length`); n > 0 {
		t.Errorf("text of strangers became %d elements", n)
	}
	p.tabTo("Next pages")
	p.press("\r", 1)
	p.wait(`document.querySelector(".hits").start === 11 && document.querySelectorAll(".hits li").length === 6`)
	p.waitText(".hits mark", "garden")

	// The address has the search and the host.
	link := p.link(before)
	q := open(t, link, 360, false, "ru")
	q.waitText(".found .summary", "Найдено: 16 страниц")
	q.waitText(".hosts dl code", c.slow+"/")
	q.check()
	p.run(cdpage.BringToFront()) // a page that is not visible asks nothing

	// No page has the words; and a query that is wrong.
	get[any](p, `void document.querySelector(".skip").focus()`)
	p.tabTo("Words on pages")
	p.run(chromedp.KeyEvent("a", chromedp.KeyModifiers(2)), chromedp.KeyEvent("xylophone\r"))
	p.waitText(".found", "No page has these words.")
	p.run(chromedp.KeyEvent("a", chromedp.KeyModifiers(2)), chromedp.KeyEvent("-garden\r"))
	p.waitText(".found .wrong", "it only says what to leave out")

	// The crawl stops, its server is killed, and comes back.
	c.stop()
	p.waitText(".tallies .state", "stopped; it goes on when it is started again")
	c.kill()
	p.waitText(".offline", "The server does not answer. This is what it said")
	p.waitText(".hosts", c.slow)
	c.args[len(c.args)-1] = strings.TrimSuffix(strings.TrimPrefix(c.url, "http://"), "/")
	serve(t, "robots-crawl", c.args...)
	p.wait(`!document.querySelector(".offline")`)
	p.waitText(".tallies .state", "stopped")
	p.mu.Lock()
	for i, said := range p.problems {
		if strings.Contains(said, "400 (Bad Request)") { // of the wrong query
			p.problems[i] = "ERR_CONNECTION_REFUSED"
		}
	}
	p.mu.Unlock()
	p.refusals()
	p.check()
}

// The answers are the JSON of the commands, of a crawl that runs and of one that has stopped.
func TestCrawlAnswers(t *testing.T) {
	c := crawl(t)
	c.stop()
	time.Sleep(1500 * time.Millisecond) // the server gives an answer again for a second
	for path, args := range map[string][]string{
		"v1/crawl":                           {"crawl", "status", "--json"},
		"v1/crawl?limit=1":                   {"crawl", "status", "--json", "--limit", "1"},
		"v1/crawl/host?name=" + c.slow:       {"crawl", "status", "--json", c.slow},
		"v1/crawl/host?name=127.0.0.1":       {"crawl", "status", "--json", "127.0.0.1"},
		"v1/crawl/host?name=example.com":     {"crawl", "status", "--json", "example.com"},
		"v1/search?q=garden":                 {"search", "--json", "garden"},
		"v1/search?q=garden&from=3&limit=50": {"search", "--json", "--from", "3", "--limit", "50", "garden"},
		"v1/search?q=ran&lang=en":            {"search", "--json", "--lang", "en", "ran"},
		"v1/search?q=xylophone":              {"search", "--json", "xylophone"},
	} {
		var got, want map[string]any
		c.fetched(t, path, &got)
		if err := json.Unmarshal([]byte(c.command(t, append(args, "--dir", c.dir)...)), &want); err != nil {
			t.Fatal(err)
		}
		delete(got, "at") // of the question
		delete(want, "at")
		if len(want) == 0 || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got\n%v\nand the command prints\n%v", path, got, want)
		}
	}
	for path, want := range map[string]int{
		"v1/crawl?limit=10001": 400, "v1/crawl/host": 400, "v1/crawl/host?name=a%20b": 400, "v1/search": 400,
		"v1/search?q=": 400, "v1/search?q=-x": 400, "v1/search?q=x&limit=101": 400, "v1/search?q=" +
			strings.Repeat("x", 2000): 400,
	} {
		resp, err := http.Get(c.url + path)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if resp.StatusCode != want {
			t.Errorf("%.60s: status %d, not %d", path, resp.StatusCode, want)
		}
	}
}

// axe-core finds nothing in the view, in each width, language and colour, and no view is wider than
// the screen.
func TestCrawlLooks(t *testing.T) {
	c := crawl(t)
	state, err := json.Marshal(map[string]string{"view": "crawl", "search": "garden", "host": c.slow})
	if err != nil {
		t.Fatal(err)
	}
	looks(t, c.url+"#"+fragmentOf(state), "crawl", ".hits li + li, .hosts dl")
}
