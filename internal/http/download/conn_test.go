package download_test

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/netip"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/robotsexclusion/robots/fetch"
	"github.com/robotsexclusion/robots/internal/http/download"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

const answer = "HTTP/1.1 200 OK\r\nContent-Length: 68\r\n\r\n" + page

// A request is not repeated when the server closes the connection, and unrequested data
// is not taken for an answer.
func TestKeptConnections(t *testing.T) {
	var requests atomic.Int64
	for _, test := range []struct {
		name   string
		first  string // answer
		second func(net.Conn)
		reused bool
		stale  bool
	}{
		{"kept", answer, nil, true, false},
		{"closed by the head", strings.Replace(answer, "\r\n", "\r\nConnection: close\r\n", 1), nil, false, false},
		{"HTTP/1.0", strings.Replace(answer, "1.1", "1.0", 1), nil, false, false},
		{"HTTP/1.0 that is kept", strings.Replace(answer, "1.1 200 OK\r\n", "1.0 200 OK\r\nConnection: keep-alive\r\n",
			1), nil, true, false},
		{"answers two at once", answer + strings.Replace(answer, "Teapots", "Poisons", 1), nil, false, false},
		{"one byte more", answer + "x", nil, false, false},
		{"closed at the second", answer, func(conn net.Conn) { conn.Close() }, true, true},
		{"reset at the second", answer, func(conn net.Conn) { conn.(*net.TCPConn).SetLinger(0); conn.Close() }, true,
			true},
	} {
		t.Run(test.name, func(t *testing.T) {
			requests.Store(0)
			origin := serveRaw(t, func(conn net.Conn, n int) bool {
				requests.Add(1)
				if n > 1 && test.second != nil {
					test.second(conn)
					return false
				}
				_, err := io.WriteString(conn, test.first)
				return err == nil
			})
			c := local(t)
			check(t, "body", bodyText(t, visit(t, c, download.Request{URL: origin}).Body), page)
			if test.stale {
				check(t, "reused", fails(t, c, origin, download.Stale).Times.Reused, true)
			} else {
				x := visit(t, c, download.Request{URL: origin})
				check(t, "reused", x.Times.Reused, test.reused)
				check(t, "body", bodyText(t, x.Body), page)
			}
			check(t, "requests", requests.Load(), 2)
			check(t, "third", bodyText(t, visit(t, c, download.Request{URL: origin}).Body), page)
		})
	}
}

// The client notices that the server has closed an idle connection before it sends
// anything over it.
func TestClosedWhileKept(t *testing.T) {
	closed := make(chan bool, 1)
	origin := serveRaw(t, func(conn net.Conn, n int) bool {
		io.WriteString(conn, answer)
		conn.Close()
		closed <- true
		return false
	})
	c := local(t)
	for range 3 {
		check(t, "reused", visit(t, c, download.Request{URL: origin}).Times.Reused, false)
		<-closed
	}
}

// A byte that comes on an idle connection makes it useless.
func TestUnasked(t *testing.T) {
	more, sent := make(chan bool), make(chan bool)
	origin := serveRaw(t, func(conn net.Conn, n int) bool {
		io.WriteString(conn, answer)
		<-more
		io.WriteString(conn, strings.Replace(answer, "Teapots", "Poisons", 1))
		sent <- true
		return true
	})
	c := local(t)
	for range 3 {
		x := visit(t, c, download.Request{URL: origin})
		check(t, "body", bodyText(t, x.Body), page)
		check(t, "reused", x.Times.Reused, false)
		more <- true
		<-sent
	}
}

func TestCloseIdle(t *testing.T) {
	for _, http2 := range []bool{false, true} {
		s, c := serveTLS(t, http2, func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, page) })
		reused := func(want bool) {
			t.Helper()
			check(t, "reused", visit(t, c, download.Request{URL: s.URL + "/x"}).Times.Reused, want)
		}
		reused(false)
		reused(true)
		c.CloseIdle("https://other.example")
		reused(true)
		c.CloseIdle(s.URL)
		reused(false)
		c.CloseIdle(s.URL)
		c.CloseIdle(s.URL)
		reused(false)
		c.Close()
		c.Close()
		reused(false)
		reused(false) // nothing is pooled from now on
	}
}

// The pool keeps only MaxIdle connections, the last ones used.
func TestMaxIdle(t *testing.T) {
	var origins []string
	for range 4 {
		origins = append(origins, serve(t, func(w http.ResponseWriter, r *http.Request) {
			io.WriteString(w,
				page)
		}).URL)
	}
	c := local(t)
	c.MaxIdle = 3
	for i, want := range []bool{false, false, false, false} {
		check(t, "reused", visit(t, c, download.Request{URL: origins[i]}).Times.Reused, want)
	}
	for _, i := range []int{3, 2, 1} {
		check(t, "reused", visit(t, c, download.Request{URL: origins[i]}).Times.Reused, true)
	}
	check(t, "reused", visit(t, c, download.Request{URL: origins[0]}).Times.Reused, false) // instead of 3
	check(t, "reused", visit(t, c, download.Request{URL: origins[3]}).Times.Reused, false)

	c = local(t)
	c.MaxIdle = -1
	for range 2 {
		check(t, "reused", visit(t, c, download.Request{URL: origins[0]}).Times.Reused, false)
	}
}

// An idle connection has no buffers and no goroutines. The measurement includes the
// server's half, whose buffer alone has 4 KiB.
func TestIdleMemory(t *testing.T) {
	const n = 300
	origin := serveRaw(t, func(conn net.Conn, _ int) bool {
		_, err := io.WriteString(conn, answer)
		return err == nil
	})
	c := local(t)
	c.MaxIdle, c.IdleTimeout = n, time.Hour
	c.Lookup = func(context.Context, string) ([]netip.Addr, error) {
		return []netip.Addr{netip.MustParseAddr("127.0.0.1")}, nil
	}
	heap := func() int64 {
		runtime.GC()
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	visit(t, c, download.Request{URL: origin}) // allocations that are made once
	before, running := heap(), runtime.NumGoroutine()
	for i := range n {
		x, err := c.Do(t.Context(), download.Request{URL: "http://host" + strconv.Itoa(i) + ".example" + port(origin)})
		fatal.If(t, err)
		x.Close()
	}
	if got := (heap() - before) / n; got > 10<<10 {
		t.Errorf("a connection takes %d bytes", got)
	}
	if got := runtime.NumGoroutine() - running; got > n+n/10 {
		t.Errorf("%d connections have %d goroutines, of which the server has %[1]d", n, got)
	}
	check(t, "reused", visit(t, c, download.Request{URL: "http://host0.example" + port(origin)}).Times.Reused, true)
}

// A connection is not kept for ever.
func TestIdleTimeout(t *testing.T) {
	ended := make(chan bool)
	origin := serveRaw(t, func(conn net.Conn, n int) bool {
		io.WriteString(conn, answer)
		io.Copy(io.Discard, conn)
		ended <- true
		return false
	})
	c := local(t)
	c.IdleTimeout = 10 * time.Millisecond
	for range 2 {
		visit(t, c, download.Request{URL: origin})
		<-ended
	}
}

// The race detector checks many concurrent requests, also to one host; and nothing is
// left of them.
func TestManyAtOnce(t *testing.T) {
	before := runtime.NumGoroutine()
	t.Run("all", func(t *testing.T) {
		s, c := serveTLS(t, true, func(w http.ResponseWriter, r *http.Request) {
			packed("gzip",
				pack("gzip", r.URL.Path))(w, r)
		})
		plain := serve(t, packed("br", pack("br", page)))
		c.MaxIdle = 2
		var running sync.WaitGroup
		for range 8 {
			running.Go(func() {
				for range 10 {
					for _, url := range []string{s.URL + "/x", plain.URL} {
						x, err := c.Do(t.Context(), download.Request{URL: url, KeepSent: true})
						if err != nil {
							t.Error(err)
							return
						}
						if x.Truncated != download.Whole || x.Body.Size() == 0 {
							t.Error(x)
						}
						x.Close()
					}
				}
			})
		}
		running.Wait()
	})
	settled(t, before)
}

// A cancelled caller gets no partial answer, and leaves nothing behind.
func TestCancel(t *testing.T) {
	before := runtime.NumGoroutine()
	why := errors.New("enough")
	t.Run("all", func(t *testing.T) {
		reached := make(chan bool, 1)
		handler := func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/body" {
				w.Header().Set("Content-Type", "text/html")
				io.WriteString(w, page)
				w.(http.Flusher).Flush()
			}
			reached <- true
			<-r.Context().Done()
		}
		one, c1 := serveTLS(t, false, handler)
		two, c2 := serveTLS(t, true, handler)
		plain := serve(t, handler)
		dns := local(t)
		dns.Lookup = func(ctx context.Context, name string) ([]netip.Addr, error) {
			reached <- true
			<-ctx.Done()
			return nil, ctx.Err()
		}
		for _, test := range []struct {
			c   *download.Client
			url string
		}{
			{c1, one.URL + "/head"}, {c1, one.URL + "/body"}, {c2, two.URL + "/head"}, {c2, two.URL + "/body"},
			{local(t), plain.URL + "/head"}, {local(t), plain.URL + "/body"}, {dns, "http://name.example/"},
		} {
			ctx, cancel := context.WithCancelCause(t.Context())
			go func() {
				<-reached
				cancel(why)
			}()
			x, err := test.c.Do(ctx, download.Request{URL: test.url})
			e, ok := errors.AsType[*download.Error](err)
			if !ok || e.Failure != download.Canceled || !errors.Is(err, why) || x != nil {
				t.Errorf("%s: got %v, %v", test.url, x, err)
			}
			// A request with a cancelled context does not begin.
			if _, err = test.c.Do(ctx, download.Request{URL: test.url}); !errors.Is(err, why) {
				t.Errorf("%s: got %v", test.url, err)
			}
			if _, err = dns.Resolve(ctx, "name.example"); !errors.Is(err, why) {
				t.Errorf("%s: got %v", test.url, err)
			}
		}
	})
	settled(t, before)
}

func TestIPv6(t *testing.T) {
	l, err := net.Listen("tcp6", "[::1]:0")
	if err != nil {
		t.Skip("this machine has no IPv6: ", err)
	}
	server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.WriteString(w,
			r.Host)
	})}
	go server.Serve(l)
	defer server.Close()
	origin := "http://" + l.Addr().String()
	x := visit(t, local(t), download.Request{URL: origin + "/"})
	check(t, "host", bodyText(t, x.Body), l.Addr().String())
	check(t, "address", x.Addr.String(), l.Addr().String())

	// A name has addresses of both families, and one address is dead: their order does
	// not matter. The filter accepts the address that it allows.
	c := local(t)
	c.DialFilter = fetch.DialFilter{Allow: []netip.Prefix{netip.MustParsePrefix("::1/128")}}
	c.Lookup = lookup(map[string][]string{"a.example": {"127.0.0.1", "::1"}, "b.example": {"::1", "127.0.0.1",
		"127.0.0.2"}, "c.example": {"127.0.0.1"}})
	for _, name := range []string{"a.example", "b.example"} {
		x := visit(t, c, download.Request{URL: "http://" + name + port(origin) + "/"})
		check(t, "address", x.Addr.String(), l.Addr().String())
		check(t, "host", bodyText(t, x.Body), name+port(origin))
	}
	fails(t, c, "http://c.example"+port(origin), download.Refused)
}

func TestResolve(t *testing.T) {
	c := local(t)
	var asked atomic.Int64
	table := lookup(map[string][]string{"a.example": {"::ffff:192.0.2.1", "2001:db8::1"}})
	c.Lookup = func(ctx context.Context, name string) ([]netip.Addr, error) {
		asked.Add(1)
		return table(ctx, name)
	}
	for range 3 {
		addrs, err := c.Resolve(t.Context(), "a.example")
		if err != nil || len(addrs) != 2 || addrs[0] != netip.MustParseAddr("192.0.2.1") ||
			addrs[1] != netip.MustParseAddr("2001:db8::1") {
			t.Errorf("got %v, %v", addrs, err)
		}
		_, err = c.Resolve(t.Context(), "b.example")
		if e, ok := errors.AsType[*download.Error](err); !ok || e.Failure != download.NoHost {
			t.Errorf("got %v", err)
		}
		for _, host := range []string{"192.0.2.7", "2001:db8::7", "[2001:db8::7]"} {
			addrs, err := c.Resolve(t.Context(), host)
			if err != nil || len(addrs) != 1 || addrs[0] != netip.MustParseAddr(strings.Trim(host, "[]")) {
				t.Errorf("%s: got %v, %v", host, addrs, err)
			}
		}
	}
	check(t, "asked", asked.Load(), 2)
}

// TestNames covers the cache of DNS answers and its lifetimes.
func TestNames(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var asked atomic.Int64
		c := &download.Client{UserAgent: robot, AddressLife: time.Second} // too short, so it is raised
		c.Lookup = func(ctx context.Context, name string) ([]netip.Addr, error) {
			asked.Add(1)
			switch name {
			case "slow.example":
				<-ctx.Done()
				return nil, ctx.Err()
			case "broken.example":
				return nil, &net.DNSError{Err: "server misbehaving", Name: name, IsTemporary: true}
			}
			time.Sleep(time.Second)
			return []netip.Addr{netip.MustParseAddr("192.0.2.1")}, nil
		}
		resolve := func(name string, want download.Failure, times int64) {
			t.Helper()
			_, err := c.Resolve(t.Context(), name)
			got := download.None
			if e, ok := errors.AsType[*download.Error](err); ok {
				got = e.Failure
			}
			check(t, name, got, want)
			check(t, "asked about "+name, asked.Swap(0), times)
		}
		// Concurrent callers wait for one answer.
		var waiting sync.WaitGroup
		for range 100 {
			waiting.Go(func() {
				if _, err := c.Resolve(t.Context(), "a.example"); err != nil {
					t.Error(err)
				}
			})
		}
		waiting.Wait()
		resolve("a.example", download.None, 1)
		time.Sleep(5*time.Minute - 2*time.Second)
		resolve("a.example", download.None, 0)
		time.Sleep(2 * time.Second)
		resolve("a.example", download.None, 1)

		resolve("broken.example", download.DNS, 1)
		resolve("broken.example", download.DNS, 0)
		time.Sleep(time.Minute)
		resolve("broken.example", download.DNS, 1)

		// A caller that stops waiting does not cancel the look-up for others; if all
		// stop, the look-up ends.
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		waiting.Go(func() {
			if _, err := c.Resolve(ctx, "slow.example"); !errors.Is(err, context.DeadlineExceeded) {
				t.Error(err)
			}
		})
		waiting.Wait()
		synctest.Wait()
		check(t, "asked", asked.Swap(0), 1)
		resolve("slow.example", download.Timeout, 1) // was not cached
		resolve("slow.example", download.Timeout, 0)
	})
}

// The cache of names does not grow without end.
func TestNamesAreBounded(t *testing.T) {
	c := &download.Client{UserAgent: robot}
	c.Lookup = func(ctx context.Context, name string) ([]netip.Addr, error) {
		list := make([]netip.Addr, 10000)
		for i := range list {
			list[i] = netip.MustParseAddr("192.0.2.1")
		}
		return list, nil
	}
	addrs, err := c.Resolve(t.Context(), "many.example")
	if len(addrs) != 16 || err != nil {
		t.Errorf("got %d addresses, %v", len(addrs), err)
	}
	c = &download.Client{UserAgent: robot, Lookup: lookup(nil)}
	for i := range 40_000 {
		c.Resolve(t.Context(), strings.Repeat("x", i%60+1)+"."+strings.Repeat("y", i/60%60+1)+"."+
			strings.Repeat("z", i/3600+1))
	}
	if n := c.Names(); n < 1<<14 || n > 1<<15 {
		t.Errorf("%d names are remembered", n)
	}
}
