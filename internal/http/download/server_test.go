package download_test

import (
	"bufio"
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/fetch"
	"github.com/robotsexclusion/robots/internal/http/download"
	"github.com/robotsexclusion/robots/internal/printable"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

const robot = "ExampleBot/1.0 (+https://example.com/bot)"

// page is a body of 66 bytes.
const page = "<!DOCTYPE html><title>Teapots</title><p>Short and stout.</p><!-- -->"

// serve starts a server on loopback.
func serve(t testing.TB, h http.HandlerFunc) *httptest.Server {
	t.Helper()
	s := httptest.NewUnstartedServer(h)
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	s.Start()
	t.Cleanup(s.Close)
	return s
}

// serveTLS starts a TLS server, with HTTP/2 on request, and returns a client that
// trusts it.
func serveTLS(t testing.TB, http2 bool, h http.HandlerFunc) (*httptest.Server, *download.Client) {
	t.Helper()
	s := httptest.NewUnstartedServer(h)
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	s.EnableHTTP2 = http2
	s.StartTLS()
	t.Cleanup(s.Close)
	c := local(t)
	c.TLS = &tls.Config{RootCAs: x509.NewCertPool()}
	c.TLS.RootCAs.AddCert(s.Certificate())
	return s, c
}

// serveRaw starts a server on loopback that reads the heads of requests and calls
// answer for each. The argument n is the number of the request on its connection, from
// 1 on; when answer returns false the connection is closed. serveRaw returns the
// server's origin.
func serveRaw(t testing.TB, answer func(conn net.Conn, n int) bool) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	fatal.If(t, err)
	var running sync.WaitGroup
	var mu sync.Mutex
	open := make(map[net.Conn]bool)
	running.Go(func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			mu.Lock()
			open[conn] = true
			mu.Unlock()
			running.Go(func() {
				defer conn.Close()
				r := bufio.NewReader(conn)
				for n := 1; ; n++ {
					if _, err := http.ReadRequest(r); err != nil || !answer(conn, n) {
						return
					}
				}
			})
		}
	})
	t.Cleanup(func() {
		l.Close()
		mu.Lock()
		for conn := range open {
			conn.Close()
		}
		mu.Unlock()
		running.Wait()
	})
	return "http://" + l.Addr().String()
}

// says answers with the given bytes, and closes the connection.
func says(text string) func(net.Conn, int) bool {
	return func(conn net.Conn, _ int) bool {
		io.WriteString(conn, text)
		// Otherwise unread data of the client would reset the connection.
		conn.(*net.TCPConn).CloseWrite()
		io.Copy(io.Discard, conn)
		return false
	}
}

// local returns a client that may go to loopback.
func local(t testing.TB) *download.Client {
	c := &download.Client{UserAgent: robot, DialFilter: fetch.DialFilter{AllowPrivate: true}}
	t.Cleanup(func() { c.Close() })
	return c
}

// visit makes an exchange and expects an answer.
func visit(t testing.TB, c *download.Client, r download.Request) *download.Exchange {
	t.Helper()
	x, err := c.Do(t.Context(), r)
	fatal.If(t, err)
	t.Cleanup(func() {
		if err := x.Close(); err != nil {
			t.Error(err)
		}
	})
	return x
}

// fails makes an exchange and expects a failure.
func fails(t testing.TB, c *download.Client, url string, want download.Failure) *download.Error {
	t.Helper()
	x, err := c.Do(t.Context(), download.Request{URL: url})
	e, ok := errors.AsType[*download.Error](err)
	if !ok || x != nil {
		t.Fatalf("%.100s: got %v, %v, want a *download.Error", url, x, err)
	}
	if e.Failure != want {
		t.Errorf("%.100s: got %v, want failure %v", url, e, want)
	}
	if !printable.IsText(e.Error()) {
		t.Errorf("%q is not fit to be shown", e)
	}
	return e
}

// bodyText returns all bytes of a body.
func bodyText(t testing.TB, b *download.Body) string {
	t.Helper()
	all, err := b.Bytes()
	fatal.If(t, err)
	read, err := io.ReadAll(b.Reader())
	if err != nil || !bytes.Equal(read, all) || int64(len(all)) != b.Size() {
		t.Fatalf("a body of %d bytes: Bytes has %d, Reader %d, %v", b.Size(), len(all), len(read), err)
	}
	return string(all)
}

// check compares two values, and names them in its error.
func check[T comparable](t testing.TB, what string, got, want T) {
	t.Helper()
	if got != want {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}

// lookup returns a Lookup for a table of names. For a name with a nil list it waits for
// its context.
func lookup(table map[string][]string) func(context.Context, string) ([]netip.Addr, error) {
	return func(ctx context.Context, name string) (list []netip.Addr, err error) {
		addrs, ok := table[name]
		switch {
		case !ok:
			return nil, &net.DNSError{Err: "no such host", Name: name, IsNotFound: true}
		case addrs == nil:
			<-ctx.Done()
			return nil, ctx.Err()
		}
		for _, a := range addrs {
			list = append(list, netip.MustParseAddr(a))
		}
		return list, nil
	}
}

// port returns the port of an origin on loopback.
func port(origin string) string { return origin[strings.LastIndexByte(origin, ':'):] }

// settled waits until no more goroutines run than before, and fails if they keep
// running.
func settled(t testing.TB, before int) {
	t.Helper()
	for range 3000 {
		if runtime.NumGoroutine() <= before {
			return
		}
		time.Sleep(10 * time.Millisecond) // only leaves the processor to them
	}
	stacks := make([]byte, 1<<20)
	t.Errorf("%d goroutines, %d before:\n%s", runtime.NumGoroutine(), before, stacks[:runtime.Stack(stacks, true)])
}
