// Package ports finds addresses for servers that need the number of a port in their configuration,
// mostly in tests.
package ports

import (
	"net"
	"os"
	"runtime"
	"sync/atomic"
)

// A test is a testing.TB. Package testing would become a part of the programs that call Find.
type test interface {
	Helper()
	Fatal(...any)
}

// Address returns an address as Find does, and fails the test if there is none.
func Address(t test) string {
	t.Helper()
	address, err := Find()
	if err != nil {
		t.Fatal(err)
	}
	return address
}

// Serve serves connections to an address of 127.0.0.1 until the test ends, each by answer in a
// goroutine, and returns the address. Serve closes a connection when answer returns.
func Serve(t interface {
	test
	Cleanup(func())
}, answer func(net.Conn)) (address string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer c.Close()
				answer(c)
			}()
		}
	}()
	return l.Addr().String()
}

// found is the number of hosts that this process has taken.
var found atomic.Uint32

// Find returns a TCP address of the loopback network, such as 127.5.6.7:40000, where nothing
// listens. On Linux each call of each process has a host of its own: other programs ask for ports
// of 127.0.0.1, and do not take this one before the server does. Elsewhere, and where such a host
// is missing, the host is 127.0.0.1, and another program may take the port.
func Find() (string, error) {
	if runtime.GOOS == "linux" { // it has the whole of 127.0.0.0/8
		if address, err := find(host(uint32(os.Getpid()), found.Add(1))); err == nil {
			return address, nil
		}
	}
	return find("127.0.0.1")
}

// host returns the host of the nth call in a process. No byte after the first is 0 or 255: tests
// take hosts of 127.0.0.0/16 by number, and 127.255.255.255 is for broadcasts. The hosts repeat
// after 254 calls or 64516 processes; the system still chooses the port.
func host(process, n uint32) string {
	return net.IPv4(127, byte(1+process/254%254), byte(1+process%254), byte(1+n%254)).String()
}

// find returns an address of a host where nothing listens.
func find(host string) (string, error) {
	l, err := net.Listen("tcp", net.JoinHostPort(host, "0"))
	if err != nil {
		return "", err
	}
	defer l.Close()
	return l.Addr().String(), nil
}
