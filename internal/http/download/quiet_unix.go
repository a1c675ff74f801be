//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package download

import (
	"net"
	"syscall"
)

// quiet reports whether an idle connection is open and has received nothing: neither
// its end nor an unrequested answer. It reads nothing and does not wait.
func quiet(conn net.Conn) bool {
	c, ok := conn.(syscall.Conn)
	if !ok {
		return false
	}
	raw, err := c.SyscallConn()
	if err != nil {
		return false
	}
	nothing := false
	err = raw.Read(func(fd uintptr) bool {
		var data [1]byte
		_, _, err := syscall.Recvfrom(int(fd), data[:], syscall.MSG_PEEK) // sockets of Go never block
		nothing = err == syscall.EAGAIN || err == syscall.EWOULDBLOCK
		return true
	})
	return err == nil && nothing
}
