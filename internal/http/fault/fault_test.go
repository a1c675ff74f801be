package fault_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"syscall"
	"testing"

	"github.com/robotsexclusion/robots/internal/http/fault"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// TestOf makes each fault with a real client, and checks the sentence.
func TestOf(t *testing.T) {
	plain := httptest.NewServer(http.NotFoundHandler())
	defer plain.Close()
	secret := httptest.NewUnstartedServer(http.NotFoundHandler())
	secret.Config.ErrorLog = log.New(io.Discard, "", 0)
	secret.StartTLS()
	defer secret.Close()
	closed, err := net.Listen("tcp", "127.0.0.1:0")
	fatal.If(t, err)
	nobody := closed.Addr().String()
	closed.Close()
	ends := func(answer string, reset bool) string { // a server that ends each connection after an answer
		l, err := net.Listen("tcp", "127.0.0.1:0")
		fatal.If(t, err)
		t.Cleanup(func() { l.Close() })
		go func() {
			for {
				c, err := l.Accept()
				if err != nil {
					return
				}
				c.Read(make([]byte, 1))
				if io.WriteString(c, answer); reset {
					c.(*net.TCPConn).SetLinger(0)
				} else {
					c.(*net.TCPConn).CloseWrite()
					io.Copy(io.Discard, c)
				}
				c.Close()
			}
		}()
		return "http://" + l.Addr().String() + "/"
	}
	for _, test := range []struct{ url, want string }{
		{ends("", false), "the server closed the connection without an answer"},
		{ends("", true), "the server closed the connection without an answer"},
		{ends("SSH-2.0-OpenSSH_9.6\r\n", false),
			`the answer of the server is not valid HTTP: malformed HTTP response "SSH-2.0-OpenSSH_9.6"`},
		{ends("HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", false),
			"the answer of the server is not valid HTTP: message cannot contain multiple Content-Length headers"},
		{"http://" + nobody + "/", "no server listens at " + nobody + ": check the port, and whether the server runs"},
		{"https" + strings.TrimPrefix(plain.URL, "http"),
			"the server does not speak TLS: write http:// in place of https://"},
		{secret.URL, "the certificate of the server is not valid: x509: "},
	} {
		_, err := http.Get(test.url)
		got := fault.Of(err)
		if got == nil || !strings.HasPrefix(got.Error(), test.want) || !errors.Is(got, err) || fault.Of(got) != got {
			t.Errorf("%s: got %v, want %s", test.url, got, test.want)
		}
	}
	for _, test := range []struct {
		err  error
		want string
	}{
		{&net.DNSError{Name: "a\x1b.example.", IsNotFound: true}, `DNS has no host a\x1b.example: check its spelling`},
		{&net.DNSError{Name: "a.example", IsTimeout: true},
			"DNS does not answer the question for a.example: try again later"},
		{fmt.Errorf("the body broke off after 0 bytes: %w", io.EOF), "the body broke off after 0 bytes: EOF"},
		{context.DeadlineExceeded, "context deadline exceeded"},
		{nil, "<nil>"},
	} {
		if got := fmt.Sprint(fault.Of(test.err)); got != test.want {
			t.Errorf("got %s, want %s", got, test.want)
		}
	}
}

// TestListening listens where a real system does not allow it.
func TestListening(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	fatal.If(t, err)
	defer l.Close()
	at := l.Addr().String()
	for address, want := range map[string]string{
		at:               "another program listens at " + at + " already: end that program, or name another port",
		"192.0.2.1:8000": "this machine has no address 192.0.2.1: name one of its own, such as 127.0.0.1",
	} {
		_, err := net.Listen("tcp", address)
		got := fault.Listening(err)
		if got == nil || got.Error() != want || !errors.Is(got, err) {
			t.Errorf("got %v, want %s", got, want)
		}
	}
	denied := &net.OpError{Op: "listen", Net: "tcp", Addr: l.Addr(), Err: syscall.EACCES}
	want := "this user may not listen at " + at + ": name a port above 1023, or run robots as a user who may"
	if got := fault.Listening(denied).Error(); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got := fault.Listening(io.EOF); got != io.EOF {
		t.Errorf("got %v", got)
	}
}

// TestSpecial checks the sentence about an address that is not allowed.
func TestSpecial(t *testing.T) {
	addr := netip.MustParseAddr("127.0.0.1")
	for host, want := range map[string]string{
		"":          "127.0.0.1 is a special address (loopback): use --allow-private if you mean to go there",
		"127.0.0.1": "127.0.0.1 is a special address (loopback): use --allow-private if you mean to go there",
		"localhost": "localhost is at 127.0.0.1, a special address (loopback): " +
			"use --allow-private if you mean to go there",
	} {
		if got := fault.Special(host, addr, "loopback").Error(); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}
