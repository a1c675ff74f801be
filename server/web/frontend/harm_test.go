package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
)

// editorText is the text in the editor.
const editorText = `[...document.querySelector(".pane .editor").shadowRoot.querySelectorAll(".cm-line")]` +
	`.map((e) => e.textContent).join("\n")`

// openFile opens a file in the editor, as the dialog of the browser does.
func (p *tab) openFile(name string) {
	p.t.Helper()
	p.run(chromedp.SetUploadFiles(`.pane input[type="file"]`, []string{name}, chromedp.ByQuery))
}

// drop drops files or a folder on an element.
func (p *tab) drop(selector string, names ...string) {
	p.t.Helper()
	at := get[[2]float64](p, fmt.Sprintf(
		`(() => { const r = document.querySelector(%s).getBoundingClientRect(); return [r.x + 60, r.y + 40]; })()`,
		quoted(selector)))
	data := &input.DragData{Items: []*input.DragDataItem{}, Files: names, DragOperationsMask: 1}
	for _, kind := range []input.DispatchDragEventType{input.DragEnter, input.DragOver, input.Drop} {
		p.run(input.DispatchDragEvent(kind, at[0], at[1], data))
	}
}

// A log is never judged by the page's example, and waits for the robots.txt of its site.
func TestAuditExample(t *testing.T) {
	p := open(t, site(t)+"#audit", 1280, false, "en")
	p.wait(`document.querySelector(".drop")`)
	p.choose(filepath.Join(examples, "shop.access.log"))
	p.waitText(".progress [role=alert]", "the example of this page")
	if get[bool](p, `document.querySelector(".report") !== null`) {
		t.Error("the page judges the log by its example")
	}
	p.openFile(put(t, t.TempDir(), "robots.txt", []byte(exampleText(t, "shop.robots.txt"))))
	p.waitText(".progress button", "Audit them")
	p.run(chromedp.Click(`//button[.="Audit them"]`, chromedp.BySearch))
	p.waitText(".report", "robots")
	p.check()
}

// The bytes of a file stay what they are: in the answers, in a link, and in the file that is saved.
func TestBytes(t *testing.T) {
	dir := t.TempDir()
	p := open(t, site(t)+"#test", 1280, false, "en")
	for i, c := range []struct{ text, finding string }{
		{"User-agent: *\nDisallow: /caf\xe9\n", "not-utf8"},
		{"\ufeffUser-agent: *\nDisallow: /\xff\xfe\xe2\x82\n", "byte-order-mark"},
		{"User-agent: *\r\nDisallow: /ü\r\n", ""},
		{"\xff\xfeU\x00s\x00e\x00r\x00", "utf-16"},
	} {
		p.openFile(put(t, dir, fmt.Sprintf("file%d.txt", i), []byte(c.text)))
		p.waitText(".source", fmt.Sprintf("file%d.txt", i))
		if c.finding != "" {
			p.waitText(".findings .check", c.finding)
		}
		want := ""
		for _, b := range []byte(c.text) {
			want += string(rune(b))
		}
		if got := p.saved(func() { p.run(chromedp.Click(`//button[.="Save"]`, chromedp.BySearch)) }); got != want {
			t.Errorf("%q is saved as %q", c.text, got)
		}
		if i == 0 {
			p.set(".inputs textarea", "/caf%E9\n/caf%C3%A9")
			p.waitText("td", "closed 2")
			p.run(chromedp.Click("#tab-build", chromedp.ByQuery))
			p.waitText(".build .wrong", "not UTF-8")
			p.run(chromedp.Click("#tab-test", chromedp.ByQuery))
		}
	}
	p.check()
}

// A file that is dropped anywhere is opened, and a folder of logs is audited.
func TestDrop(t *testing.T) {
	dir := t.TempDir()
	file := put(t, dir, "robots.txt", []byte("User-agent: *\nDisallow: /dropped/\n"))
	p := open(t, site(t)+"#test", 1280, false, "en")
	for i, on := range []string{".pane .editor", ".summary", "#foot"} {
		p.load(map[string]string{"view": "test", "text": fmt.Sprintf("User-agent: x%d\n", i)})
		p.wait(fmt.Sprintf(editorText+` === "User-agent: x%d\n"`, i))
		p.run(chromedp.ScrollIntoView(on, chromedp.ByQuery))
		p.drop(on, file)
		p.wait(editorText + ` === "User-agent: *\nDisallow: /dropped/\n"`)
	}
	logs := filepath.Join(dir, "logs", "deep")
	if err := os.MkdirAll(logs, 0o777); err != nil {
		t.Fatal(err)
	}
	put(t, logs, "a.log", []byte(exampleText(t, "shop.access.log")))
	p.run(chromedp.ScrollIntoView(".summary", chromedp.ByQuery))
	p.drop(".summary", filepath.Join(dir, "logs"))
	p.waitText(".progress", "a.log")
	p.waitText(".report", "robots")
	p.check()
}

// Whoever closes the site to search is told so, sees what changes, and what the file says now.
func TestBuildAlarm(t *testing.T) {
	p := open(t, site(t)+"#build", 1280, false, "en")
	p.waitText(".switch", "now: 2 of")
	if get[bool](p, `document.querySelector(".switch input:checked") !== null`) {
		t.Error("a switch is on before anybody chose")
	}
	p.run(chromedp.Click(`input[value="search"]`, chromedp.ByQuery))
	p.waitText(".build [role=alert]", "Googlebot")
	p.waitText(".build .change", "now closed for")
	p.waitText(".build .changes .wrong", "Disalow") // the misspelt Disalow is in the new file too
	p.run(chromedp.Click(`input[value="search"]`, chromedp.ByQuery))
	p.wait(`document.querySelector(".build [role=alert]") === null`)
	p.check()
}

// Build shows what the file says to each purpose and robot, opens as well as closes, shows the
// lines before the file is used, and keeps all other bytes. The commands on the page give the same
// file.
func TestBuildOpens(t *testing.T) {
	const text = "# Copyright Example. Do not edit.\n\nUser-agent: *   \nDisallow: /x\n\n" +
		"User-agent: GPTBot\nUser-agent: CCBot\nUser-agent: bingbot\nDisallow: /\n"
	const robot = `.purpose:has(input[value="ai-train"]) input[value="%s"]`
	state := func(name string) string {
		return fmt.Sprintf(`document.querySelector('.purpose input[value=%q]').closest("label").innerText`,
			name)
	}
	p := open(t, site(t)+"#build", 1280, false, "en")
	p.load(map[string]string{"view": "build", "text": text})
	p.wait(state("ai-train") + `.includes("now: 2 of")`)
	p.waitText(".build .changes", "Nothing changes")

	p.run(chromedp.Click(`.purpose:has(input[value="ai-train"]) summary`, chromedp.ByQuery))
	p.wait(fmt.Sprintf(`document.querySelector(%q)?.checked`, fmt.Sprintf(robot, "GPTBot")))
	p.run(chromedp.Click(fmt.Sprintf(robot, "GPTBot"), chromedp.ByQuery)) // opens it
	p.waitText(".build pre.lines del", "-User-agent: GPTBot")
	p.waitText(".build .change .direction", "now open for GPTBot")
	p.waitText(".build .cost", "these robots read pages to train models, and may read yours again")
	p.waitText(".build .proofs", "GPTBot may fetch /")
	p.wait(state("ai-train") + `.includes("then: 1 of")`)
	p.run(chromedp.Click(`.purpose:has(input[value="seo"]) input`, chromedp.ByQuery)) // closes it
	p.waitText(".build .proofs", "SEO may not fetch /")
	p.waitText(".build pre", "robots block seo\nrobots allow GPTBot")
	if get[bool](p, `document.querySelector(".build [role=alert]") !== null`) {
		t.Error("an alarm, though search keeps what it has")
	}

	file := filepath.Join(t.TempDir(), "robots.txt")
	put(t, filepath.Dir(file), "robots.txt", []byte(text))
	for command := range strings.Lines("block seo\nallow GPTBot\n") {
		cmd := exec.Command(program(t, "robots"), append(strings.Fields(command), "--yes", "--file", file)...)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	p.saved(func() {
		p.run(chromedp.Click(`//div[contains(@class, "build")]//button[.="Save"]`, chromedp.BySearch))
	})
	saved := get[string](p, `globalThis.blobs[0].text()`)
	if saved != string(want) || !strings.HasPrefix(saved, "# Copyright Example. Do not edit.\n\nUser-agent: *   \n") {
		t.Errorf("Build saves\n%s\nand the commands write\n%s", saved, want)
	}

	p.run(chromedp.Click(`//button[.="Use it"]`, chromedp.BySearch))
	p.waitText(".build .changes", "Nothing changes")
	p.wait(state("seo") + `.includes("now: closed") && document.querySelector('input[value="seo"]').checked`)
	p.run(chromedp.Click(`.purpose:has(input[value="seo"]) input`, chromedp.ByQuery)) // all of them are open again
	p.wait(state("seo") + `.includes("then: partly open")`)
	p.run(chromedp.Click(`//button[.="As in the editor"]`, chromedp.BySearch))
	p.waitText(".build .changes", "Nothing changes")

	// of a purpose that is closed in part, all can be opened; a hostile name in a link is refused
	p.run(chromedp.Click(`.purpose:has(input[value="ai-train"]) .where`, chromedp.ByQuery))
	p.wait(state("ai-train") + `.includes("then: partly open")`)
	p.load(map[string]string{"view": "build", "text": text, "blocked": "ai-train\nDisallow: /", "spared": hostile})
	p.waitText(".build .wrong", "is not a name")
	p.check()
}

// Robots that are named have a column each, Googlebot and bingbot are always seen, a header is one
// robot, and an address is what a person means by it.
func TestColumns(t *testing.T) {
	p := open(t, site(t)+"#test", 1280, false, "en")
	heads := `[...document.querySelectorAll(".matrix thead th")].map((e) => e.childNodes[0].textContent).join("|")`
	p.wait(heads + `.startsWith("Address|Googlebot|bingbot|")`)
	p.set("input[list=robots]", "Googlebot, Googlebot-Image, bingbot, GPTBot")
	p.wait(heads + ` === "Address|Googlebot|Googlebot-Image|bingbot|GPTBot" || ` + heads +
		`.split("|").sort().join() === "Address,GPTBot,Googlebot,Googlebot-Image,bingbot"`)
	p.set("input[list=robots]", "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; "+
		"+https://openai.com/gptbot)")
	p.wait(`document.querySelectorAll(".matrix thead th").length === 2`)
	p.set(".inputs textarea", "example.com/search\nsearch/x\nhttps://example.com/\njavascript:x")
	p.wait(`[...document.querySelectorAll(".matrix tbody th")].map((e) => e.textContent).join(" ") === ` +
		`"https://example.com/search /search/x https://example.com/ javascript:x"`)
	p.waitText("td", "no URL")
	p.set("input[list=robots]", "Googlbot")
	p.waitText(".summary", "Googlebot")
	p.check()
}

// A file that is larger than what Google and Bing read has its findings and its card, and the
// verdicts say where they stop.
func TestLargeFile(t *testing.T) {
	p := open(t, site(t)+"#test", 1280, false, "en")
	text := "User-agent: *\n" + strings.Repeat("Disallow: /"+strings.Repeat("a", 60)+"\n", 9000) + "Disallow: /search\n"
	p.openFile(put(t, t.TempDir(), "large.txt", []byte(text)))
	p.waitText(".view .wrong", "Google and Bing read 500 KiB: line 7112 ")
	p.waitText(".findings .check", "too-large")
	p.run(chromedp.Click("#tab-report", chromedp.ByQuery))
	p.waitText(".sheet .where", "line 7112 and all after it are lost")
	p.check()
}

// An unfinished claim takes no answer away, and a browser is not a robot.
func TestProveAndLookUp(t *testing.T) {
	p := open(t, site(t)+"#prove", 1280, false, "en")
	p.waitText(".proofs", "GPTBot may not fetch /")
	p.set(".prove textarea", "GPTBot may not fetch /\nCCBot may")
	p.waitText(".prove .wrong", "CCBot may")
	p.waitText(".proofs", "GPTBot may not fetch /")
	p.run(chromedp.Click("#tab-lookup", chromedp.ByQuery))
	for query, want := range map[string]string{
		"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 " +
			"Safari/537.36": "A browser",
		"claude": "ClaudeBot", "ExampleUnknownBot": "In this robots.txt",
	} {
		p.run(chromedp.SetValue(".lookup input", query, chromedp.ByQuery),
			chromedp.Evaluate(`document.querySelector(".lookup input").dispatchEvent(new Event("input"))`, nil))
		p.waitText(".card", want)
	}
	p.check()
}

// Views have addresses, Back and Forward lead through them with the text of now, and a reload loses
// nothing, not even a text that no link holds.
func TestAddresses(t *testing.T) {
	p := open(t, site(t)+"#build", 1280, false, "en")
	p.wait(`document.querySelector("#tab-build").ariaSelected === "true"`)
	p.run(chromedp.Click("#tab-see", chromedp.ByQuery))
	p.wait(`history.state.view === "see" && location.hash === "#see" && document.title.startsWith("See")`)
	p.run(chromedp.Click("#tab-test", chromedp.ByQuery))
	p.wait(`history.state.view === "test"`)
	p.tabTo("robots.txt")
	p.run(chromedp.KeyEvent("# mine\r"))
	p.wait(`location.hash.startsWith("#1.")`)
	get[any](p, "history.go(-2)")
	p.wait(`document.querySelector("#tab-build").ariaSelected === "true" && ` + editorText + `.startsWith("# mine\n")`)
	get[any](p, "history.forward()")
	p.wait(`document.querySelector("#tab-see").ariaSelected === "true"`)
	p.hash("build") // as a person types it
	p.wait(`document.querySelector("#tab-build").ariaSelected === "true" && ` + editorText + `.startsWith("# mine\n")`)

	random := rand.New(rand.NewPCG(1, 2))
	var long strings.Builder
	long.WriteString("User-agent: *\n")
	for range 20_000 {
		fmt.Fprintf(&long, "Disallow: /%x\n", random.Uint64())
	}
	long.WriteString("Disallow: /last\n")
	p.openFile(put(t, t.TempDir(), "long.txt", []byte(long.String())))
	p.waitText(".source", "long.txt")
	p.wait(`location.hash === "#build"`)
	p.run(chromedp.Reload())
	p.wait(`document.documentElement.dataset.engine === "ready"`)
	saved := p.saved(func() { p.run(chromedp.Click(`//button[.="Save"]`, chromedp.BySearch)) })
	if !strings.HasPrefix(long.String(), saved) || len(saved) != 100 {
		t.Errorf("after a reload the text begins with %q", saved)
	}
	p.check()
}

// A site whose fault is not confirmed yet is not green in Watch.
func TestWatchDoubt(t *testing.T) {
	l := newLiar(t)
	good := strings.Replace(goodAnswers["watch"], `"state": "critical", "last"`, `"state": "fine", "last"`, 1)
	doubtful := strings.Replace(good, `"state": "fine", "last"`, `"state": "fine", "doubt": "pending", "last"`, 1)
	l.answers.Store("watch", strings.Replace(doubtful, `"state": "open"`, `"state": "pending"`, 1))
	l.answers.Store("watch/events", goodAnswers["watch/events"])
	p := open(t, l.url+"#watch", 1280, false, "en")
	p.waitText(".site .head .state.is-warning", "to be confirmed")
	l.answers.Store("watch", strings.Replace(good, `"incidents": [{`, `"incidents": [], "x": [{`, 1))
	l.next(p, "watch")
	p.waitText(".site .head .state.is-fine", "in order")

	// nor is a site that is closed to search; the sums are of all sites, listed or not
	for doubt, words := range map[string]string{"closed": "closed to search", "pending": "to be confirmed"} {
		l.answers.Store("watch", strings.NewReplacer(`"incidents": [{`, `"incidents": [], "x": [{`,
			`"states": {"critical": 1}`, `"states": {"fine": 300}, "doubts": {"`+doubt+`": 297}`,
			`"state": "fine", "last"`, `"state": "fine", "doubt": "`+doubt+`", "last"`).Replace(good))
		l.next(p, "watch")
		p.waitText(".site .head .state.is-warning", words)
		p.waitText(".tallies .state.is-warning", "297 "+words)
		p.waitText(".tallies .state.is-fine", "3 in order")
	}
}

// See says in words how much is open.
func TestSeeWords(t *testing.T) {
	p := open(t, site(t)+"#see", 360, false, "en")
	p.waitText(".words", "AI training: open except for")
	p.waitText(".words", "CCBot, GPTBot: closed")
	p.check()
}
