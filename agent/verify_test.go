package agent_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/internal/test/corpus"
	"github.com/robotsexclusion/robots/internal/test/fatal"
	"github.com/robotsexclusion/robots/internal/test/nameserver"
)

// A publisher is a server that publishes range documents, as an operator does.
type publisher struct {
	*httptest.Server
	requests atomic.Int32
	handle   atomic.Value // func(http.ResponseWriter, *http.Request)
}

func newPublisher(t *testing.T, handle http.HandlerFunc) *publisher {
	p := new(publisher)
	p.serve(handle)
	p.Server = httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p.requests.Add(1)
		p.handle.Load().(http.HandlerFunc)(w, r)
	}))
	t.Cleanup(p.Close)
	return p
}

func (p *publisher) serve(handle http.HandlerFunc) { p.handle.Store(handle) }

// text returns a handler that always gives the same document.
func text(s string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, s) }
}

// status returns a handler that always fails.
func status(code int) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(code) }
}

// asks verifies an address, and fails the test if the result is not the expected one.
func asks(t *testing.T, v *agent.Verifier, addr string, recipe agent.Recipe, want agent.Result) agent.Verdict {
	t.Helper()
	verdict, err := v.Verify(t.Context(), netip.MustParseAddr(addr), recipe)
	if err != nil {
		t.Fatalf("%s: %v", addr, err)
	}
	if verdict.Result != want {
		t.Errorf("got %s, want %s", verdict, want)
	}
	if len(recipe.DNS) > 0 {
		return verdict // tests count the questions to the DNS
	}
	if result, err := v.Result(t.Context(), netip.MustParseAddr(addr), recipe); err != nil || result != verdict.Result {
		t.Errorf("%s: Result returns %v, %v, and Verify %v", addr, result, err, verdict.Result)
	}
	if _, result, err := v.Snapshot(t.Context(), recipe); err != nil ||
		result(netip.MustParseAddr(addr)) != verdict.Result {
		t.Errorf("%s: the result of Snapshot differs from that of Verify, %v, or there is an error: %v", addr,
			verdict.Result, err)
	}
	return verdict
}

const (
	goodRanges = `{"creationTime": "2024-06-18T22:00:57", "prefixes": [{"ipv4Prefix": "192.0.2.0/27"}, {"ipv6Prefix": "2001:db8::/48"}]}`
	moreRanges = "198.51.100.0/24\n"
)

func TestVerifyRanges(t *testing.T) {
	p := newPublisher(t, text(goodRanges))
	v := &agent.Verifier{Client: p.Client()}
	recipe := agent.Recipe{Ranges: []string{p.URL + "/bot.json"}}

	verdict := asks(t, v, "192.0.2.7", recipe, agent.Verified)
	if got, want := verdict.String(), "verified: 192.0.2.7 is in 192.0.2.0/27 of "+p.URL+
		"/bot.json, created 2024-06-18T22:00:57Z"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	d := verdict.Documents[0]
	if d.Prefixes != 2 || d.Stale || d.Error != "" || time.Since(d.Read) > time.Hour {
		t.Errorf("got the evidence %+v", d)
	}
	asks(t, v, "::ffff:192.0.2.7", recipe, agent.Verified)
	asks(t, v, "2001:db8::7", recipe, agent.Verified)
	verdict = asks(t, v, "192.0.2.77", recipe, agent.Forged)
	if got, want := verdict.String(), "forged: 192.0.2.77 is in none of the 2 prefixes of "+p.URL+
		"/bot.json, created 2024-06-18T22:00:57Z"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	asks(t, v, "10.9.9.9", recipe, agent.Unverifiable)
	if n := p.requests.Load(); n != 1 {
		t.Errorf("got %d requests, want 1: a document is kept in memory", n)
	}
}

// All documents together list the addresses of a robot, so a missing document may list the address.
func TestVerifySeveralDocuments(t *testing.T) {
	p := newPublisher(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/good":
			fmt.Fprint(w, goodRanges)
		case "/more":
			fmt.Fprint(w, moreRanges)
		default:
			http.NotFound(w, r)
		}
	})
	v := &agent.Verifier{Client: p.Client()}
	good, more, gone := p.URL+"/good", p.URL+"/more", p.URL+"/gone"
	asks(t, v, "198.51.100.1", agent.Recipe{Ranges: []string{good, more}}, agent.Verified)
	asks(t, v, "203.0.113.1", agent.Recipe{Ranges: []string{good, more}}, agent.Forged)
	asks(t, v, "198.51.100.1", agent.Recipe{Ranges: []string{gone, more}}, agent.Verified)
	verdict := asks(t, v, "203.0.113.1", agent.Recipe{Ranges: []string{good, gone}}, agent.Unverifiable)
	if want := "could not be looked for in " + gone + ": fetch " + gone +
		": status 404, not 200"; !strings.Contains(verdict.Why(), want) {
		t.Errorf("got %s, want %s", verdict, want)
	}
}

// If there are two methods, each can verify an address alone, and each can find a forgery.
func TestVerifyBothWays(t *testing.T) {
	server := nameserver.Start(t, `
		192.0.2.1    PTR  a.crawl.example.com.
		a.crawl.example.com.  A  192.0.2.1
		203.0.113.1  PTR  b.crawl.example.com.
		b.crawl.example.com.  A  203.0.113.1
		203.0.113.2  PTR  a.crawl.example.com.
		PTR 192.0.2.3 SERVFAIL
		PTR 203.0.113.3 SERVFAIL
	`)
	p := newPublisher(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/good" {
			w.WriteHeader(http.StatusInternalServerError)
			return
		}
		fmt.Fprint(w, goodRanges)
	})
	v := &agent.Verifier{Client: p.Client(), Resolver: server.Resolver()}
	for _, test := range []struct {
		addr, path string
		want       agent.Result
	}{
		{"192.0.2.1", "/good", agent.Verified},   // yes, not asked
		{"192.0.2.2", "/good", agent.Verified},   // yes, not asked
		{"203.0.113.1", "/good", agent.Verified}, // no, yes
		{"203.0.113.2", "/good", agent.Forged},   // no, no
		{"203.0.113.3", "/good", agent.Forged},   // no, no answer
		{"192.0.2.1", "/bad", agent.Verified},    // no answer, yes
		{"203.0.113.2", "/bad", agent.Forged},    // no answer, no
		{"192.0.2.3", "/bad", agent.Unverifiable},
		{"203.0.113.99", "/good", agent.Forged},      // no, no name
		{"203.0.113.99", "/bad", agent.Unverifiable}, // no answer, no name
	} {
		recipe := agent.Recipe{Ranges: []string{p.URL + test.path}, DNS: []string{"crawl.example.com"}}
		verdict := asks(t, v, test.addr, recipe, test.want)
		if listed := verdict.Documents[0].Result == agent.Verified; listed != (verdict.Reverse == nil) {
			t.Errorf("%s: listed %t, and the DNS was asked: %t", test.addr, listed, verdict.Reverse != nil)
		}
	}
	if n := server.Count("PTR 1.2.0.192.in-addr.arpa."); n != 1 {
		t.Errorf("the DNS was asked %d times, want once: not where a document says yes", n)
	}
}

// The recipe of each robot in the table is usable.
func TestVerifyTable(t *testing.T) {
	server := nameserver.Start(t, "")
	v := &agent.Verifier{Resolver: server.Resolver()}
	ways := 0
	for a := range agent.All() {
		recipe := a.Recipe()
		verdict, err := v.Verify(t.Context(), netip.MustParseAddr("192.0.2.1"), recipe)
		if err != nil {
			t.Errorf("%s: %v", a.Token, err)
		}
		if want := len(recipe.DNS) > 0 && len(recipe.Ranges) == 0; (verdict.Result == agent.Forged) != want {
			t.Errorf("%s: got %s", a.Token, verdict)
		}
		if ways += len(recipe.Ranges) + len(recipe.DNS); len(recipe.Ranges) != len(verdict.Documents) {
			t.Errorf("%s: got %d documents, want %d", a.Token, len(verdict.Documents), len(recipe.Ranges))
		}
	}
	if ways == 0 {
		t.Error("no robot of the table can be verified")
	}
}

func TestVerifyNoWay(t *testing.T) {
	verdict := asks(t, new(agent.Verifier), "192.0.2.1", agent.Recipe{}, agent.Unverifiable)
	if got, want := verdict.String(),
		"unverifiable: no way is known to verify the addresses of this robot"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestVerifyWrongUse(t *testing.T) {
	v := new(agent.Verifier)
	addr := netip.MustParseAddr("192.0.2.1")
	for _, source := range []string{"", "http://example.com/bot.json", "ftp://example.com/bot.json",
		"https:///bot.json", "https://[/", "file:///etc/passwd"} {
		if verdict, err := v.Verify(t.Context(), addr, agent.Recipe{Ranges: []string{source}}); err == nil {
			t.Errorf("%q: got %s, want an error", source, verdict)
		}
	}
	if verdict, err := v.Verify(t.Context(), netip.Addr{}, agent.Recipe{}); err == nil {
		t.Errorf("no address: got %s, want an error", verdict)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if verdict, err := v.Verify(ctx, addr, agent.Recipe{DNS: []string{"example.com"}}); err == nil {
		t.Errorf("cancelled: got %s, want an error", verdict)
	}
}

func TestVerdictJSON(t *testing.T) {
	server := nameserver.Start(t, crawlZone)
	file := filepath.Join(t.TempDir(), "bot.json")
	write(t, file, goodRanges)
	fatal.If(t, os.Chtimes(file, time.Time{}, time.Date(2024, 6, 19, 0, 0, 0, 0, time.UTC)))
	v := &agent.Verifier{Resolver: server.Resolver()}
	recipe := agent.Recipe{Ranges: []string{file}, DNS: []string{"crawl.example.com"}}
	for _, test := range []struct{ addr, want string }{
		{"2001:db8::9",
			`{"address":"2001:db8::9","result":"verified","why":"2001:db8::9 is in 2001:db8::/48 of FILE, created 2024-06-18T22:00:57Z",` +
				`"documents":[{"source":"FILE","result":"verified","prefix":"2001:db8::/48","prefixes":2,"created":"2024-06-18T22:00:57Z","read":"2024-06-19T00:00:00Z"}]}`},
		{"192.0.2.99",
			`{"address":"192.0.2.99","result":"forged","why":"192.0.2.99 is in none of the 2 prefixes of FILE, created 2024-06-18T22:00:57Z; has no name, so none below crawl.example.com",` +
				`"documents":[{"source":"FILE","result":"forged","prefixes":2,"created":"2024-06-18T22:00:57Z","read":"2024-06-19T00:00:00Z"}],"reverse":{"result":"forged","below":["crawl.example.com"]}}`},
	} {
		verdict, err := v.Verify(t.Context(), netip.MustParseAddr(test.addr), recipe)
		fatal.If(t, err)
		got, err := json.Marshal(verdict)
		fatal.If(t, err)
		if got := strings.ReplaceAll(string(got), file, "FILE"); got != test.want {
			t.Errorf("got  %s\nwant %s", got, test.want)
		}
	}
	verdict := asks(t, v, "192.0.2.11", agent.Recipe{DNS: recipe.DNS}, agent.Forged)
	got, err := json.Marshal(verdict.Reverse)
	want := `{"result":"forged","below":["crawl.example.com"],"names":[{"name":"a.crawl.example.com","result":"forged","below":"crawl.example.com","addresses":["192.0.2.1"]}]}`
	if err != nil || string(got) != want {
		t.Errorf("got  %s, %v\nwant %s", got, err, want)
	}
}

// Result allocates nothing once it has the documents, nor does the function of Snapshot.
func TestResultAllocates(t *testing.T) {
	corpus.Unraced(t)
	p := newPublisher(t, text(goodRanges))
	v := &agent.Verifier{Client: p.Client()}
	recipe := agent.Recipe{Ranges: []string{p.URL}}
	for _, addr := range []string{"192.0.2.7", "203.0.113.1"} {
		client := netip.MustParseAddr(addr)
		if n := testing.AllocsPerRun(100, func() { v.Result(t.Context(), client, recipe) }); n != 0 {
			t.Errorf("%s: %v allocations", addr, n)
		}
		_, result, err := v.Snapshot(t.Context(), recipe)
		fatal.If(t, err)
		if n := testing.AllocsPerRun(100, func() { result(client) }); n != 0 {
			t.Errorf("%s, snapshot: %v allocations", addr, n)
		}
	}
}
