//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package download

import (
	"net"
	"time"
)

// quiet reports whether an idle connection is open and has received nothing: neither
// its end nor an unrequested answer. It waits a millisecond for data.
func quiet(conn net.Conn) bool {
	if conn.SetReadDeadline(time.Now().Add(time.Millisecond)) != nil {
		return false
	}
	var data [1]byte
	n, err := conn.Read(data[:])
	return n == 0 && isTimeout(err) && conn.SetReadDeadline(time.Time{}) == nil
}
