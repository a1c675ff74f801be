package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// editorLine is the line of the editor with the cursor.
const editorLine = `document.querySelector(".pane .editor").shadowRoot.querySelector(".cm-activeLine")?.textContent`

// The page begins with the report card. Its mistakes lead to their lines, and its steps into the
// other views, by mouse and keyboard; Back leads back.
func TestReport(t *testing.T) {
	p := open(t, site(t), 1280, false, "en")
	p.waitText(".sheet dt", "AI training")
	p.waitText(".sheet dd", "line 6: error")
	p.run(chromedp.Click(`//button[contains(., "line 6: error")]`, chromedp.BySearch))
	p.wait(editorLine + ` === "Disalow: /tmp/"`)

	p.tabTo("repairs 1 mistake")
	p.press(kb.Enter, 1)
	p.wait(`document.activeElement.matches(".findings button")`)
	p.run(chromedp.Click(".finding .fix", chromedp.ByQuery))
	p.waitText(".sheet dd", "none found")

	p.tabTo("closes it to AI training")
	p.press(kb.Enter, 1)
	p.wait(`document.querySelector("#tab-build").ariaSelected === "true" && ` +
		`document.querySelector("input[value=ai-train]")?.checked`)
	if title := get[string](p, "document.title"); title != "Build · robots.txt workbench" {
		t.Errorf("the title is %q", title)
	}
	p.wait(`history.state.view === "build"`)
	get[any](p, "history.back()")
	p.waitText(".sheet dd", "none found")
	if title := get[string](p, "document.title"); title != "robots.txt workbench" {
		t.Errorf("the title is %q", title)
	}
	p.check()
}

// sheet returns the words of the page's card, and its commands.
func (p *tab) sheet() (words string, commands []string) {
	p.t.Helper()
	return get[string](p, `[...document.querySelectorAll(".sheet > *, .sheet dt, .sheet dd p")]`+
			`.filter((e) => !e.matches("dl, ul")).map((e) => e.textContent).join("\n")`),
		get[[]string](p, `[...document.querySelectorAll(".sheet .next code")].map((e) => e.textContent)`)
}

// sameWords returns how the words of the page differ from the text of the command, or "". Both are
// compared without columns, and "…" in the text stands for any words.
func sameWords(words, text string) string {
	plain := func(text string) string {
		return strings.Join(strings.Fields(strings.ReplaceAll(text, ";", " ")), " ")
	}
	text, _, _ = strings.Cut(text, "\n  robots ")
	said, parts := plain(words), strings.Split(plain(text), "…")
	for i, part := range parts {
		at := strings.Index(said, part)
		if i == len(parts)-1 {
			at = strings.LastIndex(said, part)
		}
		if at < 0 || at > 0 && i == 0 {
			return fmt.Sprintf("%.200q is not %.200q", said, part)
		}
		said = said[at+len(part):]
	}
	if said != "" {
		return fmt.Sprintf("more words: %.200q", said)
	}
	return ""
}

// reported are files whose cards are compared with those of the command.
var reported = []string{
	"",
	"User-agent: *\nDisallow: /\n",
	"User-agent: GPTBot\nUser-agent: CCBot\nDisallow: /\n\nUser-agent: *\nDisallow: /private/\nDisallow: /*?sort=\n" +
		"Sitemap: https://example.com/a.xml\nSitemap: https://example.com/b.xml\n",
	"User-agent: *\nDisalow: /x\nDisallow: y\nDisallow: /a b\nAlow: /\nfoo\nbar: x\nDisallow: /\\\n",
	"User-agent: *\nDisallow: /x/%2a\nAllow: /x/%2A\n",
	"<!DOCTYPE html><p>Not found\n",
	"User-agent: *\nDisallow: /" + hostile + "\nSitemap: https://example.com/" + strings.Repeat("a", 300) + "\n",
	"User-agent: Googlebot\nDisallow: /\nCrawl-delay: 5\n# 한국어 🤖\nUser-agent: 한국어\nDisallow: /b\n",
}

// The page's card has the words and the commands that the command prints, in each language.
func TestReportSame(t *testing.T) {
	robots := program(t, "robots")
	p := open(t, site(t), 1280, false, "en")
	dir := t.TempDir()
	for i, text := range reported {
		language := []string{"en", "es", "ko", "ru"}[i%4]
		p.run(chromedp.SetValue("#switches select", language, chromedp.ByQuery),
			chromedp.Evaluate(`document.querySelector("#switches select").dispatchEvent(new Event("change"))`, nil))
		p.load(map[string]string{"view": "report", "text": text})
		p.wait(fmt.Sprintf("document.querySelector('.sheet h2')?.textContent.includes(%s)", quoted(number(len(text)))))
		if err := os.WriteFile(filepath.Join(dir, "robots.txt"), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command(robots, "robots.txt")
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "LC_ALL="+language) // a flag would be in the commands
		want, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		words, commands := p.sheet()
		if differs := sameWords(words, string(want)); differs != "" {
			t.Errorf("%s, %.60q: %s\n%s\n%s", language, text, differs, want, words)
		}
		for _, command := range commands {
			if !strings.Contains(string(want), "  "+command+" ") {
				t.Errorf("%.60q: the command prints no %q:\n%s", text, command, want)
			}
		}
		if len(commands) == 0 || len(commands) != strings.Count(string(want), "\n  robots ") {
			t.Errorf("%.60q: %q\n%s", text, commands, want)
		}
	}
	p.check()
}

// number returns a number as a card has it.
func number(n int) string { return fmt.Sprintf(" %d", n) }

// Behind the service, the card of a fetched site is that of GET /v1/report and of the command: with
// the status and the type of the answer, also of a site that has no robots.txt. An address with
// "?url=" fetches too.
func TestReportSite(t *testing.T) {
	origin := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/robots.txt":
			http.Redirect(w, r, "/moved.txt", http.StatusMovedPermanently)
		case "/moved.txt":
			w.Header().Set("Content-Type", "text/html")
			w.Header().Set("Cache-Control", "max-age=200000")
			fmt.Fprint(w, "User-agent: *\r\nDisallow: /live/\r\nfoo\r\n")
		default:
			http.NotFound(w, r)
		}
	}))
	defer origin.Close()
	missing := httptest.NewServer(http.NotFoundHandler())
	defer missing.Close()
	s := serve(t, "robotsd", "serve", "--listen", "127.0.0.1:0", "--allow-private")
	robots := program(t, "robots")
	p := open(t, s.url+"?url="+origin.URL, 1280, false, "en")
	for _, site := range []string{origin.URL, missing.URL} {
		if site == missing.URL {
			p.run(chromedp.SetValue(".live input", site, chromedp.ByQuery),
				chromedp.SendKeys(".live input", "\r", chromedp.ByQuery))
			p.waitText(".askbox .answer", "No robots.txt (404): open to all.")
		}
		p.waitText(".sheet h2", site+"/robots.txt")
		want, err := exec.Command(robots, site, "--allow-private").Output()
		if err != nil {
			t.Fatal(err)
		}
		words, commands := p.sheet()
		text := strings.ReplaceAll(string(want), " --allow-private", "") // which the service was started with
		if differs := sameWords(words, text); differs != "" {
			t.Errorf("%s: %s\n%s\n%s", site, differs, want, words)
		}
		var report struct {
			Subject string
			Next    []struct{ Command string }
		}
		s.fetched(t, "v1/report?url="+site, &report)
		var next []string
		for _, n := range report.Next {
			next = append(next, n.Command)
		}
		if got, want := fmt.Sprint(commands), fmt.Sprint(next); report.Subject != site || got != want {
			t.Errorf("%s: the page has %s, and the service %s", site, got, want)
		}
	}
	if search := get[string](p, "location.search"); search != "" {
		t.Errorf("a reload would fetch again: %s", search)
	}
	// The card is about the text in the editor once that has changed.
	p.tabTo("robots.txt")
	p.run(chromedp.KeyEvent("# mine\r"))
	p.waitText(".sheet h2", "robots.txt: ")
	p.wait(`!document.querySelector(".sheet h2").textContent.includes("http")`)

	static := open(t, site(t)+"?url=https://example.com", 1280, false, "en")
	static.waitText(".warning", "robots serve")
	static.check()
}

// A report of a server that is not of the form that the page expects is not a card of the site.
func TestReportLies(t *testing.T) {
	l := newLiar(t)
	text := "User-agent: *\nDisallow: /liar\n"
	b, _ := json.Marshal(map[string]any{"origin": "https://a.example", "state": "ok", "status": 200, "text": text})
	l.answers.Store("robots", string(b))
	p := open(t, l.url+"#report", 1280, false, "en")
	for _, answer := range []string{
		`{"subject": 7}`,
		`{"subject": "` + strings.Repeat("a", 300) + `", "answer": {"state": "x"}}`,
		`{"subject": "<script>ran()</script>", "answer": {"state": "ok", "status": 200, "url": "javascript:ran()", ` +
			`"cause": "<img src=x onerror=ran()>"}}`,
		`<html>`,
	} {
		l.answers.Store("report", answer)
		p.run(chromedp.SetValue(".live input", "https://a.example", chromedp.ByQuery),
			chromedp.SendKeys(".live input", "\r", chromedp.ByQuery))
		p.waitText(".sheet dd", "/liar")
		p.tabTo("robots.txt")
		p.run(chromedp.KeyEvent("#\r"))
	}
	if n := get[int](p, strangers); n > 0 {
		t.Errorf("text became %d elements", n)
	}
}
