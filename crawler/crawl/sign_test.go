package crawl_test

import (
	"bufio"
	"context"
	"crypto/ed25519"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/agent/botauth"
	"github.com/robotsexclusion/robots/crawler/crawl"
	"github.com/robotsexclusion/robots/crawler/warc"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

const signAgent = "https://bot.example.com"

// signKey is the key of the crawler in these tests.
var signKey = ed25519.NewKeyFromSeed([]byte(strings.Repeat("k", ed25519.SeedSize)))

// A signedSite is a server that verifies the signature of each request.
type signedSite struct {
	*httptest.Server
	verifier *botauth.Verifier

	mu       sync.Mutex
	asked    map[string]int
	verdicts map[string]botauth.Verdict // those that are not verified, by path
}

// newSignedSite starts a server. The nonces are shared by all servers of a test, so that a
// signature that was sent twice is not verified the second time.
func newSignedSite(t *testing.T, nonces *botauth.Nonces, start func(*httptest.Server),
	handler http.HandlerFunc) *signedSite {
	t.Helper()
	public, err := botauth.NewKey(signKey.Public())
	fatal.If(t, err)
	directory := botauth.NewDirectory(public)
	s := &signedSite{asked: make(map[string]int), verdicts: make(map[string]botauth.Verdict)}
	s.Server = httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		verdict := s.verifier.Verify(r, time.Now())
		s.mu.Lock()
		s.asked[r.URL.Path]++
		if verdict.Result != botauth.Verified {
			s.verdicts[r.URL.Path] = verdict
		}
		s.mu.Unlock()
		handler(w, r)
	}))
	s.verifier = &botauth.Verifier{
		Authorities: []string{s.Listener.Addr().String()},
		Cover:       []string{"@method", "@path"},
		MaxValidity: 5 * time.Minute,
		Nonces:      nonces,
		Keys: func(_ context.Context, agent botauth.Agent, keyid string) (botauth.Key, error) {
			key, ok := directory.Key(keyid)
			if agent.URL != signAgent || !ok {
				return botauth.Key{}, errors.New("not the key of the test")
			}
			return key, nil
		},
	}
	start(s.Server)
	t.Cleanup(s.Close)
	return s
}

// check reports requests that were not verified, or were not made.
func (s *signedSite) check(t *testing.T, paths ...string) {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	for path, verdict := range s.verdicts {
		t.Errorf("%s%s: %s", s.URL, path, verdict)
	}
	for _, path := range paths {
		if s.asked[path] == 0 {
			t.Errorf("%s%s was not requested: %v", s.URL, path, s.asked)
		}
	}
}

// TestSign crawls servers with TLS that verify each request: robots.txt with a redirect to another
// host, a sitemap, pages, and a retry. Each signature is for the host of its request, and is sent
// once.
func TestSign(t *testing.T) {
	t.Parallel()
	for _, protocol := range []string{"http/1.1", "h2"} {
		t.Run(protocol, func(t *testing.T) {
			t.Parallel()
			start := func(s *httptest.Server) {
				s.EnableHTTP2 = protocol == "h2"
				s.StartTLS()
			}
			nonces := new(botauth.Nonces)
			var site *signedSite
			other := newSignedSite(t, nonces, start, func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path == "/rules.txt" {
					fmt.Fprintf(w, "User-agent: *\nAllow: /\nSitemap: %s/sitemap.txt\n", site.URL)
				}
			})
			refused := false
			site = newSignedSite(t, nonces, start, func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Content-Type", "text/html")
				switch r.URL.Path {
				case "/robots.txt":
					http.Redirect(w, r, other.URL+"/rules.txt", http.StatusFound)
				case "/sitemap.txt":
					w.Header().Set("Content-Type", "text/plain")
					fmt.Fprintln(w, site.URL+"/listed")
				case "/":
					fmt.Fprint(w, `<a href="/a?x=1">a</a> <a href="/busy">b</a> <a href="/moved">m</a>`)
				case "/busy":
					site.mu.Lock()
					first := !refused
					refused = true
					site.mu.Unlock()
					if first {
						w.Header().Set("Retry-After", "1")
						w.WriteHeader(http.StatusServiceUnavailable)
					}
				case "/moved":
					http.Redirect(w, r, "/there", http.StatusFound)
				}
			})
			roots := x509.NewCertPool()
			roots.AddCert(site.Certificate())
			c := newCrawler(t)
			c.TLS = &tls.Config{RootCAs: roots}
			c.Signer = &botauth.Signer{Key: signKey, Agent: signAgent}
			if _, err := crawl.New(*c).Run(t.Context(), site.URL); err != nil {
				t.Fatal(err)
			}
			site.check(t, "/robots.txt", "/", "/a", "/busy", "/moved", "/there", "/sitemap.txt", "/listed")
			other.check(t, "/rules.txt")
			if site.asked["/busy"] < 2 {
				t.Errorf("the page that was busy was requested %d times", site.asked["/busy"])
			}
			// The archive has the requests as they were sent.
			signed := 0
			for r := range archived(t, c.Dir) {
				if r.Type() != warc.TypeRequest {
					continue
				}
				head, err := http.ReadRequest(bufio.NewReader(r))
				fatal.If(t, err)
				if head.Header.Get("Signature") == "" || head.Header.Get("Signature-Agent") != `sig1="`+signAgent+`"` {
					t.Errorf("%s is archived with the header %v", r.URL(), head.Header)
				}
				signed++
			}
			if signed < 9 {
				t.Errorf("%d requests are archived", signed)
			}
		})
	}
}

// TestSignOnlyTLS crawls a server without TLS: its requests have no signature.
func TestSignOnlyTLS(t *testing.T) {
	t.Parallel()
	s := newSignedSite(t, nil, (*httptest.Server).Start, func(w http.ResponseWriter, r *http.Request) {
		for _, name := range []string{"Signature", "Signature-Input", "Signature-Agent"} {
			if r.Header.Get(name) != "" {
				t.Errorf("%s has the field %s", r.URL, name)
			}
		}
	})
	c := newCrawler(t)
	c.Signer = &botauth.Signer{Key: signKey, Agent: signAgent}
	if _, err := crawl.New(*c).Run(t.Context(), s.URL); err != nil {
		t.Fatal(err)
	}
	if s.asked["/robots.txt"] == 0 || s.asked["/"] == 0 {
		t.Errorf("asked for %v", s.asked)
	}
	for path, verdict := range s.verdicts {
		if verdict.Reason != botauth.Unsigned {
			t.Errorf("%s: %s", path, verdict)
		}
	}
}

// TestSignerThatCannotSign checks that a wrong Signer is an error before the crawl begins.
func TestSignerThatCannotSign(t *testing.T) {
	for name, s := range map[string]*botauth.Signer{
		"no key":   {},
		"an agent": {Key: signKey, Agent: "http://bot.example.com"},
		"a field":  {Key: signKey, Cover: []string{"cookie"}},
	} {
		c := newCrawler(t)
		c.Signer = s
		if _, err := crawl.New(*c).Run(t.Context(), "https://example.com/"); err == nil ||
			!strings.Contains(err.Error(), "Signer cannot sign") {
			t.Errorf("%s: got %v", name, err)
		}
	}
}
