package server

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/robotsexclusion/robots/fetch"
)

// TestTokens asks with and without tokens.
func TestTokens(t *testing.T) {
	s := New(Config{Tokens: []string{"first-token", "second-token"}, Client: &fetch.Client{Transport: oneText("")}})
	ask := func(target, authorization string) *httptest.ResponseRecorder {
		r, w := httptest.NewRequest(http.MethodGet, target, nil), httptest.NewRecorder()
		if authorization != "" {
			r.Header.Set("Authorization", authorization)
		}
		s.ServeHTTP(w, r)
		return w
	}
	target := matchOf("https://a.example/")
	for _, wrong := range []string{"", "Bearer", "Bearer ", "Bearer first", "Bearer first-token2",
		"Bearer first-token second-token", "Basic first-token", "first-token"} {
		w := ask(target, wrong)
		wantProblem(t, wrong, w, unauthorized)
		if w.Header().Get("WWW-Authenticate") != "Bearer" {
			t.Errorf("%q: %v", wrong, w.Header())
		}
	}
	for _, right := range []string{"Bearer first-token", "bearer second-token"} {
		if w := ask(target, right); w.Code != http.StatusOK {
			t.Errorf("%q: %d", right, w.Code)
		}
	}
	if w := ask("/healthz", ""); w.Code != http.StatusOK {
		t.Errorf("health: %d", w.Code)
	}
}

// TestOrigins asks as browsers do for pages of several origins.
func TestOrigins(t *testing.T) {
	ask := func(method, origin string, permitted ...string) *httptest.ResponseRecorder {
		s := New(Config{Origins: permitted, Tokens: []string{"a token"}})
		r, w := httptest.NewRequest(method, "/v1/lint", nil), httptest.NewRecorder()
		r.Header.Set("Origin", origin)
		r.Header.Set("Access-Control-Request-Method", "POST")
		s.ServeHTTP(w, r)
		return w
	}
	for _, test := range []struct {
		origin    string
		permitted []string
		want      string
	}{
		{"https://a.example", nil, ""},
		{"https://a.example", []string{"https://b.example"}, ""},
		{"https://a.example.evil", []string{"https://a.example"}, ""},
		{"null", []string{"https://a.example"}, ""},
		{"https://a.example", []string{"https://b.example", "https://a.example"}, "https://a.example"},
		{"https://a.example", []string{"*"}, "*"},
	} {
		w := ask(http.MethodOptions, test.origin, test.permitted...)
		got := w.Header().Get("Access-Control-Allow-Origin")
		if got != test.want || (w.Code == http.StatusNoContent) != (test.want != "") ||
			w.Header().Get("Access-Control-Allow-Credentials") != "" {
			t.Errorf("%s with %v: %d, %q, want %q", test.origin, test.permitted, w.Code, got, test.want)
		}
		if (w.Header().Get("Vary") == "Origin") != (test.permitted != nil) {
			t.Errorf("%s with %v: Vary is %q", test.origin, test.permitted, w.Header().Get("Vary"))
		}
	}
	// A page may read why its question was refused.
	w := ask(http.MethodPost, "https://a.example", "*")
	wantProblem(t, "no token", w, unauthorized)
	if w.Header().Get("Access-Control-Allow-Origin") != "*" {
		t.Errorf("%v", w.Header())
	}
}

// TestHosts asks for hosts of strangers, and as browsers do for pages that may not ask.
func TestHosts(t *testing.T) {
	ask := func(c Config, host, path, site, origin string) *httptest.ResponseRecorder {
		r, w := httptest.NewRequest("GET", path, nil), httptest.NewRecorder()
		r.Host = host
		r.Header = http.Header{"Sec-Fetch-Site": {site}, "Origin": {origin}}
		if origin == "" {
			delete(r.Header, "Origin")
		}
		New(c).ServeHTTP(w, r)
		return w
	}
	const path = "/v1/match"
	one := []string{"https://a.example"}
	for _, test := range []struct {
		config             Config
		host, site, origin string
		want               *kind
	}{
		{Config{}, "evil.example", "", "", badParameter}, // the caller checks hosts
		{Config{Hosts: []string{}}, "evil.example", "", "", wrongHost},
		{Config{Hosts: []string{"robots.example"}}, "evil.example", "", "", wrongHost},
		{Config{Hosts: []string{"robots.example"}}, "robots.example:80", "", "", badParameter},
		{Config{Hosts: []string{}}, "192.0.2.1", "", "", badParameter},
		{Config{Hosts: []string{}}, "", "", "", badParameter}, // a check of a proxy
		{Config{}, "robots.example", "cross-site", "", foreignPage},
		{Config{}, "robots.example", "", "https://evil.example", foreignPage},
		{Config{}, "robots.example", "", "https://robots.example", badParameter},
		{Config{Tokens: []string{"0123456789abcdef"}}, "robots.example", "cross-site", "", foreignPage},
		{Config{Origins: one}, "robots.example", "cross-site", "https://a.example", badParameter},
		{Config{Origins: one}, "robots.example", "cross-site", "", foreignPage},
		{Config{Origins: []string{"*"}}, "robots.example", "cross-site", "", badParameter},
		{Config{Origins: []string{"*"}, Hosts: []string{}}, "evil.example", "same-origin", "", wrongHost},
	} {
		name := test.host + " " + test.site + " " + test.origin
		wantProblem(t, name, ask(test.config, test.host, path, test.site, test.origin), test.want)
	}
	for _, path := range []string{"/healthz", "/openapi.json"} { // pages may link to these
		if w := ask(Config{}, "robots.example", path, "cross-site", ""); w.Code != http.StatusOK {
			t.Errorf("%s for a page of another site: got %d", path, w.Code)
		}
	}
}
