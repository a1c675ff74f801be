package server

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/robotsexclusion/robots/fetch"
)

// TestConditional repeats questions with the ETag of the answer: it stays while the verdict and the
// text do, also when the origin confirms the text later.
func TestConditional(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		text := "User-agent: *\nDisallow: /x\n"
		s := New(Config{Client: &fetch.Client{Transport: web(func(string) (string, bool) { return text, true })}})
		conditional := func(target, tag string) *httptest.ResponseRecorder {
			r, w := httptest.NewRequest(http.MethodGet, target, nil), httptest.NewRecorder()
			r.Header.Set("If-None-Match", tag)
			s.ServeHTTP(w, r)
			return w
		}
		target := matchOf("https://a.example/x")
		w := get(s, target)
		tag := w.Header().Get("ETag")
		if got := w.Header().Get("Cache-Control"); tag == "" || got != "max-age=86400" {
			t.Errorf("ETag %s, Cache-Control %s", tag, got)
		}
		for _, tags := range []string{tag, strings.TrimPrefix(tag, "W/"), `"a", ` + tag, "*"} {
			if w := conditional(target, tags); w.Code != http.StatusNotModified || w.Body.Len() > 0 || w.Header().Get("ETag") != tag {
				t.Errorf("%s: %d %v %q", tags, w.Code, w.Header(), w.Body)
			}
		}
		if w := conditional(target, `"a", b, W/"`); w.Code != http.StatusOK {
			t.Errorf("other tags: %d", w.Code)
		}
		for _, other := range []string{matchOf("https://a.example/"), matchOf("https://b.example/x"), matchOf("https://a.example/x", "ExampleBot"), "/v1/robots?origin=https://a.example"} {
			if w := conditional(other, tag); w.Code != http.StatusOK {
				t.Errorf("%s: %d", other, w.Code)
			}
		}
		time.Sleep(23 * time.Hour)
		if got := get(s, target).Header().Get("Cache-Control"); got != "max-age=3600" {
			t.Errorf("23 hours later: Cache-Control %s", got)
		}
		time.Sleep(2 * time.Hour)
		if w := conditional(target, tag); w.Code != http.StatusNotModified {
			t.Errorf("confirmed: %d %s", w.Code, w.Header())
		}
		text += "Disallow: /y\n"
		time.Sleep(25 * time.Hour)
		if w := conditional(target, tag); w.Code != http.StatusOK {
			t.Errorf("with another text: %d %s", w.Code, w.Header())
		}
	})
}

// TestRequests has as many requests at once as the service answers.
func TestRequests(t *testing.T) {
	s := New(Config{MaxRequests: 1, Client: &fetch.Client{Transport: oneText("")}})
	s.requests <- struct{}{}
	wantProblem(t, "another request", get(s, matchOf("https://a.example/")), busy)
	if w := get(s, "/healthz"); w.Code != http.StatusOK {
		t.Errorf("health: %d", w.Code)
	}
	<-s.requests
	for range 2 {
		if w := get(s, matchOf("https://a.example/")); w.Code != http.StatusOK {
			t.Errorf("afterwards: %d", w.Code)
		}
	}
}
