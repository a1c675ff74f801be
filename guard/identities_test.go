package guard_test

import (
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/guard"
	"github.com/robotsexclusion/robots/internal/test/fatal"
	"github.com/robotsexclusion/robots/internal/test/nameserver"
)

const googlebot = "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)"

// googlebotZone has one address of Googlebot, and one of somebody else. All others have no name.
const googlebotZone = "192.0.2.7 PTR crawl-7.googlebot.com.\ncrawl-7.googlebot.com. A 192.0.2.7\n" +
	"AAAA crawl-7.googlebot.com. NODATA\n192.0.2.8 PTR crawl-8.googlebot.example.\n"

// decideFrom returns the decision about a request from an address.
func decideFrom(t *testing.T, g *guard.Guard, userAgent, client, target string) guard.Decision {
	r := request(t, target, userAgent)
	r.RemoteAddr = net.JoinHostPort(client, "80")
	return g.Decide(r)
}

// TestDNS checks that robots are identified by the DNS, in the background.
func TestDNS(t *testing.T) {
	server := nameserver.Start(t, googlebotZone)
	ids := &guard.Identities{Verifier: &agent.Verifier{Server: server.Address()}, DNS: true}
	defer ids.Close()
	claimed := &guard.Guard{Policy: guard.Fixed(robots.Parse([]byte(text))), Identities: ids}
	first := &guard.Guard{Policy: claimed.Policy, Identities: ids, IdentifyFirst: true}
	for _, test := range []struct {
		client string
		want   agent.Result
		action guard.Action
		reason guard.Reason
	}{
		{"192.0.2.7", agent.Verified, guard.Pass, guard.ByRules},
		{"192.0.2.8", agent.Forged, guard.Refuse, guard.Forged},
		{"192.0.2.9", agent.Unverifiable, guard.Pass, guard.ByRules}, // perhaps in the ranges, unknown here
		{"10.0.0.1", agent.Unverifiable, guard.Pass, guard.ByRules},
	} {
		if d := decideFrom(t, claimed, googlebot, test.client, "/x"); d.Action != guard.Pass || !d.Pending ||
			d.Identity != agent.Unverifiable {
			t.Errorf("%s: first got %v for %v, %v", test.client, d.Action, d.Reason, d.Identity)
		}
		var d guard.Decision
		for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(time.Millisecond) {
			if d = decideFrom(t, first, googlebot, test.client, "/x"); !d.Pending {
				break
			}
			w := httptest.NewRecorder()
			first.Answer(w, d)
			if d.Action != guard.Slow || d.Reason != guard.Unidentified || w.Code != 429 ||
				w.Header().Get("Retry-After") != "5" ||
				!strings.Contains(w.Body.String(), "whether the client is the robot Googlebot") {
				t.Fatalf("%s: pending got %v for %v, %d %q", test.client, d.Action, d.Reason, w.Code, w.Body)
			}
			if d := decideFrom(t, first, googlebot, test.client, "/robots.txt"); d.Action != guard.Pass {
				t.Errorf("%s: robots.txt got %v for %v", test.client, d.Action, d.Reason)
			}
		}
		if d.Action != test.action || d.Reason != test.reason || d.Identity != test.want {
			t.Errorf("%s: got %v for %v, %v", test.client, d.Action, d.Reason, d.Identity)
		}
		if d := decideFrom(t, first, firefox, test.client, "/x"); d.Action != guard.Pass || d.Pending {
			t.Errorf("%s: a browser got %v for %v", test.client, d.Action, d.Reason)
		}
	}
	for range 100 {
		decideFrom(t, claimed, googlebot, "192.0.2.7", "/x")
	}
	if n := server.Count("PTR 7.2.0.192.in-addr.arpa."); n != 1 {
		t.Errorf("the name of an address was asked %d times", n)
	}
	if answered, dropped, waiting := ids.Lookups(); answered != 4 || dropped != 0 || waiting != 0 {
		t.Errorf("got %d answers, %d dropped, %d waiting", answered, dropped, waiting)
	}
}

// TestSilentDNS checks that a server that never answers costs no request anything, and leaves
// nothing.
func TestSilentDNS(t *testing.T) {
	server := nameserver.Start(t, "SILENCE")
	before := runtime.NumGoroutine()
	ids := &guard.Identities{Verifier: &agent.Verifier{Server: server.Address(), Timeout: time.Second}, DNS: true}
	g := &guard.Guard{Policy: guard.Fixed(robots.Parse([]byte(text))), Identities: ids}
	for i := range 5000 {
		client := netip.AddrFrom4([4]byte{198, 51, byte(i >> 8), byte(i)}).String()
		if d := decideFrom(t, g, googlebot, client, "/x"); d.Action != guard.Pass || !d.Pending {
			t.Fatalf("got %v for %v", d.Action, d.Reason)
		}
	}
	if n := runtime.NumGoroutine() - before; n > 200 {
		t.Errorf("%d goroutines ask", n)
	}
	if _, dropped, waiting := ids.Lookups(); waiting > 1024+16 || dropped < 3000 {
		t.Errorf("%d questions wait, %d were dropped", waiting, dropped)
	}
	ids.Close()
	for end := time.Now().Add(time.Minute); runtime.NumGoroutine() > before &&
		time.Now().Before(end); time.Sleep(time.Millisecond) {
	}
	if n := runtime.NumGoroutine(); n > before {
		t.Errorf("%d goroutines are left of %d", n, before)
	}
}

// rangesFolder returns a folder in which a document has the published ranges of GPTBot.
func rangesFolder(t *testing.T, document string) string {
	t.Helper()
	folder := t.TempDir()
	for _, name := range agent.Named("GPTBot").Recipe().Ranges {
		fatal.If(t, os.WriteFile(filepath.Join(folder, strings.NewReplacer(":", "%3A", "/", "%2F").Replace(name)),
			[]byte(document), 0o600))
	}
	return folder
}

// TestRanges checks that the ranges in a folder are there at the first request, and ranges that are
// fetched soon after.
func TestRanges(t *testing.T) {
	const document = `{"prefixes": [{"ipv4Prefix": "192.0.2.0/24"}]}`
	folder := rangesFolder(t, document)
	site := roundTripper(func(r *http.Request) (*http.Response, error) {
		w := httptest.NewRecorder()
		w.WriteString(document)
		return w.Result(), nil
	})
	for _, verifier := range []*agent.Verifier{{Folder: folder}, {Client: &http.Client{Transport: site}}} {
		ids := &guard.Identities{Verifier: verifier}
		g := &guard.Guard{Policy: guard.Fixed(robots.AllowAll()), Identities: ids}
		d := decideFrom(t, g, gptBot, "198.51.100.1", "/x")
		for end := time.Now().Add(time.Minute); verifier.Client != nil && d.Pending &&
			time.Now().Before(end); time.Sleep(time.Millisecond) {
			d = decideFrom(t, g, gptBot, "198.51.100.1", "/x")
		}
		if d.Action != guard.Refuse || d.Identity != agent.Forged {
			t.Errorf("got %v for %v, %v", d.Action, d.Reason, d.Identity)
		}
		if d := decideFrom(t, g, gptBot, "192.0.2.1", "/x"); d.Action != guard.Pass || d.Identity != agent.Verified {
			t.Errorf("got %v for %v, %v", d.Action, d.Reason, d.Identity)
		}
		r := request(t, "/x", gptBot)
		r.RemoteAddr = "192.0.2.1:80"
		if n := testing.AllocsPerRun(100, func() { g.Decide(r) }); n > 0 {
			t.Errorf("%v allocations", n)
		}
		ids.Close()
	}
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }
