package server

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots/server/api"
)

// get returns the answer to a GET request.
func get(h http.Handler, target string) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, target, nil))
	return w
}

// wantProblem checks that an answer is a problem of a kind, in each detail that clients rely on.
func wantProblem(t *testing.T, name string, w *httptest.ResponseRecorder, want *kind) {
	t.Helper()
	var p api.Problem
	if err := json.Unmarshal(w.Body.Bytes(), &p); err != nil {
		t.Errorf("%s: %q: %v", name, w.Body, err)
		return
	}
	if p.Type != typeURI+want.name || p.Status != want.status || w.Code != want.status || p.Title != want.title {
		t.Errorf("%s: got %d %v, want %s", name, w.Code, &p, want.name)
	}
	if got := w.Header().Get("Content-Type"); got != "application/problem+json" {
		t.Errorf("%s: Content-Type is %s", name, got)
	}
	if w.Header().Get("X-Content-Type-Options") != "nosniff" || strings.ContainsAny(w.Body.String(), "<>\x1b\u202e") {
		t.Errorf("%s: the answer is unsafe: %v %q", name, w.Header(), w.Body)
	}
}

// TestProblems asks for what the service has not.
func TestProblems(t *testing.T) {
	s := New(Config{})
	for _, target := range []string{"/", "/v1/", "/v1/<script>"} {
		w := get(s, strings.ReplaceAll(target, "<script>", "%3Cscript%3E"))
		wantProblem(t, target, w, notFound)
	}
	for _, method := range []string{"POST", "PUT", "DELETE", "OPTIONS", "TRACE", "get"} {
		w := httptest.NewRecorder()
		s.ServeHTTP(w, httptest.NewRequest(method, "/healthz", nil))
		wantProblem(t, method, w, wrongMethod)
		if got := w.Header().Get("Allow"); got != "GET" {
			t.Errorf("%s: Allow is %q", method, got)
		}
	}
	if w := get(s, "/healthz"); w.Code != http.StatusOK {
		t.Errorf("health: %d", w.Code)
	}
}
