package server

import (
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots/fetch"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// TestRecord compares the records with the answers: routes, statuses, sizes, problems and fetches.
func TestRecord(t *testing.T) {
	records := make(chan Record, 100)
	s := New(Config{
		Client:  &fetch.Client{Transport: oneText("User-agent: *\nDisallow: /x\n"), Cache: new(fetch.Memory)},
		Address: func(*http.Request) netip.Addr { return netip.MustParseAddr("192.0.2.7") },
		MaxBody: 1 << 10,
		Record:  func(r *Record) { records <- *r },
	})
	web := httptest.NewServer(s)
	defer web.Close()
	for _, c := range []struct {
		method, target, body   string
		status                 int
		route, problem, answer string
		fetches                int
	}{
		{"GET", matchOf("https://a.example/x"), "", 200, "GET /v1/match", "", `"allowed":false`, 1},
		{"GET", matchOf("https://a.example/y"), "", 200, "GET /v1/match", "", `"allowed":true`, 0},
		{"HEAD", matchOf("https://a.example/y"), "", 200, "GET /v1/match", "", "", 0},
		{"GET", "/v1/robots?origin=https://b.example", "", 200, "GET /v1/robots", "", "Disallow", 1},
		{"GET", "/v1/match", "", 400, "GET /v1/match", "bad-parameter", "missing", 0},
		{"GET", "/v2/match", "", 404, "", "not-found", "no resource", 0},
		{"POST", "/healthz", "", 405, "", "wrong-method", "", 0},
		{"GET", "/healthz", "", 200, "GET /healthz", "", "ok", 0},
		{"POST", "/v1/match", `{"robots":"","agent":"x","url":"/"}` + "\n", 200, "POST /v1/match", "", "", 0},
		{"POST", "/v1/lint", `{"robots":"` + strings.Repeat("x", 2<<10) + `"}`, 413, "POST /v1/lint", "too-large", "",
			0},
	} {
		r, _ := http.NewRequest(c.method, web.URL+c.target, strings.NewReader(c.body))
		answer, err := web.Client().Do(r)
		fatal.If(t, err)
		var body strings.Builder
		size, _ := io.Copy(&body, answer.Body)
		answer.Body.Close()
		g := <-records
		if len(records) > 0 || answer.StatusCode != c.status || g.Status != c.status || g.Route != c.route ||
			g.Problem != c.problem || g.Size != size || g.Fetches != c.fetches {
			t.Errorf("%s %s: got %d %q %q, %d bytes, %d fetches; the answer has %d bytes", c.method, c.target, g.Status,
				g.Route, g.Problem, g.Size, g.Fetches, size)
		}
		if g.Client.String() != "192.0.2.7" || g.Begin.IsZero() || g.Duration <= 0 ||
			g.Request.RequestURI != c.target || !strings.Contains(body.String(), c.answer) {
			t.Errorf("%s %s: got %+v and the answer %s", c.method, c.target, g, body.String())
		}
	}
}

// TestRecordAborted checks that a request whose answers cannot be complete has a record with the
// problem.
func TestRecordAborted(t *testing.T) {
	records := make(chan Record, 1)
	s := New(Config{MaxBody: 64 << 10, Record: func(r *Record) { records <- *r }})
	web := httptest.NewServer(s)
	defer web.Close()
	line := `{"robots":"","agent":"x","url":"/"}` + "\n"
	answer, err := http.Post(web.URL+"/v1/match", "application/jsonl", strings.NewReader(strings.Repeat(line, 4<<10)))
	// an answer that is closed before its end would end the request: the body would be short, not
	// too large
	if err == nil {
		io.Copy(io.Discard, answer.Body)
		answer.Body.Close()
	}
	if got := <-records; got.Route != "POST /v1/match" || got.Problem != "too-large" {
		t.Errorf("got %+v", got)
	}
}
