package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// stateMembers are the members of a link that are texts of a person.
var stateMembers = []string{"text", "after", "addresses", "robots", "query", "address", "url", "headers", "html",
	"claims", "blocked", "spared", "closed", "logformat", "loghost", "logaddresses", "sites", "search", "host"}

// A link whose members are all hostile shows its view, and the page goes on.
func TestHostileMembers(t *testing.T) {
	url := testView(t)
	for name, value := range map[string]string{
		"half a character": surrogate + hostile, "names of objects": "__proto__, constructor, toString, hasOwnProperty",
		"a long line": strings.Repeat("/long", 10_000),
		"controls":    "\x00\x01\x1b[31m\u2028\u202e\ufeff\ufffe\r\r\n",
	} {
		p := open(t, url, 1280, false, "en")
		for _, view := range []string{"report", "test", "see", "lookup", "compare", "page", "prove", "build", "audit"} {
			state := map[string]string{"view": view}
			for _, member := range stateMembers {
				state[member] = value
			}
			b, err := json.Marshal(state)
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%s, %s", name, view)
			p.hash(fragmentOf([]byte(strings.ReplaceAll(string(b), surrogate, `\ud800`))))
			p.wait(fmt.Sprintf(`document.querySelector("#tab-%s").ariaSelected === "true"`, view))
			switch view {
			case "test":
				// A name of more than 1,024 bytes is refused in words.
				p.wait(`document.querySelector(".scroll").dataset.drawn > 0 || document.querySelector(".summary").textContent.includes("1024")`)
				if n := get[int](p,
					`Math.max(0, ...[...document.querySelectorAll(".matrix th")].map((e) => e.textContent.length))`); n > 2100 {
					t.Errorf("%s: a heading has %d characters", name, n)
				}
			case "lookup":
				p.wait(`document.querySelector(".card").childElementCount > 0 || document.querySelector(".lookup input").value.trim() === ""`)
			case "page":
				p.wait(`document.querySelector(".page-result").childElementCount > 0`)
			case "prove":
				p.wait(`document.querySelector(".proofs, .prove .wrong")`)
			}
			if said := get[string](p, `document.querySelector("#warnings").textContent`); said != "" {
				t.Errorf("%s, %s: %s", name, view, said)
			}
			if n := get[int](p, strangers); n > 0 {
				t.Errorf("%s, %s: text became %d elements", name, view, n)
			}
		}
		p.run(chromedp.Click("#tab-lookup", chromedp.ByQuery)) // the page goes on
		p.wait(`document.querySelector(".lookup")`)
		p.check()
	}
}
