// Package testweb is a web of many hosts on loopback, hostile where real ones are,
// that keeps score of what a crawler does, and a checker of that score.
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
// Hosts have names such as h00042.test, which the name server of the web knows
// ([Web.Resolver]), and addresses of 127.0.0.0/8. A quarter of them share eight
// addresses; the others have one of their own as long as there are
// [Options.Addresses]. All listen on one port for http, and on another for https.
//
// What a host is like comes from its [Kind], of which there are some thirty, and what
// its robots.txt is like from its [Text], as many again. Kinds and Texts list
// them with what they are for. Both go round like two wheels of different size, so
// that a web of fifty hosts has nearly every kind, and one of some thousands has
// every pair.
//
// Everything is made on request from the seed, by hashing: there is no memory for a
// page. Two webs of the same options say the same, but for ports and dates.
//
// # Time
//
// The web sees less than the client does: a request starts for it when its first
// byte has arrived, and ends when the last bytes of the answer are about to be
// written. So no client that is polite by its own clock is impolite here. A client
// that goes away without the answer is noticed late, see [CheckOptions.Slack].
//
// # The checker
//
// [Web.Check] reads the log and says what a polite robot would not have done, and
// with [Web.Reachable] what a whole crawl should have fetched. It knows the pages
// from the generator and not over HTTP, and of this module it uses package robots
// only. Where the documents are silent, it holds a crawler to this:
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
	"io"
	"iter"
	"net"
	"net/netip"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// Options says what web to make. The zero value is a web of 50 hosts with every
// kind of host, over http, with pauses as long as they say.
type Options struct {
	Hosts int // how many; 0 stands for 50, or for none beside Sites
	Pages int // in the trees of all hosts together; 0 stands for 12 times Hosts
	Links int // of a page of a tree; 0 stands for 12
	Size  int // bytes that a page of a tree has at least; 0 stands for 2,048

	Seed uint64

	// TLS gives a third of the hosts https, and adds the kinds whose certificate is
	// not to be trusted.
	TLS bool

	// Kinds and Texts are the names of those that hosts have, in turn. Nil stands for
	// all but [Mazes], as often as their shares say. A name may be there several times. Kinds that
	// need TLS are left out without it.
	Kinds, Texts []string

	// Scale is what all pauses are multiplied with: those that robots.txt asks for,
	// and those that servers make. 0 stands for 1. Retry-After is a second at
	// least, because it is in whole ones.
	Scale float64

	// Shut is how long the hosts that robots.txt opens at another time of the day are
	// closed, rounded up to whole minutes. 0 stands for 5 hours. They are open for four
	// hours then.
	Shut time.Duration

	// Token is the product token of the robot under test, which robots.txt files and
	// pages name. Empty stands for "ExampleBot".
	Token string

	// Addresses is how many addresses of 127.0.0.0/8 there are to listen on. 0 stands
	// for as many as hosts, up to 512.
	Addresses int

	// Sites are served beside the hosts that are made up.
	Sites []Site

	// Log is written to as requests end, as lines of JSON, each a [Request]. Nil
	// writes nothing.
	Log io.Writer

	age time.Duration // for how long the web has been there already
}

// A Web is a web that is being served. Its methods may be called by several
// goroutines at once.
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

// A world is what there is on a web: the hosts, by names and at addresses. The generator of pages
// and of robots.txt files knows the world only, and nothing of the server and the log.
type world struct {
	options Options
	began   time.Time
	hosts   []host
	byName  map[string]int32 // those whose names are not numbers
	calm    []int32          // the hosts that redirects may lead to

	port, securePort uint16
	addresses        []netip.Addr
	traps            []netip.Addr // where nobody may connect to
}

// ErrLoopback is wrapped by the error of a web that does not find all of its addresses on
// loopback, as on systems that give it 127.0.0.1 only.
var ErrLoopback = errors.New("127.0.0.0/8 is not all loopback here")

// Start makes a web and serves it until ctx ends or it is closed.
func Start(ctx context.Context, o Options) (*Web, error) {
	if len(o.Sites) == 0 {
		setDefault(&o.Hosts, 50)
	}
	setDefault(&o.Pages, 12*o.Hosts)
	setDefault(&o.Links, 12)
	setDefault(&o.Size, 2048)
	setDefault(&o.Scale, 1)
	setDefault(&o.Shut, 5*time.Hour)
	setDefault(&o.Token, "ExampleBot")
	setDefault(&o.Addresses, max(1, min(o.Hosts, 512)))
	if least := min(o.Hosts, o.Pages, o.Links, o.Size, int(o.Shut)); least < 0 || o.Scale < 0 || o.Addresses < 1 || o.Addresses > maxAddresses {
		return nil, fmt.Errorf("testweb: a number of the options is negative, or Addresses is not from 1 to %d", maxAddresses)
	}
	w := &Web{world: world{options: o, began: time.Now().Add(-o.age)}, open: openConns{conns: make(map[net.Conn]bool), closed: make(chan struct{})}}
	w.log.began, w.log.file = w.began, o.Log
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

// Close stops serving, ends all connections, and waits until that is done. The log
// stays. It may be called more than once.
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

// Began returns when the web began, which all times of its log count from.
func (w *Web) Began() time.Time { return w.began }

// Len returns the number of hosts.
func (w *Web) Len() int { return len(w.hosts) }

// Origin returns the origin of a host, from 0 to Len()-1, such as
// "http://h00042.test:41234".
func (w *Web) Origin(host int) string { return w.hosts[host].origin }

// Describe returns the names of the kind of a host and of its robots.txt, such as
// "ordinary, crawl-delay".
func (w *Web) Describe(host int) string {
	h := &w.hosts[host]
	return h.kind.Name + ", " + h.text.Name
}

// Seeds returns the root pages of all hosts, but for those that only links lead to
// because nobody may go there.
func (w *Web) Seeds() []string {
	var urls []string
	for i := range w.hosts {
		if h := &w.hosts[i]; !h.kind.refused {
			urls = append(urls, h.origin+"/")
		}
	}
	return urls
}

// Allowed returns the addresses of the web, which a dial filter has to let through. There
// are others of loopback that the web listens at, which it must not.
func (w *Web) Allowed() []netip.Prefix {
	return []netip.Prefix{allowed}
}

// NameServer returns the address of the server that knows the names of the web, over
// UDP. What it does not know does not exist.
func (w *Web) NameServer() string { return w.names.conn.LocalAddr().String() }

// Resolver returns a resolver that asks the name server.
func (w *Web) Resolver() *net.Resolver { return ResolverAt(w.NameServer()) }

// ResolverAt returns a resolver that asks the name server at an address and no other:
// that of a web in another process.
func ResolverAt(address string) *net.Resolver {
	return &net.Resolver{
		PreferGo: true,
		Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, "udp", address)
		},
	}
}

// Roots returns the certificate authority of the web, to be trusted by its clients.
// It is nil without [Options.TLS].
func (w *Web) Roots() *x509.CertPool {
	if w.authority == nil {
		return nil
	}
	pool := x509.NewCertPool()
	pool.AddCert(w.authority.cert)
	return pool
}

// RootPEM is like Roots, for a file that another process reads.
func (w *Web) RootPEM() []byte {
	if w.authority == nil {
		return nil
	}
	return w.authority.pem()
}

// Requests returns the log, in the order in which requests started. It holds 72 bytes
// for each request, and the path if that is not of a page of a tree; while it is being
// read, and by [Web.Check], as much again.
func (w *Web) Requests() iter.Seq[Request] {
	return func(yield func(Request) bool) {
		for _, r := range w.log.all() {
			if !yield(w.request(&r)) {
				return
			}
		}
	}
}

// Served returns how many requests there were.
func (w *Web) Served() int {
	w.log.mu.Lock()
	defer w.log.mu.Unlock()
	n := len(w.log.chunks)
	if n == 0 {
		return 0
	}
	return (n-1)*chunkSize + len(w.log.chunks[n-1])
}

// Dialed records that a client is about to connect to an address, for those that the
// web cannot listen at, such as 169.254.169.254. It is called in the test's own
// process, by the function in net.Dialer.Control, after the dial filter.
func (w *Web) Dialed(addr netip.AddrPort) {
	c := connection{at: w.now(), addr: addr.Addr().Unmap(), port: addr.Port(), dialed: true}
	c.wrong = !slices.ContainsFunc(w.Allowed(), func(p netip.Prefix) bool { return p.Contains(c.addr) })
	w.log.connect(c)
}

// Connections returns how many TCP connections were accepted.
func (w *Web) Connections() int {
	w.log.mu.Lock()
	defer w.log.mu.Unlock()
	return w.log.accepted
}

// now returns the time since the web began.
func (w *world) now() time.Duration { return time.Since(w.began) }

// A counter is how often something was asked for.
type counter int32

// next returns the number of this time, from 0 on.
func (c *counter) next() int { return int(atomic.AddInt32((*int32)(c), 1) - 1) }
