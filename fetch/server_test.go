package fetch_test

import (
	"bufio"
	"context"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/fetch"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// serve starts a server on loopback. Its handler answers all paths, not only /robots.txt.
func serve(t *testing.T, h http.HandlerFunc) *httptest.Server {
	t.Helper()
	s := httptest.NewUnstartedServer(h)
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	s.Start()
	t.Cleanup(s.Close)
	return s
}

// serveRaw starts a server on loopback. After the headers of a request, answer writes the answer.
// serveRaw returns the server's origin.
func serveRaw(t *testing.T, answer func(net.Conn)) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	fatal.If(t, err)
	var running sync.WaitGroup
	running.Go(func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			running.Go(func() {
				defer conn.Close()
				if _, err := http.ReadRequest(bufio.NewReader(conn)); err == nil {
					answer(conn)
				}
			})
		}
	})
	t.Cleanup(func() {
		l.Close()
		running.Wait()
	})
	return "http://" + l.Addr().String()
}

// local returns a client that may connect to loopback.
func local(t *testing.T) *fetch.Client {
	c := &fetch.Client{DialFilter: fetch.DialFilter{AllowPrivate: true}}
	t.Cleanup(c.CloseIdleConnections)
	return c
}

// policy asks c and expects an answer.
func policy(t *testing.T, c *fetch.Client, url string) fetch.Result {
	t.Helper()
	r, err := c.Policy(t.Context(), url)
	if err != nil {
		t.Fatalf("%s: %v", url, err)
	}
	if r.Policy == nil {
		t.Fatalf("%s: no policy in %v", url, r)
	}
	return r
}

// allowed reports whether all robots may fetch a path.
func allowed(p *robots.Policy, path string) bool { return p.For("*").Allowed(path) }

// text answers with a text, and headers given as name and value in turn.
func text(body string, headers ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/plain")
		for i := 0; i < len(headers); i += 2 {
			w.Header().Set(headers[i], headers[i+1])
		}
		io.WriteString(w, body)
	}
}

// status answers with a status and no body, and headers as text does.
func status(code int, headers ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		for i := 0; i < len(headers); i += 2 {
			w.Header().Set(headers[i], headers[i+1])
		}
		w.WriteHeader(code)
	}
}

// closed is a policy that closes one path and everything below it.
const closed = "User-agent: *\nDisallow: /private/\n"

// A network is an internet in memory: hosts with their handlers, connected by pipes. It is for
// tests under testing/synctest, where sockets do not work. A host that is not in the network has no
// address.
type network struct {
	mu       sync.Mutex
	handlers map[string]http.HandlerFunc
	asked    map[string]int // requests by host
	conns    chan net.Conn
	running  sync.WaitGroup // handlers
	open     atomic.Int64   // connections
}

// newNetwork starts a network and returns it with a client in it.
func newNetwork(t *testing.T) (*network, *fetch.Client) {
	n := &network{handlers: make(map[string]http.HandlerFunc), asked: make(map[string]int), conns: make(chan net.Conn)}
	server := &http.Server{Handler: n, ErrorLog: log.New(io.Discard, "", 0)}
	go server.Serve(n)
	transport := fetch.DialFilter{AllowPrivate: true}.Transport()
	transport.DialContext = func(ctx context.Context, network, address string) (net.Conn, error) {
		host, _, _ := net.SplitHostPort(address)
		n.mu.Lock()
		defer n.mu.Unlock()
		if n.handlers[host] == nil {
			return nil, &net.OpError{Op: "dial", Net: network, Err: &net.DNSError{Err: "no such host", Name: host,
				IsNotFound: true}}
		}
		near, far := net.Pipe()
		select {
		case n.conns <- far:
			n.open.Add(1)
			return &counted{near, n, sync.Once{}}, nil
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	t.Cleanup(func() {
		transport.CloseIdleConnections()
		server.Close()
		n.mu.Lock()
		clear(n.handlers) // no host answers from now on
		n.mu.Unlock()
		n.running.Wait()
	})
	return n, &fetch.Client{Transport: transport}
}

// A counted is a connection that a network counts while it is open.
type counted struct {
	net.Conn
	n    *network
	once sync.Once
}

// Close closes the connection.
func (c *counted) Close() error {
	c.once.Do(func() { c.n.open.Add(-1) })
	return c.Conn.Close()
}

// set sets the handler of a host; nil removes the host from the network.
func (n *network) set(host string, h http.HandlerFunc) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.handlers[host] = h
}

// count returns the number of requests that a host has received.
func (n *network) count(host string) int {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.asked[host]
}

func (n *network) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	n.mu.Lock()
	n.asked[r.Host]++
	n.running.Add(1)
	defer n.running.Done()
	h := n.handlers[r.Host]
	n.mu.Unlock()
	if h == nil {
		panic(http.ErrAbortHandler)
	}
	h(w, r)
}

// Accept implements [net.Listener].
func (n *network) Accept() (net.Conn, error) {
	conn, ok := <-n.conns
	if !ok {
		return nil, net.ErrClosed
	}
	return conn, nil
}

// Close implements [net.Listener].
func (n *network) Close() error {
	close(n.conns)
	return nil
}

// Addr implements [net.Listener].
func (n *network) Addr() net.Addr { return &net.IPAddr{} }

// step lets time pass in a bubble.
func step(d time.Duration) { time.Sleep(d) }

// check fails the test if two values differ. The error names the thing that they belong to.
func check[T comparable](t *testing.T, what string, got, want T) {
	t.Helper()
	if got != want {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}

// lines returns a policy of n rules for everyone, about 24 bytes each.
func lines(n int) string {
	return "User-agent: *\n" + strings.Repeat("Disallow: /private/x/y/\n", n)
}
