package server

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/robotsexclusion/robots/fetch"
	"github.com/robotsexclusion/robots/internal/test/nameserver"
)

// TestChangingDNS asks about a host whose DNS server gives the address of a site first, and another
// address afterwards, as an attacker does who wants to reach a machine that only the service can
// reach: first by the name itself, then by a redirect. The filter refuses all of loopback but the
// address of the site.
func TestChangingDNS(t *testing.T) {
	var inside, requests atomic.Int32
	site := serveAt(t, "127.0.0.1:0", func(w http.ResponseWriter, r *http.Request) {
		requests.Add(1)
		if strings.HasPrefix(r.Host, "redirects.") {
			http.Redirect(w, r, "http://other."+r.Host+"/robots.txt", http.StatusFound)
			return
		}
		fmt.Fprint(w, "User-agent: *\nDisallow: /x\n")
	})
	_, port, _ := net.SplitHostPort(site)
	serveAt(t, "127.0.0.2:"+port, func(http.ResponseWriter, *http.Request) { inside.Add(1) })
	before := nameserver.Start(t,
		"first.example. A 127.0.0.1\nredirects.example. A 127.0.0.1\nother.redirects.example. A 127.0.0.2\n").Address()
	after := nameserver.Start(t, "first.example. A 127.0.0.2\n").Address()
	var dns atomic.Pointer[string] // the name server that is asked
	dns.Store(&before)
	old := net.DefaultResolver
	defer func() { net.DefaultResolver = old }()
	net.DefaultResolver = &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, network, _ string) (net.Conn,
		error) {
		return new(net.Dialer).DialContext(ctx, network, *dns.Load())
	}}
	var refused atomic.Int64
	newServer := func() *Server { // with nothing in memory, and no connection
		return New(Config{
			Client: &fetch.Client{DialFilter: fetch.DialFilter{Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")}}},
			Record: func(r *Record) { refused.Add(int64(r.Refused)) },
		})
	}
	s := newServer()
	ask := func(host string) (int, string) {
		w := get(s, matchOf("http://"+net.JoinHostPort(host, port)+"/x"))
		return w.Code, w.Body.String()
	}
	if code, body := ask("first.example"); code != http.StatusOK || !strings.Contains(body, `"rule":"Disallow: /x"`) {
		t.Fatalf("before: %d %s", code, body)
	}
	if code, body := ask("redirects.example"); code != http.StatusOK ||
		!strings.Contains(body, `"allowed":false,"reason":"unreachable"`) || strings.Contains(body, "127.0.0") {
		t.Errorf("a redirect inside: %d %s", code, body)
	}
	if n := refused.Load(); n != 1 {
		t.Errorf("%d refused addresses are counted after the redirect, want 1", n)
	}
	dns.Store(&after)
	s = newServer()
	if code, body := ask("first.example"); code != http.StatusForbidden || strings.Contains(body, "127.0.0") {
		t.Errorf("after: %d %s", code, body)
	}
	if n := refused.Load(); n != 2 {
		t.Errorf("%d refused addresses are counted, want 2", n)
	}
	if inside.Load() > 0 || requests.Load() != 2 {
		t.Errorf("%d requests inside, %d at the site", inside.Load(), requests.Load())
	}
}

// serveAt serves at an address until the test ends, and returns the address. It skips the test if
// the address cannot be had: not all systems have all of 127.0.0.0/8.
func serveAt(t *testing.T, address string, handler http.HandlerFunc) string {
	t.Helper()
	l, err := net.Listen("tcp", address)
	if err != nil {
		t.Skip(err)
	}
	web := httptest.NewUnstartedServer(handler)
	web.Listener.Close()
	web.Listener = l
	web.Start()
	t.Cleanup(web.Close)
	return l.Addr().String()
}
