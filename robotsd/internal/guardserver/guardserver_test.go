package guardserver

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/guard"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

const (
	rules   = "User-agent: *\nDisallow: /private/\n"
	firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0"
	robot   = "NobodyKnowsBot/1.0"
)

// start serves with options until the test ends, and returns the address.
func start(t *testing.T, o Options) (address string) {
	t.Helper()
	if o.Guard == nil {
		o.Guard = &guard.Guard{Policy: guard.Fixed(robots.Parse([]byte(rules)))}
	}
	if o.Notice == nil {
		o.Notice = func(err error) { t.Logf("notice: %v", err) }
	}
	o.Timeout = max(o.Timeout, 10*time.Second)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	fatal.If(t, err)
	server := New(o)
	go server.Serve(l)
	t.Cleanup(func() { server.Close() })
	return l.Addr().String()
}

// upstream serves a site until the test ends.
func upstream(t *testing.T, handler http.HandlerFunc) *url.URL {
	t.Helper()
	site := httptest.NewServer(handler)
	t.Cleanup(site.Close)
	u, err := url.Parse(site.URL)
	fatal.If(t, err)
	return u
}

// echo answers with the request as the upstream gets it.
func echo(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	fmt.Fprintf(w, "%s %s %s for=%q bytes=%d", r.Method, r.RequestURI, r.Host, r.Header.Values("X-Forwarded-For"),
		len(body))
}

// send sends a request with a target as given, and returns the status and the body of the answer.
func send(t *testing.T, client *http.Client, address, method, target, userAgent string, body io.Reader) (int, string) {
	t.Helper()
	r, err := http.NewRequest(method, "http://"+address+"/", body)
	fatal.If(t, err)
	r.URL.Opaque = target
	if strings.HasPrefix(target, "//") {
		r.URL.Opaque = "http://" + address + target
	}
	r.Host = "example.com"
	r.Header.Set("User-Agent", userAgent)
	r.Header.Set("X-Forwarded-For", "192.0.2.1") // made up by the client
	answer, err := client.Do(r)
	fatal.If(t, err)
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	fatal.If(t, err)
	return answer.StatusCode, string(text)
}

// TestProxy checks which requests reach the upstream, and how, by HTTP/1.1 and HTTP/2.
func TestProxy(t *testing.T) {
	address := start(t, Options{Upstream: upstream(t, echo)})
	protocols := new(http.Protocols)
	protocols.SetUnencryptedHTTP2(true)
	for name, client := range map[string]*http.Client{
		"HTTP/1.1": {Transport: &http.Transport{}},
		"HTTP/2":   {Transport: &http.Transport{Protocols: protocols}},
	} {
		for _, test := range []struct {
			method, target, userAgent string
			status                    int
			body                      string
		}{
			{"GET", "/private/x?a=%20b;c", firefox, 200,
				`GET /private/x?a=%20b;c example.com for=["127.0.0.1"] bytes=0`},
			{"POST", "/%7Ex/%2f", robot, 200, `POST /%7Ex/%2f example.com for=["127.0.0.1"] bytes=10000000`},
			{"GET", "/private/x", robot, 403, `line 2, "Disallow: /private/"`},
			{"GET", "/a/%2e%2e/private/x", robot, 403, `disallows "/private/x"`},
			{"GET", "//private/x", robot, 403, `disallows "/private/x"`},
			{"GET", "/robots.txt", robot, 200, "GET /robots.txt example.com"},
		} {
			var body io.Reader
			if test.method == "POST" {
				body = bytes.NewReader(make([]byte, 10_000_000))
			}
			target := test.target
			if name == "HTTP/2" && strings.HasPrefix(target, "//") {
				continue // the client sends the path alone, which net/http does not for such a one
			}
			status, text := send(t, client, address, test.method, target, test.userAgent, body)
			if status != test.status || !strings.Contains(text, test.body) {
				t.Errorf("%s %s %s: got %d %q, want %d with %q", name, test.method, test.target, status, text,
					test.status, test.body)
			}
		}
		client.CloseIdleConnections()
	}
}

// TestForwarded checks that the upstream gets what a trusted proxy says of its client, and nothing
// that a client says.
func TestForwarded(t *testing.T) {
	for _, test := range []struct {
		proxies   guard.Proxies
		forwarded bool
		want      string
	}{
		{nil, false, "127.0.0.1 [] example.com http, client 127.0.0.1"},
		{nil, true, "127.0.0.1 [] example.com http, client 127.0.0.1"},
		{guard.Proxies{netip.MustParsePrefix("127.0.0.0/8")}, false,
			"192.0.2.1, 127.0.0.1 [] shop.example https, client 192.0.2.1"},
		{guard.Proxies{netip.MustParsePrefix("127.0.0.0/8")}, true,
			"192.0.2.2, 127.0.0.1 [for=192.0.2.2] shop.example https, client 192.0.2.2"},
	} {
		records := make(chan *Record, 1)
		address := start(t, Options{
			Proxies: test.proxies, Forwarded: test.forwarded, Record: func(r *Record) { records <- r },
			Upstream: upstream(t, func(w http.ResponseWriter, r *http.Request) {
				fmt.Fprint(w, r.Header.Get("X-Forwarded-For"), " ", r.Header["Forwarded"], " ",
					r.Header.Get("X-Forwarded-Host"), " ", r.Header.Get("X-Forwarded-Proto"))
			}),
		})
		r, _ := http.NewRequest("GET", "http://"+address+"/x", nil)
		r.Host = "example.com"
		r.Header = http.Header{"X-Forwarded-For": {"192.0.2.1"}, "Forwarded": {"for=192.0.2.2"},
			"X-Forwarded-Host": {"shop.example"}, "X-Forwarded-Proto": {"https"}}
		answer, err := http.DefaultClient.Do(r)
		fatal.If(t, err)
		body, _ := io.ReadAll(answer.Body)
		answer.Body.Close()
		if got := fmt.Sprintf("%s, client %v", body, (<-records).Client); got != test.want {
			t.Errorf("%v, %v: got %s, want %s", test.proxies, test.forwarded, got, test.want)
		}
	}
}

// TestUpstreamFails checks the answers without an upstream, and that one notice a second is written
// at most.
func TestUpstreamFails(t *testing.T) {
	gone := upstream(t, echo)
	l, err := net.Listen("tcp", "127.0.0.1:0") // nobody accepts its connections
	fatal.If(t, err)
	gone.Host = l.Addr().String()
	l.Close()
	var notices atomic.Int64
	address := start(t, Options{Upstream: gone, Notice: func(error) { notices.Add(1) }})
	for range 20 {
		if status, text := send(t, http.DefaultClient, address, "GET", "/x", firefox, nil); status != 502 ||
			text != "502 Bad Gateway\n" {
			t.Fatalf("got %d %q", status, text)
		}
	}
	if n := notices.Load(); n == 0 || n > 10 {
		t.Errorf("got %d notices", n)
	}

	silent := &server{Options: Options{Notice: func(error) {}}}
	w := httptest.NewRecorder()
	silent.failed(w, httptest.NewRequest("GET", "/", nil), fmt.Errorf("waiting: %w", context.DeadlineExceeded))
	if w.Code != http.StatusGatewayTimeout {
		t.Errorf("a timeout: got the status %d", w.Code)
	}
}
