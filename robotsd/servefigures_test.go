package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus/testutil/promlint"
	"github.com/robotsexclusion/robots/fetch"
	"github.com/robotsexclusion/robots/fetch/natscache"
	"github.com/robotsexclusion/robots/internal/test/fatal"
	"github.com/robotsexclusion/robots/server"
)

// TestServeFigures compares the figures with the requests, and checks that clients cannot add
// labels.
func TestServeFigures(t *testing.T) {
	f := newServeFigures()
	origin := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintln(w, "User-agent: *")
	}))
	defer origin.Close()
	inside := httptest.NewServer(http.RedirectHandler("http://127.0.0.2:1/robots.txt", http.StatusFound))
	defer inside.Close()
	filter := fetch.DialFilter{Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")}}
	service := server.New(server.Config{Record: f.add, Client: &fetch.Client{Cache: new(fetch.Memory),
		DialFilter: filter}})
	answer := func(h http.Handler, method, target string) string {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest(method, target, nil))
		return w.Body.String()
	}
	for range 3 {
		answer(service, "GET", "/v1/match?url="+origin.URL)
		answer(service, "GET", "/v1/match")
	}
	answer(service, "GET", "/v1/robots?origin=http://127.0.0.3:1")
	answer(service, "GET", "/v1/robots?origin="+inside.URL)
	for i := range 50 {
		answer(service, fmt.Sprintf("STRANGE%d", i), fmt.Sprintf("/strange%d", i))
	}
	text := answer(f.handler(), "GET", "/metrics")
	for _, want := range []string{
		`robots_serve_requests_total{route="GET /v1/match",status="200"} 3`,
		`robots_serve_requests_total{route="GET /v1/match",status="400"} 3`,
		`robots_serve_requests_total{route="none",status="404"} 50`,
		`robots_serve_request_duration_seconds_count{route="GET /v1/match"} 6`,
		`robots_serve_problems_total{kind="bad-parameter"} 3`,
		`robots_serve_problems_total{kind="not-found"} 50`,
		`robots_serve_problems_total{kind="refused-address"} 1`,
		`robots_serve_fetches_total 3`,
		`robots_serve_refused_addresses_total 2`,
	} {
		if !strings.Contains(text, want+"\n") {
			t.Errorf("the figures lack %s", want)
		}
	}
	if strings.Contains(strings.ToLower(text), "strange") {
		t.Error("a client adds figures")
	}
	problems, err := promlint.New(strings.NewReader(text)).Lint()
	fatal.If(t, err)
	for _, p := range problems {
		t.Errorf("%s: %s", p.Metric, p.Text)
	}
}

// TestSharedFigures checks the figures of what services share.
func TestSharedFigures(t *testing.T) {
	f := newServeFigures()
	f.registry.MustRegister(sharedFigures(func() natscache.Stats {
		return natscache.Stats{Together: true, Lost: 1, Found: 2, Missing: 3, Damaged: 4, Refused: 5, Led: 6, Waited: 7,
			Overdue: 8}
	}))
	w := httptest.NewRecorder()
	f.handler().ServeHTTP(w, httptest.NewRequest("GET", "/metrics", nil))
	text := w.Body.String()
	for _, want := range []string{
		"robots_serve_shared 1", "robots_serve_shared_lost_total 1",
		`robots_serve_shared_reads_total{result="found"} 2`,
		`robots_serve_shared_reads_total{result="missing"} 3`, `robots_serve_shared_reads_total{result="damaged"} 4`,
		"robots_serve_shared_refused_total 5",
		`robots_serve_shared_flights_total{role="led"} 6`, `robots_serve_shared_flights_total{role="waited"} 7`,
		`robots_serve_shared_flights_total{role="overdue"} 8`,
	} {
		if !strings.Contains(text, want+"\n") {
			t.Errorf("the figures lack %s", want)
		}
	}
	if problems, err := promlint.New(strings.NewReader(text)).Lint(); err != nil || len(problems) > 0 {
		t.Errorf("%v, %v", problems, err)
	}
}
