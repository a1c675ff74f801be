// Package demoweb serves the small friendly web that `robots crawl --demo` visits, on
// loopback only: four hosts with some sixty pages, and a judge of the requests to them.
//
//	web, err := demoweb.Start(ctx)
//	...
//	crawl(web.Seeds(), web.Lookup, fetch.DialFilter{Allow: web.Allowed()})
//	for _, v := range web.Violations(200 * time.Millisecond) {
//		fmt.Println(v)
//	}
//
// The host garden.test has no special rules, library.test asks for a second between
// requests, archive.test closes a folder, and market.test answers 503 once and has an
// endless calendar.
//
// The package is for the command. Tests use package testweb, whose hosts are hostile and whose
// checker is strict.
package demoweb

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/robotsexclusion/robots/internal/printable"
)

// A Web is a running demo. Its methods are safe for concurrent use.
type Web struct {
	scale  float64 // factor of all pauses
	began  time.Time
	hosts  []*host
	byName map[string]*host // by the value of Host, with the port
	server *http.Server
	serve  sync.WaitGroup

	mu  sync.Mutex
	log []Request // in the order of arrival
}

// A Request is an answered request.
type Request struct {
	Host   string        // origin, such as "http://garden.test:41485"
	Path   string        // with the query
	Start  time.Duration // of the arrival, since the web began
	End    time.Duration // shortly before the answer was written
	Status int
	// RetryAfter is the time, since the web began, when the next request to the host is
	// allowed, or 0.
	RetryAfter time.Duration
}

// String returns the request as a line.
func (r Request) String() string {
	return fmt.Sprintf("%.3f s: %s%s, status %d", r.Start.Seconds(), printable.Text(r.Host), printable.Text(r.Path), r.Status)
}

// Start serves the web until ctx ends or the web is closed. It listens on 127.0.0.1 to
// 127.0.0.4, or on 127.0.0.1 only if the system lacks the other addresses.
func Start(ctx context.Context) (*Web, error) { return start(ctx, 1) }

func start(ctx context.Context, scale float64) (*Web, error) {
	w := &Web{scale: scale, began: time.Now(), byName: make(map[string]*host)}
	listeners, err := listen(len(sites))
	if err != nil {
		return nil, err
	}
	for i := range sites {
		at := listeners[i%len(listeners)].Addr().(*net.TCPAddr).AddrPort()
		name := sites[i].name + ":" + strconv.Itoa(int(at.Port()))
		h := &host{site: &sites[i], number: i, origin: "http://" + name, addr: at.Addr()}
		w.hosts, w.byName[name] = append(w.hosts, h), h
	}
	w.server = &http.Server{Handler: w, ReadHeaderTimeout: time.Minute}
	for _, l := range listeners {
		w.serve.Go(func() { w.server.Serve(l) })
	}
	context.AfterFunc(ctx, w.Close)
	return w, nil
}

// listen opens one port at up to n addresses. If another program has the port at one of
// them, it tries another port.
func listen(n int) ([]net.Listener, error) {
	for range 20 {
		first, err := net.Listen("tcp4", "127.0.0.1:0")
		if err != nil {
			return nil, err
		}
		listeners := []net.Listener{first}
		port := first.Addr().(*net.TCPAddr).Port
		for i := 2; i <= n; i++ {
			l, err := net.Listen("tcp4", fmt.Sprintf("127.0.0.%d:%d", i, port))
			if err != nil {
				break
			}
			listeners = append(listeners, l)
		}
		if len(listeners) == n || len(listeners) == 1 {
			return listeners, nil
		}
		for _, l := range listeners {
			l.Close()
		}
	}
	return nil, errors.New("no port is free at all addresses")
}

// Close stops the server and closes all connections. The log stays. Close may be called
// more than once.
func (w *Web) Close() {
	w.server.Close()
	w.serve.Wait()
}

// Origins returns the origins of the hosts, such as "http://garden.test:41485".
func (w *Web) Origins() (origins []string) {
	for _, h := range w.hosts {
		origins = append(origins, h.origin)
	}
	return origins
}

// Seeds returns the root pages of all hosts.
func (w *Web) Seeds() (urls []string) {
	for _, h := range w.hosts {
		urls = append(urls, h.origin+"/")
	}
	return urls
}

// Allowed returns the addresses of the web, which a dial filter has to accept.
func (w *Web) Allowed() (list []netip.Prefix) {
	for _, h := range w.hosts {
		if p := netip.PrefixFrom(h.addr, h.addr.BitLen()); !slices.Contains(list, p) {
			list = append(list, p)
		}
	}
	return list
}

// Lookup returns the address of a host by its name. Other names do not exist.
func (w *Web) Lookup(_ context.Context, name string) ([]netip.Addr, error) {
	for _, h := range w.hosts {
		if h.name == name {
			return []netip.Addr{h.addr}, nil
		}
	}
	return nil, &net.DNSError{Err: "no such host", Name: name, IsNotFound: true}
}

// Requests returns the log, in the order in which requests arrived.
func (w *Web) Requests() iter.Seq[Request] {
	w.mu.Lock()
	defer w.mu.Unlock()
	log := slices.Clone(w.log)
	slices.SortStableFunc(log, func(a, b Request) int { return int(a.Start - b.Start) })
	return slices.Values(log)
}

// ServeHTTP implements [http.Handler].
func (w *Web) ServeHTTP(out http.ResponseWriter, in *http.Request) {
	h := w.byName[in.Host]
	if h == nil {
		http.Error(out, "no such host", http.StatusMisdirectedRequest)
		return
	}
	r := Request{Host: h.origin, Path: in.URL.RequestURI(), Start: time.Since(w.began)}
	a := w.answer(h, in.URL.RequestURI())
	header := out.Header()
	header.Set("Content-Type", a.media)
	if a.tag != "" {
		header.Set("ETag", a.tag)
		if in.Header.Get("If-None-Match") == a.tag {
			a.status, a.body = http.StatusNotModified, nil
		}
	}
	if a.retry > 0 {
		header.Set("Retry-After", strconv.Itoa(int(a.retry/time.Second)))
	}
	r.Status, r.End = a.status, time.Since(w.began)
	if a.retry > 0 {
		r.RetryAfter = r.End + a.retry
	}
	w.mu.Lock()
	w.log = append(w.log, r)
	w.mu.Unlock()
	out.WriteHeader(a.status)
	out.Write(a.body)
}
