package download

import (
	"bytes"
	"context"
	"crypto/sha256"
	"io"
	"net"
	"time"
)

// CloseIdle closes the pooled connection to an origin, such as
// "https://example.com:8443", if there is one.
func (c *Client) CloseIdle(origin string) { c.idle.closeOf(origin) }

// closeOf closes the connection to an origin.
func (i *idle) closeOf(origin string) {
	i.mu.Lock()
	e := i.byOrigin[origin]
	var cn *conn
	if e != nil {
		cn = i.remove(e)
	}
	i.mu.Unlock()
	if cn != nil {
		cn.close()
	}
}

// Names returns the number of cached names.
func (c *Client) Names() int {
	c.names.mu.Lock()
	defer c.names.mu.Unlock()
	return len(c.names.young) + len(c.names.old)
}

// Answer makes an HTTP/1.1 exchange from the bytes of a server.
func (c *Client) Answer(r Request, data []byte) (*Exchange, bool, error) {
	if err := c.setUp(); err != nil {
		return nil, false, err
	}
	t, err := parseTarget(r.URL)
	if err != nil {
		return nil, false, err
	}
	v := &visit{Exchange: &Exchange{URL: r.URL, Body: new(Body)}, client: c, request: &r, target: t}
	v.conn = &conn{net: &recordedConn{Reader: bytes.NewReader(data)}}
	err = v.overHTTP1(context.Background())
	return v.Exchange, v.reusable, err
}

// A recordedConn is a connection with the recorded bytes of a server, and nothing after them.
type recordedConn struct {
	io.Reader
	net.Conn
}

func (s *recordedConn) Read(p []byte) (int, error)    { return s.Reader.Read(p) }
func (*recordedConn) Write(p []byte) (int, error)     { return len(p), nil }
func (*recordedConn) SetDeadline(t time.Time) error   { return nil }
func (*recordedConn) SetReadDeadline(time.Time) error { return nil }

// Decode undoes content encodings, up to most bytes.
func Decode(src io.Reader, codings []string, most int64) ([]byte, error) {
	d, err := newDecoder(src, codings, most)
	defer d.release()
	body := new(Body)
	if err == nil {
		err = copyAll((&Client{}).spool(body, -1), sha256.New(), d)
	}
	return body.mem, err
}

// ErrLength is the error of a body that is larger than a limit.
var ErrLength = errLength

// Target splits a URL, and resolves a Location against it.
func Target(url, location string) (origin, path, host, port, resolved string, err error) {
	t, err := parseTarget(url)
	if err != nil {
		return "", "", "", "", "", err
	}
	return t.origin, t.path, t.host, t.port, t.resolve(location), nil
}
