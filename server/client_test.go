package server_test

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/robotsexclusion/robots/fetch"
	"github.com/robotsexclusion/robots/server"
	"github.com/robotsexclusion/robots/server/api"
)

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// TestClient asks a service all questions of the client.
func TestClient(t *testing.T) {
	text := "User-agent: *\nDisallow: /a\nDisallow: /a/b\n"
	site := &fetch.Client{Transport: roundTrip(func(*http.Request) (*http.Response, error) {
		w := httptest.NewRecorder()
		io.WriteString(w, text)
		return w.Result(), nil
	})}
	web := httptest.NewServer(server.New(server.Config{Client: site, Tokens: []string{"a token"}}))
	defer web.Close()
	c, ctx := &api.Client{URL: web.URL + "/", Token: "a token"}, t.Context()
	if m, err := c.Match(ctx, "https://a.example/a/<b>", "ExampleBot", "Googlebot"); err != nil ||
		len(m.Results) != 2 || m.Results[0].Line != 2 || m.URL != "https://a.example/a/<b>" {
		t.Errorf("Match: %+v, %v", m, err)
	}
	if f, err := c.Robots(ctx, "https://a.example"); err != nil || f.Text == nil || *f.Text != text {
		t.Errorf("Robots: %+v, %v", f, err)
	}
	if r, err := c.Lint(ctx, &api.LintQuestion{Robots: &text}); err != nil || len(r.Diagnostics) == 0 {
		t.Errorf("Lint: %+v, %v", r, err)
	}
	if d, err := c.Diff(ctx, &api.DiffQuestion{Before: new(string), After: &text}); err != nil || d.Equal ||
		len(d.Changes) != 1 {
		t.Errorf("Diff: %+v, %v", d, err)
	}
	if p, err := c.Prove(ctx, &api.ProveQuestion{Robots: &text, Claims: "* may fetch /"}); err != nil ||
		len(p.Claims) != 1 || p.Claims[0].Holds {
		t.Errorf("Prove: %+v, %v", p, err)
	}
	if m, err := c.Minimize(ctx, &api.MinimizeQuestion{Robots: &text}); err != nil || len(m.LeftOut) != 1 {
		t.Errorf("Minimize: %+v, %v", m, err)
	}
	c.Dialect = "koster1994"
	if m, err := c.Match(ctx, "https://a.example/a/b", "ExampleBot"); err != nil || m.Dialect != "koster1994" {
		t.Errorf("Match in another dialect: %+v, %v", m, err)
	}
	problem := (*api.Problem)(nil)
	if _, err := c.Match(ctx, "x"); !errors.As(err, &problem) || problem.Status != http.StatusBadRequest {
		t.Errorf("a text that is not a URL: %v", err)
	}
}

// TestClientAsk asks many questions about a few large texts, which several requests take. The
// answers must be those of one request, also for questions whose text was in the request before,
// and for those that are wrong.
func TestClientAsk(t *testing.T) {
	var requests atomic.Int32
	s := server.New(server.Config{})
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter,
		r *http.Request) {
		requests.Add(1)
		s.ServeHTTP(w, r)
	}))
	defer web.Close()
	filler := strings.Repeat("# a comment\n", 30_000)
	var questions []api.Question
	for i := range 20_000 {
		q := api.Question{ID: i, Agent: "ExampleBot", URL: fmt.Sprintf("/%d/%s", i%3, strings.Repeat("x", 400))}
		switch {
		case i%7_000 == 0:
			text := fmt.Sprintf("User-agent: *\nDisallow: /%d\n%s", i/7_000%3, filler)
			q.Robots = &text
		case i%7_000 == 5_000:
			q.RobotsBase64 = []byte("User-agent: *\nDisallow: /1\nDisallow: /\xff\n")
		case i%1_000 == 1:
			q.URL = "//no path"
		}
		questions = append(questions, q)
	}
	got, err := (&api.Client{URL: web.URL}).Ask(t.Context(), questions)
	if err != nil || len(got) != len(questions) {
		t.Fatalf("%d answers: %v", len(got), err)
	}
	closed, wrong := -1, 0
	for i, q := range questions {
		switch {
		case q.Robots != nil:
			closed = i / 7_000 % 3
		case q.RobotsBase64 != nil:
			closed = 1
		}
		a := got[i]
		if a.Error != "" && q.URL == "//no path" {
			wrong++
			continue
		}
		if a.ID != float64(i) || a.Error != "" || *a.Allowed == (i%3 == closed) {
			t.Fatalf("question %d: %+v, want /%d closed", i, a, closed)
		}
	}
	if n := requests.Load(); n < 3 || wrong != 20 {
		t.Errorf("%d requests, %d questions with an error", n, wrong)
	}
	problem := (*api.Problem)(nil)
	if _, err := (&api.Client{URL: web.URL, Dialect: "none"}).Ask(t.Context(), questions[:1]); !errors.As(err,
		&problem) {
		t.Errorf("an unknown dialect: %v", err)
	}
	if got, err := (&api.Client{URL: web.URL}).Ask(t.Context(), nil); got != nil || err != nil {
		t.Errorf("no question: %v, %v", got, err)
	}
}

// TestClientRetries has a service refuse requests for a while, fail, and answer nonsense.
func TestClientRetries(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for name, test := range map[string]struct {
			refused  int // requests before an answer
			status   int // of the refusal; 0 for an error of the network
			after    string
			retries  int
			requests int32
			took     time.Duration
			ok       bool
		}{
			"busy":           {2, 503, "5", 0, 3, 10 * time.Second, true},
			"limited":        {1, 429, "1", 1, 2, time.Second, true},
			"network":        {2, 0, "", 0, 3, 600 * time.Millisecond, true},
			"too often":      {9, 503, "1", 2, 3, 2 * time.Second, false},
			"never":          {9, 503, "1", -1, 1, 0, false},
			"for very long":  {9, 503, "99999999999999999999", 0, 1, 0, false},
			"another status": {1, 400, "1", 0, 1, 0, false},
			"nonsense":       {1, 200, "", 0, 1, 0, false},
		} {
			var requests atomic.Int32
			began := time.Now()
			c := &api.Client{URL: "http://service", Retries: test.retries,
				HTTP: &http.Client{Transport: roundTrip(func(*http.Request) (*http.Response, error) {
					w := httptest.NewRecorder()
					if int(requests.Add(1)) > test.refused {
						io.WriteString(w, `{"url":"/"}`)
					} else if test.status == 0 {
						return nil, errors.New("the connection failed")
					} else {
						w.Header().Set("Retry-After", test.after)
						w.WriteHeader(test.status)
						io.WriteString(w, "<html>")
					}
					return w.Result(), nil
				})}}
			_, err := c.Match(t.Context(), "/")
			if (err == nil) != test.ok || requests.Load() != test.requests || time.Since(began) != test.took {
				t.Errorf("%s: %d requests in %v: %v", name, requests.Load(), time.Since(began), err)
			}
		}
	})
}
