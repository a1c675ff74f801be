//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package download

import (
	"net"
	"time"
)

// quiet reports whether a connection on which nothing is awaited is open, and
// nothing has come over it: neither its end, nor an answer to no request. It waits
// a millisecond for that.
func quiet(conn net.Conn) bool {
	if conn.SetReadDeadline(time.Now().Add(time.Millisecond)) != nil {
		return false
	}
	var octet [1]byte
	n, err := conn.Read(octet[:])
	return n == 0 && isTimeout(err) && conn.SetReadDeadline(time.Time{}) == nil
}
