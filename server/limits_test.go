package server

import (
	"encoding/binary"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/robotsexclusion/robots/fetch"
)

// TestConditional repeats questions with the ETag of the answer: it stays while the verdict and the
// text do, also when the origin confirms the text later.
func TestConditional(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		text := "User-agent: *\nDisallow: /x\n"
		s := New(Config{Client: &fetch.Client{Transport: web(func(string) (string, bool) { return text, true })}})
		conditional := func(target, tag string) *httptest.ResponseRecorder {
			r, w := httptest.NewRequest(http.MethodGet, target, nil), httptest.NewRecorder()
			r.Header.Set("If-None-Match", tag)
			s.ServeHTTP(w, r)
			return w
		}
		target := matchOf("https://a.example/x")
		w := get(s, target)
		tag := w.Header().Get("ETag")
		if got := w.Header().Get("Cache-Control"); tag == "" || got != "max-age=86400" {
			t.Errorf("ETag %s, Cache-Control %s", tag, got)
		}
		for _, tags := range []string{tag, strings.TrimPrefix(tag, "W/"), `"a", ` + tag, "*"} {
			if w := conditional(target, tags); w.Code != http.StatusNotModified || w.Body.Len() > 0 ||
				w.Header().Get("ETag") != tag {
				t.Errorf("%s: %d %v %q", tags, w.Code, w.Header(), w.Body)
			}
		}
		if w := conditional(target, `"a", b, W/"`); w.Code != http.StatusOK {
			t.Errorf("other tags: %d", w.Code)
		}
		for _, other := range []string{matchOf("https://a.example/"), matchOf("https://b.example/x"),
			matchOf("https://a.example/x", "ExampleBot"), "/v1/robots?origin=https://a.example"} {
			if w := conditional(other, tag); w.Code != http.StatusOK {
				t.Errorf("%s: %d", other, w.Code)
			}
		}
		time.Sleep(23 * time.Hour)
		if got := get(s, target).Header().Get("Cache-Control"); got != "max-age=3600" {
			t.Errorf("23 hours later: Cache-Control %s", got)
		}
		time.Sleep(2 * time.Hour)
		if w := conditional(target, tag); w.Code != http.StatusNotModified {
			t.Errorf("confirmed: %d %s", w.Code, w.Header())
		}
		text += "Disallow: /y\n"
		time.Sleep(25 * time.Hour)
		if w := conditional(target, tag); w.Code != http.StatusOK {
			t.Errorf("with another text: %d %s", w.Code, w.Header())
		}
	})
}

// TestRate has a client make more requests than it may, and others beside it.
func TestRate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := New(Config{Rate: 0.5, Burst: 3, Client: &fetch.Client{Transport: oneText("")}})
		from := func(addr, target string) *httptest.ResponseRecorder {
			r, w := httptest.NewRequest(http.MethodGet, target, nil), httptest.NewRecorder()
			r.RemoteAddr = addr
			s.ServeHTTP(w, r)
			return w
		}
		target := matchOf("https://a.example/")
		for i := range 3 {
			if w := from("192.0.2.1:1", target); w.Code != http.StatusOK {
				t.Errorf("request %d: %d", i, w.Code)
			}
		}
		w := from("192.0.2.1:2", target)
		wantProblem(t, "a fourth request", w, tooMany)
		if got := w.Header().Get("Retry-After"); got != "2" {
			t.Errorf("Retry-After is %s, want 2", got)
		}
		for _, addr := range []string{"192.0.2.2:1", "[2001:db8::1]:1", "[2001:db8::2]:1", "[2001:db8::3%eth0]:1",
			"@"} {
			if w := from(addr, target); w.Code != http.StatusOK {
				t.Errorf("%s: %d", addr, w.Code)
			}
		}
		wantProblem(t, "the same network", from("[2001:db8::4]:1", target), tooMany)
		if w := from("192.0.2.1:1", "/healthz"); w.Code != http.StatusOK {
			t.Errorf("health: %d", w.Code)
		}
		time.Sleep(2 * time.Second)
		if w := from("[::ffff:192.0.2.1]:1", target); w.Code != http.StatusOK {
			t.Errorf("two seconds later: %d", w.Code)
		}
		wantProblem(t, "at once", from("192.0.2.1:1", target), tooMany)
	})
}

// TestClientsBounded has requests from very many addresses, between which one is not forgotten.
func TestClientsBounded(t *testing.T) {
	c := &clients{interval: time.Hour}
	now := time.Now()
	first := netip.MustParsePrefix("192.0.2.1/32")
	for i := range 3*maxClients + 5 {
		var b [16]byte
		binary.BigEndian.PutUint32(b[:], uint32(i+1))
		if wait := c.take(prefixOf(netip.AddrFrom16(b)), now); wait != 0 {
			t.Fatalf("address %d waits %v", i, wait)
		}
		if i == 0 {
			c.take(first, now)
		}
		if i == maxClients {
			if wait := c.take(first, now); wait != time.Hour {
				t.Errorf("the first address waits %v, want an hour", wait)
			}
		}
	}
	if n := len(c.newer) + len(c.old); n > 2*maxClients {
		t.Errorf("%d clients are kept, want %d at most", n, 2*maxClients)
	}
}

// TestRequests has as many requests at once as the service answers.
func TestRequests(t *testing.T) {
	s := New(Config{MaxRequests: 1, Client: &fetch.Client{Transport: oneText("")}})
	s.requests.take(netip.Prefix{})
	wantProblem(t, "another request", get(s, matchOf("https://a.example/")), busy)
	if w := get(s, "/healthz"); w.Code != http.StatusOK {
		t.Errorf("health: %d", w.Code)
	}
	s.requests.give(netip.Prefix{})
	for range 2 {
		if w := get(s, matchOf("https://a.example/")); w.Code != http.StatusOK {
			t.Errorf("afterwards: %d", w.Code)
		}
	}
}

// A limited is a ResponseWriter that records its deadlines.
type limited struct {
	discarder
	read, write []time.Time
}

func (l *limited) SetReadDeadline(at time.Time) error  { l.read = append(l.read, at); return nil }
func (l *limited) SetWriteDeadline(at time.Time) error { l.write = append(l.write, at); return nil }

// TestDeadlines checks that each answer has a deadline, also the second one of a connection, and
// each body.
func TestDeadlines(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newServer(oneText(""))
		w := &limited{discarder: discarder{header: make(http.Header)}}
		for i := range 3 {
			s.ServeHTTP(w, &http.Request{Method: http.MethodGet, URL: &url.URL{Path: "/v1/match",
				RawQuery: "url=https://a.example/"}, Body: http.NoBody})
			if len(w.read) != 0 || len(w.write) != i+1 || time.Until(w.write[i]) != 35*time.Second {
				t.Errorf("question %d: deadlines for reading %v, for writing %v, want none and one in 35s", i, w.read,
					w.write)
			}
		}
		s.ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/v1/match", io.LimitReader(strings.NewReader(""), 1)))
		if len(w.read) != 1 || time.Until(w.read[0]) != 30*time.Second {
			t.Errorf("a body: deadlines for reading %v, want one in 30s", w.read)
		}
	})
}

// A broken connection fails each write, and may still read what was written.
type broken struct {
	discarder
	wrote []byte
}

func (b *broken) Write(p []byte) (int, error) {
	b.wrote = p
	return 0, io.ErrClosedPipe
}

// TestBrokenWrites checks that the bytes of an answer whose write failed do not become those of
// another answer.
func TestBrokenWrites(t *testing.T) {
	s := newServer(oneText(""))
	for range 100 {
		w := &broken{discarder: discarder{header: make(http.Header)}}
		s.ServeHTTP(w, httptest.NewRequest(http.MethodGet, matchOf("https://a.example/first"), nil))
		get(s, matchOf("https://a.example/other"))
		if !strings.Contains(string(w.wrote), "/first") {
			t.Fatalf("the bytes are now %s", w.wrote)
		}
	}
}
