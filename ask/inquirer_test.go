package ask

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/fetch"
	"github.com/robotsexclusion/robots/page"
)

// subjects returns the robots of these names.
func subjects(names ...string) (all []agent.Subject) {
	var known *agent.Table
	for _, name := range names {
		all = append(all, known.Subject(name))
	}
	return all
}

// client returns a client that may connect to servers of the test.
func client() *fetch.Client {
	return &fetch.Client{Transport: fetch.DialFilter{AllowPrivate: true}.Transport()}
}

// A site that closes a part, with pages; it counts the requests for robots.txt.
func startSite(t *testing.T) (origin string, fetched *atomic.Int32) {
	fetched = new(atomic.Int32)
	mux := http.NewServeMux()
	mux.HandleFunc("/robots.txt", func(w http.ResponseWriter, _ *http.Request) {
		fetched.Add(1)
		io.WriteString(w, "User-agent: *\nDisallow: /private/\nUser-agent: ExampleBot\nDisallow: /x\n")
	})
	mux.HandleFunc("/open", func(w http.ResponseWriter, _ *http.Request) {
		io.WriteString(w, "<!doctype html><meta name=robots content=noindex>")
	})
	// A page that is not a page: bytes of a picture, which claim to be HTML.
	mux.HandleFunc("/noise", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		w.Write([]byte("\x89PNG\r\n\x1a\n\x00<<<<!--<meta name=\xff content='<script>"))
	})
	mux.HandleFunc("/private/x", func(http.ResponseWriter, *http.Request) { t.Error("a closed page was read") })
	mux.Handle("/moved", http.RedirectHandler("/private/x", http.StatusFound))
	mux.Handle("/loop", http.RedirectHandler("/loop", http.StatusFound))
	mux.HandleFunc("/broken", func(w http.ResponseWriter,
		_ *http.Request) {
		w.WriteHeader(http.StatusServiceUnavailable)
	})
	s := httptest.NewServer(mux)
	t.Cleanup(s.Close)
	return s.URL, fetched
}

func newInquirer() *Inquirer {
	c := client()
	return New(Config{Client: c, Pages: PageGetter{Transport: c.Transport, UserAgent: "ExampleBot/1.0"}})
}

func TestAsk(t *testing.T) {
	origin, fetched := startSite(t)
	q := newInquirer()
	for _, test := range []struct {
		path, robot           string
		page                  bool
		fetch, index, refused bool
		err                   string // a part of it
	}{
		{"/open", "*", false, true, false, false, ""},
		{"/private/x", "*", false, false, false, true, ""},
		{"/private/x", "ExampleBot", false, true, false, false, ""},
		{"/open", "*", true, true, false, true, ""},
		{"/noise", "*", true, true, true, false, ""},
		{"/private/x", "*", true, false, false, true, ""},
		{"/moved", "*", true, true, false, true, ""},
		{"/loop", "*", true, true, false, true, "more than 5 redirects"},
		{"/broken", "*", true, true, false, true, "not read"},
		{"/missing", "*", true, true, false, true, ""},
	} {
		results := q.Ask(t.Context(), Question{URL: origin + test.path, Robots: subjects(test.robot), Page: test.page})
		if len(results) != 1 || len(results[0].Answers) != 1 {
			t.Fatalf("%+v: %d results", test, len(results))
		}
		r := results[0]
		errText := ""
		if r.Err != nil {
			errText = r.Err.Error()
		}
		if got := r.Answers[0].Match.Allowed; got != test.fetch || r.Refused() != test.refused ||
			r.Verdict.Index != test.index ||
			!strings.Contains(errText, test.err) || (errText == "") != (test.err == "") {
			t.Errorf("%+v: allowed %v, index %v, refused %v, error %q", test, got, r.Verdict.Index, r.Refused(),
				errText)
		}
		if b, err := json.Marshal(r); err != nil || !json.Valid(b) {
			t.Errorf("%+v: %v: %s", test, err, b)
		}
	}
	if n := fetched.Load(); n != 1 {
		t.Errorf("robots.txt was fetched %d times, want once", n)
	}
}

// Questions at the same time fetch robots.txt once, and each gets the answer that a policy
// parsed for it alone gives.
func TestAskConcurrent(t *testing.T) {
	origin, fetched := startSite(t)
	q := newInquirer()
	policy := robots.Parse([]byte("User-agent: *\nDisallow: /private/\nUser-agent: ExampleBot\nDisallow: /x\n"))
	var wait sync.WaitGroup
	for i := range 16 {
		wait.Go(func() {
			for j := range 50 {
				names := []string{"ExampleBot", fmt.Sprintf("Bot%d", (i+j)%20), "Googlebot-Image"}
				path := []string{"/", "/x", "/private/x"}[j%3]
				results := q.Ask(t.Context(), Question{URL: origin + path, Robots: subjects(names...),
					Dialects: robots.Dialects()})
				for k, r := range results {
					for n, d := range robots.Dialects() {
						if got, want := r.Answers[n].Match,
							subjects(names[k])[0].Group(policy.In(d)).Match(path); got != want {
							t.Errorf("%s, %s, %v: %v, want %v", names[k], path, d, got, want)
						}
					}
				}
			}
		})
	}
	wait.Wait()
	if n := fetched.Load(); n != 1 {
		t.Errorf("robots.txt was fetched %d times, want once", n)
	}
}

// A question that is given up does not fail those of others, and is no answer for later.
func TestAskCanceled(t *testing.T) {
	started, release := make(chan bool), make(chan bool)
	var calls atomic.Int32
	q := New(Config{Policy: func(ctx context.Context, origin string) (Source, error) {
		if calls.Add(1) == 1 {
			close(started)
		}
		select {
		case <-release:
		case <-ctx.Done():
			return Source{}, ctx.Err()
		}
		return Source{Policy: robots.DisallowAll(), Origin: origin, Version: "v"}, nil
	}})
	ctx, cancel := context.WithCancelCause(t.Context())
	gone := errors.New("the client is gone")
	done := make(chan *Result)
	go func() { done <- q.Ask(ctx, Question{URL: "https://a.example/"})[0] }()
	<-started
	cancel(gone)
	if r := <-done; r.Err != gone {
		t.Errorf("given up: %v, want %v", r.Err, gone)
	}
	close(release)
	if r := q.Ask(t.Context(), Question{URL: "https://a.example/"})[0]; r.Err != nil || !r.Refused() {
		t.Errorf("afterwards: refused %v, %v", r.Refused(), r.Err)
	}
}

// A dead server closes its site; a host that is not there has no answer, and neither has
// a text that is not a URL.
func TestAskNobody(t *testing.T) {
	dead := httptest.NewServer(nil)
	dead.Close()
	q := newInquirer()
	r := q.Ask(t.Context(), Question{URL: dead.URL + "/"})[0]
	if !r.Refused() || r.Err != nil || r.Source.Fetched.State != fetch.Unreachable {
		t.Errorf("a dead server: refused %v, %v", r.Refused(), r.Err)
	}
	for _, url := range []string{"", "nowhere", "ftp://example.com/", "http://"} {
		if r := q.Ask(t.Context(), Question{URL: url})[0]; r.Err == nil || len(r.Answers) > 0 {
			t.Errorf("%q: %d answers, %v", url, len(r.Answers), r.Err)
		}
	}
	c := client()
	c.Transport = roundTripper(func(req *http.Request) (*http.Response, error) {
		return nil, &net.DNSError{Err: "no such host", Name: req.URL.Host, IsNotFound: true}
	})
	r = New(Config{Client: c}).Ask(t.Context(), Question{URL: "https://exmaple.invalid/"})[0]
	if !errors.Is(r.Err, ErrNoHost) || r.Err.Error() != "DNS has no host exmaple.invalid: check its spelling" {
		t.Errorf("no host: %v", r.Err)
	}
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(req *http.Request) (*http.Response, error) { return f(req) }

// The memory for origins and robots is bounded.
func TestBounds(t *testing.T) {
	q := New(Config{Policy: func(_ context.Context, origin string) (Source, error) {
		return Source{Policy: robots.AllowAll(), Origin: origin}, nil
	}})
	for i := range 2*maxSites + 7 {
		q.Ask(t.Context(), Question{URL: fmt.Sprintf("https://%d.example/", i)})
	}
	if n := len(q.sites); n > maxSites {
		t.Errorf("%d sites are kept, want up to %d", n, maxSites)
	}
	large := robots.Parse([]byte(strings.Repeat("#", maxSize/3)))
	q = New(Config{Policy: func(_ context.Context, origin string) (Source, error) {
		return Source{Policy: large, Origin: origin}, nil
	}})
	for i := range 10 {
		for j := range maxSiteGroups + 7 {
			q.Ask(t.Context(), Question{URL: fmt.Sprintf("https://%d.example/", i),
				Robots: subjects(fmt.Sprintf("Bot%d", j))})
		}
		if len(q.sites) > 3 || q.size != len(q.sites)*(maxSize/3) {
			t.Errorf("%d sites are kept, with %d bytes", len(q.sites), q.size)
		}
	}
	for _, s := range q.sites {
		if len(s.groups) > maxSiteGroups {
			t.Errorf("%d groups of a site are kept, want up to %d", len(s.groups), maxSiteGroups)
		}
	}
	q = New(Config{Fixed: robots.Parse([]byte("User-agent: *\nDisallow: /\n"))})
	for i := range maxGroups + 7 {
		if r := q.Ask(t.Context(), Question{URL: "/", Robots: subjects(fmt.Sprintf("Bot%d", i))})[0]; !r.Refused() {
			t.Fatalf("robot %d is allowed", i)
		}
	}
	q.Ask(t.Context(), Question{URL: "/", Robots: subjects(strings.Repeat("a", maxTokens+1))})
	if n := len(q.fixed.groups); n != 7 {
		t.Errorf("%d groups are kept, want 7", n)
	}
}

// A page for a fixed policy needs a host.
func TestPageOfPath(t *testing.T) {
	r := New(Config{Fixed: robots.AllowAll()}).Ask(t.Context(), Question{URL: "/x", Page: true})[0]
	if r.Err == nil || r.Page != nil || r.Verdict != (page.Verdict{}) {
		t.Errorf("got a page %v, %v", r.Page, r.Err)
	}
}
