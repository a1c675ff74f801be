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
