package main

import (
	"bytes"
	"compress/flate"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	cdpage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// fragmentOf returns the fragment of a state in JSON.
func fragmentOf(state []byte) string {
	var b bytes.Buffer
	w, _ := flate.NewWriter(&b, flate.BestCompression) // the level is valid
	w.Write(state)
	w.Close()
	return "1." + base64.RawURLEncoding.EncodeToString(b.Bytes())
}

// The files in static are those that the sources give.
func TestBuilt(t *testing.T) {
	if _, err := os.Stat("node_modules"); err != nil {
		t.Skip("the npm packages are not installed: run npm ci here")
	}
	if err := run(false, true); err != nil {
		t.Error(err)
	}
}

// Each view is used with the mouse.
func TestMouse(t *testing.T) {
	p := open(t, testView(t), 1280, false, "en")
	click := func(selector string) { p.t.Helper(); p.run(chromedp.Click(selector, chromedp.ByQuery)) }

	// Test: a cell opens the explanation, and the deciding line is highlighted.
	p.waitText("td", "closed 3")
	p.run(chromedp.Evaluate(`[...document.querySelectorAll("td")].find((e) => e.textContent === "closed 3").setAttribute("id", "clicked")`, nil))
	click("#clicked")
	p.waitText(".why", "Disallow: /search")
	p.wait(`document.querySelector(".editor").shadowRoot.querySelector(".cm-deciding")?.textContent === "Disallow: /search"`)
	p.waitText(".dialects", "Koster, 1994")

	// A finding is fixed: the misspelt Disalow closes /tmp/ then.
	p.waitText(".finding", "Disalow")
	click(".finding .fix")
	p.wait(`!document.querySelector(".finding") || ![...document.querySelectorAll(".finding")].some((e) => e.textContent.includes("Disalow"))`)
	if text := get[string](p,
		`document.querySelector(".editor").shadowRoot.querySelector(".cm-content").textContent`); !strings.Contains(text, "Disallow: /tmp/") {
		t.Errorf("after the fix, the editor has %q", text)
	}

	// See, by purpose and by operator, saved as SVG and PNG.
	click("#tab-see")
	p.waitText(".picture text", "AI training")
	click(`input[value="operator"]`)
	p.waitText(".picture text", "Google")
	for _, name := range []string{"SVG", "PNG"} {
		saved := p.saved(func() {
			p.run(chromedp.Click(fmt.Sprintf(`//button[contains(., "Save as %s")]`, name), chromedp.BySearch))
		})
		if want := map[string]string{"SVG": "<svg", "PNG": "\u0089PNG"}[name]; !strings.HasPrefix(saved, want) {
			t.Errorf("the picture saved as %s begins with %.20q", name, saved)
		}
	}

	click("#tab-lookup")
	p.waitText(".card", "OpenAI")
	p.run(chromedp.SendKeys(".lookup section:last-of-type input", "192.0.2.77", chromedp.ByQuery),
		chromedp.SendKeys(".lookup textarea", `{"prefixes": [{"ipv4Prefix": "192.0.2.0/24"}]}`, chromedp.ByQuery))
	p.waitText(".lookup .verdict", "192.0.2.77 is in 192.0.2.0/24")

	click("#tab-compare")
	p.waitText(".change", "/cart/")
	p.waitText(".change .direction", "open")
	click("#tab-page")
	p.waitText(".page-result", "Googlebot")
	p.waitText(".page-result", "noindex")
	click("#tab-prove")
	p.waitText(".proofs strong", "holds")
	click("#tab-build")
	click(`input[value="ai-train"]`)
	p.waitText(".proofs", "AI training may not fetch /")
	click(`input[value="seo"]`)
	p.waitText(".proofs", "SEO may not fetch /")
	p.run(chromedp.Click(`//button[.="Leave Amazonbot open"]`, chromedp.BySearch))
	p.waitText("h3", "Opened")
	p.waitText(".proofs", "CCBot")
	p.run(chromedp.Click(`//button[.="Use it"]`, chromedp.BySearch))
	p.wait(`document.querySelector(".pane .editor").shadowRoot.textContent.includes("AhrefsBot")`)
	p.check()
}

// saved returns the content of the file that an action saves.
func (p *tab) saved(action func()) string {
	p.t.Helper()
	get[any](p, `void (() => { globalThis.blobs = []; const make = URL.createObjectURL.bind(URL);
		URL.createObjectURL = (blob) => { globalThis.blobs.push(blob); return make(blob); };
		HTMLAnchorElement.prototype.click = () => {}; })()`)
	action()
	p.wait(`globalThis.blobs.length > 0`)
	return get[string](p,
		`globalThis.blobs[0].arrayBuffer().then((b) => String.fromCharCode(...new Uint8Array(b).subarray(0, 100)))`)
}

// Each view is used with the keyboard alone.
func TestKeyboard(t *testing.T) {
	p := open(t, testView(t), 1280, false, "en")
	p.waitText("td", "closed 3")

	// The skip link leads to the content, and does not change the state.
	p.tabTo("Skip to the content")
	p.press("\r", 1)
	if got := get[string](p, "document.activeElement.id + location.hash"); got != "main#test" {
		t.Errorf("the skip link leads to %q", got)
	}

	// Tab leaves the editor. In the matrix the arrow keys walk, and Enter explains.
	p.tabTo("robots.txt")
	p.tabTo("Addresses")
	p.tabTo("Robots")
	p.tabTo("open")
	p.press(kb.ArrowDown, 2)
	if got := p.focused(); got != "closed 3" {
		t.Errorf("two rows below the first cell is %q", got)
	}
	p.press("\r", 1)
	p.waitText(".why", "Disallow: /search")

	// The tabs are one stop of Tab; the arrow keys choose among them.
	get[any](p, `void document.querySelector(".skip").focus()`)
	p.tabTo("Test")
	p.press(kb.ArrowRight, 1)
	p.waitText(".picture text", "AI training")
	p.tabTo("by purpose")
	p.press(kb.ArrowRight, 1)
	p.waitText(".picture text", "Google")
	next := func(name string) {
		t.Helper()
		get[any](p, `void document.querySelector("[role=tab][aria-selected=true]").focus()`)
		p.press(kb.ArrowRight, 1)
		if got := p.focused(); got != name {
			t.Fatalf("the next tab is %q, not %q", got, name)
		}
	}
	next("Look up")
	p.tabTo("Name or User-Agent header")
	p.run(chromedp.KeyEvent("a", chromedp.KeyModifiers(input.ModifierCtrl)))
	p.run(chromedp.KeyEvent("bingbot"))
	p.waitText(".card", "Microsoft")
	next("Compare")
	p.waitText(".change", "/cart/")
	p.tabTo("Swap")
	p.press(" ", 1)
	p.waitText(".change .direction", "open")
	next("A page's rules")
	p.tabTo("HTML")
	p.run(chromedp.KeyEvent(`<meta name="robots" content="noarchive">`))
	p.waitText(".page-result", "noarchive")
	next("Prove")
	p.tabTo("Claims")
	p.run(chromedp.KeyEvent("CCBot may fetch /x\r"))
	p.waitText(".proofs", "does not hold")
	next("Build")
	p.waitText(".switch", "SEO")
	p.tabTo("SEO")
	p.press(" ", 1)
	p.waitText(".proofs", "SEO may not fetch /")
	p.check()
}

// Completion, hover and fix in the editor itself.
func TestEditor(t *testing.T) {
	p := open(t, testView(t), 1280, false, "en")
	p.load(map[string]string{"text": "User-agent: GPTBot\nDisalow: /x\n"})
	p.waitText(".finding", "Disalow")
	p.wait(`document.querySelector(".editor").shadowRoot.querySelector(".cm-lintRange-error, .cm-lintRange-warning")?.textContent.includes("Disalow")`)
	p.tabTo("robots.txt")
	p.run(chromedp.KeyEvent(kb.End, chromedp.KeyModifiers(input.ModifierCtrl)))
	p.run(chromedp.KeyEvent("User-agent: Googlebot-Im"))
	p.wait(`document.querySelector(".editor").shadowRoot.querySelector(".cm-completionLabel")?.textContent.includes("Googlebot-Image")`)
	time.Sleep(200 * time.Millisecond) // CodeMirror ignores Enter just after the list opened
	p.press("\r", 1)
	p.wait(`document.querySelector(".editor").shadowRoot.querySelector(".cm-content").textContent.includes("User-agent: Googlebot-Image")`)

	// Hover over the first line.
	at := get[[2]float64](p,
		`(() => { const r = document.querySelector(".editor").shadowRoot.querySelector(".cm-line").getBoundingClientRect(); return [r.x + 100, r.y + r.height / 2]; })()`)
	p.run(chromedp.MouseEvent(input.MouseMoved, at[0], at[1]))
	p.wait(`document.querySelector(".editor").shadowRoot.querySelector(".cm-tooltip-hover")?.textContent.includes("OpenAI")`)
	p.check()
}

// After the page is loaded, it sends nothing, whatever is pasted, tested and compared.
func TestNetwork(t *testing.T) {
	p := open(t, testView(t), 1280, false, "en")
	p.waitText("td", "closed 3")
	loaded := slices.Clone(p.requests)
	for _, name := range []string{"page.js", "editor.js", "worker.js", "style.css", "engine.wasm.gz"} {
		if !slices.Contains(loaded, p.url+name) {
			t.Errorf("the test does not see the request for %s, only %q", name, loaded)
		}
	}
	p.load(map[string]string{"text": "User-agent: *\nDisallow: /secret-plan\n",
		"addresses": "https://intranet.example/secret-plan", "after": "", "view": "test"})
	p.waitText("td", "closed 2")
	for _, view := range []string{"see", "lookup", "compare", "page", "prove", "build"} {
		p.run(chromedp.Click("#tab-"+view, chromedp.ByQuery))
		p.waitText("main", "")
		time.Sleep(300 * time.Millisecond) // what a view might send, it sends soon
	}
	p.tabTo("Skip")
	p.run(chromedp.Click("#tab-test", chromedp.ByQuery))
	p.tabTo("robots.txt")
	p.run(chromedp.KeyEvent("# secret\r"))
	time.Sleep(time.Second)
	p.mu.Lock()
	sent := p.requests[len(loaded):]
	p.mu.Unlock()
	for _, url := range sent {
		if !strings.HasPrefix(url, p.url+"worker.js") { // the second worker starts when it is needed
			t.Errorf("the page sent a request to %s", url)
		}
	}
	p.check()
}

// hostile is text that would run if any of it became HTML, a link, a style or code.
const hostile = `<script>ran()</script><img src=x onerror=ran()>"><svg onload=ran()>'-ran()-'` + "${ran()}{{ran()}}" +
	`</textarea></title><style>@import 'x'</style>javascript:ran()`

// Nothing of a stranger's text runs, in any view.
func TestHostile(t *testing.T) {
	p := open(t, testView(t), 1280, false, "en")
	text := "User-agent: *\nDisallow: /" + hostile + "\nUser-agent: " + hostile + "\nDisallow: /\n" + hostile + ": " +
		hostile + "\nSitemap: javascript:ran()\n\x00\u202e\ufeff\nUser-agent: x\n"
	state := map[string]string{
		"text": text, "after": "User-agent: " + hostile + "\nAllow: /" + hostile, "addresses": hostile + "\n/" +
			hostile + "\njavascript:ran()",
		"robots": hostile, "query": hostile, "address": hostile, "url": "javascript:ran()",
		"headers": "X-Robots-Tag: " + hostile + "\n" + hostile,
		"html": hostile + `<meta name="robots" content="noindex, ` + strings.ReplaceAll(hostile, `"`, "&quot;") +
			`"><link rel=canonical href="javascript:ran()">`,
		"claims": "* may not fetch /" + strings.ReplaceAll(hostile, " ", "") + "\n" + hostile, "blocked": hostile,
		"closed": "/" + hostile,
	}
	for _, view := range []string{"report", "test", "see", "lookup", "compare", "page", "prove", "build"} {
		state["view"] = view
		p.load(state)
		p.wait(fmt.Sprintf(`document.querySelector("#tab-%s").getAttribute("aria-selected") === "true"`, view))
		time.Sleep(700 * time.Millisecond)
		if n := get[int](p,
			`document.querySelectorAll("#panel script, main img, main iframe, main style, main a[href^='javascript']").length`); n > 0 {
			t.Errorf("%s: the text became %d elements", view, n)
		}
	}
	state["view"], state["robots"] = "test", ""
	p.load(state)
	p.waitText("th", "all others")
	p.run(chromedp.Click("tbody td", chromedp.ByQuery))
	p.wait(`document.querySelector(".why").textContent !== ""`)
	p.check()
}

// A fragment that the page did not write gives a message and the example.
func TestHostileFragment(t *testing.T) {
	huge := func() string {
		var b bytes.Buffer
		w, _ := flate.NewWriter(&b, flate.BestCompression)
		io.CopyN(w, zeros{}, 1<<30)
		w.Close()
		return "1." + base64.RawURLEncoding.EncodeToString(b.Bytes()[:min(b.Len(), 700_000)])
	}
	fragments := map[string]string{
		"no form": "x", "another form": "2.AAAA", "no base64": "1.%3Cscript%3Eran()",
		"markup": "<img src=x onerror=ran()>", "no deflate": "1.AAAA",
		"cut":    fragmentOf([]byte(`{"text":"abcdefghijklmnop"}`))[:12],
		"a list": fragmentOf([]byte(`[1]`)), "null": fragmentOf([]byte(`null`)),
		"a number": fragmentOf([]byte(`{"text":7}`)), "unknown": fragmentOf([]byte(`{"x":"y"}`)),
		"prototype": fragmentOf([]byte(`{"__proto__":"y"}`)), "constructor": fragmentOf([]byte(`{"constructor":"y"}`)),
		"view":      fragmentOf([]byte(`{"view":"` + "constructor" + `"}`)),
		"not UTF-8": fragmentOf([]byte("{\"text\":\"\xff\"}")), "a gigabyte": huge(), "long": "1." +
			strings.Repeat("A", 1<<20),
	}
	p := open(t, site(t)+"#1.AAAA", 1280, false, "en")
	p.waitText(".warning", "The link could not be read")
	p.waitText(".sheet", "AI training")
	for name, fragment := range fragments {
		p.load(map[string]string{"view": "test", "text": "User-agent: *\nDisallow: /shown\n", "addresses": "/shown"})
		p.waitText("td", "closed 2")
		get[any](p, `void document.querySelector(".warning button")?.click()`)
		p.hash(fragment)
		t.Log(name)
		p.waitText(".warning", "The link could not be read")
		p.waitText(".sheet", "AI training")
	}
	p.check()
}

// zeros reads as zero bytes without end.
type zeros struct{}

func (zeros) Read(b []byte) (int, error) { clear(b); return len(b), nil }

// A link holds the whole state.
func TestLink(t *testing.T) {
	url := testView(t)
	p := open(t, url, 1280, false, "en")
	p.tabTo("robots.txt")
	p.run(chromedp.KeyEvent("# über 한국어 🤖\r"))
	before := get[string](p, "location.hash")
	p.run(chromedp.Click("#tab-prove", chromedp.ByQuery))
	p.wait(`document.querySelector("#tab-prove").tabIndex === 0`)
	link := p.link(before)
	q := open(t, link, 1280, false, "en")
	q.waitText(".proofs", "may not fetch")
	if text := get[string](q,
		`document.querySelector(".editor").shadowRoot.querySelector(".cm-line").textContent`); text != "# über 한국어 🤖" {
		t.Errorf("the link gives the first line %q", text)
	}
	q.check()
}

// axe-core finds nothing in any view, light and dark, wide and narrow, and no view is wider than the
// screen. In Build a change is chosen.
func TestAxe(t *testing.T) {
	axe, err := os.ReadFile("node_modules/axe-core/axe.min.js")
	if err != nil {
		t.Skip("axe-core is not installed: run npm ci here")
	}
	url := testView(t)
	for _, dark := range []bool{false, true} {
		for _, width := range []int64{360, 1280} {
			p := open(t, url, width, dark, "en")
			p.run(cdpage.SetBypassCSP(true), chromedp.Reload())
			p.wait(`document.documentElement.dataset.engine === "ready"`)
			get[any](p, "void (() => {"+string(axe)+"\n})()")
			for _, view := range []string{"report", "test", "see", "lookup", "compare", "page", "prove", "build"} {
				p.run(chromedp.Click("#tab-"+view, chromedp.ByQuery))
				time.Sleep(700 * time.Millisecond)
				if view == "report" { // what is drawn later would change under axe-core
					p.wait(`document.querySelector(".sentences li") && document.querySelector(".sheet dl")`)
				}
				if view == "test" {
					p.waitText("td", "closed 3")
					p.run(chromedp.Evaluate(`[...document.querySelectorAll("td")].find((e) => e.textContent === "closed 3").click()`, nil))
					p.waitText(".dialects", "Koster")
				}
				if view == "build" {
					p.run(chromedp.Click(`.purpose:has(input[value="seo"]) input`, chromedp.ByQuery))
					p.waitText(".build pre.lines", "+")
					p.waitText(".build .proofs", "SEO")
				}
				if wide := p.excess(); wide > 0 {
					t.Errorf("%d px, %s: %d px are beyond the screen", width, view, wide)
				}
				found := get[[]string](p,
					`axe.run(document, {resultTypes: ["violations"]}).then((r) => r.violations.flatMap((v) => v.nodes.map((n) => v.id + ": " + n.target.join(" ") + ": " + n.failureSummary)))`)
				for _, v := range found {
					t.Errorf("dark %t, %d px, %s: %s", dark, width, view, v)
				}
			}
		}
	}
}

// The first picture does not wait for the engine: here the engine comes only after the page was
// looked at.
func TestFirstPicture(t *testing.T) {
	release := make(chan struct{})
	files := http.FileServer(http.Dir(static))
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, ".wasm.gz") {
			<-release
		}
		files.ServeHTTP(w, r)
	}))
	defer s.Close()
	defer func() {
		select {
		case <-release:
		default:
			close(release)
		}
	}()
	p := openEarly(t, s.URL+"/#test", 1280, false, "en")
	p.waitText("[role=tab]", "Compare")
	p.wait(`document.querySelector(".editor").shadowRoot.textContent.includes("User-agent: GPTBot")`)
	p.wait(`performance.getEntriesByName("first-contentful-paint").length === 1`)
	t.Logf("first contentful paint after %.0f ms",
		get[float64](p, `performance.getEntriesByName("first-contentful-paint")[0].startTime`))
	if get[bool](p, `document.documentElement.dataset.engine === "ready"`) {
		t.Error("the engine is ready before it was sent")
	}
	close(release)
	p.waitText("td", "closed 3")
	p.check()
}

// Each language has its texts, and the engine's messages are in it.
func TestLanguages(t *testing.T) {
	url := testView(t)
	for language, want := range map[string][2]string{"es": {"Comparar", "Disalow"}, "ko": {"비교", "Disalow"},
		"ru": {"Сравнить", "Disalow"}, "de": {"Compare", "Disalow"}} {
		p := open(t, url, 768, false, language)
		p.waitText("[role=tab]", want[0])
		p.waitText(".finding", want[1])
		if language != "de" && get[bool](p, `document.body.textContent.includes("Addresses")`) {
			t.Errorf("%s: the page speaks English", language)
		}
		p.check()
	}
	p := open(t, url, 1280, false, "en")
	p.run(chromedp.SetValue("#switches select", "ru", chromedp.ByQuery),
		chromedp.Evaluate(`document.querySelector("#switches select").dispatchEvent(new Event("change"))`, nil))
	p.waitText("[role=tab]", "Сравнить")
	p.check()
}

// No view is wider than the screen.
func TestWidths(t *testing.T) {
	url := testView(t)
	for _, width := range []int64{360, 768, 1280} {
		for _, language := range []string{"en", "ru"} {
			p := open(t, url, width, false, language)
			for _, view := range []string{"report", "test", "see", "lookup", "compare", "page", "prove", "build"} {
				p.run(chromedp.Evaluate(fmt.Sprintf(`document.getElementById("tab-%s").click()`, view), nil))
				time.Sleep(500 * time.Millisecond)
				if over := p.excess(); over > 0 {
					t.Errorf("%d px, %s, %s: the page is %d px too wide", width, language, view, over)
				}
			}
			p.check()
		}
	}
}

// largeFile returns a robots.txt of 5,000 rules in some groups, and addresses.
func largeFile(groups int, names []string) (text, addresses string) {
	var b strings.Builder
	for g := range groups {
		name := "*"
		if g > 0 {
			name = names[(g-1)%len(names)]
		}
		fmt.Fprintf(&b, "User-agent: %s\n", name)
		for i := range max(5000/groups, 1) {
			switch i % 5 {
			case 0:
				fmt.Fprintf(&b, "Allow: /shop/%d/open-%d\n", i%97, g)
			case 1:
				fmt.Fprintf(&b, "Disallow: /*?sort%d=\n", i)
			default:
				fmt.Fprintf(&b, "Disallow: /shop/%d/item-%d\n", i%97, i)
			}
		}
		b.WriteString("\n")
	}
	var a strings.Builder
	for i := range 50 {
		fmt.Fprintf(&a, "/shop/%d/item-%d?sort%d=up\n", i%97, i*7, i)
	}
	return b.String(), a.String()
}

// The matrix of 50 addresses and all known robots for a file of 5,000 rules follows each key. The
// test prints the times from the key to the picture; nothing is asserted about them.
func TestMatrixTime(t *testing.T) {
	url := testView(t)
	for _, groups := range []int{1, 20, 500} {
		p := open(t, url, 1280, false, "en")
		p.run(chromedp.Focus("input[list]", chromedp.ByQuery)) // fills the list of names
		names := get[[]string](p, `[...document.querySelectorAll("#robots option")].map((o) => o.value)`)
		if len(names) < 500 {
			t.Fatalf("the page knows %d robots", len(names))
		}
		text, addresses := largeFile(groups, names)
		p.load(map[string]string{"text": text, "addresses": addresses})
		p.wait(`document.querySelectorAll("tbody tr").length === 50 && document.querySelector("tbody td")`)
		if get[bool](p, `!document.querySelector(".scroll + button").hidden`) {
			p.run(chromedp.Evaluate(`document.querySelector(".scroll + button").click()`, nil))
		}
		time.Sleep(3 * time.Second) // until the linter has read the file
		get[any](p, timer)
		times := make([]float64, 0, 60)
		for i := range 60 {
			key := string(rune('a' + i%26))
			get[any](p, `void document.querySelector(".editor").shadowRoot.querySelector(".cm-content").focus()`)
			get[any](p, "void startTimer()")
			p.run(chromedp.KeyEvent(key))
			times = append(times, get[float64](p, "timed"))
		}
		slices.Sort(times)
		t.Logf("5,000 rules in %d groups, 50 addresses, %d robots, %d cells: from a key to the picture, median %.0f ms, 95th percentile %.0f ms, longest %.0f ms",
			groups, len(names), get[int](p, `document.querySelectorAll("tbody td").length`), times[len(times)/2],
			times[len(times)*95/100], times[len(times)-1])
		p.check()
	}
}

// timer measures from a key to the frame after the matrix was drawn.
const timer = `void (() => {
	globalThis.startTimer = () => {
		const grid = document.querySelector(".scroll");
		let began = 0;
		globalThis.timed = new Promise((resolve) => {
			document.addEventListener("keydown", () => { began = performance.now(); }, {capture: true, once: true});
			const seen = new MutationObserver(() => {
				if (began === 0) return;
				seen.disconnect();
				requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - began)));
			});
			seen.observe(grid, {attributes: true, attributeFilter: ["data-drawn"]});
		});
	};
})()`

// The page behind robots serve fetches live robots.txt; the static site has no button for that.
func TestLive(t *testing.T) {
	if _, err := exec.LookPath("chromium"); err != nil {
		t.Skip("chromium is not installed")
	}
	origin := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/robots.txt" {
			http.NotFound(w, r)
			return
		}
		io.WriteString(w, "User-agent: *\nDisallow: /live/\n"+hostile+"\n")
	}))
	defer origin.Close()
	binary := filepath.Join(t.TempDir(), "robotsd")
	build := exec.Command("go", "build", "-o", binary, "./robotsd")
	build.Dir = "../../.."
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	serve := exec.Command(binary, "serve", "--listen", "127.0.0.1:0", "--allow-private")
	stderr, err := serve.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := serve.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { serve.Process.Kill(); serve.Wait() }()
	line := make([]byte, 200)
	n, err := stderr.Read(line)
	if err != nil {
		t.Fatal(err)
	}
	_, address, ok := strings.Cut(strings.TrimSpace(string(line[:n])), "listening at ")
	if !ok {
		t.Fatalf("the service said %q", line[:n])
	}
	p := open(t, address+"#test", 1280, false, "en")
	p.waitText("td", "closed 3")
	p.run(chromedp.SendKeys(".live input", origin.URL+"\r", chromedp.ByQuery))
	p.wait(`document.querySelector(".editor").shadowRoot.textContent.includes("Disallow: /live/")`)
	p.run(chromedp.SetValue(".live input", "http://127.0.0.1:1", chromedp.ByQuery), chromedp.SendKeys(".live input",
		"\r", chromedp.ByQuery))
	p.waitText(".warning", "Unreachable")
	p.check()

	static := open(t, testView(t), 1280, false, "en")
	if get[bool](static, `document.querySelector(".live") !== null`) {
		t.Error("the static site offers to fetch")
	}
}

// TestScreens writes pictures of all views into the folder ROBOTS_SCREENS, for people to look at.
func TestScreens(t *testing.T) {
	folder := os.Getenv("ROBOTS_SCREENS")
	if folder == "" {
		t.Skip("ROBOTS_SCREENS names no folder")
	}
	if err := os.MkdirAll(folder, 0o777); err != nil {
		t.Fatal(err)
	}
	url := testView(t)
	for _, c := range []struct {
		width    int64
		dark     bool
		language string
	}{{1280, false, "en"}, {1280, true, "en"}, {768, false, "es"}, {360, false, "en"}, {360, true, "ru"},
		{1280, false, "ko"}} {
		p := open(t, url, c.width, c.dark, c.language)
		for _, view := range []string{"report", "test", "see", "lookup", "compare", "page", "prove", "build"} {
			p.run(chromedp.Evaluate(fmt.Sprintf(`document.getElementById("tab-%s").click()`, view), nil))
			time.Sleep(600 * time.Millisecond)
			if view == "test" {
				p.run(chromedp.Evaluate(`document.querySelectorAll("tbody tr")[2].cells[1].click()`, nil))
				time.Sleep(300 * time.Millisecond)
			}
			var picture []byte
			height := get[int64](p, "Math.min(document.documentElement.scrollHeight, 2600)")
			p.run(emulation.SetDeviceMetricsOverride(c.width, height, 1, c.width < 600),
				chromedp.CaptureScreenshot(&picture), emulation.SetDeviceMetricsOverride(c.width, 900, 1,
					c.width < 600))
			mode := "light"
			if c.dark {
				mode = "dark"
			}
			if err := os.WriteFile(filepath.Join(folder, fmt.Sprintf("%d-%s-%s-%s.png", c.width, mode, c.language,
				view)), picture, 0o666); err != nil {
				t.Fatal(err)
			}
		}
		p.check()
	}
}

// The names of the state in links are those that are stored for ever.
func TestState(t *testing.T) {
	p := open(t, testView(t), 1280, false, "en")
	state := map[string]string{"view": "test", "text": "User-agent: *\nDisallow: /stored\n", "after": "a",
		"addresses": "/stored", "robots": "x", "query": "x", "address": "1.2.3.4", "url": "https://a/",
		"headers": "a: b", "html": "h", "claims": "c", "blocked": "seo", "spared": "CCBot", "closed": "/c",
		"logformat": "combined", "loghost": "a.example", "logaddresses": "shown", "sites": "s", "search": "s",
		"host": "h"}
	b, err := json.Marshal(state)
	if err != nil {
		t.Fatal(err)
	}
	p.hash(fragmentOf(b))
	p.waitText("td", "closed 2")
	if get[bool](p, `document.querySelector(".warning") !== null`) {
		t.Error("the page does not read a link that it wrote")
	}
}
