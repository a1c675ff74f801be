package guardserver

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/robotsexclusion/robots/guard"
)

// The PROXY protocol, version 1 and 2, as HAProxy documents it
// (https://www.haproxy.org/download/3.0/doc/proxy-protocol.txt).
const (
	proxySignature = "\r\n\r\n\x00\r\nQUIT\n"
	maxProxyLine   = 107     // bytes of a header of version 1, with its end
	maxProxyBlock  = 4 << 10 // bytes of addresses and additions in a header of version 2
)

// ProxyProtocol returns a listener whose connections from proxies begin with a header that names
// their client, as HAProxy sends it with send-proxy and send-proxy-v2. Connections of others begin
// without one. A connection of a proxy without a valid header is closed, and notice gets the error,
// once a second at most.
func ProxyProtocol(l net.Listener, proxies guard.Proxies, notice func(error)) net.Listener {
	return proxyListener{l, proxies, limited(notice), headerTimeout}
}

type proxyListener struct {
	net.Listener
	proxies guard.Proxies
	notice  func(error)
	timeout time.Duration // for the header
}

// Accept does not wait for the header: a proxy that sends none would hold up all others.
func (l proxyListener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	if !l.proxies.Trusts(&http.Request{RemoteAddr: c.RemoteAddr().String()}) {
		return c, nil
	}
	return &proxyConn{Conn: c, listener: l, in: bufio.NewReaderSize(c, 256)}, nil
}

// A proxyConn is a connection of a proxy. The server reads the header when it first asks for the
// address of the client.
type proxyConn struct {
	net.Conn
	listener proxyListener
	in       *bufio.Reader // may have bytes after the header
	once     sync.Once
	client   net.Addr // nil if the proxy speaks for itself
	err      error
}

func (c *proxyConn) read() {
	c.once.Do(func() {
		c.SetReadDeadline(time.Now().Add(c.listener.timeout))
		c.client, c.err = readProxyHeader(c.in)
		c.SetReadDeadline(time.Time{})
		if c.err != nil && !errors.Is(c.err, io.EOF) { // proxies check whether a server listens
			c.listener.notice(fmt.Errorf("PROXY protocol from %s: %w", c.Conn.RemoteAddr(), c.err))
		}
	})
}

// RemoteAddr returns the address of the client.
func (c *proxyConn) RemoteAddr() net.Addr {
	if c.read(); c.client != nil {
		return c.client
	}
	return c.Conn.RemoteAddr()
}

func (c *proxyConn) Read(b []byte) (int, error) {
	if c.read(); c.err != nil {
		c.Close()
		return 0, c.err
	}
	if c.in.Buffered() > 0 {
		return c.in.Read(b)
	}
	return c.Conn.Read(b)
}

// CloseWrite lets the server end an answer before it has read the whole request.
func (c *proxyConn) CloseWrite() error {
	if half, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return nil
}

var errNoProxyHeader = errors.New("the connection does not begin with a header")

// An unknownClient is the address of a client that the proxy does not know, or that has none, such
// as one at a socket of a file. It is not the proxy: what such a client writes in X-Forwarded-For
// counts for nothing.
type unknownClient struct{}

func (unknownClient) Network() string { return "tcp" }
func (unknownClient) String() string  { return "unknown" }

// readProxyHeader reads a header. The client is nil if the proxy speaks for itself.
func readProxyHeader(in *bufio.Reader) (client net.Addr, err error) {
	first, err := in.Peek(1)
	if err != nil {
		return nil, err
	}
	switch first[0] {
	case 'P':
		return readProxyLine(in)
	case proxySignature[0]:
		return readProxyBlock(in)
	}
	return nil, errNoProxyHeader
}

// readProxyLine reads a header of version 1: "PROXY TCP4 192.0.2.1 192.0.2.2 56324 443\r\n".
func readProxyLine(in *bufio.Reader) (client net.Addr, err error) {
	line := make([]byte, 0, maxProxyLine)
	for !bytes.HasSuffix(line, []byte("\r\n")) {
		b, err := in.ReadByte()
		if err != nil {
			return nil, err
		}
		if line = append(line, b); len(line) == maxProxyLine || len(line) <= 6 &&
			!strings.HasPrefix("PROXY ", string(line)) {
			return nil, errNoProxyHeader
		}
	}
	words := strings.Split(string(line[:len(line)-2]), " ")
	if len(words) > 1 && words[1] == "UNKNOWN" {
		return unknownClient{}, nil
	}
	if len(words) != 6 || words[1] != "TCP4" && words[1] != "TCP6" {
		return nil, fmt.Errorf("wrong header %q", line)
	}
	from, err := netip.ParseAddr(words[2])
	to, toErr := netip.ParseAddr(words[3])
	port, portErr := strconv.ParseUint(words[4], 10, 16)
	_, toPortErr := strconv.ParseUint(words[5], 10, 16)
	if errors.Join(err, toErr, portErr, toPortErr) != nil || from.Is4() != (words[1] == "TCP4") ||
		to.Is4() != from.Is4() || from.Zone() != "" {
		return nil, fmt.Errorf("wrong header %q", line)
	}
	return net.TCPAddrFromAddrPort(netip.AddrPortFrom(from, uint16(port))), nil
}

// readProxyBlock reads a header of version 2. What follows the addresses in it, such as the name in
// a certificate, is skipped.
func readProxyBlock(in *bufio.Reader) (client net.Addr, err error) {
	const fixed = len(proxySignature) + 4
	var head [fixed]byte
	for i := range head {
		if head[i], err = in.ReadByte(); err != nil {
			return nil, err
		}
		if i < len(proxySignature) && head[i] != proxySignature[i] {
			return nil, errNoProxyHeader
		}
	}
	command, family := head[fixed-4], head[fixed-3]
	size := int(binary.BigEndian.Uint16(head[fixed-2:]))
	if command != 0x20 && command != 0x21 || size > maxProxyBlock {
		return nil, fmt.Errorf("wrong header: command %#x, %d bytes", command, size)
	}
	block := make([]byte, size)
	if _, err := io.ReadFull(in, block); err != nil {
		return nil, err
	}
	if command == 0x20 {
		return nil, nil // LOCAL: a question of the proxy itself
	}
	width := map[byte]int{1: 4, 2: 16}[family>>4]
	if width == 0 {
		return unknownClient{}, nil
	}
	if size < 2*width+4 {
		return nil, fmt.Errorf("wrong header: %d bytes for family %#x", size, family)
	}
	from, _ := netip.AddrFromSlice(block[:width])
	return net.TCPAddrFromAddrPort(netip.AddrPortFrom(from, binary.BigEndian.Uint16(block[2*width:]))), nil
}
