package testweb_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"net"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/crawler/internal/testweb"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// TestCatalog compares kinds and texts with their documentation.
func TestCatalog(t *testing.T) {
	seen := make(map[string]bool)
	check := func(what, name, doc string, share int) {
		if name == "" || !strings.HasSuffix(doc, ".") || share < 1 || seen[what+name] {
			t.Errorf("%s %q: it needs a name of its own, a sentence, and a share", what, name)
		}
		seen[what+name] = true
	}
	for _, k := range testweb.Kinds() {
		check("kind", k.Name, k.Doc, k.Share)
	}
	for _, k := range testweb.Mazes() {
		check("kind", k.Name, k.Doc, k.Share+1)
	}
	for _, text := range testweb.Texts() {
		check("text", text.Name, text.Doc, text.Share)
	}
	if _, err := testweb.Start(t.Context(), testweb.Options{Kinds: []string{"odd"}}); err == nil &&
		!errors.Is(err, testweb.ErrLoopback) {
		t.Error("a kind that does not exist is taken")
	}
	for _, o := range []testweb.Options{{Hosts: -1}, {Pages: -1}, {Scale: -1}, {Addresses: 1 << 20},
		{Kinds: []string{"expired"}}, {Texts: []string{}}} {
		if w, err := testweb.Start(t.Context(), o); err == nil {
			w.Close()
			t.Errorf("%+v: a web is made", o)
		}
	}
}

// TestMix checks that a large web has every kind with every text.
func TestMix(t *testing.T) {
	t.Parallel()
	w := start(t, testweb.Options{Hosts: 10_000, Pages: 100_000})
	kinds, pairs := make(map[string]int), make(map[string]int)
	for i := range w.Len() {
		kind, _, _ := strings.Cut(w.Describe(i), ",")
		kinds[kind]++
		pairs[w.Describe(i)]++
	}
	want := 0
	for _, k := range testweb.Kinds() {
		if n := kinds[k.Name]; n == 0 && !slices.Contains([]string{"expired", "other-name", "unknown-issuer"}, k.Name) {
			t.Errorf("no host is of kind %q", k.Name)
		} else if n > 0 {
			want += len(testweb.Texts())
		}
	}
	if len(pairs) != want {
		t.Errorf("there are %d pairs of a kind and a text, want %d", len(pairs), want)
	}
	hand := newHand(t, w)
	for _, i := range []int{0, 1234, 9999} {
		hand.get(w.Origin(i) + "/robots.txt")
	}
	shared := make(map[string]int)
	for i := 0; i < w.Len(); i += 4 {
		name, _, _ := strings.Cut(strings.TrimPrefix(w.Origin(i), "http://"), ":")
		if addrs, err := w.Resolver().LookupHost(t.Context(), name); err == nil {
			shared[addrs[0]]++
		}
		if i > 400 {
			break
		}
	}
	if len(shared) > 12 {
		t.Errorf("every fourth host is at one of %d addresses, want about 8", len(shared))
	}
}

// TestSame makes a web twice and expects the same pages.
func TestSame(t *testing.T) {
	t.Parallel()
	o := testweb.Options{Hosts: 80, Pages: 300, Seed: 7}
	a, b := start(t, o), start(t, o)
	for host := range a.Len() {
		// The ports differ.
		port := func(w *testweb.Web) string { return w.Origin(host)[strings.LastIndex(w.Origin(host), ":"):] }
		for page := range 3 {
			x := strings.ReplaceAll(string(a.PageMaker(host)(page)), port(a), "")
			y := strings.ReplaceAll(string(b.PageMaker(host)(page)), port(b), "")
			if x != y {
				t.Fatalf("page %d of host %d differs", page, host)
			}
		}
	}
	for host := range a.Len() {
		port := func(w *testweb.Web) string { return w.Origin(host)[strings.LastIndex(w.Origin(host), ":"):] }
		x, y := strings.ReplaceAll(a.Settled(host, "/"), port(a), ""), strings.ReplaceAll(b.Settled(host, "/"), port(b),
			"")
		if x != y && !strings.Contains(a.Describe(host), "inward") { // inward has the port in other places
			t.Errorf("host %d (%s) says\n%s\nand\n%s", host, a.Describe(host), x, y)
		}
	}
	o.Seed = 8
	if c := start(t, o); bytes.Equal(c.PageMaker(0)(0), a.PageMaker(0)(0)) {
		t.Error("the seed changes nothing")
	}
}

// TestNames queries the name server for existing and missing names.
func TestNames(t *testing.T) {
	t.Parallel()
	w := start(t, testweb.Options{Hosts: 4, Kinds: []string{"ordinary", "broken-name", "no-name", "trapdoor"}})
	lookup := func(name string) ([]string, bool) {
		addrs, err := w.Resolver().LookupHost(t.Context(), name)
		dns, _ := errors.AsType[*net.DNSError](err)
		return addrs, dns != nil && dns.IsNotFound
	}
	if addrs, _ := lookup("H00000.test."); len(addrs) != 1 || !w.Allowed()[0].Contains(netip.MustParseAddr(addrs[0])) {
		t.Errorf("h00000.test is at %q", addrs)
	}
	if addrs, notFound := lookup("h00001.test"); addrs != nil || notFound {
		t.Errorf("a name that fails is at %q (not found: %v)", addrs, notFound)
	}
	if addrs, _ := lookup("h00003.test"); len(addrs) != 1 || w.Allowed()[0].Contains(netip.MustParseAddr(addrs[0])) {
		t.Errorf("the name of a trap door is at %q", addrs)
	}
	for _, name := range []string{"h00002.test", "h00004.test", "h0.test", "h00000.f000.test", "example.com"} {
		if addrs, notFound := lookup(name); addrs != nil || !notFound {
			t.Errorf("%s is at %q (not found: %v)", name, addrs, notFound)
		}
	}
}

// TestLog reads the log of a web.
func TestLog(t *testing.T) {
	t.Parallel()
	w := start(t, testweb.Options{Hosts: 1, Kinds: []string{"validated"}, Texts: []string{"none"}})
	hand := newHand(t, w)
	hand.get(w.Origin(0) + "/robots.txt")
	hand.get(w.Origin(0)+"/tag.html?x=%22%0A", "If-None-Match: 1", "Accept-Encoding: br")
	hand.do("HEAD", w.Origin(0)+"/")
	w.Close()
	logged := slices.Collect(w.Requests())
	if len(logged) != 3 {
		t.Fatalf("got %d requests, want 3", len(logged))
	}
	q := logged[1]
	if q.URL != w.Origin(0)+"/tag.html?x=%22%0A" || !q.Asked || q.Accept != "br" || q.Agent != "ExampleBot/1.0" ||
		q.Status != 404 || q.Start > q.End || q.Start < logged[0].End {
		t.Errorf("got %+v", q)
	}
	if logged[2].Method != "HEAD" || logged[2].Status != 200 {
		t.Errorf("got %+v", logged[2])
	}
}

// TestClose closes a web while clients wait for answers.
func TestClose(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	w, err := testweb.Start(ctx, testweb.Options{Hosts: 1, Kinds: []string{"hole"}})
	if errors.Is(err, testweb.ErrLoopback) {
		t.Skip(err)
	}
	fatal.If(t, err)
	done := make(chan int)
	hand := newHand(t, w)
	for range 3 {
		go func() { done <- hand.get(w.Origin(0) + "/") }()
	}
	for len(requestsFor(w, "/")) < 3 {
		time.Sleep(time.Millisecond)
	}
	cancel()
	for range 3 {
		if status := <-done; status != 0 {
			t.Errorf("got status %d of a host that never answers", status)
		}
	}
	w.Close()
	w.Close()
}

// TestHostileClients sends malformed requests, and checks that other clients are
// served.
func TestHostileClients(t *testing.T) {
	t.Parallel()
	w := start(t, testweb.Options{Hosts: 1, Kinds: []string{"ordinary"}, Texts: []string{"none"}})
	_, name, _ := strings.Cut(w.Origin(0), "://")
	for _, text := range []string{
		"", "\n", "GET\r\n\r\n", "GET / HTTP/1.1\r\n", "GET  HTTP/1.1\r\n\r\n", "GET x HTTP/1.1\r\n\r\n",
		"\x16\x03\x01\x02\x00",
		"GET /" + strings.Repeat("x", 100_000) + " HTTP/1.1\r\n\r\n",
		"GET / HTTP/1.1\r\n" + strings.Repeat("X: y\r\n", 10_000) + "\r\n",
		"POST / HTTP/1.1\r\nContent-Length: 99999999999999999999\r\n\r\n",
		"GET / HTTP/1.1\r\nContent-Length: -5\r\n\r\n",
		"GET / HTTP/1.1\r\nHost: " + strings.Repeat("h", 1000) + "\r\n\r\n",
		"GET /hop/0/1 HTTP/1.1\r\nHost: " + name + "\r\n\r\n", "GET /hop/-1/99999999999999999999 HTTP/1.1\r\nHost: " +
			name + "\r\n\r\n",
	} {
		l := dialLean(t, w, 0)
		l.conn.Write([]byte(text))
		l.conn.(*net.TCPConn).CloseWrite()
		io.Copy(io.Discard, l.conn)
	}
	if status := newHand(t, w).get(w.Origin(0) + "/"); status != 200 {
		t.Errorf("got status %d, want 200", status)
	}
	for range w.Check(testweb.CheckOptions{}) {
	}
}

// TestPacked checks that broken pages are broken, and that a bomb is a bomb.
func TestPacked(t *testing.T) {
	t.Parallel()
	w := start(t, testweb.Options{Hosts: 2, Kinds: []string{"packed", "bomb"}, Texts: []string{"packed"}})
	client := newClient(w, true)
	defer client.CloseIdleConnections()
	unpack := func(url string) (int64, error) {
		resp, err := client.Get(url)
		if err != nil {
			return 0, err
		}
		defer resp.Body.Close()
		return io.Copy(io.Discard, resp.Body)
	}
	if n, err := unpack(w.Origin(0) + "/gzip.html"); n < 2000 || err != nil {
		t.Errorf("got %d bytes, %v", n, err)
	}
	if n, err := unpack(w.Origin(0) + "/robots.txt"); n < 20 || err != nil {
		t.Errorf("got %d bytes, %v", n, err)
	}
	for _, path := range []string{"/half.html", "/not.html"} {
		if _, err := unpack(w.Origin(0) + path); !errors.Is(err, io.ErrUnexpectedEOF) &&
			!errors.Is(err, gzip.ErrHeader) {
			t.Errorf("%s: got error %v", path, err)
		}
	}
	if testing.Short() {
		return
	}
	if n, err := unpack(w.Origin(1) + "/bomb.html"); n != 1<<30 || err != nil {
		t.Errorf("the bomb is of %d bytes, %v", n, err)
	}
}
