package guard_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/guard"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

const preferring = `License: https://example.com/all.xml

User-agent: *
Content-Usage: train-ai=n, search=y, other="?"
Content-Usage: /open/ train-ai=y
Content-Usage: /open/ search=n
Content-Usage: /odd/ other=1
Noindex: /old/
Noarchive: /old/*.pdf$
Nofollow:
Disallow: /private/

User-agent: GPTBot
License: https://example.com/ai.xml?a=1
License: https://example.com/"odd>.xml
License: not absolute
Content-Usage: train-ai=n
`

// shown returns the fields of preferences, and Vary.
func shown(h http.Header) string {
	var b strings.Builder
	for _, name := range []string{"Content-Usage", "X-Robots-Tag", "Link", "Vary"} {
		for _, value := range h[name] {
			fmt.Fprintf(&b, "%s: %s\n", name, value)
		}
	}
	return b.String()
}

// TestPreferences checks the fields that answers get, for the path and the robot.
func TestPreferences(t *testing.T) {
	const all, ai, vary = `Link: <https://example.com/all.xml>; rel="license"; type="application/rsl+xml"` + "\n",
		`Link: <https://example.com/ai.xml?a=1>; rel="license"; type="application/rsl+xml"` + "\n" +
			`Link: <https://example.com/%22odd%3E.xml>; rel="license"; type="application/rsl+xml"` +
			"\n", "Vary: User-Agent\n"
	for _, test := range []struct{ target, userAgent, tag, want string }{
		{"/", firefox, "", "Content-Usage: search=y, train-ai=n\n" + all + vary},
		{"/", "", "", "Content-Usage: search=y, train-ai=n\n" + all + vary},
		{"/", nobody, "noai", "Content-Usage: search=y, train-ai=n\nX-Robots-Tag: noai\n" + all + vary},
		{"/open/x", nobody, "", "Content-Usage: search=n, train-ai=y\n" + all + vary},
		{"//open/x", nobody, "", "Content-Usage: search=y, train-ai=n\n" + all + vary},
		{"http://example.com/open/x", nobody, "", "Content-Usage: search=n, train-ai=y\n" + all + vary},
		{"/odd/x", nobody, "", all + vary},
		{"/old/x.pdf", firefox, "noai", "Content-Usage: search=y, train-ai=n\nX-Robots-Tag: noindex, noarchive\n" +
			all + vary},
		{"/old/x.pdf?y", firefox, "", "Content-Usage: search=y, train-ai=n\nX-Robots-Tag: noindex\n" + all + vary},
		{"/private/x", firefox, "", all + vary},
		{"/old/x", gptBot, "", "Content-Usage: train-ai=n\n" + ai + vary},
		{"/robots.txt", nobody, "noindex", ""},
		{"/.well-known/x", nobody, "noindex", ""},
		{"*", nobody, "noindex", ""},
	} {
		g := &guard.Guard{Policy: guard.Fixed(robots.Parse([]byte(preferring))), Preferences: true, RobotsTag: test.tag}
		w := httptest.NewRecorder()
		g.Handler(http.NotFoundHandler()).ServeHTTP(w, request(t, test.target, test.userAgent))
		if got := shown(w.Result().Header); w.Code != 404 || got != test.want {
			t.Errorf("%s of %.20s: got %d\n%s\nwant 404\n%s", test.target, test.userAgent, w.Code, got, test.want)
		}
	}
}

// TestPreferencesOff checks that nothing is added without the option, without a policy, or to
// refusals, and that a file for everyone says no Vary.
func TestPreferencesOff(t *testing.T) {
	everyone := robots.Parse([]byte("User-agent: *\nDisallow: /private/\nContent-Usage: train-ai=n\n"))
	for _, test := range []struct {
		g      *guard.Guard
		target string
		want   string
	}{
		{&guard.Guard{Policy: guard.Fixed(everyone)}, "/", ""},
		{&guard.Guard{Preferences: true, RobotsTag: "noindex"}, "/", ""},
		{&guard.Guard{Preferences: true, Policy: func(*http.Request) (*robots.Policy, error) { panic("x") }}, "/", ""},
		{&guard.Guard{Preferences: true, Policy: guard.Fixed(everyone)}, "/private/", "Vary: User-Agent\n"},
		{&guard.Guard{Preferences: true, Policy: guard.Fixed(everyone), Observe: true}, "/private/", ""},
		{&guard.Guard{Preferences: true, Policy: guard.Fixed(everyone)}, "/", "Content-Usage: train-ai=n\n"},
	} {
		w := httptest.NewRecorder()
		test.g.Handler(http.NotFoundHandler()).ServeHTTP(w, request(t, test.target, nobody))
		if got := shown(w.Result().Header); got != test.want {
			t.Errorf("%s: got %q, want %q", test.target, got, test.want)
		}
	}
}

// TestPreferencesOfSite checks that fields of the site stay as they are, however it writes its
// answer.
func TestPreferencesOfSite(t *testing.T) {
	const license = `Link: <https://example.com/l.xml>; rel="license"; type="application/rsl+xml"` + "\n"
	policy := guard.Fixed(robots.Parse([]byte("License: https://example.com/l.xml\nUser-agent: *\nContent-Usage: train-ai=n\nNoindex: /\n")))
	server := httptest.NewServer((&guard.Guard{Policy: policy,
		Preferences: true}).Handler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/early":
			w.WriteHeader(http.StatusEarlyHints)
		case "/flush":
			w.(http.Flusher).Flush()
		case "/controller":
			if err := http.NewResponseController(w).Flush(); err != nil {
				t.Error(err)
			}
		case "/copy":
			io.Copy(w, strings.NewReader("x"))
		case "/hijack":
			c, _, err := w.(http.Hijacker).Hijack()
			if err != nil {
				t.Error(err)
				return
			}
			io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
			c.Close()
		}
		for name, values := range r.Header {
			if name, ok := strings.CutPrefix(name, "Set-"); ok {
				w.Header()[name] = values
			}
		}
		if r.URL.Path == "/status" {
			w.WriteHeader(http.StatusTeapot)
		}
		if r.URL.Path != "/nothing" && r.URL.Path != "/hijack" {
			io.WriteString(w, "x")
		}
	})))
	defer server.Close()
	const usage, tag = "Content-Usage: train-ai=n\n", "X-Robots-Tag: noindex\n"
	for _, test := range []struct{ target, set, value, want string }{
		{"/", "", "", usage + tag + license},
		{"/nothing", "", "", usage + tag + license},
		{"/status", "", "", usage + tag + license},
		{"/early", "", "", usage + tag + license},
		{"/flush", "", "", usage + tag + license},
		{"/controller", "", "", usage + tag + license},
		{"/copy", "", "", usage + tag + license},
		{"/hijack", "", "", ""},
		{"/", "Content-Usage", "train-ai=y", "Content-Usage: train-ai=y\n" + tag + license},
		{"/", "X-Robots-Tag", "otherbot: all", usage + "X-Robots-Tag: otherbot: all\n" + license},
		{"/", "Link", "</x.css>; rel=preload", usage + tag + "Link: </x.css>; rel=preload\n" + license},
		{"/", "Link", `</a,b;rel=license>; title=",; rel=license\" "`, usage + tag +
			"Link: </a,b;rel=license>; title=\",; rel=license\\\" \"\n" + license},
		{"/", "Link", `</x.css>; rel=preload, </mine>; REL="me License"`, usage + tag +
			"Link: </x.css>; rel=preload, </mine>; REL=\"me License\"\n"},
		{"/", "Link", "odd", usage + tag + "Link: odd\n" + license},
		{"/status", "Vary", "Accept", usage + tag + license + "Vary: Accept\n"},
	} {
		r, _ := http.NewRequest("GET", server.URL+test.target, nil)
		if test.set != "" {
			r.Header.Set("Set-"+test.set, test.value)
		}
		answer, err := http.DefaultClient.Do(r)
		fatal.If(t, err)
		answer.Body.Close()
		if got := shown(answer.Header); got != test.want {
			t.Errorf("%s with %s: %s: got\n%s\nwant\n%s", test.target, test.set, test.value, got, test.want)
		}
	}
}
