package fetch_test

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/fetch"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// A visited site records its requests, with the User-Agent.
type visited struct {
	*httptest.Server
	mu   sync.Mutex
	seen []string
}

func visit(t *testing.T, robotstxt string, h http.HandlerFunc) *visited {
	v := new(visited)
	v.Server = serve(t, func(w http.ResponseWriter, r *http.Request) {
		v.mu.Lock()
		v.seen = append(v.seen, r.Method+" "+r.URL.RequestURI()+" "+r.UserAgent())
		v.mu.Unlock()
		if r.URL.Path == "/robots.txt" {
			io.WriteString(w, robotstxt)
			return
		}
		h(w, r)
	})
	return v
}

// requests returns the requests to the site so far.
func (v *visited) requests() []string {
	v.mu.Lock()
	defer v.mu.Unlock()
	return slices.Clone(v.seen)
}

// TestTransport makes requests with an http.Client that obeys robots.txt.
func TestTransport(t *testing.T) {
	other := visit(t, "User-agent: ExampleBot\nDisallow: /closed\n",
		func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, "other") })
	site := visit(t, "User-agent: *\nDisallow: /\n\nUser-agent: ExampleBot\nDisallow: /closed\nDisallow: /*?q=\n",
		func(w http.ResponseWriter, r *http.Request) {
			switch r.URL.Path {
			case "/leads":
				http.Redirect(w, r, "/closed/x", http.StatusFound)
			case "/away":
				http.Redirect(w, r, other.URL+"/closed/y", http.StatusFound)
			case "/there":
				http.Redirect(w, r, other.URL+"/open", http.StatusFound)
			default:
				io.WriteString(w, "page")
			}
		})
	client := &http.Client{Transport: &fetch.Transport{Client: &fetch.Client{
		UserAgent:  "ExampleBot/1.0 (+https://example.com/bot)",
		DialFilter: fetch.DialFilter{AllowPrivate: true},
	}}}
	defer client.CloseIdleConnections()
	for _, test := range []struct{ path, want string }{
		{"/open", "page"},
		{"/closed/x", "line 5"},
		{"/?q=1", "line 6"},
		{"/leads", "line 5"},
		{"/away", "line 2"},
		{"/there", "other"},
	} {
		got := ""
		response, err := client.Get(site.URL + test.path)
		if err == nil {
			body, err := io.ReadAll(response.Body)
			fatal.If(t, err)
			response.Body.Close()
			got = string(body)
		} else if d, ok := errors.AsType[*fetch.DisallowedError](err); ok {
			got = fmt.Sprintf("line %d", d.Match.Rule.Line)
			if d.Match.Reason != robots.DecidingRule || errors.Unwrap(d) != nil ||
				!strings.Contains(err.Error(), "is disallowed by line") {
				t.Errorf("%s: %v", test.path, err)
			}
		} else {
			got = err.Error()
		}
		if got != test.want {
			t.Errorf("%s: got %s, want %s", test.path, got, test.want)
		}
	}
	const as = " ExampleBot/1.0 (+https://example.com/bot)"
	want := []string{"GET /robots.txt" + as, "GET /open" + as, "GET /leads" + as, "GET /away" + as, "GET /there" + as}
	if got := site.requests(); !slices.Equal(got, want) {
		t.Errorf("the site saw %q, want %q", got, want)
	}
	want = []string{"GET /robots.txt" + as, "GET /open" + as}
	if got := other.requests(); !slices.Equal(got, want) {
		t.Errorf("the other site saw %q, want %q", got, want)
	}
}

// TestTransportName obeys the group for the first name in the User-Agent, in each dialect. Dialect
// Google takes names as they are given.
func TestTransportName(t *testing.T) {
	site := visit(t, "User-agent: *\nDisallow: /\n\nUser-agent: ExampleBot\nAllow: /\n",
		func(http.ResponseWriter, *http.Request) {})
	for _, d := range robots.Dialects() {
		for _, header := range []string{"ExampleBot", "ExampleBot/1.0", "ExampleBot (+https://example.com/bot)",
			"ExampleBot 1.0", " ExampleBot/1.0"} {
			c := &fetch.Client{UserAgent: header, Dialect: d, DialFilter: fetch.DialFilter{AllowPrivate: true}}
			transport := &fetch.Transport{Client: c}
			r, err := http.NewRequest(http.MethodGet, site.URL+"/x", nil)
			fatal.If(t, err)
			response, err := transport.RoundTrip(r)
			if err != nil {
				t.Errorf("%v, %q: %v", d, header, err)
				continue
			}
			response.Body.Close()
			transport.CloseIdleConnections()
		}
	}
}

// A closing is the body of a request. net/http requires that a body is closed even if it is never
// sent.
type closing struct {
	io.Reader
	closed bool
}

func (c *closing) Close() error { c.closed = true; return nil }

// TestTransportRefuses checks that the transport makes no request that is disallowed, or whose
// rules are unknown.
func TestTransportRefuses(t *testing.T) {
	closed := visit(t, "User-agent: *\nDisallow: /\n\nUser-agent: Other\nAllow: /\n",
		func(http.ResponseWriter, *http.Request) {})
	failing := serve(t, func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(http.StatusServiceUnavailable) })
	local := &fetch.Client{DialFilter: fetch.DialFilter{AllowPrivate: true}}
	for _, test := range []struct {
		name, url string
		transport *fetch.Transport
		want      string
	}{
		{"a rule", closed.URL + "/x", &fetch.Transport{Client: local}, "disallowed by line 2"},
		{"a header is not a name", closed.URL + "/x",
			&fetch.Transport{Client: &fetch.Client{UserAgent: "ExampleBot/1.0 Other/2", DialFilter: local.DialFilter}},
			"disallowed by line 2"},
		{"unreachable", failing.URL + "/x", &fetch.Transport{Client: local},
			"robots.txt is unreachable (503 Service Unavailable)"},
		{"an address that is not public", closed.URL + "/x", new(fetch.Transport), "refused to connect"},
		{"another scheme", "ftp://example.com/", &fetch.Transport{Client: local}, "ftp"},
	} {
		body := &closing{Reader: strings.NewReader("body")}
		r, err := http.NewRequest(http.MethodPost, test.url, body)
		fatal.If(t, err)
		response, err := test.transport.RoundTrip(r)
		if err == nil {
			response.Body.Close()
			t.Errorf("%s: the request was made", test.name)
		} else if !strings.Contains(err.Error(), test.want) || !body.closed {
			t.Errorf("%s: got %v, want %s; closed: %t", test.name, err, test.want, body.closed)
		}
	}
	if got := closed.requests(); slices.ContainsFunc(got,
		func(line string) bool { return strings.HasPrefix(line, "POST") }) {
		t.Errorf("the site saw %q", got)
	}
	// Another name is allowed, and the header of the request is its own.
	named := &fetch.Transport{Client: local, Tokens: []string{"Other-News", "Other"}, Base: http.DefaultTransport}
	r, err := http.NewRequest(http.MethodGet, closed.URL+"/y", nil)
	fatal.If(t, err)
	r.Header.Set("User-Agent", "Own/1")
	response, err := named.RoundTrip(r)
	fatal.If(t, err)
	response.Body.Close()
	named.CloseIdleConnections()
	if got := closed.requests(); got[len(got)-1] != "GET /y Own/1" {
		t.Errorf("the site saw %q", got)
	}
}
