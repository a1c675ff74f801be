package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// The box takes a page, a path, a host and a text, and says which robots may fetch the page. Names
// of nothing, and markup, do no harm.
func TestAskBox(t *testing.T) {
	p := open(t, site(t), 360, false, "en")
	p.waitText(".askbox .answer", "GPTBot (OpenAI, AI training) may not fetch it.")
	p.waitText(".askbox .answer", "Googlebot (Google, search) may fetch it.")
	ask := func(text string) {
		p.set(".askbox input", text)
		get[any](p, `void document.querySelector(".askbox form").requestSubmit()`)
	}
	ask("/search?q=1")
	p.waitText(".askbox .answer", "Google may not use it for: AI training (Google-Extended).")
	p.waitText(".askbox .answer", "line 3")
	for text, want := range map[string]string{
		"shop.example/search":      "https://shop.example/search?",
		"page.html":                "/page.html?",
		"tienda.example":           "https://tienda.example?",
		"кафе.example/ü":           "https://кафе.example/ü?",
		"a b":                      "/a b?",
		`/"><img src=x onerror=1>`: `/"><img src=x onerror=1>?`,
	} {
		ask(text)
		p.waitText(".askbox h2", "May robots fetch "+want)
	}
	ask("https://shop.example/\x00")
	p.waitText(".askbox", "May robots fetch")
	get[any](p, `void (() => {
		const data = new DataTransfer();
		data.setData("text/plain", "\nUser-agent: *\nDisallow: /pasted\n");
		const event = new ClipboardEvent("paste", { clipboardData: data, cancelable: true });
		document.querySelector(".askbox input").dispatchEvent(event);
	})()`)
	p.wait(editorText + `.startsWith("User-agent: *\nDisallow: /pasted")`)
	ask("/pasted/x")
	p.waitText(".askbox .answer", "All other robots may not fetch it.")
	ask("/robots.txt")
	p.waitText(".askbox .answer", "All other robots may fetch it.")
	p.check()
}

// A service fetches the robots.txt of another site once, and keeps what a person changed in it. A
// site that cannot be asked leaves no old answer.
func TestAskBoxFetches(t *testing.T) {
	l := newLiar(t)
	asked := 0
	l.answers.Store("robots", func(w http.ResponseWriter, r *http.Request) {
		if asked++; r.URL.Query().Get("origin") == "https://gone.example" {
			http.Error(w, `{"title": "nobody is there"}`, http.StatusBadGateway)
			return
		}
		fmt.Fprint(w, `{"text": "User-agent: GPTBot\nDisallow: /\n", "state": "ok", "status": 200}`)
	})
	p := open(t, l.url+"#report", 1280, false, "en")
	ask := func(text string) {
		p.set(".askbox input", text)
		get[any](p, `void document.querySelector(".askbox form").requestSubmit()`)
	}
	ask("https://shop.example/a")
	p.waitText(".askbox .answer", "which is from https://shop.example.")
	p.waitText(".askbox .answer", "GPTBot (OpenAI, AI training) may not fetch it.")
	p.run(chromedp.Click(".pane .editor", chromedp.ByQuery), chromedp.KeyEvent("# mine\r"))
	p.waitText(".source", "https://shop.example, changed")
	ask("shop.example/b")
	p.waitText(".askbox h2", "https://shop.example/b")
	if !get[bool](p, editorText+`.includes("# mine")`) || asked != 1 {
		t.Errorf("the second question fetched again (%d), and what was changed is lost", asked)
	}
	ask("https://gone.example/")
	p.waitText("#warnings .warning", "nobody is there")
	p.waitText(".askbox .answer .wrong", "nobody is there")
	if get[bool](p, `document.querySelector(".askbox .sentences") !== null`) {
		t.Error("an answer of another site stays")
	}
	p.check()
}

// A person gets from a question to a file with the keyboard alone, on a phone, after the server has
// stopped: what it says, what closing costs, the difference, the proof, the configuration of a web
// server, the file.
func TestGuidedFlow(t *testing.T) {
	for language, words := range map[string]struct{ choose, closed, save string }{
		"en": {"Choose what it says", "AI training", "Save"},
		"ru": {"Выбрать, что он говорит", "обучение ИИ", "Сохранить"},
	} {
		server := httptest.NewServer(http.FileServer(http.Dir(static)))
		t.Cleanup(server.Close)
		p := open(t, server.URL, 360, true, language)
		p.wait(`document.querySelector(".next button") !== null`)
		server.Close()
		p.tabTo(words.choose)
		p.press("\r", 1)
		p.wait(`document.querySelector(".purpose input") !== null && document.activeElement.id === "tab-build"`)
		p.wait(`document.querySelector('.purpose input[value="ai-train"]').closest("label").innerText.includes("36")`)
		p.tabTo(words.closed)
		p.press(" ", 1)
		p.wait(`document.querySelector('.purpose:has(input[value="ai-train"]) .cost').textContent !== ""`)
		p.waitText(".build .proofs", words.closed)
		p.waitText(".build pre.lines", "+User-agent: ClaudeBot")
		get[any](p, `void document.querySelector(".build select").focus()`)
		p.press("n", 1) // nginx
		p.waitText(".build pre", "robots-site.http.conf")
		p.waitText(".build pre", "robots monitor --listen")
		get[any](p, `void document.querySelector(".build .bar button:last-of-type").focus()`)
		if text := p.saved(func() { p.press(kb.Enter, 1) }); !strings.Contains(text, "User-agent: *") {
			t.Errorf("%s: saved %q", language, text)
		}
		if excess := p.excess(); excess > 0 {
			t.Errorf("%s: the page is %d pixels too wide", language, excess)
		}
	}
}

// On a phone, 200 addresses of one host can be distinguished. They have a sum, and become a CSV file
// in which a spreadsheet program finds no formula.
func TestManyAddresses(t *testing.T) {
	p := open(t, testView(t), 360, false, "en")
	var all []string
	for i := range 200 {
		all = append(all, fmt.Sprintf("https://shop.example/search/%d", i))
	}
	p.set(".test textarea", strings.Join(all, "\n"))
	p.waitText(".summary", "Googlebot: 200 of 200 closed")
	p.waitText(".corner", "Address at https://shop.example")
	p.waitText("tbody th", "/search/199")
	get[any](p, `void document.querySelector(".test textarea").focus()`)
	p.set(".test textarea", strings.Join(all[:2], "\n")+"\nhttps://other.example/\n=1+1")
	p.waitText("tbody th", "https://other.example/")
	p.waitText("tbody th", "/=1+1")
	p.saved(func() { p.run(chromedp.Click(`//button[.="Save as CSV"]`, chromedp.BySearch)) })
	csv := get[string](p, `globalThis.blobs[0].text()`)
	if !strings.Contains(csv, "\"https://shop.example/search/0\",\"closed\",\"3\",") || strings.Contains(csv, `"=`) {
		t.Errorf("the file is %s", csv)
	}
	p.openFile(put(t, t.TempDir(), "none.txt", nil))
	p.waitText(".summary", "Googlebot: 0 of 4 closed")
	p.check()
}
