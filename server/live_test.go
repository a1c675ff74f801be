package server

import (
	"encoding/json"
	"fmt"
	"net/http"
	"reflect"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/conformance"
	"github.com/robotsexclusion/robots/fetch"
	"github.com/robotsexclusion/robots/inquire"
)

// TestMatchVectors asks the vectors of all profiles: the service must give the verdict of the
// vector, and each member of the answer of "robots match --json".
func TestMatchVectors(t *testing.T) {
	texts := make(map[string]string)
	s := newServer(web(func(host string) (string, bool) { text, ok := texts[host]; return text, ok }))
	sections, err := conformance.Sections()
	if err != nil {
		t.Fatal(err)
	}
	asked := 0
	for _, section := range sections {
		for i, c := range section.Cases {
			host := fmt.Sprintf("case-%d-%d.example", i, len(texts))
			texts[host] = string(c.Text())
			dialect, _ := robots.ParseDialect(section.Profile)
			fixed := inquire.New(inquire.Config{Fixed: dialect.Parse(c.Text())})
			for _, ask := range c.Asks {
				subject := (*agent.Table)(nil).Subject(ask.Agent)
				if len(subject.Tokens) == 0 {
					continue // no robot has an empty name
				}
				path := ask.URL
				if _, rest, ok := strings.Cut(ask.URL, "://"); ok {
					path = rest[strings.IndexAny(rest+"/", "/?#"):]
				}
				live := "https://" + host + path
				w := get(s, matchOf(live, ask.Agent)+"&dialect="+section.Profile)
				var got struct{ Results []map[string]any }
				if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil || len(got.Results) != 1 {
					t.Fatalf("%s: %s: %q", c.Name, live, w.Body)
				}
				var want map[string]any
				result := fixed.Ask(t.Context(), inquire.Question{URL: live, Robots: []agent.Subject{subject}, Dialects: []robots.Dialect{dialect}})[0]
				if err := json.Unmarshal(result.AppendJSON(nil), &want); err != nil {
					t.Fatal(err)
				}
				delete(want, "url")
				delete(got.Results[0], "token")
				asToken := subject.Tokens[0] == ask.Agent // a vector with a header asks for the header as it is
				if !reflect.DeepEqual(got.Results[0], want) || asToken && want["allowed"] != ask.Allowed {
					t.Errorf("%s: %s: got %v, want %v, allowed %v", c.Name, live, got.Results[0], want, ask.Allowed)
				}
				asked++
			}
		}
	}
	if asked < 500 {
		t.Errorf("%d questions were asked: where are the vectors?", asked)
	}
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// TestTimeout asks for an origin that does not answer in time.
func TestTimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := New(Config{MaxTime: time.Second, Client: &fetch.Client{Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
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
