package proof_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/proof"
)

const shop = `User-agent: *
Disallow: /admin/
Allow: /admin/public/
Disallow: /*?sort=

User-agent: GPTBot
User-agent: CCBot
Disallow: /

User-agent: Googlebot
Disallow: /x/
Allow: /x/y
`

func TestProve(t *testing.T) {
	for _, test := range []struct{ claim, want string }{
		{"Googlebot may fetch /products/**", "holds"},
		{"GPTBot may not fetch /**", "holds"},
		{"GPTBot and CCBot may not fetch /", "holds"},
		{"* may not fetch /admin/** except /admin/public/**", "holds"},
		{"* may not fetch /admin/", "does not hold: *: /admin/public/ is allowed by line 3: Allow: /admin/public/"},
		{"all may not fetch /admin/ except /admin/public/",
			"does not hold: Googlebot: /admin/ is allowed: no rule of the group matches"},
		{"* may fetch /products", "does not hold: *: /products?sort= is disallowed by line 4: Disallow: /*?sort="},
		{"* may fetch /products except /*?sort=", "holds"},
		{"/ads.txt$ is open to *, Googlebot", "holds"},
		{"/ads.txt is open to all", "does not hold: *: /ads.txt?sort= is disallowed by line 4: Disallow: /*?sort="},
		{"/ads.txt$, /security.txt$ are open to all",
			"does not hold: GPTBot: /ads.txt is disallowed by line 8: Disallow: /"},
		{"only * and Googlebot may fetch /y/ except /*?", "holds"},
		{"only Googlebot may fetch /y/", "does not hold: *: /y/ is allowed: no rule of the group matches"},
		{"Googlebot-Image may not fetch /x/ except /x/y", "holds"},
		{"AdsBot-Google may fetch /", "holds"},
		{"MAY-bot MAY Fetch /b", "does not hold: MAY-bot: /b?sort= is disallowed by line 4: Disallow: /*?sort="},
		{"archive may fetch /b",
			"does not hold: archive.org_bot: /b?sort= is disallowed by line 4: Disallow: /*?sort="},
		{"/robots.txt is open to GPTBot", "does not hold: GPTBot: /robots.txta is disallowed by line 8: Disallow: /"},
		{"/robots.txt$ is open to all", "holds"},
	} {
		claims, err := proof.ParseClaims(test.claim)
		if err != nil {
			t.Errorf("%s: %v", test.claim, err)
			continue
		}
		proofs, _ := proof.Prove(parse(shop), claims, proof.Options{})
		got := proofs[0].String()
		if want := "line 1: " + test.claim + ": " + test.want; got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}

func parse(text string) *robots.Policy { return robots.Parse([]byte(text)) }

func TestParseClaims(t *testing.T) {
	claims, err := proof.ParseClaims("\ufeff# what must hold\n\n  Googlebot may fetch /a # not /b\r\n/c#d is closed to all\n")
	if err != nil || len(claims) != 2 || claims[0].Line != 3 || claims[0].Text != "Googlebot may fetch /a" ||
		claims[1].Text != "/c#d is closed to all" {
		t.Errorf("got %+v, %v", claims, err)
	}
	for _, test := range []struct{ text, want string }{
		{"may fetch /", "name a robot first"},
		{"Googlebot", `write "may fetch"`},
		{"Googlebot should fetch /", `write "may fetch"`},
		{"Googlebot may", `write "fetch"`},
		{"Googlebot may not", `write "fetch"`},
		{"Googlebot may fetch", "name a path"},
		{"Googlebot may fetch products", "name a path"},
		{"Googlebot may fetch / except", "name a path after"},
		{"Googlebot may fetch / always", `"always" is not expected here`},
		{"only Googlebot may not fetch /", `"only" goes with "may fetch"`},
		{"only all may fetch /", `leaves nobody out`},
		{"/x is nice to all", `"open" or "closed"`},
		{"/x is open", `write "is open to"`},
		{"/x is open to", `write "is open to"`},
		{"/x is open to ,", "name robots"},
		{"and GPTBot may fetch /", "name a robot"},
		{"Common Crawl fetch /", `write "may fetch"`},
		{"Mozilla/5.0 may fetch /", "is not a product token: write Googlebot,"},
		{"googlebot-image/1.0 may not fetch /photos/", "is not a product token: write Googlebot-Image,"},
		{"GPTBot and (compatible;claude) may not fetch /", "is not a product token: write Googlebot,"},
		{"GPTBot;CCBot may not fetch /", "is not a product token: write GPTBot,"},
		{"a\x1b[31m(b may fetch /", `not a product token`},
	} {
		_, err := proof.ParseClaims("# one\n" + test.text)
		wrong := (*proof.ClaimError)(nil)
		if !errors.As(err, &wrong) || wrong.Line != 2 || !strings.Contains(wrong.Reason.Error(), test.want) ||
			strings.ContainsRune(err.Error(), '\x1b') {
			t.Errorf("%q: got %v, want %q", test.text, err, test.want)
		}
	}
}

// TestProveBrute compares proofs with the answers for all short paths.
func TestProveBrute(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 13))
	n := 2000
	if testing.Short() {
		n = 200
	}
	held := 0
	for range n {
		d := robots.Dialects()[r.IntN(5)]
		text := randomText(r)
		policy := d.Parse([]byte(text))
		agent := []string{"*", "FooBot", "BarBot"}[r.IntN(3)]
		path, except, verb := "/"+strings.TrimPrefix(randomPattern(r), "/"), "", "may"
		if r.IntN(2) == 0 {
			verb = "may not"
		}
		claim := fmt.Sprintf("%s %s fetch %s", agent, verb, path)
		if r.IntN(2) == 0 {
			except = "/" + strings.TrimPrefix(randomPattern(r), "/")
			claim += " except " + except
		}
		claims, err := proof.ParseClaims(claim)
		if err != nil {
			t.Fatalf("%s: %v", claim, err)
		}
		proofs, err := proof.Prove(policy, claims, proof.Options{})
		got := proofs[0]
		if err != nil {
			t.Fatalf("%s: undecided\n%s", claim, text)
		}
		g := policy.For(agent)
		holds := true
		for _, p := range paths {
			if d.Pattern(path).Matches(p) && !(except != "" && d.Pattern(except).Matches(p)) &&
				g.Allowed(site+p) != (verb == "may") {
				holds = false
				break
			}
		}
		if got.Holds && !holds {
			t.Fatalf("%v: %v\n%s", d, got, text)
		}
		if !got.Holds {
			w := d.Path(site + got.Witness)
			if !d.Pattern(path).Matches(w) || except != "" && d.Pattern(except).Matches(w) ||
				g.Allowed(site+got.Witness) == (verb == "may") || g.Match(site+got.Witness) != got.Match {
				t.Fatalf("%v: %v\n%s", d, got, text)
			}
		}
		if holds != got.Holds && len(got.Witness) <= 7 &&
			!strings.ContainsFunc(got.Witness, func(c rune) bool { return !strings.ContainsRune("ab/", c) }) {
			t.Fatalf("%v: %v, but no short path shows it\n%s", d, got, text)
		}
		if holds {
			held++
		}
	}
	t.Logf("%d of %d claims hold", held, n)
}

func FuzzParseClaims(f *testing.F) {
	f.Add("Googlebot, GPTBot and * may not fetch /a, /b and /c except /d # e\n/x is open to all")
	f.Fuzz(func(t *testing.T, text string) {
		claims, err := proof.ParseClaims(text)
		if err != nil {
			return
		}
		for _, c := range claims {
			again, err := proof.ParseClaims(c.Text)
			if err != nil || len(again) != 1 || again[0].Text != c.Text {
				t.Errorf("%q is read again as %+v, %v", c.Text, again, err)
			}
		}
	})
}
