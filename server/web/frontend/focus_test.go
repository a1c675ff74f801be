package main

import (
	"testing"

	"github.com/chromedp/chromedp"
)

// A button that disappears when it is pressed leaves the focus where it was on the page, not at its
// start.
func TestFocusStays(t *testing.T) {
	p := open(t, site(t)+"#1.AAAA", 1280, false, "en")
	p.waitText("#warnings", "The link could not be read")
	get[any](p, `void document.querySelector("#warnings button").focus()`)
	p.press("\r", 1)
	p.wait(`!document.querySelector("#warnings button")`)
	if got := get[string](p, "document.activeElement.id"); got != "warnings" {
		t.Errorf("after a message was closed, the focus is at %q", got)
	}

	p.run(chromedp.Click("#tab-build", chromedp.ByQuery))
	p.run(chromedp.Click(`input[value="ai-train"]`, chromedp.ByQuery))
	p.waitText(".build button.where", "Leave Amazonbot open")
	get[any](p,
		`void [...document.querySelectorAll(".build button.where")].find((b) => b.textContent === "Leave Amazonbot open").focus()`)
	p.press("\r", 1)
	p.waitText("h3", "Opened")
	if !get[bool](p, `document.querySelector(".build").contains(document.activeElement)`) {
		t.Error("after a robot was left open, the focus is at the start of the page")
	}
	p.check()
}
