package server

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/ask"
	"github.com/robotsexclusion/robots/conformance"
	"github.com/robotsexclusion/robots/fetch"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// TestMatchVectors asks the vectors of all profiles: the service must give the verdict of the
// vector, and each member of the answer of "robots match --json".
func TestMatchVectors(t *testing.T) {
	texts := make(map[string]string)
	s := newServer(web(func(host string) (string, bool) { text, ok := texts[host]; return text, ok }))
	sections, err := conformance.Sections()
	fatal.If(t, err)
	asked := 0
	for _, section := range sections {
		for i, c := range section.Cases {
			host := fmt.Sprintf("case-%d-%d.example", i, len(texts))
			texts[host] = string(c.Text())
			dialect, _ := robots.ParseDialect(section.Profile)
			fixed := ask.New(ask.Config{Fixed: dialect.Parse(c.Text())})
			for _, question := range c.Asks {
				subject := (*agent.Table)(nil).Subject(question.Agent)
				if len(subject.Tokens) == 0 {
					continue // no robot has an empty name
				}
				path := question.URL
				if _, rest, ok := strings.Cut(question.URL, "://"); ok && !strings.HasPrefix(question.URL, "/") {
					path = rest[strings.IndexAny(rest+"/", "/?#"):]
				}
				live := "https://" + host + path
				w := get(s, matchOf(live, question.Agent)+"&unknown=true&dialect="+section.Profile)
				var got struct{ Results []map[string]any }
				if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil || len(got.Results) != 1 {
					t.Fatalf("%s: %s: %q", c.Name, live, w.Body)
				}
				var want map[string]any
				result := fixed.Ask(t.Context(), ask.Question{URL: live, Robots: []agent.Subject{subject},
					Dialects: []robots.Dialect{dialect}})[0]
				fatal.If(t, json.Unmarshal(result.AppendJSON(nil), &want))
				delete(want, "url")
				delete(want, "group") // the answer of the service has none
				delete(got.Results[0], "token")
				asToken := subject.Tokens[0] == question.Agent // a vector with a header asks for the header as it is
				if !reflect.DeepEqual(got.Results[0], want) || asToken && want["allowed"] != question.Allowed {
					t.Errorf("%s: %s: got %v, want %v, allowed %v", c.Name, live, got.Results[0], want,
						question.Allowed)
				}
				asked++
			}
		}
	}
	if asked < 500 {
		t.Errorf("%d questions were asked: where are the vectors?", asked)
	}
}

// TestPrivate asks for addresses that the service must not reach, in every form. The server at one
// of them must see no connection.
func TestPrivate(t *testing.T) {
	seen := new(atomic.Int32)
	inside := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { seen.Add(1) }))
	defer inside.Close()
	port := inside.URL[strings.LastIndexByte(inside.URL, ':'):]
	s := New(Config{})
	for _, host := range []string{
		"127.0.0.1", "127.1", "0x7f.1", "0177.0.0.1", "2130706433", "0x7f000001", "127.0.0.1.", "[::1]",
		"[::ffff:127.0.0.1]",
		"[::ffff:7f00:1]", "[64:ff9b::7f00:1]", "[::]", "0.0.0.0", "localhost", "user@127.0.0.1", "10.0.0.1",
		"172.16.0.1",
		"192.168.0.1", "169.254.169.254", "[fd00::1]", "[fe80::1]", "100.64.0.1", "224.0.0.1", "[ff02::1]",
		"255.255.255.255",
		"[fe80::1%25lo]", "１２７.0.0.1", "127。0。0。1",
	} {
		for _, target := range []string{matchOf("http://" + host + port + "/"), "/v1/robots?origin=http://" + host +
			port} {
			w := get(s, target)
			if w.Code != http.StatusForbidden && w.Code != http.StatusBadRequest {
				t.Errorf("%s: %d %s", target, w.Code, w.Body)
			}
			if body := w.Body.String(); w.Code == http.StatusForbidden &&
				strings.ContainsAny(body[strings.Index(body, "detail"):], "0123456789[") {
				t.Errorf("%s: the answer names the address: %s", target, body)
			}
		}
	}
	if seen.Load() > 0 {
		t.Errorf("%d requests reached a private address", seen.Load())
	}
}

// TestRedirectInside has a public host redirect to a private address: nothing is allowed, and the
// answer does not name the address.
func TestRedirectInside(t *testing.T) {
	inside := fetch.DialFilter{}.Transport()
	s := newServer(roundTrip(func(r *http.Request) (*http.Response, error) {
		if r.URL.Hostname() != "public.example" {
			return inside.RoundTrip(r)
		}
		w := httptest.NewRecorder()
		http.Redirect(w, r, "http://127.0.0.1:1/secret", http.StatusFound)
		return w.Result(), nil
	}))
	w := get(s, matchOf("http://public.example/"))
	if body := w.Body.String(); !strings.Contains(body, `"allowed":false,"reason":"unreachable"`) ||
		strings.Contains(body, "127.0.0.1") {
		t.Errorf("%d %s", w.Code, body)
	}
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// TestFetches asks for more slow origins than may be fetched: the rest is refused, callers for one
// origin share a fetch, and what is in memory is answered all the time.
func TestFetches(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan bool)
		var fetched atomic.Int32
		s := New(Config{MaxFetches: 2, Client: &fetch.Client{Cache: new(fetch.Memory),
			Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
				fetched.Add(1)
				if r.URL.Host != "fast.example" {
					<-release
				}
				return oneText("").RoundTrip(r)
			})}})
		get(s, matchOf("https://fast.example/"))
		var all sync.WaitGroup
		for i := range 40 {
			all.Go(func() {
				if w := get(s, matchOf(fmt.Sprintf("https://slow-%d.example/", i%2))); w.Code != http.StatusOK {
					t.Errorf("a slow origin: %d %s", w.Code, w.Body)
				}
			})
		}
		synctest.Wait()
		w := get(s, matchOf("https://other.example/"))
		wantProblem(t, "too many fetches", w, busy)
		if w.Header().Get("Retry-After") == "" {
			t.Error("there is no Retry-After")
		}
		if w := get(s, matchOf("https://fast.example/")); w.Code != http.StatusOK {
			t.Errorf("from memory: %d", w.Code)
		}
		close(release)
		all.Wait()
		if w := get(s, matchOf("https://other.example/")); w.Code != http.StatusOK {
			t.Errorf("afterwards: %d %s", w.Code, w.Body)
		}
		if got := fetched.Load(); got != 4 {
			t.Errorf("%d fetches, want 4", got)
		}
	})
}

// TestTimeout asks for an origin that does not answer in time.
func TestTimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := New(Config{MaxTime: time.Second,
			Client: &fetch.Client{Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
				<-r.Context().Done()
				return nil, r.Context().Err()
			})}})
		began := time.Now()
		wantProblem(t, "a silent origin", get(s, matchOf("https://a.example/")), timedOut)
		if d := time.Since(began); d != time.Second {
			t.Errorf("the answer took %v, want a second", d)
		}
	})
}
