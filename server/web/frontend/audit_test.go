package main

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	cdpage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// examples has a log and its robots.txt.
const examples = "../../../examples"

// openAudit opens the view Audit with a robots.txt.
func openAudit(t *testing.T, width int64, dark bool, language string, state map[string]string) *tab {
	t.Helper()
	p := open(t, testView(t), width, dark, language)
	state["view"] = "audit"
	p.load(state)
	p.wait(`document.querySelector(".drop")`)
	return p
}

// choose chooses logs, as the dialog of the browser does.
func (p *tab) choose(files ...string) {
	p.t.Helper()
	for i, name := range files {
		absolute, err := filepath.Abs(name)
		if err != nil {
			p.t.Fatal(err)
		}
		files[i] = absolute
	}
	p.run(chromedp.SetUploadFiles(`.drop input[type="file"]`, files, chromedp.ByQuery))
}

// reported waits for the report about a log.
func (p *tab) reported(log string) {
	p.t.Helper()
	p.wait(fmt.Sprintf(`document.querySelector(".audit .progress").textContent.includes(%s) && document.querySelector(".result .bar, .result .wrong, .audit .progress .wrong")`, quoted(filepath.Base(log))))
}

// exampleText returns a file of the examples.
func exampleText(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(examples, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// put writes a file into a folder for a test, and returns its name.
func put(t *testing.T, folder, name string, content []byte) string {
	t.Helper()
	path := filepath.Join(folder, name)
	if err := os.WriteFile(path, content, 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// gzipped returns bytes compressed by gzip.
func gzipped(content []byte) []byte {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	w.Write(content)
	w.Close()
	return b.Bytes()
}

// robotsCommand is the command robots, compiled once.
var robotsCommand = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "robots")
	if err != nil {
		return "", err
	}
	binary := filepath.Join(dir, "robots")
	build := exec.Command("go", "build", "-o", binary, "./cmd/robots")
	build.Dir = "../../.."
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w\n%s", err, out)
	}
	return binary, nil
})

// savedText returns the text that a button saves, found by its XPath.
func (p *tab) savedText(button string) string {
	p.t.Helper()
	get[any](p, `void (() => { globalThis.made ??= URL.createObjectURL.bind(URL); globalThis.blobs = [];
		URL.createObjectURL = (blob) => { globalThis.blobs.push(blob); return globalThis.made(blob); };
		HTMLAnchorElement.prototype.click = () => {}; })()`)
	p.run(chromedp.Click(button, chromedp.BySearch))
	p.wait(`globalThis.blobs.length > 0`)
	return get[string](p, `globalThis.blobs[0].text()`)
}

// The files that the view saves are those that robots audit writes, byte for byte: for the
// examples, and for all logs of a corpus.
func TestAuditSame(t *testing.T) {
	folder := t.TempDir()
	shop, log := exampleText(t, "shop.robots.txt"), []byte(exampleText(t, "shop.access.log"))
	half := bytes.LastIndexByte(log[:len(log)/2], '\n') + 1
	closed := "User-agent: *\nDisallow: /a\nDisallow: /*?\nCrawl-delay: 10\n\nUser-agent: Googlebot\nDisallow: /b\n"
	type audited struct {
		robots string
		flags  []string
		logs   []string
	}
	cases := []audited{
		{shop, nil, []string{put(t, folder, "shop.access.log", log)}},
		{shop, nil, []string{put(t, folder, "one.log", log[:half]), put(t, folder, "two.log.gz", gzipped(log[half:]))}},
		{shop, []string{"--format", "combined"}, []string{put(t, folder, "three.log", log)}},
		{shop, []string{"--site", "shop.example.com"}, []string{put(t, folder, "four.log", log)}},
		{closed, nil, []string{put(t, folder, "several.log", bytes.ReplaceAll(log, []byte("192.0.2."),
			[]byte("www.example.com 192.0.2.")))}},
		{closed, nil, []string{put(t, folder, "empty.log", nil),
			put(t, folder, "none.log", []byte(hostile+"\n\x1b]0;x\a\n"))}},
	}
	own := len(cases)
	if corpus := os.Getenv("ROBOTS_CORPUS"); corpus != "" {
		for i, name := range append(glob(t, filepath.Join(corpus, "logs/large/*.gz")),
			glob(t, filepath.Join(corpus, "logs/small/*/*"))...) {
			if i%6 != 0 && os.Getenv("ROBOTS_CORPUS_ALL") == "" {
				continue
			}
			content, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			cases = append(cases, audited{closed, nil,
				[]string{put(t, folder, fmt.Sprintf("%d-%s", len(cases), filepath.Base(name)), content)}})
		}
	}
	binary, err := robotsCommand()
	if err != nil {
		t.Fatal(err)
	}
	var p *tab
	audits := 0
	for i, c := range cases {
		if i%10 == 0 { // a tab has two minutes
			p = openAudit(t, 1280, false, "en", map[string]string{"text": shop})
		}
		put(t, folder, "robots.txt", []byte(c.robots))
		hows := []string{"cut", ""}
		if i >= own {
			hows = hows[i%2:][:1]
		}
		for _, how := range hows {
			audits++
			state := map[string]string{"view": "audit", "text": c.robots}
			var hide []string
			if how == "" {
				state["logaddresses"] = "shown"
			} else {
				hide = []string{"--anonymize", how}
			}
			for i := 0; i < len(c.flags); i += 2 {
				state[map[string]string{"--format": "logformat", "--site": "loghost"}[c.flags[i]]] = c.flags[i+1]
			}
			p.load(state)
			p.wait(fmt.Sprintf(`document.querySelector(".drop") && document.querySelector(".audit input[type=checkbox]").checked === %t && location.hash === %s && document.querySelector(".editor").shadowRoot.querySelector(".cm-line").textContent === %s`,
				how != "", quoted("#"+p.fragment(state)), quoted(strings.SplitN(c.robots, "\n", 2)[0])))
			p.wait(fmt.Sprintf(`[...document.querySelectorAll(".audit input[type=text]")].map((e) => e.value).join() === %s`, quoted(state["logformat"]+","+state["loghost"])))
			p.choose(slices.Clone(c.logs)...)
			p.reported(c.logs[0])
			names := make([]string, len(c.logs))
			for i, log := range c.logs {
				names[i] = filepath.Base(log)
			}
			p.wait(fmt.Sprintf(`document.querySelector(".audit .progress").textContent.includes(%s)`,
				quoted(strings.Join(names, ", "))))
			for form, flag := range map[string][]string{"JSON": {"--json"}, "CSV": {"--csv"},
				"HTML": {"--html", "report.html"}} {
				cmd := exec.Command(binary, slices.Concat([]string{"audit", "--robots", "robots.txt"}, hide, c.flags,
					flag, names)...)
				cmd.Dir = folder
				want, err := cmd.Output()
				if failed := (*exec.ExitError)(nil); err != nil && !errors.As(err, &failed) {
					t.Fatal(err)
				}
				if form == "HTML" {
					if want, err = os.ReadFile(filepath.Join(folder, "report.html")); err != nil {
						t.Fatal(err)
					}
				}
				if got := p.savedText(fmt.Sprintf(`//button[.=%q]`, form)); got != string(want) {
					t.Errorf("%s, %s, addresses %q: the page saves %s, and robots audit writes %s", names, form, how,
						around(got, string(want)), around(string(want), got))
				}
			}
		}
		p.check()
	}
	t.Logf("%d audits give the same JSON, CSV and HTML in the page and by the command", audits)
}

// around returns the part of a text in which it differs from another one.
func around(a, b string) string {
	i := 0
	for i < min(len(a), len(b)) && a[i] == b[i] {
		i++
	}
	return fmt.Sprintf("%d bytes with %.120q", len(a), a[max(0, i-40):])
}

// The view is used with the mouse: the report, evidence, the letter, another robots.txt, another
// view, another language.
func TestAuditMouse(t *testing.T) {
	p := openAudit(t, 1280, false, "en", map[string]string{"text": exampleText(t, "shop.robots.txt")})
	log := filepath.Join(examples, "shop.access.log")
	p.choose(log)
	p.reported(log)
	p.waitText(".report .verdict", "certainly did not obey")
	p.waitText(".report th", "GreedyBot")
	sums := get[string](p, `document.querySelector(".report").innerText.replace(/\s+/g, " ")`) // before the cases
	if at := strings.Index(sums, "Disallow: / 1 14 0 0"); at < 0 || at > strings.Index(sums, "Worst cases") {
		t.Errorf("the report has no sums by rules before the worst cases: %.2000s", sums)
	}
	p.run(chromedp.Click(".report tr.bad + tr.more summary", chromedp.ByQuery))
	p.waitText(".report tr.more article pre", "shop.access.log:")
	letter := p.savedText(`//button[.="Letter to the operator"]`)
	if !strings.Contains(letter, "shop.access.log:") || !strings.Contains(letter, "198.51.100.0") {
		t.Errorf("the letter is %.2000s", letter)
	}

	// Whole addresses are shown at once; the audit is not run again.
	before := get[string](p, `document.querySelector(".report").textContent`)
	if strings.Contains(before, "198.51.100.8") {
		t.Error("the report has a whole address")
	}
	p.run(chromedp.Click(`.audit input[type="checkbox"]`, chromedp.ByQuery))
	p.wait(`document.querySelector(".report").textContent !== ` + quoted(before))

	// After a change of robots.txt, the report is old until the audit is run again.
	p.load(map[string]string{"view": "audit", "text": "User-agent: *\nAllow: /\n"})
	p.waitText(".audit .progress", "have changed since this report")
	p.run(chromedp.Click(`//button[.="Audit again"]`, chromedp.BySearch))
	p.waitText(".report .verdict", "No certain violation")

	// The report stays while another view is shown, and in another language.
	p.run(chromedp.Click("#tab-see", chromedp.ByQuery))
	p.waitText(".picture text", "AI training")
	p.run(chromedp.Click("#tab-audit", chromedp.ByQuery))
	p.waitText(".report .verdict", "No certain violation")
	p.run(chromedp.SetValue("#switches select", "es", chromedp.ByQuery),
		chromedp.Evaluate(`document.querySelector("#switches select").dispatchEvent(new Event("change"))`, nil))
	p.waitText(".report .verdict", "Ninguna infracción segura")
	p.check()
}

// The view is used with the keyboard alone.
func TestAuditKeyboard(t *testing.T) {
	p := openAudit(t, 1280, false, "en", map[string]string{"text": exampleText(t, "shop.robots.txt")})
	log, err := filepath.Abs(filepath.Join(examples, "shop.access.log"))
	if err != nil {
		t.Fatal(err)
	}
	opened := make(chan *cdpage.EventFileChooserOpened, 1)
	chromedp.ListenTarget(p.ctx, func(event any) {
		if e, ok := event.(*cdpage.EventFileChooserOpened); ok {
			opened <- e
		}
	})
	p.run(cdpage.SetInterceptFileChooserDialog(true))
	p.tabTo("choose files…")
	p.press("\r", 1)
	select {
	case e := <-opened:
		p.run(dom.SetFileInputFiles([]string{log}).WithBackendNodeID(e.BackendNodeID))
	case <-time.After(time.Minute):
		t.Fatal("the button opens no dialog")
	}
	p.reported(log)
	p.tabTo("HTML")
	p.tabTo("robots") // the table can be scrolled
	p.tabTo("evidence (1) GreedyBot")
	p.press("\r", 1)
	p.waitText(".report tr.more article pre", "shop.access.log:")
	p.tabTo("Letter to the operator")
	p.check()
}

// Files are dropped, on the zone and beside it, and a small one on the editor is robots.txt.
func TestAuditDrop(t *testing.T) {
	p := openAudit(t, 1280, false, "en", map[string]string{"text": exampleText(t, "shop.robots.txt")})
	folder := t.TempDir()
	log := exampleText(t, "shop.access.log")
	drop := func(selector string, files ...string) {
		t.Helper()
		at := get[[2]float64](p,
			fmt.Sprintf(`(() => { const r = document.querySelector(%s).getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; })()`, quoted(selector)))
		data := &input.DragData{Items: []*input.DragDataItem{}, Files: files, DragOperationsMask: 1}
		for _, kind := range []input.DispatchDragEventType{input.DragEnter, input.DragOver, input.Drop} {
			p.run(input.DispatchDragEvent(kind, at[0], at[1], data))
		}
	}
	a, half := put(t, folder, "a.log", []byte(log)), log[:strings.LastIndex(log[:len(log)/2], "\n")+1]
	drop(".drop", a, put(t, folder, "copy.log", []byte(log)))
	p.waitText(".audit .progress .wrong", "have the same requests")
	drop(".drop", a, put(t, folder, "b.log", []byte(half)))
	p.waitText(".audit .progress", "a.log, b.log")
	p.waitText(".report .verdict", "certainly did not obey")
	drop("#promise", put(t, folder, "c.log.gz", gzipped([]byte(log))))
	p.waitText(".audit .progress", "c.log.gz")
	p.waitText(".report .verdict", "certainly did not obey")
	drop(".editor", put(t, folder, "robots.txt", []byte("User-agent: dropped\n")))
	p.wait(`document.querySelector(".editor").shadowRoot.textContent.includes("User-agent: dropped")`)
	if !get[bool](p, `document.querySelector(".audit .progress").textContent.includes("c.log.gz")`) {
		t.Error("a robots.txt that is dropped on the editor is a log")
	}
	drop(".editor", put(t, folder, "large.log", bytes.Repeat([]byte(log), 300)))
	p.waitText(".audit .progress", "large.log")
	p.wait(`document.querySelector(".report .verdict")`)
	if get[bool](p, `document.querySelector(".editor").shadowRoot.textContent.includes("HTTP/1.1")`) {
		t.Error("the editor has a log of 2.6 MB")
	}
	p.check()
}

// Nothing of a hostile log runs, ends the page, or takes memory for ever; logs that are none are
// told.
func TestAuditHostile(t *testing.T) {
	folder := t.TempDir()
	line := func(agent, path string) string {
		return `192.0.2.9 - - [02/Mar/2026:02:00:00 +0000] "GET ` + path + ` HTTP/1.1" 200 5 "-" "` + agent + `"` + "\n"
	}
	safe := strings.NewReplacer(`"`, "'", "\n", "")
	text := "User-agent: *\nDisallow: /\n"
	p := openAudit(t, 1280, false, "en", map[string]string{"text": text, "logaddresses": "shown"})
	for _, c := range []struct {
		name    string
		content []byte
		want    string // of the view
	}{
		{"markup.log", []byte(strings.Repeat(line(safe.Replace(hostile)+"bot/1.0 (+http://x.example)", "/"+
			strings.ReplaceAll(safe.Replace(hostile), " ", "")), 3)), "certainly did not obey"},
		{"<img src=x onerror=ran()>.log", []byte(line("Evilbot/1.0 (+http://x.example)", "/x")),
			"certainly did not obey"},
		{"escapes.log", []byte(line("=cmd|'/c calc'!A1bot/1.0 \x1b[31m\u202e\u0000", "/\x1b]0;x\a=1+1")),
			"certainly did not obey"},
		{"no-end.log", bytes.Repeat([]byte("GET / x"), 1<<20/4), "no line of the logs could be read"},
		{"bomb.log.gz", gzipped(make([]byte, 256<<20)), "no line of the logs could be read"},
		{"empty.log", nil, "The logs have no requests."},
		{"binary.log", []byte("\x7fELF\x00\x01\x02\xff\xfe\n\x00\x00\n"), "it is binary data"},
		{"prose.log", []byte("Dear reader,\nthis is no log.\n"), "no line of the logs could be read"},
		{"cut.log.gz", gzipped([]byte(strings.Repeat(line("Evilbot/1.0 (+http://x.example)", "/x"), 1000)))[:150],
			"cut.log.gz"},
		{"common.log", []byte(`192.0.2.9 - - [02/Mar/2026:02:00:00 +0000] "GET / HTTP/1.1" 200 5` + "\n"),
			"User-Agent"},
		{"hosts.log", []byte("a.example " + line("Evilbot/1.0 (+http://x.example)", "/x") + "b.example " +
			line("Evilbot/1.0 (+http://x.example)", "/x")), "name the host in the logs"},
	} {
		p.choose(put(t, folder, c.name, c.content))
		p.reported(c.name)
		p.wait(fmt.Sprintf(`document.querySelector(".audit").textContent.includes(%s)`, quoted(c.want)))
		get[any](p, `void document.querySelectorAll(".report details").forEach((e) => { e.open = true; })`)
		time.Sleep(100 * time.Millisecond) // what opens is made then
		if n := get[int](p,
			`document.querySelectorAll("#panel script, main img, main iframe, main style, main a").length`); n > 0 {
			t.Errorf("%s: the log became %d elements", c.name, n)
		}
		if get[bool](p,
			`/[\u0000-\u0008\u000e-\u001f\u202a-\u202e]/.test(document.querySelector(".result").textContent)`) {
			t.Errorf("%s: the report has characters that are not printable", c.name)
		}
	}
	// A format and a host that are none are told.
	for _, state := range []map[string]string{{"logformat": "<script>ran()</script>"},
		{"loghost": `"><script>ran()</script>`}} {
		state["view"], state["text"] = "audit", text
		p.load(state)
		time.Sleep(200 * time.Millisecond)
		p.choose(filepath.Join(folder, "prose.log"))
		p.wait(`document.querySelector(".audit .progress .wrong")?.textContent.includes("script")`)
	}
	p.check()
}

// The view loads its engine when it is shown and not before, and sends nothing of a log.
func TestAuditNetwork(t *testing.T) {
	p := open(t, testView(t), 1280, false, "en")
	p.waitText("td", "closed 3")
	p.mu.Lock()
	loaded := len(p.requests)
	early := slices.Contains(p.requests, p.url+"audit.wasm.gz")
	p.mu.Unlock()
	if early {
		t.Error("the page loads the engine of the view before the view is shown")
	}
	p.load(map[string]string{"view": "audit", "text": "User-agent: *\nAllow: /\n"})
	p.wait(`document.querySelector(".drop")`)
	p.choose(filepath.Join(examples, "shop.access.log"))
	p.waitText(".report .verdict", "No certain violation")
	time.Sleep(time.Second) // what a view might send, it sends soon
	p.mu.Lock()
	sent := slices.Clone(p.requests[loaded:])
	p.mu.Unlock()
	if !slices.Contains(sent, p.url+"audit.wasm.gz") {
		t.Errorf("the test does not see the request for the engine, only %q", sent)
	}
	for _, url := range sent {
		if url != p.url+"audit.wasm.gz" && url != p.url+"worker.js" {
			t.Errorf("the page sent a request to %s", url)
		}
	}
	p.check()
}

// makeLog writes a log in the format combined of at least a size in bytes: requests of 600 headers,
// half of them of robots.
func makeLog(t *testing.T, name string, size int64) (lines int) {
	t.Helper()
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	w := bufio.NewWriterSize(f, 1<<20)
	headers := make([]string, 600)
	for i := range headers {
		headers[i] = fmt.Sprintf("Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/%d.0.%d.0 Safari/537.36", 90+i%60, i)
		if i%2 == 0 {
			headers[i] = fmt.Sprintf("Mozilla/5.0 (compatible; Example%cbot/%d.%d; +https://example.com/bot.html)",
				'A'+i%26, i/26, i%7)
		}
	}
	random := uint64(1)
	next := func(n int) int {
		random = random*6364136223846793005 + 1442695040888963407
		return int(random >> 33 % uint64(n))
	}
	at := time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC)
	for written := int64(0); written < size; lines++ {
		at = at.Add(time.Duration(next(2000)) * time.Millisecond)
		n, err := fmt.Fprintf(w,
			"198.51.%d.%d - - [%s] \"GET /shop/%d/item-%d HTTP/1.1\" 200 %d \"https://example.com/\" %q\n",
			next(100), next(250), at.Format("02/Jan/2006:15:04:05 -0700"), next(200), next(100_000), 500+next(90_000),
			headers[next(600)])
		if err != nil {
			t.Fatal(err)
		}
		written += int64(n)
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	return lines
}

// largeAudit is the size in bytes of the log in TestAuditLarge.
const largeAudit = 100_000_000

// A log of 100 MB is audited while the page answers: keys reach the editor, and a click opens
// another view. The test prints the time, and the longest times in which the page drew no picture
// and did no other work; nothing is asserted about them.
func TestAuditLarge(t *testing.T) {
	if _, err := browser(); err != nil {
		t.Skip(err)
	}
	name := filepath.Join(t.TempDir(), "large.log")
	lines := makeLog(t, name, largeAudit)
	p := openAudit(t, 1280, false, "en", map[string]string{"text": "User-agent: *\nDisallow: /shop/7\n",
		"query": "GPTBot"})
	p.wait(`document.querySelectorAll("#log-formats option").length > 20`)
	get[any](p, watchGaps)
	time.Sleep(3 * time.Second) // what the machine does to a page that has nothing to do
	idle := get[[2]float64](p, `[globalThis.longestFrame, globalThis.longestTask]`)
	get[any](p, `void (globalThis.longestFrame = globalThis.longestTask = 0)`)
	p.choose(name)
	p.waitText(".audit .progress", "read")
	p.wait(`document.querySelector(".audit progress").value > 0`)
	p.run(chromedp.Click(".editor", chromedp.ByQuery), chromedp.KeyEvent("# key\r"))
	p.wait(`document.querySelector(".editor").shadowRoot.textContent.includes("# key")`)
	p.run(chromedp.Click("#tab-lookup", chromedp.ByQuery))
	p.waitText(".card", "OpenAI")
	p.run(chromedp.Click("#tab-audit", chromedp.ByQuery))
	if !get[bool](p, `document.querySelector(".audit progress") !== null`) {
		t.Error("the audit ended before the page had answered: the test says nothing; use a larger log")
	}
	p.waitText(".report .verdict", "certainly did not obey")
	p.waitText(".report", "requests, 2026-03-02")
	took := get[float64](p, `performance.now() - globalThis.began`)
	gaps := get[[2]float64](p, `[globalThis.longestFrame, globalThis.longestTask]`)
	memory := get[float64](p, `performance.memory.usedJSHeapSize`)
	t.Logf("%d MB, %d lines audited in %.1f s: %.0f MB/s, %.0f lines/s; longest time between two pictures %.0f ms, between two tasks %.0f ms (before the audit %.0f and %.0f ms); memory of the page %.0f MB",
		largeAudit/1_000_000, lines, took/1000, largeAudit/1e3/took, float64(lines)/took*1000, gaps[0], gaps[1],
		idle[0], idle[1], memory/1e6)
	if memory > largeAudit/2 {
		t.Errorf("the page has %.0f MB: the log is in its memory", memory/1e6)
	}

	// Stop ends the next audit, and the page goes on.
	p.run(chromedp.Click(`//button[.="Audit again"]`, chromedp.BySearch))
	p.wait(`document.querySelector(".audit progress")?.value > 0`)
	p.run(chromedp.Click(`//button[.="Stop"]`, chromedp.BySearch))
	p.waitText(".audit .progress", "Stopped.")
	log := filepath.Join(examples, "shop.access.log")
	p.choose(log)
	p.reported(log)
	p.waitText(".report .verdict", "No certain violation")
	p.check()
}

// watchGaps measures the longest times between frames and between tasks.
const watchGaps = `void (() => {
	globalThis.longestFrame = 0;
	globalThis.longestTask = 0;
	let frame = performance.now();
	let task = frame;
	const draw = () => { const now = performance.now(); globalThis.longestFrame = Math.max(globalThis.longestFrame, now - frame); frame = now; requestAnimationFrame(draw); };
	requestAnimationFrame(draw);
	const channel = new MessageChannel();
	channel.port1.onmessage = () => { const now = performance.now(); globalThis.longestTask = Math.max(globalThis.longestTask, now - task); task = now; setTimeout(() => channel.port2.postMessage(0), 4); };
	channel.port2.postMessage(0);
	document.querySelector(".drop input").addEventListener("change", () => { globalThis.began = performance.now(); }, {capture: true});
})()`

// axe-core finds nothing in a report with all that opens, and the report is not wider than the
// screen.
func TestAuditAxe(t *testing.T) {
	axe, err := os.ReadFile("node_modules/axe-core/axe.min.js")
	if err != nil {
		t.Skip("axe-core is not installed: run npm ci here")
	}
	for _, dark := range []bool{false, true} {
		for _, width := range []int64{360, 768, 1280} {
			p := openAudit(t, width, dark, map[bool]string{false: "en", true: "ru"}[dark],
				map[string]string{"text": exampleText(t, "shop.robots.txt")})
			p.run(cdpage.SetBypassCSP(true), chromedp.Reload())
			p.wait(`document.documentElement.dataset.engine === "ready"`)
			get[any](p, "void (() => {"+string(axe)+"\n})()")
			p.choose(filepath.Join(examples, "shop.access.log"))
			p.wait(`document.querySelector(".report")`)
			get[any](p, `void document.querySelectorAll(".audit details").forEach((e) => { e.open = true; })`)
			time.Sleep(300 * time.Millisecond)
			for _, v := range get[[]string](p,
				`axe.run(document, {resultTypes: ["violations"]}).then((r) => r.violations.flatMap((v) => v.nodes.map((n) => v.id + ": " + n.target.join(" ") + ": " + n.failureSummary)))`) {
				t.Errorf("dark %t, %d px: %s", dark, width, v)
			}
			if over := p.excess(); over > 0 {
				t.Errorf("dark %t, %d px: the page is %d px too wide", dark, width, over)
			}
		}
	}
}

// Pictures of the view with a report, into the folder ROBOTS_SCREENS.
func TestScreensAudit(t *testing.T) {
	folder := os.Getenv("ROBOTS_SCREENS")
	if folder == "" {
		t.Skip("ROBOTS_SCREENS names no folder; TestScreens has the other views")
	}
	if err := os.MkdirAll(folder, 0o777); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		width    int64
		dark     bool
		language string
	}{{1280, false, "en"}, {1280, true, "en"}, {768, false, "es"}, {360, false, "en"}, {360, true, "ru"},
		{1280, false, "ko"}} {
		p := openAudit(t, c.width, c.dark, c.language, map[string]string{"text": exampleText(t, "shop.robots.txt")})
		picture := func(name string) {
			var b []byte
			height := get[int64](p, "Math.min(document.documentElement.scrollHeight, 4000)")
			p.run(emulation.SetDeviceMetricsOverride(c.width, height, 1, c.width < 600), chromedp.CaptureScreenshot(&b),
				emulation.SetDeviceMetricsOverride(c.width, 900, 1, c.width < 600))
			put(t, folder, fmt.Sprintf("%d-%s-%s-%s.png", c.width,
				map[bool]string{false: "light", true: "dark"}[c.dark], c.language, name), b)
		}
		picture("audit-empty")
		p.choose(filepath.Join(examples, "shop.access.log"))
		p.wait(`document.querySelector(".report")`)
		get[any](p, `void document.querySelector(".report tr.bad + tr.more details")?.setAttribute("open", "")`)
		time.Sleep(300 * time.Millisecond)
		picture("audit")
		p.check()
	}
}
