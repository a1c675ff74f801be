// Package testweb serves a web of many hosts on loopback, as hostile as real ones, logs
// the requests of a crawler, and checks the log.
//
//	web, err := testweb.Start(ctx, testweb.Options{Hosts: 50, Scale: 0.01})
//	...
//	crawl(web.Seeds(), web.Resolver(), fetch.DialFilter{Allow: web.Allowed()})
//	for _, v := range web.Check(testweb.CheckOptions{}) {
//		fmt.Println(v)
//	}
//
// # The web
//
// Hosts have names such as h00042.test, which the name server of the web resolves
// ([Web.Resolver]), and addresses of 127.0.0.0/8. A quarter of them share eight
// addresses; each of the others has its own address, as far as [Options.Addresses]
// allows. All hosts listen on one port for http, and on another for https.
//
// The [Kind] of a host defines its behaviour, and its [Text] defines its robots.txt.
// There are some thirty of each. Kinds and Texts list them with their purposes. Both
// are assigned in turn, like two wheels of different sizes: a web of fifty hosts has
// nearly every kind, and a web of some thousands has every pair.
//
// [Demo] is another web of the same server: four friendly hosts, for `robots crawl --demo`.
//
// All content is computed on request from the seed, by hashing: pages take no memory.
// Two webs with the same options serve the same content, except for ports and dates.
//
// # Time
//
// The server measures less time than the client: a request starts here when its first
// byte has arrived, and ends just before the last bytes of the answer are written. So a
// client that is polite by its own clock is never impolite here. The server notices
// late that a client has left without the answer, see [CheckOptions.Slack].
//
// # The checker
//
// [Web.Check] reads the log and returns the requests that a polite robot would not have
// made, and compares with [Web.Reachable], the pages that a whole crawl should have
// fetched. The checker takes the pages from the generator and not over HTTP, and
// imports only package robots of this module. Where the documents are silent, it
// applies these rules:
//
//   - A pause runs from the end of a request to the start of the next one to the same
//     host. It is the longest of the robot's own, Crawl-delay, and what keeps to
//     Request-rate; Retry-After runs from the answer that has it.
//   - The request for robots.txt is one like others: it is neither sent too early, nor
//     while another is open, and the next one waits after it. What the file asks for
//     counts from then on. Redirects of robots.txt may be followed at once, and do
//     not count on the hosts that they lead to, unless [CheckOptions.Hops] says so.
//   - A robots.txt is in force when its last byte, or the first 500 KiB of it, was
//     sent. One of 4xx allows everything, as does the sixth redirect. After 429, 5xx
//     or a broken answer the last one stays in force; if there is none, nothing may be
//     requested.
//   - A file is good for 24 hours.
package testweb

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"iter"
	"net"
	"net/netip"
	"sync"
	"sync/atomic"
	"time"
)

// Options configure a web. The zero value is a web of 50 hosts with every kind of host,
// over http, with unscaled pauses.
type Options struct {
	Hosts int // number of hosts; 0 means 50, or none besides Sites
	Pages int // in the trees of all hosts together; 0 means 12 times Hosts
	Links int // on a page of a tree; 0 means 12
	Size  int // least size of a page of a tree, in bytes; 0 means 2,048

	Seed uint64

	// TLS gives a third of the hosts https, and adds the kinds with untrusted
	// certificates.
	TLS bool

	// Kinds and Texts name the kinds and texts of the hosts, in turn. Nil means all but
	// [Mazes], in the proportions of their shares. A name may occur several times.
	// Kinds that need TLS are left out without it.
	Kinds, Texts []string

	// Scale multiplies all pauses: those in robots.txt, and those of servers. 0 means
	// 1. Retry-After is at least one second, because its unit is whole seconds.
	Scale float64

	// Shut is how long the hosts that robots.txt opens at another time of day are
	// closed, rounded up to whole minutes. 0 means 5 hours. They are open for four
	// hours afterwards.
	Shut time.Duration

	// Token is the product token of the robot under test. The robots.txt files and
	// pages name it. Empty means "ExampleBot".
	Token string

	// Addresses is the number of addresses of 127.0.0.0/8 to listen on. 0 means one for
	// each host, up to 512.
	Addresses int

	// Sites are served in addition to the generated hosts.
	Sites []Site

	demo bool          // the hosts are those of [Demo]
	age  time.Duration // age of the web at its start
}

// A Web is a running web. Its methods are safe for concurrent use.
type Web struct {
	world
	log log

	listeners    []net.Listener
	names        *nameServer
	authority    *authority
	secureConfig *tls.Config

	open openConns
	once sync.Once
	wg   sync.WaitGroup
}

// A world has the hosts, by names and addresses. The generator of pages and of
// robots.txt files depends on the world only, and not on the server and the log.
type world struct {
	options Options
	began   time.Time
	hosts   []host
	byName  map[string]int32 // hosts whose names are not numbers
	calm    []int32          // hosts that redirects may lead to

	port, securePort uint16
	addresses        []netip.Addr
	traps            []netip.Addr // addresses that robots must not connect to
}

// ErrLoopback is wrapped by the error of a web that cannot use all of its addresses on
// loopback, for example on systems with 127.0.0.1 only.
var ErrLoopback = errors.New("127.0.0.0/8 is not all loopback here")

// Start makes a web and serves it until ctx ends or the web is closed.
func Start(ctx context.Context, o Options) (*Web, error) {
	if len(o.Sites) == 0 && !o.demo {
		setDefault(&o.Hosts, 50)
	}
	setDefault(&o.Pages, 12*o.Hosts)
	setDefault(&o.Links, 12)
	setDefault(&o.Size, 2048)
	setDefault(&o.Scale, 1)
	setDefault(&o.Shut, 5*time.Hour)
	setDefault(&o.Token, "ExampleBot")
	setDefault(&o.Addresses, max(1, min(o.Hosts, 512)))
	if least := min(o.Hosts, o.Pages, o.Links, o.Size, int(o.Shut)); least < 0 || o.Scale < 0 || o.Addresses < 1 ||
		o.Addresses > maxAddresses {
		return nil, fmt.Errorf("testweb: a number of the options is negative, or Addresses is not from 1 to %d",
			maxAddresses)
	}
	w := &Web{world: world{options: o, began: time.Now().Add(-o.age)}, open: openConns{conns: make(map[net.Conn]bool),
		closed: make(chan struct{})}}
	if err := w.listen(); err != nil {
		w.Close()
		return nil, fmt.Errorf("testweb: %w", err)
	}
	if err := w.populate(); err != nil {
		w.Close()
		return nil, fmt.Errorf("testweb: %w", err)
	}
	w.serve()
	context.AfterFunc(ctx, w.Close)
	return w, nil
}

func setDefault[T comparable](field *T, value T) {
	if *field == *new(T) {
		*field = value
	}
}

// Close stops the server, closes all connections, and waits for their end. The log
// stays. Close may be called more than once.
func (w *Web) Close() {
	w.once.Do(func() {
		close(w.open.closed)
		for _, l := range w.listeners {
			l.Close()
		}
		if w.names != nil {
			w.names.conn.Close()
		}
		w.open.closeAll()
	})
	w.wg.Wait()
}

// Began returns the start of the web, the zero point of all times in its log.
func (w *Web) Began() time.Time { return w.began }

// Len returns the number of hosts.
func (w *Web) Len() int { return len(w.hosts) }

// Origin returns the origin of a host, from 0 to Len()-1, such as
// "http://h00042.test:41234".
func (w *Web) Origin(host int) string { return w.hosts[host].origin }

// Describe returns the names of the kind and of the robots.txt of a host, such as
// "ordinary, crawl-delay".
func (w *Web) Describe(host int) string {
	h := &w.hosts[host]
	return h.kind.Name + ", " + h.text.Name
}

// Seeds returns the root pages of all hosts, except forbidden hosts that only links
// lead to.
func (w *Web) Seeds() []string {
	var urls []string
	for i := range w.hosts {
		if h := &w.hosts[i]; !h.kind.refused {
			urls = append(urls, h.origin+"/")
		}
	}
	return urls
}

// Allowed returns the addresses of the web that a dial filter has to accept. The web
// also listens at other addresses of loopback, which the filter must refuse.
func (w *Web) Allowed() []netip.Prefix {
	if !w.options.demo {
		return []netip.Prefix{allowed}
	}
	var list []netip.Prefix
	for _, addr := range w.addresses {
		list = append(list, netip.PrefixFrom(addr, addr.BitLen()))
	}
	return list
}

// NameServer returns the address of the web's name server, over UDP. Names unknown to
// it do not exist.
func (w *Web) NameServer() string { return w.names.conn.LocalAddr().String() }

// Resolver returns a resolver that uses the name server.
func (w *Web) Resolver() *net.Resolver { return ResolverAt(w.NameServer()) }

// ResolverAt returns a resolver that uses only the name server at an address: that of a
// web in another process.
func ResolverAt(address string) *net.Resolver {
	return &net.Resolver{
		PreferGo: true,
		Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, "udp", address)
		},
	}
}

// Roots returns the certificate authority of the web for its clients. It is nil without
// [Options.TLS].
func (w *Web) Roots() *x509.CertPool {
	if w.authority == nil {
		return nil
	}
	pool := x509.NewCertPool()
	pool.AddCert(w.authority.cert)
	return pool
}

// RootPEM returns Roots in PEM form, for another process.
func (w *Web) RootPEM() []byte {
	if w.authority == nil {
		return nil
	}
	return w.authority.pem()
}

// Requests returns the log, in the order in which requests started. The log takes 72
// bytes for each request, and the path unless it is a page of a tree; iterating and
// [Web.Check] take as much again.
func (w *Web) Requests() iter.Seq[Request] {
	return func(yield func(Request) bool) {
		for _, r := range w.log.all() {
			if !yield(w.request(&r)) {
				return
			}
		}
	}
}

// Served returns the number of requests.
func (w *Web) Served() int {
	w.log.mu.Lock()
	defer w.log.mu.Unlock()
	n := len(w.log.chunks)
	if n == 0 {
		return 0
	}
	return (n-1)*chunkSize + len(w.log.chunks[n-1])
}

// Connections returns the number of accepted TCP connections.
func (w *Web) Connections() int {
	w.log.mu.Lock()
	defer w.log.mu.Unlock()
	return w.log.accepted
}

// now returns the time since the web began.
func (w *world) now() time.Duration { return time.Since(w.began) }

// A counter counts requests for one thing.
type counter int32

// next returns the number of this request, from 0 on.
func (c *counter) next() int { return int(atomic.AddInt32((*int32)(c), 1) - 1) }
