package testweb

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"sync"
	"syscall"
	"time"
)

// The addresses of a web. Several webs on one machine differ in their ports.
var (
	allowed = netip.MustParsePrefix("127.64.0.0/12")

	// refusedAddrs are addresses that a robot reaches only without a working dial
	// filter.
	refusedAddrs = []netip.Addr{netip.MustParseAddr("127.200.0.1"), netip.MustParseAddr("127.0.0.1")}
)

// crowded is the number of addresses that a quarter of the hosts share.
const crowded = 8

// maxAddresses limits the other addresses.
const maxAddresses = 60_000

// address returns the i-th address of hosts.
func address(i int) netip.Addr {
	if i < crowded {
		return netip.AddrFrom4([4]byte{127, 64, 0, byte(1 + i)})
	}
	i -= crowded
	return netip.AddrFrom4([4]byte{127, 65, byte(i / 250), byte(1 + i%250)})
}

// noListener is an address without a listener.
var noListener = netip.AddrFrom4([4]byte{127, 64, 255, 1})

// listen opens the ports. Each is the same at all addresses, which takes some tries.
func (w *Web) listen() error {
	if w.options.TLS {
		a, err := newAuthority()
		if err != nil {
			return err
		}
		w.authority = a
	}
	if w.options.demo {
		w.addresses = demoAddresses()
	} else {
		for i := range w.options.Addresses + crowded {
			w.addresses = append(w.addresses, address(i))
		}
		w.traps = refusedAddrs
	}
	names, err := newNameServer(w.lookup)
	if err != nil {
		return err
	}
	w.names = names
	for _, secure := range []bool{false, true} {
		if secure && !w.options.TLS {
			continue
		}
		port, err := w.listenAt(secure)
		if w.options.demo && errors.Is(err, ErrLoopback) {
			w.addresses = w.addresses[:1]
			port, err = w.listenAt(secure)
		}
		if err != nil {
			return err
		}
		if secure {
			w.securePort = port
		} else {
			w.port = port
		}
	}
	return nil
}

// listenAt opens one port at all addresses.
func (w *Web) listenAt(secure bool) (port uint16, err error) {
	const tries = 20
	for range tries {
		var listeners []net.Listener
		port = 0
		for i, addr := range append(w.addresses[:len(w.addresses):len(w.addresses)], w.traps...) {
			var l net.Listener
			l, err = new(net.ListenConfig).Listen(context.Background(), "tcp4", netip.AddrPortFrom(addr, port).String())
			if err != nil {
				break
			}
			if i == 0 {
				port = uint16(l.Addr().(*net.TCPAddr).Port)
			}
			listeners = append(listeners, &listener{Listener: l, addr: addr, number: uint16(i), secure: secure,
				trap: i >= len(w.addresses)})
		}
		if err == nil {
			w.listeners = append(w.listeners, listeners...)
			return port, nil
		}
		for _, l := range listeners {
			l.Close()
		}
		if len(listeners) < 2 || errors.Is(err, syscall.EADDRNOTAVAIL) {
			err = fmt.Errorf("%w: %w", ErrLoopback, err) // the second address fails already, or only this one
		}
	}
	return 0, fmt.Errorf("no port is free at all addresses: %w", err)
}

// A listener is one port of one address.
type listener struct {
	net.Listener
	addr   netip.Addr
	number uint16 // of the address among Web.addresses, and after them Web.traps
	secure bool
	trap   bool // robots must not connect to it
}

// serve accepts connections until the web is closed.
func (w *Web) serve() {
	w.wg.Go(w.names.serve)
	if w.authority != nil {
		w.secureConfig = w.authority.config(w)
	}
	for _, l := range w.listeners {
		l := l.(*listener)
		w.wg.Go(func() { w.accept(l) })
	}
}

func (w *Web) accept(l *listener) {
	for {
		c, err := l.Accept()
		if err != nil {
			select {
			case <-w.open.closed:
				return
			case <-time.After(10 * time.Millisecond): // too many open files, or a client that left at once
				continue
			}
		}
		client := c.RemoteAddr().(*net.TCPAddr)
		w.log.connect(connection{at: w.now(), addr: l.addr, port: uint16(client.Port), wrong: l.trap})
		if !w.open.add(c) {
			c.Close()
			return
		}
		w.wg.Go(func() {
			defer w.open.remove(c)
			defer c.Close()
			var stream net.Conn = c
			if l.secure {
				s := tls.Server(c, w.secureConfig)
				s.SetDeadline(time.Now().Add(time.Minute))
				if s.Handshake() != nil {
					return
				}
				s.SetDeadline(time.Time{})
				stream = s
			}
			(&exchange{web: w, conn: stream, raw: c, listener: l, port: uint16(client.Port)}).converse()
		})
	}
}

// openConns are the connections that Close closes.
type openConns struct {
	mu     sync.Mutex
	conns  map[net.Conn]bool
	closed chan struct{}
}

// add adds a connection, and returns false if the web is closed.
func (o *openConns) add(c net.Conn) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	select {
	case <-o.closed:
		return false
	default:
		o.conns[c] = true
		return true
	}
}

func (o *openConns) remove(c net.Conn) {
	o.mu.Lock()
	defer o.mu.Unlock()
	delete(o.conns, c)
}

// closeAll closes all connections. The web must have been closed.
func (o *openConns) closeAll() {
	o.mu.Lock()
	defer o.mu.Unlock()
	for c := range o.conns {
		c.Close()
	}
}
