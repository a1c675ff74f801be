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
	"time"

	"github.com/robotsexclusion/robots/fetch"
	"golang.org/x/net/dns/dnsmessage"
)

// TestChangingDNS asks about a host whose DNS server gives the address of a site first, and another address afterwards,
// as an attacker does who wants to reach a machine that only the service can reach: first by the name itself, then
// by a redirect. The filter refuses all of loopback but the address of the site.
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
	var moved atomic.Bool // the names lead inside
	useDNS(t, func(name string) netip.Addr {
		if moved.Load() || strings.HasPrefix(name, "other.") {
			return netip.MustParseAddr("127.0.0.2")
		}
		return netip.MustParseAddr("127.0.0.1")
	})
	var refused atomic.Int64
	s := New(Config{
		// Each question is a fetch on a new connection: the address is not that of an old one.
		Client: &fetch.Client{Cache: nil, DialFilter: fetch.DialFilter{Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")}}},
		Record: func(r *Record) { refused.Add(int64(r.Refused)) },
	})
	ask := func(host string) (int, string) {
		w := get(s, matchOf("http://"+net.JoinHostPort(host, port)+"/x"))
		return w.Code, w.Body.String()
	}
	if code, body := ask("first.example"); code != http.StatusOK || !strings.Contains(body, `"rule":"Disallow: /x"`) {
		t.Fatalf("before: %d %s", code, body)
	}
	if code, body := ask("redirects.example"); code != http.StatusOK || !strings.Contains(body, `"allowed":false,"reason":"unreachable"`) || strings.Contains(body, "127.0.0") {
		t.Errorf("a redirect inside: %d %s", code, body)
	}
	if n := refused.Load(); n != 1 {
		t.Errorf("%d refused addresses are counted after the redirect, want 1", n)
	}
	moved.Store(true)
	if code, body := ask("second.example"); code != http.StatusForbidden || strings.Contains(body, "127.0.0") {
		t.Errorf("after: %d %s", code, body)
	}
	if n := refused.Load(); n != 2 {
		t.Errorf("%d refused addresses are counted, want 2", n)
	}
	if inside.Load() > 0 || requests.Load() != 2 {
		t.Errorf("%d requests inside, %d at the site", inside.Load(), requests.Load())
	}
}

// serveAt serves at an address until the test ends, and returns the address. It skips the test if the address
// cannot be had: not all systems have all of 127.0.0.0/8.
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

// useDNS makes a real DNS server answer all questions of this process until the test ends.
func useDNS(t *testing.T, address func(name string) netip.Addr) {
	t.Helper()
	socket, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { socket.Close() })
	go func() {
		for b := make([]byte, 512); ; {
			n, from, err := socket.ReadFrom(b)
			if err != nil {
				return
			}
			var m dnsmessage.Message
			if m.Unpack(b[:n]) != nil || len(m.Questions) != 1 {
				continue
			}
			q := m.Questions[0]
			answer := dnsmessage.Message{Header: dnsmessage.Header{ID: m.ID, Response: true, RecursionAvailable: true}, Questions: m.Questions}
			if q.Type == dnsmessage.TypeA {
				answer.Answers = []dnsmessage.Resource{{
					Header: dnsmessage.ResourceHeader{Name: q.Name, Type: q.Type, Class: q.Class, TTL: 0},
					Body:   &dnsmessage.AResource{A: address(q.Name.String()).As4()},
				}}
			}
			if text, err := answer.Pack(); err == nil {
				socket.WriteTo(text, from)
			}
		}
	}()
	old := net.DefaultResolver
	t.Cleanup(func() { net.DefaultResolver = old })
	net.DefaultResolver = &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return (&net.Dialer{Timeout: 5 * time.Second}).DialContext(ctx, "udp", socket.LocalAddr().String())
	}}
}
