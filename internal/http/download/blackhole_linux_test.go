package download_test

import (
	"io"
	"net"
	"net/http"
	"os"
	"runtime"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/internal/http/download"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// blackHole listens at an address of loopback and accepts no connection: its queue is
// full, and then Linux does not answer.
func blackHole(t *testing.T, address [4]byte, port int) {
	t.Helper()
	fd, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_STREAM|syscall.SOCK_CLOEXEC, 0)
	if err == nil {
		t.Cleanup(func() { syscall.Close(fd) })
		err = syscall.Bind(fd, &syscall.SockaddrInet4{Addr: address, Port: port})
	}
	if err == nil {
		err = syscall.Listen(fd, 0)
	}
	if err != nil {
		t.Fatal(os.NewSyscallError("listen", err))
	}
	for range 100 {
		conn, err := net.DialTimeout("tcp", net.JoinHostPort(net.IP(address[:]).String(), strconv.Itoa(port)),
			200*time.Millisecond)
		if err != nil {
			return
		}
		t.Cleanup(func() { conn.Close() })
	}
	t.Skip("this system lets everybody in")
}

// An address that never answers does not delay the next one.
func TestBlackHole(t *testing.T) {
	before := runtime.NumGoroutine()
	t.Run("all", func(t *testing.T) {
		s := serve(t, func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, page) })
		n, err := strconv.Atoi(port(s.URL)[1:])
		fatal.If(t, err)
		blackHole(t, [4]byte{127, 0, 0, 2}, n)
		blackHole(t, [4]byte{127, 0, 0, 3}, n)
		c := local(t)
		c.Lookup = lookup(map[string][]string{"name.example": {"127.0.0.2", "127.0.0.3", "127.0.0.1"},
			"dead.example": {"127.0.0.2", "127.0.0.3"}})
		x := visit(t, c, download.Request{URL: "http://name.example" + port(s.URL) + "/"})
		check(t, "address", x.Addr.String(), s.URL[7:])
		check(t, "body", bodyText(t, x.Body), page)

		c = &download.Client{UserAgent: robot, DialFilter: c.DialFilter, Lookup: c.Lookup,
			ConnectTimeout: 300 * time.Millisecond}
		fails(t, c, "http://dead.example"+port(s.URL)+"/", download.Timeout)
		fails(t, c, "http://127.0.0.2"+port(s.URL)+"/", download.Timeout)
	})
	settled(t, before)
}
