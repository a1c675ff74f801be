package botauth

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots/internal/sfv"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// What is covered cannot be changed, added to or taken away; all else can.
func TestVerifyTampered(t *testing.T) {
	const all = `sig1=("@method" "@authority" "@scheme" "@request-target" "@path" "@query" "@query-param";name="x" "user-agent" "accept" "accept";bs "host" "signature-agent";key="sig1" "signature-agent");TIME;KEY;nonce="AAAA";tag="web-bot-auth"`
	v := &Verifier{Scheme: "https", Keys: func(ctx context.Context, _ Agent, keyid string) (Key, error) {
		return published(botURL, botKey)(ctx, Agent{URL: botURL}, keyid)
	}}
	for name, tamper := range map[string]func(*http.Request){
		"the method":         func(r *http.Request) { r.Method = "POST" },
		"the method's case":  func(r *http.Request) { r.Method = "get" },
		"the host":           func(r *http.Request) { r.Host = "example.org" },
		"the host's case":    func(r *http.Request) { r.Host = "Example.com" }, // the field is covered too
		"the path":           func(r *http.Request) { r.RequestURI = "/other?x=1" },
		"the path's case":    func(r *http.Request) { r.RequestURI = "/Path?x=1" },
		"the path's form":    func(r *http.Request) { r.RequestURI = "/p%61th?x=1" },
		"the query":          func(r *http.Request) { r.RequestURI = "/path?x=2" },
		"a query more":       func(r *http.Request) { r.RequestURI = "/path?x=1&y=2" },
		"no query":           func(r *http.Request) { r.RequestURI = "/path" },
		"a field":            func(r *http.Request) { r.Header.Set("User-Agent", "Other") },
		"a field's case":     func(r *http.Request) { r.Header.Set("User-Agent", "examplebot/1.0") },
		"a field more":       func(r *http.Request) { r.Header.Add("User-Agent", "Other") },
		"a field less":       func(r *http.Request) { r.Header.Del("User-Agent") },
		"the order of lines": func(r *http.Request) { slices.Reverse(r.Header["Accept"]) },
		"a line more":        func(r *http.Request) { r.Header.Add("Accept", "image/png") },
		"a line less":        func(r *http.Request) { r.Header["Accept"] = r.Header["Accept"][:1] },
		// bs tells
		"lines joined":              func(r *http.Request) { r.Header.Set("Accept", "text/html, text/plain") },
		"the agent":                 agentField(`sig1="https://evil.example"`),
		"the agent's type":          agentField(`sig1="https://bot.example.com";type=jwks_uri`),
		"an agent more":             agentField(`sig1="https://bot.example.com", sig2="https://other.example"`),
		"the creation":              changeInput("created=1735689590", "created=1735689591"),
		"the expiry":                changeInput("expires=1735689650", "expires=1735689651"),
		"the nonce":                 changeInput("AAAA", "AAAB"),
		"no nonce":                  changeInput(`;nonce="AAAA"`, ""),
		"an algorithm":              changeInput(`;nonce=`, `;alg="ed25519";nonce=`),
		"another component":         changeInput(`"@method" `, `"@method" "accept-language" `),
		"a component less":          changeInput(`"@method" `, ``),
		"the order of components":   changeInput(`"@method" "@authority"`, `"@authority" "@method"`),
		"the signature":             func(r *http.Request) { flip(t, r, 0) },
		"the signature's end":       func(r *http.Request) { flip(t, r, 63) },
		"a signature that is short": func(r *http.Request) { r.Header.Set("Signature", "sig1=:AAAA:") },
		"a signature that is empty": func(r *http.Request) { r.Header.Set("Signature", "sig1=::") },
		"a signature of zeros": func(r *http.Request) {
			r.Header.Set("Signature", dictionary("sig1", sfv.Item{Value: make([]byte, 64)}))
		},
		"a signature that is text":      func(r *http.Request) { r.Header.Set("Signature", `sig1="AAAA"`) },
		"a signature that is a list":    func(r *http.Request) { r.Header.Set("Signature", `sig1=(:AAAA:)`) },
		"no signature":                  func(r *http.Request) { r.Header.Del("Signature") },
		"a signature that stands twice": func(r *http.Request) { r.Header.Add("Signature", r.Header.Get("Signature")) },
		"a signature of another form":   func(r *http.Request) { r.Header.Set("Signature", "sig1=AAAA") },
		"the label": func(r *http.Request) {
			r.Header.Set("Signature", strings.Replace(r.Header.Get("Signature"), "sig1", "sig2", 1))
		},
	} {
		req := botRequest(t)
		signAs(t, req, botKey, all)
		if got := v.Verify(req, now); got.Result != Verified {
			t.Fatalf("before: got %s", got)
		}
		tamper(req)
		if got := v.Verify(req, now); got.Result != Forged {
			t.Errorf("%s: got %s, want forged", name, got)
		}
	}
	for name, change := range map[string]func(*http.Request){
		"what is not covered":     func(r *http.Request) { r.Header.Set("Accept-Language", "de") },
		"white space around":      func(r *http.Request) { r.Header.Set("User-Agent", " \tExampleBot/1.0 ") },
		"white space in the list": changeInput(`"@method" "@authority"`, `  "@method"    "@authority"`),
		"the label of both":       func(r *http.Request) { relabel(r, "sig1", "proxy") },
		"another signature": func(r *http.Request) {
			r.Header.Add("Signature-Input", `b=("x");tag="other"`)
			r.Header.Add("Signature", "b=:AAAA:")
		},
		"padding": func(r *http.Request) {
			r.Header.Set("Signature", strings.Replace(r.Header.Get("Signature"), "==:", ":", 1))
		},
	} {
		req := botRequest(t)
		signAs(t, req, botKey, strings.Replace(all, ` "signature-agent")`, ")", 1))
		change(req)
		if got := v.Verify(req, now); got.Result != Verified {
			t.Errorf("%s: got %s, want verified", name, got)
		}
	}
}

func changeInput(old, with string) func(*http.Request) {
	return func(r *http.Request) {
		r.Header.Set("Signature-Input", strings.Replace(r.Header.Get("Signature-Input"), old, with, 1))
	}
}

// relabel changes the label of a signature, as proxies may (RFC 9421, section
// 7.2.5).
func relabel(r *http.Request, from, to string) {
	for _, field := range []string{"Signature-Input", "Signature"} {
		r.Header.Set(field, to+strings.TrimPrefix(r.Header.Get(field), from))
	}
}

// flip changes one bit of the signature.
func flip(t *testing.T, r *http.Request, index int) {
	d, err := sfv.ParseDictionary(r.Header.Get("Signature"))
	fatal.If(t, err)
	d.Members[0].Value.([]byte)[index] ^= 1
	r.Header.Set("Signature", d.String())
}
