package testweb_test

import (
	"bufio"
	"fmt"
	"net"
	"strconv"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots/crawler/internal/testweb"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// A lean is a client on one connection that does as little as possible with the
// answers.
type lean struct {
	conn net.Conn
	in   *bufio.Reader
}

func dialLean(tb testing.TB, w *testweb.Web, host int) *lean {
	tb.Helper()
	_, authority, _ := strings.Cut(w.Origin(host), "://")
	name, port, _ := strings.Cut(authority, ":")
	addrs, err := w.Resolver().LookupHost(tb.Context(), name)
	fatal.If(tb, err)
	conn, err := net.Dial("tcp", net.JoinHostPort(addrs[0], port))
	fatal.If(tb, err)
	tb.Cleanup(func() { conn.Close() })
	return &lean{conn, bufio.NewReaderSize(conn, 64<<10)}
}

// get sends a request, reads the answer, and returns its status and the length of its
// body.
func (l *lean) get(request []byte) (status, length int, err error) {
	if _, err := l.conn.Write(request); err != nil {
		return 0, 0, err
	}
	for {
		line, err := l.in.ReadSlice('\n')
		if err != nil {
			return 0, 0, err
		}
		switch text := string(line); {
		case text == "\r\n":
			_, err := l.in.Discard(length)
			return status, length, err
		case strings.HasPrefix(text, "HTTP/1.1 "):
			status, _ = strconv.Atoi(text[9:12])
		case strings.HasPrefix(text, "Content-Length: "):
			length, _ = strconv.Atoi(strings.TrimSpace(text[16:]))
		}
	}
}

// BenchmarkCheck checks a whole crawl of a hundred thousand pages.
func BenchmarkCheck(b *testing.B) {
	const pages = 100_000
	w := start(b, testweb.Options{Hosts: 100, Pages: pages, Links: 60, Kinds: []string{"ordinary"},
		Texts: []string{"none"}})
	for host := range w.Len() {
		client := dialLean(b, w, host)
		_, name, _ := strings.Cut(w.Origin(host), "://")
		for _, path := range append([]string{"/robots.txt"}, w.SomePaths(host, pages)...) {
			request := fmt.Appendf(nil, "GET %s HTTP/1.1\r\nHost: %s\r\nUser-Agent: ExampleBot/1.0\r\n\r\n", path, name)
			if _, _, err := client.get(request); err != nil {
				b.Fatal(err)
			}
		}
		client.conn.Close()
	}
	b.ReportAllocs()
	for b.Loop() {
		if v := w.Check(testweb.CheckOptions{Whole: true, MaxOpen: 1}); v != nil {
			b.Fatal(v[0])
		}
	}
}
