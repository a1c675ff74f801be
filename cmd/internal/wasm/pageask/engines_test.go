package pageask

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/cmd/internal/wasm/engine"
	"github.com/robotsexclusion/robots/proof"
)

// engineTexts are texts that Yandex reads otherwise than RFC 9309, by the reason, with a path that
// shows it.
var engineTexts = []struct{ why, path, text string }{
	{"weight", "/page.htm", "User-agent: *\nAllow: /page\nDisallow: /*.htm\n"},
	{"empty", "/x", "User-agent: *\nDisallow: /\nDisallow:\n"},
	{"names", "/x", "User-agent: GPTBot\n\nUser-agent: Bingbot\nDisallow: /\n"},
	{"size", "/x", "User-agent: *\nDisallow: /\n" + strings.Repeat("#\n", 300<<10)},
}

type engineAnswer struct {
	Dialects []struct {
		Explanation struct{ Match struct{ Allowed bool } }
	}
	Asked   []string
	Engines []struct {
		Engine, Why string
		Own         bool
		Match       json.RawMessage
	}
}

// The answer of each engine is that of its reader in package proof, and it is in the list exactly
// where it differs.
func TestEngines(t *testing.T) {
	e := engine.New(Questions()...)
	all := slices.Clone(texts)
	for _, c := range engineTexts {
		all = append(all, c.text)
	}
	seen := make(map[string]bool)
	for _, text := range all {
		p := robots.ParseString(text)
		for _, name := range []string{"*", "GPTBot", "YandexBot", "YandexImages", "bingbot", "Googlebot-Image",
			"AdsBot-Google", "Applebot", "NoSuchBot"} {
			for _, path := range []string{"/", "/x", "/page.htm", "/b", "/robots.txt"} {
				got := ask[engineAnswer](t, e, "page-explain", text, map[string]any{"agent": name, "url": path})
				for _, r := range proof.Readers() {
					if !slices.Contains(got.Asked, r.Name) {
						continue
					}
					i := slices.IndexFunc(got.Engines, func(v struct {
						Engine, Why string
						Own         bool
						Match       json.RawMessage
					}) bool {
						return v.Engine == r.Name
					})
					own := agent.Named(name).Operator == r.Operator
					token := name
					if !own {
						token = obeyed(p, (*agent.Table)(nil).Subject(name))
					}
					want := r.Match(p, token, path)
					if differs := want.Allowed != got.Dialects[0].Explanation.Match.Allowed; differs != (i >= 0) {
						t.Errorf("%.60q: %s and %s: %s is %v, and the list says %t", text, name, path, r.Name, want,
							i >= 0)
					}
					if i < 0 {
						continue
					}
					seen[got.Engines[i].Why] = true
					match, err := json.Marshal(want)
					if err != nil || string(match) != string(got.Engines[i].Match) || got.Engines[i].Own != own {
						t.Errorf("%.60q: %s and %s: got %+v, want %s", text, name, path, got.Engines[i], match)
					}
				}
			}
		}
	}
	if len(seen) != len(engineTexts) {
		t.Errorf("the test sees the differences %v only", seen)
	}
}

// Each difference has the right reason.
func TestWhy(t *testing.T) {
	e := engine.New(Questions()...)
	for _, c := range engineTexts {
		name := "*"
		if c.why == "names" {
			name = "GPTBot"
		}
		got := ask[engineAnswer](t, e, "page-explain", c.text, map[string]any{"agent": name, "url": c.path})
		if len(got.Engines) != 1 || got.Engines[0].Engine != "yandex" || got.Engines[0].Why != c.why {
			t.Errorf("%s: got %+v", c.why, got.Engines)
		}
	}
}

// A robot that obeys no group is asked about at its own operator's engine only.
func TestEnginesWithoutGroup(t *testing.T) {
	got := ask[engineAnswer](t, engine.New(Questions()...), "page-explain", "User-agent: *\nDisallow: /\n",
		map[string]any{"agent": "AdsBot-Google", "url": "/"})
	if len(got.Asked) != 0 || len(got.Engines) != 0 {
		t.Errorf("got %+v", got)
	}
}
