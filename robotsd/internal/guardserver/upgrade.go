package guardserver

import (
	"bufio"
	"errors"
	"io"
	"net"
	"net/http"
)

// An upgradeWriter hands a connection over with the bytes that the client has sent already, after
// the header of its request.
// [net/http/httputil.ReverseProxy] reads the connection alone, and would lose the bytes that the server has read ahead
// (golang/go issue 80875).
type upgradeWriter struct{ http.ResponseWriter }

// Hijack returns a connection that can be read alone: nothing is left in the buffer for reading.
func (w upgradeWriter) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	c, buffered, err := http.NewResponseController(w.ResponseWriter).Hijack()
	if err != nil || buffered.Reader.Buffered() == 0 {
		return c, buffered, err
	}
	early := make([]byte, buffered.Reader.Buffered())
	if _, err := io.ReadFull(buffered, early); err != nil {
		c.Close()
		return nil, nil, err
	}
	return &earlyConn{c, early}, buffered, nil
}

// Unwrap is for [http.ResponseController].
func (w upgradeWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// An earlyConn is a connection with bytes that were read from it before.
type earlyConn struct {
	net.Conn
	early []byte
}

func (c *earlyConn) Read(b []byte) (int, error) {
	if len(c.early) == 0 {
		return c.Conn.Read(b)
	}
	n := copy(b, c.early)
	c.early = c.early[n:]
	return n, nil
}

// CloseWrite ends the answer, where the connection can be half closed.
func (c *earlyConn) CloseWrite() error {
	if half, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return errors.ErrUnsupported
}
