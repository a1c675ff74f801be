package guardserver

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/guard"
	"github.com/robotsexclusion/robots/internal/test/fatal"
	"github.com/robotsexclusion/robots/internal/test/ports"
)

// block returns a header of version 2.
func block(command, family byte, rest string) string {
	return proxySignature + string([]byte{command, family, byte(len(rest) >> 8), byte(len(rest))}) + rest
}

func TestProxyHeader(t *testing.T) {
	const (
		four = "\xc0\x00\x02\x09\x0a\x00\x00\x01\x12\x67\x00\x50"
		six  = "\x20\x01\x0d\xb8\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x01" +
			"\xfd\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x01" + "\x12\x67\x00\x50"
	)
	for _, test := range []struct {
		header, want string
	}{
		{"PROXY TCP4 192.0.2.9 10.0.0.1 4711 80\r\n", "192.0.2.9:4711"},
		{"PROXY TCP6 2001:db8::1 fd00::1 4711 80\r\n", "[2001:db8::1]:4711"},
		{"PROXY UNKNOWN\r\n", "unknown"},
		{"PROXY UNKNOWN ffff:f...f:ffff ffff:f...f:ffff 65535 65535\r\n", "unknown"},
		{block(0x21, 0x11, four), "192.0.2.9:4711"},
		{block(0x21, 0x12, four), "192.0.2.9:4711"},
		{block(0x21, 0x21, six), "[2001:db8::1]:4711"},
		{block(0x21, 0x11, four+"\x03\x00\x04abcd"), "192.0.2.9:4711"},
		{block(0x21, 0x11, four+strings.Repeat("x", maxProxyBlock-len(four))), "192.0.2.9:4711"},
		{block(0x20, 0x00, ""), "the proxy"},
		{block(0x20, 0x11, four), "the proxy"},
		{block(0x21, 0x00, ""), "unknown"},
		{block(0x21, 0x31, strings.Repeat("/", 216)), "unknown"},

		{"", "an error"},
		{"PROXY TCP4 192.0.2.9 10.0.0.1 4711 80\n", "an error"},
		{"PROXY TCP4 192.0.2.9 10.0.0.1 4711 65536\r\n", "an error"},
		{"PROXY TCP4 192.0.2.9 10.0.0.1 4711\r\n", "an error"},
		{"PROXY TCP4 192.0.2.9  10.0.0.1 4711 80\r\n", "an error"},
		{"PROXY TCP4 2001:db8::1 fd00::1 4711 80\r\n", "an error"},
		{"PROXY TCP6 fe80::1%eth0 fd00::1 4711 80\r\n", "an error"},
		{"PROXY TCP4 host 10.0.0.1 4711 80\r\n", "an error"},
		{"PROXY " + strings.Repeat("x", 200) + "\r\n", "an error"},
		{"POST / HTTP/1.1\r\n\r\n", "an error"},
		{"\r\n\r\nGET / HTTP/1.1\r\n\r\n", "an error"},
		{proxySignature, "an error"},
		{block(0x31, 0x11, four), "an error"},
		{block(0x22, 0x11, four), "an error"},
		{block(0x21, 0x11, four[:11]), "an error"},
		{block(0x21, 0x21, four), "an error"},
		{block(0x21, 0x11, four+strings.Repeat("x", maxProxyBlock)), "an error"},
		{block(0x21, 0x11, four)[:20], "an error"},
	} {
		in := bufio.NewReaderSize(strings.NewReader(test.header+"GET"), 256)
		if strings.HasSuffix(test.want, "error") {
			in = bufio.NewReaderSize(strings.NewReader(test.header), 256)
		}
		client, err := readProxyHeader(in)
		got := "the proxy"
		switch {
		case err != nil:
			got = "an error"
		case client != nil:
			got = client.String()
		}
		if got != test.want {
			t.Errorf("%.60q: got %s (%v), want %s", test.header, got, err, test.want)
		}
		if rest, _ := io.ReadAll(in); err == nil && string(rest) != "GET" {
			t.Errorf("%.60q: %q is left", test.header, rest)
		}
	}
}

// startProxied serves on a listener for proxies at an address until the test ends, and returns its
// address. The answers name the client.
func startProxied(t *testing.T, timeout time.Duration, proxies guard.Proxies) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	fatal.If(t, err)
	server := New(Options{Guard: &guard.Guard{}, Notice: func(err error) { t.Logf("notice: %v", err) }})
	server.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n, _ := io.Copy(io.Discard, r.Body)
		fmt.Fprintf(w, "%s %d", proxies.Client(r), n)
	})
	wrapped := ProxyProtocol(l, proxies, func(err error) { t.Logf("notice: %v", err) }).(proxyListener)
	wrapped.timeout = timeout
	go server.Serve(wrapped)
	t.Cleanup(func() { server.Close() })
	return l.Addr().String()
}

var loopback = guard.Proxies{netip.MustParsePrefix("127.0.0.1/32")}

// TestProxyProtocol checks connections of a proxy and of others, and that connections without a
// header hold up nobody.
func TestProxyProtocol(t *testing.T) {
	const (
		request   = "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
		forwarded = "GET / HTTP/1.1\r\nX-Forwarded-For: 192.0.2.7\r\nHost: x\r\nConnection: close\r\n\r\n"
	)
	for _, test := range []struct {
		proxies    guard.Proxies
		sent, want string
	}{
		{loopback, "PROXY TCP4 192.0.2.9 10.0.0.1 4711 80\r\n" + request, "192.0.2.9 0"},
		{loopback, block(0x20, 0, "") + request, "127.0.0.1 0"},
		// What a client writes in X-Forwarded-For counts only if the proxy speaks for itself.
		{loopback, "PROXY UNKNOWN\r\n" + forwarded, "invalid IP 0"},
		{loopback, block(0x21, 0x31, strings.Repeat("/", 216)) + forwarded, "invalid IP 0"},
		{loopback, block(0x20, 0, "") + forwarded, "192.0.2.7 0"},
		{loopback, request, ""},
		{loopback, "PROXY", ""},                     // the rest does not come in time
		{loopback, proxySignature + "\x21\x11", ""}, // nor here
		{nil, request, "127.0.0.1 0"},
		{nil, "PROXY TCP4 192.0.2.9 10.0.0.1 4711 80\r\n" + request, "400 Bad Request"},
	} {
		timeout := time.Minute
		if test.want == "" {
			timeout = 50 * time.Millisecond
		}
		address := startProxied(t, timeout, test.proxies)
		silent, err := net.Dial("tcp", address)
		fatal.If(t, err)
		defer silent.Close()
		c, err := net.Dial("tcp", address)
		fatal.If(t, err)
		defer c.Close()
		if strings.HasSuffix(test.sent, "close\r\n\r\n") {
			// The header comes in pieces.
			io.WriteString(c, test.sent[:8])
			time.Sleep(time.Millisecond)
			io.WriteString(c, test.sent[8:])
		} else {
			io.WriteString(c, test.sent)
		}
		answer, _ := io.ReadAll(c)
		if !strings.HasSuffix(string(answer), test.want) || test.want == "" && len(answer) > 0 {
			t.Errorf("%.40q: got %q, want %q", test.sent, answer, test.want)
		}
	}
}

// checkProxied checks that requests through a proxy in front of a server come from the address of
// the client.
func checkProxied(t *testing.T, address string) {
	t.Helper()
	dialer := &net.Dialer{LocalAddr: &net.TCPAddr{IP: net.IPv4(127, 0, 0, 2)}}
	client := &http.Client{Transport: &http.Transport{DialContext: func(ctx context.Context, network,
		_ string) (net.Conn, error) {
		return dialer.DialContext(ctx, network, address)
	}}}
	defer client.CloseIdleConnections()
	for range 3 {
		answer, err := client.Post("http://example.com/", "text/plain", strings.NewReader(strings.Repeat("x", 1<<20)))
		fatal.If(t, err)
		body, _ := io.ReadAll(answer.Body)
		answer.Body.Close()
		if string(body) != "127.0.0.2 1048576" {
			t.Errorf("got %q", body)
		}
	}
}

// TestProxies checks the headers that real proxies send.
func TestProxies(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("other systems do not have the address 127.0.0.2")
	}
	for _, version := range []string{"send-proxy", "send-proxy-v2"} {
		t.Run("haproxy "+version, func(t *testing.T) {
			haproxy := program(t, "haproxy", "/usr/sbin/haproxy")
			address := ports.Address(t)
			run(t, address,
				fmt.Sprintf("defaults\n\tmode tcp\n\ttimeout connect 30s\n\ttimeout client 30s\n\ttimeout server 30s\n"+
					"listen site\n\tbind %s\n\tserver guard %s %s\n", address, startProxied(t, time.Minute, loopback),
					version),
				func(file string) *exec.Cmd { return exec.Command(haproxy, "-f", file) })
			checkProxied(t, address)
		})
	}
	t.Run("nginx", func(t *testing.T) {
		const module = "/usr/lib/nginx/modules/ngx_stream_module.so"
		nginx := program(t, "nginx", "/usr/sbin/nginx")
		if _, err := os.Stat(module); err != nil {
			t.Skip("nginx cannot send the header: Debian's package libnginx-mod-stream is missing")
		}
		address, dir := ports.Address(t), t.TempDir()
		run(t, address,
			fmt.Sprintf("daemon off; master_process off; pid %s/pid; error_log stderr; load_module %s;\nevents {}\n"+
				"stream { server { listen %s; proxy_protocol on; proxy_pass %s; } }\n", dir, module, address,
				startProxied(t, time.Minute, loopback)),
			func(file string) *exec.Cmd { return exec.Command(nginx, "-p", dir, "-c", file) })
		checkProxied(t, address)
	})
}
