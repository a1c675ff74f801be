package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// browser is one Chromium for all tests.
var browser = sync.OnceValues(func() (context.Context, error) {
	path, err := exec.LookPath("chromium")
	if err != nil {
		return nil, errors.New("chromium is not installed: on Debian, apt-get install chromium")
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.NoSandbox,
		chromedp.Flag("lang", "en-US"))
	allocator, stop := chromedp.NewExecAllocator(context.Background(), options...)
	ctx, cancel := chromedp.NewContext(allocator)
	closeBrowser = func() { cancel(); stop() }
	return ctx, chromedp.Run(ctx)
})

var closeBrowser = func() {}

func TestMain(m *testing.M) {
	status := m.Run()
	closeBrowser()
	removePrograms()
	os.Exit(status)
}

// A tab is a page in a tab of the browser, with all that its test watches.
type tab struct {
	t   *testing.T
	ctx context.Context
	url string

	mu       sync.Mutex
	requests []string // the URLs of all requests
	problems []string // errors of the console, uncaught errors, violations of the policy, dialogs
}

// site serves the page's files as any web server does, without the headers of package web.
func site(t *testing.T) string {
	t.Helper()
	if _, err := os.Stat(filepath.Join(static, "engine.wasm.gz")); err != nil {
		t.Fatalf("the folder %s has no engine: run \"npm ci && go run . -engine\" here", static)
	}
	s := httptest.NewServer(http.FileServer(http.Dir(static)))
	t.Cleanup(s.Close)
	return s.URL + "/"
}

// testView is site with the view Test, where most tests begin.
func testView(t *testing.T) string { return site(t) + "#test" }

// open opens a page in a tab of a width, and waits until its engine answers.
func open(t *testing.T, url string, width int64, dark bool, language string) *tab {
	t.Helper()
	tab := openEarly(t, url, width, dark, language)
	tab.wait(`document.documentElement.dataset.engine === "ready"`)
	return tab
}

// openEarly is open without waiting for the engine.
func openEarly(t *testing.T, url string, width int64, dark bool, language string) *tab {
	t.Helper()
	parent, err := browser()
	if err != nil {
		t.Skip(err)
	}
	ctx, cancel := chromedp.NewContext(parent)
	t.Cleanup(cancel)
	ctx, stop := context.WithTimeout(ctx, 10*time.Minute)
	t.Cleanup(stop)
	own, _, _ := strings.Cut(url, "#")
	tab := &tab{t: t, ctx: ctx, url: own}
	chromedp.ListenTarget(ctx, tab.watch)
	scheme := "light"
	if dark {
		scheme = "dark"
	}
	tab.run(
		network.Enable(), runtime.Enable(), page.Enable(),
		emulation.SetDeviceMetricsOverride(width, 900, 1, width < 600),
		emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme",
			Value: scheme}, {Name: "prefers-reduced-motion", Value: "reduce"}}),
		emulation.SetLocaleOverride().WithLocale(language),
		chromedp.ActionFunc(func(ctx context.Context) error {
			_, err := page.AddScriptToEvaluateOnNewDocument(fmt.Sprintf(watching, language)).Do(ctx)
			return err
		}),
		chromedp.Navigate(url),
	)
	return tab
}

// watching reports violations of the policy. It also gives the page a language, and a trap: a
// script that text of a stranger would start calls ran.
const watching = `
	Object.defineProperty(navigator, "language", {get: () => %q});
	addEventListener("securitypolicyviolation", (e) => console.error("policy: " + e.violatedDirective + " " + e.blockedURI + " " + e.sample));
	globalThis.ran = () => console.error("a stranger's script ran");
`

// watch notes what the browser reports.
func (p *tab) watch(event any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch e := event.(type) {
	case *network.EventRequestWillBeSent:
		if !strings.HasPrefix(e.Request.URL, "blob:") {
			p.requests = append(p.requests, e.Request.URL)
		}
	case *runtime.EventExceptionThrown:
		p.problems = append(p.problems, e.ExceptionDetails.Error())
	case *runtime.EventConsoleAPICalled:
		if e.Type == runtime.APITypeError || e.Type == runtime.APITypeWarning {
			var words []string
			for _, arg := range e.Args {
				words = append(words, string(arg.Value)+arg.Description)
			}
			p.problems = append(p.problems, strings.Join(words, " "))
		}
	case *page.EventJavascriptDialogOpening:
		p.problems = append(p.problems, "a dialog opened: "+e.Message)
	}
}

// run runs actions.
func (p *tab) run(actions ...chromedp.Action) {
	p.t.Helper()
	if err := chromedp.Run(p.ctx, actions...); err != nil {
		p.t.Fatalf("%v%s", err, p.complaints())
	}
}

func (p *tab) complaints() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.problems) == 0 {
		return ""
	}
	return "; the page said: " + strings.Join(p.problems, "; ")
}

// check fails if the page reported anything.
func (p *tab) check() {
	p.t.Helper()
	if said := p.complaints(); said != "" {
		p.t.Error(said[2:])
	}
}

// get returns the value of an expression.
func get[T any](p *tab, expression string) (value T) {
	p.t.Helper()
	if err := chromedp.Run(p.ctx, chromedp.Evaluate(expression, &value,
		func(e *runtime.EvaluateParams) *runtime.EvaluateParams { return e.WithAwaitPromise(true) })); err != nil {
		p.t.Fatalf("%s: %v%s", expression, err, p.complaints())
	}
	return value
}

// wait waits until an expression is true.
func (p *tab) wait(expression string) {
	p.t.Helper()
	for range 1200 { // a minute
		if get[bool](p, "!!("+expression+")") {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	p.t.Fatalf("a minute passed, and there is still not: %s%s\n%s", expression, p.complaints(),
		get[string](p, "document.body.innerText.slice(0, 3000)"))
}

// waitText waits until an element has a text.
func (p *tab) waitText(selector, text string) {
	p.t.Helper()
	p.wait(fmt.Sprintf("[...document.querySelectorAll(%s)].some((e) => e.textContent.includes(%s))", quoted(selector),
		quoted(text)))
}

// set writes a text into a field.
func (p *tab) set(selector, text string) {
	p.t.Helper()
	get[any](p, fmt.Sprintf(`void (() => {
		const f = document.querySelector(%s);
		f.value = %s;
		f.dispatchEvent(new Event("input"));
	})()`, quoted(selector), quoted(text)))
}

// quoted returns a text as a string of JavaScript.
func quoted(s string) string {
	b, _ := json.Marshal(s) // a string always has JSON
	return string(b)
}

// fragment returns the fragment of a state, as the page writes it.
func (p *tab) fragment(state map[string]string) string {
	p.t.Helper()
	b, err := json.Marshal(state)
	if err != nil {
		p.t.Fatal(err)
	}
	return fragmentOf(b)
}

// load shows a state, as a link does.
func (p *tab) load(state map[string]string) {
	p.t.Helper()
	p.hash(p.fragment(state))
}

// hash changes the fragment of the address.
func (p *tab) hash(fragment string) {
	p.t.Helper()
	get[any](p, "void (location.hash = "+quoted(fragment)+")")
}

// link returns the address of the page when its fragment is another one than before and has stayed
// the same for a second: the page writes the fragment after a pause.
func (p *tab) link(before string) string {
	p.t.Helper()
	last, since := before, time.Now()
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		switch now := get[string](p, "location.hash"); {
		case now != last:
			last, since = now, time.Now()
		case now != before && time.Since(since) >= time.Second:
			return get[string](p, "location.href")
		}
	}
	p.t.Fatalf("a minute passed, and the fragment %q was %q before", last, before)
	return ""
}

// press presses a key, by the names of package kb, several times.
func (p *tab) press(key string, times int) {
	p.t.Helper()
	for range times {
		p.run(chromedp.KeyEvent(key))
	}
}

// focused returns what the focused element says, also in a shadow root.
func (p *tab) focused() string {
	p.t.Helper()
	return get[string](p, `(() => {
		let e = document.activeElement;
		while (e.shadowRoot?.activeElement) e = e.shadowRoot.activeElement;
		if (e === document.body) return "";
		return e.getAttribute("aria-label") ?? (e.labels?.[0] ?? e).textContent.trim();
	})()`)
}

// tabTo presses Tab until an element with this text has the focus.
func (p *tab) tabTo(text string) {
	p.t.Helper()
	var seen []string
	for range 80 {
		if focused := p.focused(); strings.HasPrefix(focused, text) {
			return
		} else if len(focused) < 60 {
			seen = append(seen, focused)
		}
		p.press("\t", 1)
	}
	p.t.Fatalf("80 times Tab do not reach %q, but %s", text, strings.Join(seen, ", "))
}
