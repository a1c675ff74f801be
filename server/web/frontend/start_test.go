package main

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// heldSite is site with an editor.js that comes when release is closed, with a status.
func heldSite(t *testing.T, status int) (url string, release chan struct{}) {
	t.Helper()
	release = make(chan struct{})
	files := http.FileServer(http.Dir(static))
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/editor.js") {
			select {
			case <-release:
			case <-r.Context().Done():
			}
			if status != http.StatusOK {
				http.Error(w, "no editor", status)
				return
			}
		}
		files.ServeHTTP(w, r)
	}))
	t.Cleanup(s.Close)
	return s.URL + "/#test", release
}

// deepFocus is the name of the element that has the focus in the editor.
const deepFocus = `document.querySelector(".editor").shadowRoot.activeElement?.className ?? ""`

// What is written before CodeMirror is there stays, with the place of the cursor and the focus, and
// hostile text stays text.
func TestPlainField(t *testing.T) {
	url, release := heldSite(t, http.StatusOK)
	p := openEarly(t, url, 1280, false, "en")
	p.wait(`document.querySelector(".editor").shadowRoot?.querySelector("textarea")`)
	get[any](p, `(() => {
		const field = document.querySelector(".editor").shadowRoot.querySelector("textarea");
		field.focus();
		field.setSelectionRange(0, field.value.length);
	})()`)
	p.run(chromedp.KeyEvent(strings.ReplaceAll(hostile, "\n", " ") + "AC"))
	get[any](p, `(() => {
		const field = document.querySelector(".editor").shadowRoot.querySelector("textarea");
		field.setSelectionRange(field.value.length - 1, field.value.length - 1);
	})()`)
	close(release)
	p.wait(`document.querySelector(".editor").shadowRoot.querySelector(".cm-content")`)
	p.wait(deepFocus + `.includes("cm-content")`)
	p.run(chromedp.KeyEvent("B"))
	p.wait(`document.querySelector(".editor").shadowRoot.querySelector(".cm-content").textContent.endsWith("ABC")`)
	if got := get[string](p,
		`document.querySelector(".editor").shadowRoot.querySelector(".cm-content").textContent`); got != hostile+"ABC" {
		t.Errorf("the editor has %q", got)
	}
	p.wait(`document.documentElement.dataset.engine === "ready"`)
	p.check()
}

// Without editor.js, the field stays, and the page works.
func TestNoEditor(t *testing.T) {
	url, release := heldSite(t, http.StatusNotFound)
	close(release)
	p := open(t, url, 1280, false, "en")
	p.waitText("td", "closed 3")
	p.waitText(".finding", "Disalow")
	p.run(chromedp.Click(".finding .fix", chromedp.ByQuery))
	p.waitText(".findings h2", "No findings")
	if got := get[string](p,
		`document.querySelector(".editor").shadowRoot.querySelector("textarea").value`); !strings.Contains(got,
		"\nDisallow: /tmp/\n") {
		t.Errorf("after the fix, the field has %q", got)
	}
	p.tabTo("robots.txt")
	p.run(chromedp.KeyEvent("#"))
	p.wait(`document.querySelector(".editor").shadowRoot.querySelector("textarea").value.includes("#")`)
}
