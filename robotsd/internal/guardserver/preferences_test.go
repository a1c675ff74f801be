package guardserver

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/guard"
	"github.com/robotsexclusion/robots/internal/test/fatal"
	"github.com/robotsexclusion/robots/internal/test/ports"
)

// preferring returns a guard that adds preferences to answers.
func preferring() *guard.Guard {
	return &guard.Guard{Preferences: true, Policy: guard.Fixed(robots.Parse([]byte(
		"License: https://example.com/l.xml\nUser-agent: *\nDisallow: /private/\n" +
			"Content-Usage: /news/ train-ai=n\nNoindex: /old/\n")))}
}

// tagged answers with the fields that its query names, with the value "own".
func tagged(w http.ResponseWriter, r *http.Request) {
	if r.URL.RawQuery != "" {
		w.Header().Set(r.URL.RawQuery, "own")
	}
	echo(w, r)
}

const wantLicense = `Link=[<https://example.com/l.xml>; rel="license"; type="application/rsl+xml"]`

// preferenceTests has the fields of answers for a target.
var preferenceTests = []struct{ target, want string }{
	{"/", `Content-Usage=[] X-Robots-Tag=[] ` + wantLicense},
	{"/news/x", `Content-Usage=[train-ai=n] X-Robots-Tag=[] ` + wantLicense},
	{"/old/x", `Content-Usage=[] X-Robots-Tag=[noindex] ` + wantLicense},
	{"/news/x?Content-Usage", `Content-Usage=[own] X-Robots-Tag=[] ` + wantLicense},
	{"/old/x?X-Robots-Tag", `Content-Usage=[] X-Robots-Tag=[own] ` + wantLicense},
	{"/robots.txt", `Content-Usage=[] X-Robots-Tag=[] Link=[]`},
}

// preferencesOf returns the fields of an answer that preferenceTests compares.
func preferencesOf(t *testing.T, client *http.Client, address, target string, fields http.Header) string {
	t.Helper()
	r, _ := http.NewRequest("GET", "http://"+address+target, nil)
	r.Header = fields
	r.Header.Set("User-Agent", robot)
	answer, err := client.Do(r)
	fatal.If(t, err)
	answer.Body.Close()
	return fmt.Sprintf("Content-Usage=%v X-Robots-Tag=%v Link=%v", answer.Header["Content-Usage"],
		answer.Header["X-Robots-Tag"], answer.Header["Link"])
}

// TestPreferences checks the preferences that the proxy and the answers to another proxy have.
func TestPreferences(t *testing.T) {
	proxy := start(t, Options{Guard: preferring(), Upstream: upstream(t, tagged), Record: func(*Record) {}})
	authority := start(t, Options{Guard: preferring()})
	protocols := new(http.Protocols)
	protocols.SetUnencryptedHTTP2(true)
	http2 := &http.Client{Transport: &http.Transport{Protocols: protocols}}
	defer http2.CloseIdleConnections()
	for _, test := range preferenceTests {
		for name, client := range map[string]*http.Client{"HTTP/1.1": http.DefaultClient, "HTTP/2": http2} {
			if got := preferencesOf(t, client, proxy, test.target, http.Header{}); got != test.want {
				t.Errorf("proxy, %s: %s: got\n%s, want\n%s", name, test.target, got, test.want)
			}
		}
		if path, _, own := strings.Cut(test.target, "?"); !own {
			if got := preferencesOf(t, http.DefaultClient, authority, "/",
				http.Header{originalURI: {path}}); got != test.want {
				t.Errorf("another proxy asks: %s: got\n%s, want\n%s", test.target, got, test.want)
			}
		}
	}
}

// TestNginxPreferences checks that nginx can take the preferences over, and leave fields of the
// site alone, as doc/guard.md says.
func TestNginxPreferences(t *testing.T) {
	nginx := program(t, "nginx", "/usr/sbin/nginx")
	site := httptest.NewServer(http.HandlerFunc(tagged))
	defer site.Close()
	address := ports.Address(t)
	asked, asks := nginxBlocks(t, documented(t, "auth_request /robots-guard;"))
	taken, takes := nginxBlocks(t, documented(t, "auth_request_set $guard_usage"))
	runNginx(t, nginx, address, readdressed(t, asked+taken+"server {\nlisten "+address+";\n"+asks+takes+
		"location / { try_files /none @site; }\nlocation @site { proxy_pass "+site.URL+"; }\n}\n",
		"http://127.0.0.1:8000", "http://"+start(t, Options{Guard: preferring()})))
	for _, test := range preferenceTests {
		if got := preferencesOf(t, http.DefaultClient, address, test.target, http.Header{}); got != test.want {
			t.Errorf("%s: got\n%s, want\n%s", test.target, got, test.want)
		}
	}
}
