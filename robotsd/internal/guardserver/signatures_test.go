package guardserver

import (
	"context"
	"crypto/ed25519"
	"encoding/json"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/agent/botauth"
	"github.com/robotsexclusion/robots/agent/keydir"
	"github.com/robotsexclusion/robots/guard"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// TestSignatures checks signed requests through the proxy, and through another proxy that asks: the
// keys are fetched in the background, and the target, the host and the method are those of the
// original request.
func TestSignatures(t *testing.T) {
	private := ed25519.NewKeyFromSeed(make([]byte, ed25519.SeedSize))
	public, err := botauth.NewKey(private.Public())
	fatal.If(t, err)
	var fetches atomic.Int64
	directory := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fetches.Add(1)
		w.Header().Set("Content-Type", botauth.DirectoryType)
		json.NewEncoder(w).Encode(botauth.NewDirectory(public))
	}))
	defer directory.Close()
	transport := directory.Client().Transport.(*http.Transport).Clone()
	transport.DialContext = func(ctx context.Context, network, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, network, directory.Listener.Addr().String())
	}
	ids := &guard.Identities{
		Keys:    (&keydir.Client{UserAgent: "test", Transport: transport}).Key,
		Signers: map[string][]string{"GPTBot": {"https://example.com"}},
		Hosts:   []string{"shop.example"},
	}
	defer ids.Close()
	g := &guard.Guard{Policy: guard.Fixed(robots.Parse([]byte(rules))), Identities: ids, IdentifyFirst: true}
	proxy := start(t, Options{Guard: g, Upstream: upstream(t, echo)})
	asked := start(t, Options{Guard: g})

	signed := func(change func(*http.Request)) *http.Request {
		r := httptest.NewRequest("GET", "https://shop.example/x?y", nil)
		r.Header.Set("User-Agent", "GPTBot/1.0")
		signer := &botauth.Signer{Key: private, Agent: "https://example.com", Cover: []string{"@method", "@path",
			"@query"}}
		fatal.If(t, signer.Sign(r, time.Now()))
		change(r)
		return r
	}
	for _, test := range []struct {
		name   string
		change func(*http.Request)
		status int
	}{
		{"signed", func(*http.Request) {}, 200},
		{"for another path", func(r *http.Request) { r.URL.Path = "/z" }, 403},
		{"for another query", func(r *http.Request) { r.URL.RawQuery = "z" }, 403},
		{"for another method", func(r *http.Request) { r.Method = "DELETE" }, 403},
		{"for another host", func(r *http.Request) { r.Host = "other.example" }, 403},
		{"disallowed", func(r *http.Request) { r.URL.Path = "/private/x" }, 403},
		{"not signed", func(r *http.Request) { r.Header.Del("Signature"); r.Header.Del("Signature-Input") }, 200},
		{"of nobody", func(r *http.Request) {
			r.Header.Set("Signature", "sig1=:"+strings.Repeat("A", 86)+"==:")
		}, 403},
		{"expired", func(r *http.Request) {
			signer := &botauth.Signer{Key: private, Agent: "https://example.com"}
			signer.Sign(r, time.Now().Add(-time.Hour))
		}, 403},
		{"with the key of another origin", func(r *http.Request) {
			signer := &botauth.Signer{Key: private, Agent: "https://evil.example"}
			signer.Sign(r, time.Now())
		}, 200}, // it says nothing about the robot
		{"of a browser", func(r *http.Request) { r.URL.Path = "/private/x"; r.Header.Set("User-Agent", firefox) }, 200},
	} {
		r := signed(test.change)
		for _, way := range []string{"proxy", "asked"} {
			address := proxy
			if way == "asked" {
				address = asked
			}
			var answer *http.Response
			for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(time.Millisecond) {
				sent := r.Clone(t.Context())
				sent.RequestURI, sent.URL.Scheme, sent.URL.Host = "", "http", address
				if way == "asked" {
					sent.Header.Set(forwardedURI, r.URL.RequestURI())
					sent.Header.Set(forwardedHost, r.Host)
					sent.Header.Set(forwardedMethod, r.Method)
					sent.Method, sent.Host, sent.URL.Path = "GET", "", "/auth"
				}
				if answer, err = http.DefaultTransport.RoundTrip(sent); err != nil {
					t.Fatal(err)
				}
				answer.Body.Close()
				if answer.StatusCode != http.StatusTooManyRequests {
					break
				}
			}
			status := answer.StatusCode
			if status == http.StatusNoContent {
				status = 200
			}
			if status != test.status {
				t.Errorf("%s, %s: got %d, want %d", test.name, way, status, test.status)
			}
		}
	}
	if n := fetches.Load(); n != 1 {
		t.Errorf("the keys were fetched %d times", n)
	}
}
