package main

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// The strangers are servers on loopback with answers that no file could give. All scripts have
// the addresses in variables of these names.
var strangers = []struct {
	name   string
	answer func(conn net.Conn, path string)
}{
	// RESET breaks connections off.
	{"RESET", func(conn net.Conn, _ string) {
		if tcp, ok := conn.(*net.TCPConn); ok {
			tcp.SetLinger(0)
		}
	}},
	// BIG serves a robots.txt of 600 KB, in which the first rule and the last rule count.
	{"BIG", func(conn net.Conn, _ string) {
		text := "User-agent: *\nDisallow: /first/\n" + strings.Repeat("# "+strings.Repeat("x", 97)+"\n", 6000) +
			"Disallow: /last/\n"
		fmt.Fprintf(conn, "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: %d\r\n\r\n%s", len(text),
			text)
	}},
	// VERBOSE names more robots and sitemaps than a user wants to see.
	{"VERBOSE", func(conn net.Conn, _ string) {
		io.WriteString(conn, "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n")
		for i := range 3000 {
			fmt.Fprintf(conn, "User-agent: Bot%d\n", i)
		}
		io.WriteString(conn, "Disallow: /\n")
		for i := range 3000 {
			fmt.Fprintf(conn, "Sitemap: https://example.com/%d.xml\n", i)
		}
	}},
	// ORDERS sends control sequences for terminals: in names, values, headers and errors.
	{"ORDERS", func(conn net.Conn, path string) {
		const soft = "\u009b2J\u202e" // ESC and BEL in a header are read as blanks
		const order = "\x1b]0;owned\x07" + soft
		answer := "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"
		switch path {
		case "/robots.txt":
			answer += "\r\nUser-agent: Bot" + order + "\nUser-agent: Googlebot\nDisallow: /" + order +
				"\nDisallow: /closed" + order + "\nAllow: /\n\xff: \xff\n" +
				"Crawl-delay: " + order + "\nSitemap: https://example.com/" + order +
				"\nSitemap: https://example.com/ok\n" + order + ": " + order + "\n"
		case "/status":
			answer = "HTTP/1.1 404 " + order + "\r\nContent-Length: 0\r\n\r\n"
		case "/header":
			answer += "X" + order + "\r\n\r\n"
		case "/length":
			answer += "Content-Length: " + order + "\r\n\r\n"
		case "/moved":
			answer = "HTTP/1.1 302 Found\r\nLocation: /" + soft + "\r\nContent-Length: 0\r\n\r\n"
		case "/elsewhere":
			answer = "HTTP/1.1 302 Found\r\nLocation: http://" + soft + "/\r\nContent-Length: 0\r\n\r\n"
		case "/type":
			answer = "HTTP/1.1 200 OK\r\nContent-Type: image/png" + soft + "\xff\r\n\r\nPNG"
		default:
			answer += "X-Robots-Tag: bot" + soft + ": noindex" + soft + "\r\nLink: <https://example.com/" + soft +
				">; rel=canonical\r\n\r\n" +
				"<title>" + order + "</title><meta name=robots content='nofollow" + order + ", max-snippet:" + order +
				"'>" +
				"<meta name=description content='" + order + "'><meta name=keywords content='" + order + "'>" +
				"<meta name='googlebot" + order + "' content=noindex><meta name=URL content='" + order +
				"'><meta charset='" + order + "'>" +
				"<a href='/" + order + "' rel='nofollow " + order + "'>"
		}
		io.WriteString(conn, answer)
	}},
	// CYRILLIC serves a page in an old encoding, and declares the encoding.
	{"CYRILLIC", func(conn net.Conn, path string) {
		io.WriteString(conn, "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n"+
			"<meta http-equiv=Content-Type content='text/html; charset=windows-1251'>\n"+
			"<title>\xcf\xf0\xe8\xe2\xe5\xf2, \xec\xe8\xf0</title>\n<meta name=robots content=noindex>\n")
	}},
}

// startStrangers starts the strangers, and returns their addresses by name. They stop at the
// end of the test.
func startStrangers(t *testing.T) (addresses map[string]string) {
	addresses = make(map[string]string)
	for _, stranger := range strangers {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		fatal.If(t, err)
		var running sync.WaitGroup
		running.Go(func() {
			for {
				conn, err := l.Accept()
				if err != nil {
					return
				}
				running.Go(func() {
					defer conn.Close()
					if r, err := http.ReadRequest(bufio.NewReader(conn)); err == nil {
						stranger.answer(conn, r.URL.Path)
					}
				})
			}
		})
		t.Cleanup(func() {
			l.Close()
			running.Wait()
		})
		addresses[stranger.name] = "http://" + l.Addr().String()
	}
	return addresses
}
