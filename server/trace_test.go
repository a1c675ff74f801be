package server

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"

	"github.com/robotsexclusion/robots/fetch"
)

// TestTrace follows the trace of a question through a redirect of robots.txt, into the record, and
// past a question from the cache. An invalid trace reaches no host.
func TestTrace(t *testing.T) {
	var seen []string
	var record Record
	s := New(Config{Record: func(r *Record) { record = *r }, Client: &fetch.Client{
		Cache: new(fetch.Memory),
		Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
			seen = append(seen, r.URL.Host+" "+r.Header.Get("Traceparent")+" "+
				r.Header.Get("Tracestate")+r.Header.Get("Baggage"))
			if r.URL.Host == "a.example" {
				w := httptest.NewRecorder()
				http.Redirect(w, r, "https://b.example/robots.txt", http.StatusFound)
				return w.Result(), nil
			}
			return oneText("").RoundTrip(r)
		}),
	}})
	const parent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
	for _, c := range []struct {
		origin, parent, state, want string
		hosts                       []string
	}{
		{"https://a.example/", parent, "rojo=1", parent, []string{"a.example " + parent + " rojo=1", "b.example " +
			parent + " rojo=1"}},
		{"https://a.example/", parent, "", parent, nil},
		{"https://c.example/", parent, "ROJO", parent, []string{"c.example " + parent + " "}},
		{"https://d.example/", parent + "x", "rojo=1", "", []string{"d.example  "}},
		{"https://e.example/", "", "rojo=1", "", []string{"e.example  "}},
	} {
		seen = nil
		r := httptest.NewRequest("GET", matchOf(c.origin), nil)
		r.Header.Set("Traceparent", c.parent)
		r.Header.Set("Tracestate", c.state)
		r.Header.Set("Baggage", "user=x")
		w := httptest.NewRecorder()
		s.ServeHTTP(w, r)
		if !slices.Equal(seen, c.hosts) || w.Code != http.StatusOK || record.Trace != c.want {
			t.Errorf("%s, %q: %d, got %q and the trace %q", c.origin, c.parent, w.Code, seen, record.Trace)
		}
	}
}
