package guard_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/guard"
)

// TestPaidLicenses checks who needs a license, for what, and the answer to those without one (RSL
// 1.0, section 6).
func TestPaidLicenses(t *testing.T) {
	policy := robots.Parse([]byte(`License: https://example.com/paid.xml

User-agent: *
Crawl-delay: 10
Disallow: /private/

User-agent: Googlebot
License: https://example.com/free.xml

User-agent: bingbot
License: https://example.com/paid.xml
License: https://example.com/free.xml

User-agent: GPTBot
License: https://rsl.example/ai?a=b
`))
	for _, test := range []struct {
		target, userAgent, authorization string
		status                           int
	}{
		{"/x", firefox, "", 200},
		{"/x", "curl/8.0", "", 200},
		{"/x", "", "", 200},
		{"/x", nobody, "", 402},
		{"//x", nobody, "", 402},
		{"/x", nobody, "License abc", 200},
		{"/x", nobody, "license  abc", 200},
		{"/x", nobody, "License", 402},
		{"/x", nobody, "License ", 402},
		{"/x", nobody, "Bearer abc", 402},
		{"/private/x", nobody, "", 403},
		{"/private/x", nobody, "License abc", 403},
		{"/robots.txt", nobody, "", 200},
		{"/.well-known/x", nobody, "", 200},
		{"/paid.xml", nobody, "", 200},
		{"/paid.xml?x", nobody, "", 402},
		{"/free.xml", nobody, "", 402},
		{"/x", "Googlebot/2.1", "", 200},
		{"/x", "bingbot/2.0", "", 200},
		{"/x", gptBot, "", 402},
		{"/ai?a=b", gptBot, "", 402}, // of another host
	} {
		g := &guard.Guard{Policy: guard.Fixed(policy), PaidLicenses: []string{"https://example.com/paid.xml",
			"https://rsl.example/ai?a=b"}, Status: 410}
		if test.status == 403 {
			test.status = 410
		}
		r := request(t, test.target, test.userAgent)
		r.Host = "example.com"
		if test.authorization != "" {
			r.Header.Set("Authorization", test.authorization)
		}
		w := httptest.NewRecorder()
		g.Handler(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {})).ServeHTTP(w, r)
		if w.Code != test.status {
			t.Errorf("%s of %s with %q: got %d %s, want %d", test.target, test.userAgent, test.authorization, w.Code,
				w.Body, test.status)
		}
		challenge, link := w.Header().Get("WWW-Authenticate"), w.Header().Get("Link")
		switch {
		case w.Code != 402:
			if challenge+link != "" {
				t.Errorf("%s of %s: status %d has %s and %s", test.target, test.userAgent, w.Code, challenge, link)
			}
		case !strings.HasPrefix(challenge, "License ") || w.Header().Get("Cache-Control") != "no-store",
			test.userAgent == gptBot &&
				(link != `<https://rsl.example/ai?a=b>; rel="license"; type="application/rsl+xml"` ||
					!strings.Contains(w.Body.String(),
						`asks the robot GPTBot for a license: line 15, "License: https://rsl.example/ai?a=b"`)):
			t.Errorf("%s of %s: got %v\n%s", test.target, test.userAgent, w.Header(), w.Body)
		}
	}
}

// TestPaidLicensesPace checks that a refused request does not count for the pace, and that the
// license of a request does not excuse from the pace.
func TestPaidLicensesPace(t *testing.T) {
	g := &guard.Guard{
		Policy:       guard.Fixed(robots.Parse([]byte("User-agent: *\nLicense: https://example.com/paid.xml\nCrawl-delay: 3600\n"))),
		PaidLicenses: []string{"https://example.com/paid.xml"},
	}
	licensed := request(t, "/x", nobody)
	licensed.Header.Set("Authorization", "License abc")
	for i, want := range []guard.Reason{guard.Unlicensed, guard.Unlicensed, guard.ByRules, guard.ByPace,
		guard.Unlicensed} {
		r := licensed
		if want == guard.Unlicensed {
			r = request(t, "/x", nobody)
		}
		if d := g.Decide(r); d.Reason != want {
			t.Errorf("request %d: got %v, want %v", i, d.Reason, want)
		}
	}
}

// FuzzPaidLicenses checks that no text of robots.txt breaks out of the fields of the answer.
func FuzzPaidLicenses(f *testing.F) {
	f.Add("https://example.com/a>; rel=x")
	f.Add("urn:a\"\\,b")
	f.Fuzz(func(t *testing.T, uri string) {
		policy := robots.Parse([]byte("User-agent: *\nLicense: " + uri + "\n"))
		licenses := policy.For().Licenses()
		if len(licenses) != 1 {
			t.Skip()
		}
		g := &guard.Guard{Policy: guard.Fixed(policy), PaidLicenses: []string{licenses[0].URI.String()},
			Preferences: true}
		for _, userAgent := range []string{nobody, firefox} {
			w := httptest.NewRecorder()
			g.Handler(http.NotFoundHandler()).ServeHTTP(w, request(t, "/x", userAgent))
			link, ok := strings.CutSuffix(w.Header().Get("Link"), `>; rel="license"; type="application/rsl+xml"`)
			if w.Header().Get("Link") != "" && (!ok || strings.ContainsAny(link[1:], "<>\" \r\n")) {
				t.Errorf("%q: got the link %q", uri, link)
			}
			if want := map[string]int{nobody: 402, firefox: 404}[userAgent]; w.Code != want {
				t.Errorf("%q: got %d, want %d", uri, w.Code, want)
			}
		}
	})
}
