package main

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// excess returns by how many pixels the page is wider than its tab. The width of a phone's window
// is not a measure: the browser zooms out until a page that is too wide fits.
func (p *tab) excess() int {
	p.t.Helper()
	return get[int](p, "document.documentElement.scrollWidth - document.documentElement.clientWidth")
}

// Long names and addresses make no view wider than the screen.
func TestLongNames(t *testing.T) {
	url := testView(t)
	long := strings.Repeat("verylongname", 30)
	state := map[string]string{
		"text": "User-agent: " + long + "\nDisallow: /" + long + "\nUser-agent: *\nDisallow: /" +
			strings.Repeat("segment/", 60) + "\n", "after": "User-agent: " + long + "\nAllow: /" + long + "\n",
		"addresses": "/" + long + "\nhttps://example.com/" + strings.Repeat("segment/", 60), "robots": long +
			", GPTBot", "query": long + "/1.0",
		"html": "<meta name=robots content='noindex, " + long + ", max-snippet:99999999999999999'><meta name=" + long +
			" content=noindex>", "headers": "X-Robots-Tag: " + long + ": noindex",
		"claims": "nonsense " + long, "closed": "/" + long, "blocked": "seo",
	}
	shown := map[string]string{"report": ".sheet dd", "test": "th[title*=verylongname] ~ td.closed",
		"lookup":  ".card h3",
		"compare": ".change", "page": ".page-result td", "prove": ".view .wrong", "build": ".proofs li"}
	for _, width := range []int64{320, 768, 1280} {
		p := open(t, url, width, false, "ru")
		for _, view := range []string{"report", "test", "lookup", "compare", "page", "prove", "build"} {
			state["view"] = view
			p.load(state)
			p.wait(fmt.Sprintf(`document.querySelector("#tab-%s").ariaSelected === "true" && document.querySelector(%s)`, view, quoted(shown[view])))
			if view == "test" {
				p.run(chromedp.Evaluate(`document.querySelector("th[title*=verylongname] ~ td.closed").click()`, nil))
				p.waitText(".dialects", "Koster")
			}
			time.Sleep(300 * time.Millisecond) // findings come
			if over := p.excess(); over > 0 {
				t.Errorf("%d px, %s: the page is %d px too wide", width, view, over)
			}
		}
		p.check()
	}
}
