package server

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots/fetch"
	"github.com/robotsexclusion/robots/internal/test/fatal"
	"github.com/robotsexclusion/robots/server/api"
)

// A web answers requests for robots.txt by host, without a network. A host without a text has no
// robots.txt.
type web func(host string) (text string, ok bool)

func (f web) RoundTrip(r *http.Request) (*http.Response, error) {
	text, ok := f(r.URL.Host)
	answer := httptest.NewRecorder()
	if !ok {
		answer.WriteHeader(http.StatusNotFound)
	}
	io.WriteString(answer, text)
	return answer.Result(), nil
}

// oneText is a web in which all hosts have one text.
func oneText(text string) web { return func(string) (string, bool) { return text, true } }

// newServer returns a service that asks hosts of a web.
func newServer(transport http.RoundTripper) *Server {
	return New(Config{Client: &fetch.Client{Transport: transport}})
}

// get returns the answer to a GET request.
func get(h http.Handler, target string) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, target, nil))
	return w
}

// matchOf returns the target of a question.
func matchOf(u string, agents ...string) string {
	return "/v1/match?" + url.Values{"url": {u}, "agent": agents}.Encode()
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
	if h, ok := problemHeaders[w.Code]; ok && w.Header().Get(h.name) == "" {
		t.Errorf("%s: the answer has no %s, which the document names", name, h.name)
	}
	if !strings.HasSuffix(w.Body.String(), "}\n") {
		t.Errorf("%s: the answer does not end its line: %q", name, w.Body)
	}
	if w.Header().Get("X-Content-Type-Options") != "nosniff" || strings.ContainsAny(w.Body.String(), "<>\x1b\u202e") {
		t.Errorf("%s: the answer is unsafe: %v %q", name, w.Header(), w.Body)
	}
}

func TestMatch(t *testing.T) {
	s := newServer(oneText("User-agent: ExampleBot\nDisallow: /private/\n"))
	w := get(s, matchOf("https://a.example/private/x", "ExampleBot", "Googlebot-Image"))
	var got api.Match
	if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil || w.Code != http.StatusOK {
		t.Fatalf("%d %q: %v", w.Code, w.Body, err)
	}
	want := []api.Result{
		{Agent: "ExampleBot", Token: "ExampleBot", Verdict: api.Verdict{Reason: "rule", Line: 2,
			Rule: "Disallow: /private/"}},
		{Agent: "Googlebot-Image", Token: "Googlebot-Image", Verdict: api.Verdict{Allowed: true, Reason: "no-group"}},
	}
	if got.URL != "https://a.example/private/x" || got.Dialect != "rfc9309" || len(got.Results) != 2 ||
		got.Results[0] != want[0] || got.Results[1] != want[1] {
		t.Errorf("got %+v", got)
	}
	r := got.Robots
	if r.Origin != "https://a.example" || r.State != "ok" || r.Status != 200 || len(r.SHA256) != 64 ||
		!r.FreshUntil.After(r.FetchedAt) {
		t.Errorf("got %+v", r)
	}
	if w := get(s, matchOf("https://a.example/private/x")); !strings.Contains(w.Body.String(),
		`{"agent":"*","token":"*","allowed":true`) {
		t.Errorf("without an agent: %s", w.Body)
	}
}

func TestRobots(t *testing.T) {
	texts := map[string]string{"a.example": "User-agent: *\nDisallow: /\u202e<b>\n", "b.example": "Disallow: /\xff\n"}
	s := newServer(web(func(host string) (string, bool) { text, ok := texts[host]; return text, ok }))
	for host, state := range map[string]string{"a.example": "ok", "b.example": "ok", "c.example": "unavailable"} {
		w := get(s, "/v1/robots?origin=https://"+host)
		var got api.File
		if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil || w.Code != http.StatusOK {
			t.Fatalf("%s: %d %q: %v", host, w.Code, w.Body, err)
		}
		text := string(got.TextBase64)
		if got.Text != nil {
			text = *got.Text
		}
		if text != texts[host] || got.State != state || (got.SHA256 == "") != (text == "") || got.FetchedAt.IsZero() {
			t.Errorf("%s: got %+v with the text %q", host, got, text)
		}
		if strings.Contains(w.Body.String(), "\u202e") {
			t.Errorf("%s: the answer reverses text: %s", host, w.Body)
		}
	}
}

// TestProblems asks what has no answer.
func TestProblems(t *testing.T) {
	s := newServer(oneText(""))
	long := strings.Repeat("a", maxURL)
	many := strings.Repeat("&agent=a", maxAgents+1)
	for target, want := range map[string]*kind{
		"/":                              notFound,
		"/v1/match/":                     notFound,
		"/v1/<script>":                   notFound,
		"/v1/match":                      badParameter,
		"/v1/match?url=":                 badParameter,
		"/v1/match?url=%zz":              badParameter,
		"/v1/match?%url=x":               badParameter,
		"/v1/match?url=https://a/&url=b": badParameter,
		"/v1/match?url=https://a/&agents=Googlebot":                   badParameter,
		"/v1/match?url=https://a/&<script>=%1b%E2%80%AE":              badParameter,
		"/v1/match?url=https://a/&agent=":                             badParameter,
		"/v1/match?url=https://a/&agent=" + long:                      badParameter,
		"/v1/match?url=https://a/" + many:                             badParameter,
		"/v1/match?url=https://a/&dialect=latin%E2%80%AE":             badParameter,
		"/v1/match?url=https://a/" + long:                             badURL,
		"/v1/match?url=/path":                                         badURL,
		"/v1/match?url=private/x":                                     badURL,
		"/v1/match?url=ftp://a.example/":                              badURL,
		"/v1/match?url=file:///etc/passwd":                            badURL,
		"/v1/match?url=http://":                                       badURL,
		"/v1/match?url=http://a%00b/":                                 badURL,
		"/v1/match?url=http://a.example:99999/":                       badURL,
		"/v1/match?url=http://a.example%5C@b.example/":                badURL,
		"/v1/match?url=http://a.example%0d%0aHost:%20b.example%0d%0a": badURL,
		"/v1/robots": badParameter,
		"/v1/robots?origin=a.example&url=https://a.example": badParameter,
		"/v1/robots?origin=a.example":                       badURL,
		"/healthz?x=y":                                      nil,
	} {
		w := get(s, strings.ReplaceAll(target, "<script>", "%3Cscript%3E"))
		if want == nil {
			if w.Code != http.StatusOK {
				t.Errorf("%s: %d", target, w.Code)
			}
			continue
		}
		wantProblem(t, target[:min(len(target), 80)], w, want)
	}
	if w := get(s, matchOf("https://a.example/<script>", "\x1b[31m\u202e<b>")); w.Code != http.StatusOK ||
		strings.ContainsAny(w.Body.String(), "<>\x1b\u202e") {
		t.Errorf("the answer is unsafe: %d %q", w.Code, w.Body)
	}
	for _, method := range []string{"POST", "PUT", "DELETE", "OPTIONS", "TRACE", "get"} {
		w := httptest.NewRecorder()
		s.ServeHTTP(w, httptest.NewRequest(method, "/v1/robots", nil))
		wantProblem(t, method, w, wrongMethod)
		if got := w.Header().Get("Allow"); got != "GET, HEAD" {
			t.Errorf("%s: Allow is %q", method, got)
		}
	}
}

// A Page answers the paths that are not routes, without tokens and within the limits, and a route
// is never hidden by it.
func TestPage(t *testing.T) {
	page := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.WriteString(w, "the page at "+
			r.URL.Path)
	})
	s := httptest.NewServer(New(Config{Page: page, Tokens: []string{"0123456789abcdef"}, Rate: 0.001, Burst: 3}))
	defer s.Close()
	for _, c := range []struct {
		path   string
		status int
		body   string
	}{{"/", 200, "the page at /"}, {"/page.js", 200, "the page at /page.js"}, {"/v1/match", 401, ""},
		{"/healthz", 200, ""}, {"/v1/nope", 404, ""}, {"/x", 200, "the page at /x"}, {"/", 429, ""}} {
		resp, err := http.Get(s.URL + c.path)
		fatal.If(t, err)
		body, err := io.ReadAll(resp.Body)
		resp.Body.Close()
		if err != nil || resp.StatusCode != c.status || c.body != "" && string(body) != c.body {
			t.Errorf("%s: status %d, not %d: %s (%v)", c.path, resp.StatusCode, c.status, body, err)
		}
		if kind := resp.Header.Get("Content-Type"); c.status >= 400 && kind != "application/problem+json" {
			t.Errorf("%s: an error is %s", c.path, kind)
		}
	}
}
