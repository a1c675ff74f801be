package guardserver

import (
	"net"
	"syscall"
	"unsafe"
)

// unsent returns how many bytes of a connection the client has not acknowledged, or 0 if that is
// unknown.
func unsent(c net.Conn) int {
	socket, ok := socketOf(c).(syscall.Conn)
	if !ok {
		return 0
	}
	raw, err := socket.SyscallConn()
	if err != nil {
		return 0
	}
	var bytes int32
	raw.Control(func(fd uintptr) {
		// on an error bytes stays 0
		syscall.Syscall(syscall.SYS_IOCTL, fd, syscall.TIOCOUTQ, uintptr(unsafe.Pointer(&bytes)))
	})
	return int(bytes)
}
