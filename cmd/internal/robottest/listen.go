package robottest

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/robotsexclusion/robots/internal/http/fault"
)

// Start serves a web until ctx ends or the web is closed.
func Start(ctx context.Context, o Options) (*Web, error) {
	if o.Listen == "" {
		o.Listen = "127.0.0.1:0"
	}
	if o.clock.now == nil {
		o.clock = clock{now: time.Now, hold: 800 * time.Millisecond, request: 20 * time.Second, endless: 64 << 20,
			drop: 2 * time.Second, drops: 120}
	}
	if o.Agent != "" && !isToken(o.Agent) {
		return nil, fmt.Errorf("%q is not a product token: it has letters, digits, '-', '_' and '.' only", o.Agent)
	}
	selected, err := Duties(o.Duties...)
	if err != nil {
		return nil, err
	}
	w := &Web{options: o, began: o.clock.now(), duties: selected, byName: make(map[string]*site)}
	if o.Agent != "" {
		w.tokens = []string{o.Agent}
	}
	for i := range exercises {
		if len(o.Duties) > 0 && !exercises[i].needed(selected) {
			continue
		}
		s := &site{web: w, exercise: &exercises[i]}
		w.sites = append(w.sites, s)
		w.byName[s.host()] = s
	}
	if err := w.listen(); err != nil {
		w.closeListeners()
		return nil, err
	}
	w.server = &http.Server{
		Handler:           w,
		ReadHeaderTimeout: o.clock.request,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    16 << 10,
		ErrorLog:          quiet,
		ConnContext: func(ctx context.Context, c net.Conn) context.Context {
			return context.WithValue(ctx, connKey{}, c)
		},
	}
	places := make(chan struct{}, maxConns)
	for i, l := range w.listeners {
		w.serving.Go(func() {
			w.server.Serve(&listener{Listener: l, site: w.sites[i], places: places,
				closed: &w.closed})
		})
	}
	context.AfterFunc(ctx, w.Close)
	return w, nil
}

// listen opens a port for each exercise.
func (w *Web) listen() error {
	host, port, err := net.SplitHostPort(w.options.Listen)
	if err != nil {
		return fmt.Errorf("%q is not an address with a port, such as 127.0.0.1:8080", w.options.Listen)
	}
	first, err := strconv.ParseUint(port, 10, 16)
	if err != nil || int(first)+len(w.sites) > 1<<16 {
		return fmt.Errorf("%q is not a port before %d, such as 8080", port, 1<<16-len(w.sites))
	}
	for i, s := range w.sites {
		port := "0"
		if first > 0 {
			port = strconv.Itoa(int(first) + i)
		}
		l, err := net.Listen("tcp", net.JoinHostPort(host, port))
		if err != nil {
			return fmt.Errorf("cannot serve the exercise %s: %w", s.exercise.name, fault.Listening(err))
		}
		w.listeners = append(w.listeners, l)
		s.port = l.Addr().(*net.TCPAddr).Port
	}
	return nil
}

func (w *Web) closeListeners() {
	for _, l := range w.listeners {
		l.Close()
	}
}

// Close stops the server and closes all connections. The log stays. Close may be called more
// than once.
func (w *Web) Close() {
	w.server.Close()
	w.serving.Wait()
}

// Address returns the address of the start page and of the proxy.
func (w *Web) Address() string { return w.listeners[0].Addr().String() }

// StartPage returns the URL of the page that links to all exercises.
func (w *Web) StartPage() string { return "http://" + w.Address() + "/" }

// Seeds returns the URLs of the exercises, by port, or by name for a robot that uses the proxy.
func (w *Web) Seeds(names bool) (urls []string) {
	host, _, _ := net.SplitHostPort(w.Address())
	for _, s := range w.sites[1:] {
		switch {
		case s.exercise.unlinked:
		case names:
			urls = append(urls, "http://"+s.host()+"/")
		default:
			urls = append(urls, "http://"+net.JoinHostPort(host, strconv.Itoa(s.port))+"/")
		}
	}
	return urls
}

// idle returns how long ago the last request started or ended, or 0 if there was none or one is
// open.
func (w *Web) idle() time.Duration {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.last.IsZero() || slices.ContainsFunc(w.sites, (*site).busy) {
		return 0
	}
	return w.options.clock.now().Sub(w.last)
}

// Wait waits until ctx ends, for a time at most, or until the robot has made no request for some
// time. A time of 0 means no limit.
func (w *Web) Wait(ctx context.Context, most, idle time.Duration) {
	if most > 0 {
		var stop context.CancelFunc
		ctx, stop = context.WithTimeout(ctx, most)
		defer stop()
	}
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			if idle > 0 && w.idle() >= idle {
				return
			}
		}
	}
}

// maxConns limits the connections at a time. Others are closed, and counted.
const maxConns = 512

// A listener accepts the connections of one port.
type listener struct {
	net.Listener
	site   *site
	places chan struct{}
	closed *atomic.Int64
}

// Accept returns the next connection that finds a place. Others are closed: a robot does not need
// hundreds.
func (l *listener) Accept() (net.Conn, error) {
	for {
		c, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		select {
		case l.places <- struct{}{}:
			return &conn{Conn: c, site: l.site, leave: sync.OnceFunc(func() { <-l.places })}, nil
		default:
			l.closed.Add(1)
			c.Close()
		}
	}
}

// A conn is a connection to the port of a site.
type conn struct {
	net.Conn
	site  *site
	leave func()

	mu       sync.Mutex
	received bool // bytes came after the last request began
	open     bool // a request has no answer yet
	ahead    bool // the client sent bytes before it had the answer to its last request
}

// Read notes when bytes come. The server reads one byte while a request is open, to learn whether
// the client leaves.
func (c *conn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	if n > 0 {
		c.mu.Lock()
		c.received = true
		c.ahead = c.ahead || c.open
		c.mu.Unlock()
	}
	return n, err
}

// begin notes the start of a request, and returns whether the client sent it, or a part of it,
// before it had the answer to the request before.
func (c *conn) begin() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	ahead := c.ahead || !c.received
	c.received, c.open, c.ahead = false, true, false
	return ahead
}

// end notes that the answer follows.
func (c *conn) end() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.open = false
}

// Close closes the connection and leaves its place.
func (c *conn) Close() error {
	c.leave()
	return c.Conn.Close()
}

// connKey is the key of the connection of a request, in the context of the request.
type connKey struct{}
