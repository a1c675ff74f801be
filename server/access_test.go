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
	for _, wrong := range []string{"", "Bearer", "Bearer ", "Bearer first", "Bearer first-token2", "Bearer first-token second-token", "Basic first-token", "first-token"} {
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
