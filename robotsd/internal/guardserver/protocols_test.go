package guardserver

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/guard"
	"github.com/robotsexclusion/robots/internal/test/fatal"
	"github.com/robotsexclusion/robots/internal/test/ports"
)

// raw sends a request as it is, and returns the status and the body of the answer.
func raw(t *testing.T, address, request string) (status int, body string) {
	t.Helper()
	c, err := net.Dial("tcp", address)
	fatal.If(t, err)
	defer c.Close()
	io.WriteString(c, request)
	answer, err := http.ReadResponse(bufio.NewReader(c), nil)
	fatal.If(t, err)
	if answer.StatusCode == http.StatusSwitchingProtocols {
		return answer.StatusCode, ""
	}
	text, _ := io.ReadAll(answer.Body)
	return answer.StatusCode, string(text)
}

// TestUpgrades checks that the upstream is asked for no other protocol but WebSocket: in another
// one requests would follow that the guard does not see.
func TestUpgrades(t *testing.T) {
	address := start(t, Options{Upstream: upstream(t, func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, "%q %q %q", r.Header["Upgrade"], r.Header["Connection"], r.Header["Http2-Settings"])
	})})
	const none = `[] [] []`
	for fields, want := range map[string]string{
		"Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAoAAAAAIAAAAA\r\n": none,
		"Connection: Upgrade\r\nUpgrade: H2C\r\nHTTP2-Settings: AAMAAABk\r\n":                                 none,
		"HTTP2-Settings: AAMAAABk\r\n":                                  none,
		"Connection: upgrade\r\nUpgrade: websocket, h2c\r\n":            none,
		"Connection: upgrade\r\nUpgrade: h2c, websocket\r\n":            none,
		"Connection: upgrade\r\nUpgrade: websocket\r\nUpgrade: h2c\r\n": `["websocket"] ["Upgrade"] []`,
		"Connection: upgrade\r\nUpgrade: h2c\r\nUpgrade: websocket\r\n": none,
		"Connection: Upgrade\r\nUpgrade: TLS/1.2\r\n":                   none,
		"Connection: Upgrade\r\nUpgrade: WebSocket\r\n":                 `["WebSocket"] ["Upgrade"] []`,
		"Upgrade: websocket\r\n":                                        none,
	} {
		if status, got := raw(t, address, "GET /x HTTP/1.1\r\nHost: h\r\nUser-Agent: "+robot+"\r\n"+fields+
			"\r\n"); status != 200 || got != want {
			t.Errorf("%q: got %d %s, want %s", fields, status, got, want)
		}
	}
}

// TestHypercorn asks a real server that changes to HTTP/2 in a request.
func TestHypercorn(t *testing.T) {
	hypercorn := program(t, "hypercorn")
	dir := t.TempDir()
	fatal.If(t, os.WriteFile(filepath.Join(dir, "pages.py"), []byte(`async def app(scope, receive, send):
    if scope["type"] == "http":
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"2")]})
        await send({"type": "http.response.body", "body": b"ok"})
`), 0o644))
	site := ports.Address(t)
	cmd := exec.Command(hypercorn, "--bind", site, "pages:app")
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, t.Output(), t.Output()
	fatal.If(t, cmd.Start())
	t.Cleanup(func() {
		cmd.Process.Kill()
		cmd.Wait()
	})
	waitFor(t, site)
	const request = "GET /x HTTP/1.1\r\nHost: h\r\nUser-Agent: GPTBot/1.0\r\n" +
		"Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAoAAAAAIAAAAA\r\n\r\n"
	if status, _ := raw(t, site, request); status != http.StatusSwitchingProtocols {
		t.Fatalf("Hypercorn answers %d, and does not change the protocol", status)
	}
	address := start(t, Options{Upstream: &url.URL{Scheme: "http", Host: site}})
	if status, text := raw(t, address, request); status != 200 || text != "ok" {
		t.Errorf("through the guard: %d %q", status, text)
	}
}

// TestHAProxyUpgrades checks the line of doc/guard.md for a proxy that passes upgrades on.
func TestHAProxyUpgrades(t *testing.T) {
	haproxy := program(t, "haproxy", "/usr/sbin/haproxy")
	doc, err := os.ReadFile("../../../doc/guard.md")
	fatal.If(t, err)
	line := regexp.MustCompile("`(http-request del-header upgrade [^`]*)`").FindSubmatch(doc)
	if line == nil {
		t.Fatal("doc/guard.md has no such line")
	}
	site := upstream(t, func(w http.ResponseWriter, r *http.Request) { fmt.Fprintf(w, "%q", r.Header["Upgrade"]) })
	address := ports.Address(t)
	run(t, address, fmt.Sprintf("defaults\nmode http\ntimeout client 30s\ntimeout server 30s\ntimeout connect 5s\n"+
		"frontend f\nbind %s\n%s\ndefault_backend b\nbackend b\nserver s %s\n", address, line[1], site.Host),
		func(file string) *exec.Cmd { return exec.Command(haproxy, "-f", file) })
	for protocol, want := range map[string]string{"h2c": `[]`, "websocket, h2c": `[]`, "WebSocket": `["WebSocket"]`} {
		status, got := raw(t, address, "GET /x HTTP/1.1\r\nHost: h\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: "+
			protocol+"\r\nHTTP2-Settings: AAMAAABk\r\nSec-WebSocket-Version: 13\r\n"+
			"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n")
		if status != 200 || got != want {
			t.Errorf("%s: got %d %s, want %s", protocol, status, got, want)
		}
	}
}

// TestNoPath checks that the upstream gets no request whose target is not a path.
func TestNoPath(t *testing.T) {
	address := start(t, Options{Upstream: upstream(t, func(w http.ResponseWriter, r *http.Request) {
		t.Errorf("the upstream got %s %s", r.Method, r.RequestURI)
	})})
	for request, want := range map[string]int{"CONNECT h:80": 405, "CONNECT /x": 405, "CONNECT /private/x": 405,
		"GET *": 400, "POST *": 400, "OPTIONS *": 200} {
		status, text := raw(t, address, request+" HTTP/1.1\r\nHost: h\r\nUser-Agent: "+robot+
			"\r\nConnection: close\r\n\r\n")
		if status != want {
			t.Errorf("%s: got %d %q, want %d", request, status, text, want)
		}
	}
}

// TestBrokenBody checks that a body that is not valid is the client's fault: nothing is said of the
// upstream.
func TestBrokenBody(t *testing.T) {
	records := make(chan *Record, 1)
	address := start(t, Options{
		Notice:   func(err error) { t.Errorf("the operator gets a notice: %v", err) },
		Record:   func(r *Record) { records <- r },
		Upstream: upstream(t, func(w http.ResponseWriter, r *http.Request) { io.Copy(io.Discard, r.Body) }),
	})
	for _, chunks := range []string{"5\nhello\r\n0\r\n\r\n", "x\r\nhello\r\n0\r\n\r\n", "5\r\nhelloworld\r\n0\r\n\r\n",
		"-1\r\n\r\n", "fffffffffffffffff\r\nx\r\n", "5;" + strings.Repeat("a", 9000) + "\r\nhello\r\n0\r\n\r\n",
		strings.Repeat("5\r\nhello\r\n", 1000) + "5\rhello\n"} {
		status, text := raw(t, address, "POST /x HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n"+chunks)
		if logged := (<-records).Status; status != 400 || logged != 400 {
			t.Errorf("%.20q: got %d %q, and %d in the log, want 400", chunks, status, text, logged)
		}
	}
}

// TestIdleUpstream checks that the guard ends an idle connection before usual servers do. A request
// with a body that a server's end meets cannot be repeated, and would get status 502.
func TestIdleUpstream(t *testing.T) {
	const apache, node, gunicorn = 5 * time.Second, 5 * time.Second, 2 * time.Second
	s := &server{Options: Options{Upstream: &url.URL{Scheme: "http", Host: "127.0.0.1:1"}}}
	if got := s.proxy().Transport.(*http.Transport).IdleConnTimeout; got <= 0 || got >= min(apache, node, gunicorn) {
		t.Errorf("idle connections are kept for %v", got)
	}
}

// TestFieldsOfProxies checks that a client cannot write the fields by which proxies name the
// address of a client and another target, also with "_", which some servers read as "-".
func TestFieldsOfProxies(t *testing.T) {
	fields := []string{"CF-Connecting-IP", "Client-IP", "X-Original-URL", "X-Envoy-Original-Path", "X-Script-Name"}
	underscored := []string{"X_Original_URL", "x_original-url", "X_Forwarded_For",
		"X-Forwarded_Host", "X_Real_IP", "CLIENT_IP",
		"X_FORWARDED_PROTO", "_Forwarded", "X-My_Field"}
	for _, test := range []struct {
		proxies guard.Proxies
		want    string
	}{
		{nil, `"127.0.0.1"`},
		{guard.Proxies{netip.MustParsePrefix("127.0.0.0/8")}, fmt.Sprintf("%q %q", "192.0.2.7", fields)},
	} {
		address := start(t, Options{Proxies: test.proxies,
			Upstream: upstream(t, func(w http.ResponseWriter, r *http.Request) {
				fmt.Fprintf(w, "%q", r.Header.Get("X-Real-Ip"))
				var names []string
				for _, name := range fields {
					if r.Header.Get(name) != "" {
						names = append(names, name)
					}
				}
				if names != nil {
					fmt.Fprintf(w, " %q", names)
				}
				for name := range r.Header {
					if strings.Contains(name, "_") && name != "X-My_field" && name != "_forwarded" {
						t.Errorf("behind %v, the upstream gets %s", test.proxies, name)
					}
				}
				if r.Header["X-My_field"] == nil {
					t.Error("a field with a line, of no proxy, is gone")
				}
			})})
		request := "GET /x HTTP/1.1\r\nHost: h\r\nX-Real-IP: 192.0.2.9\r\nX-Forwarded-For: 192.0.2.7\r\n"
		for _, name := range append(fields, underscored...) {
			request += name + ": /private/x\r\n"
		}
		_, got := raw(t, address, request+"\r\n")
		if got != test.want {
			t.Errorf("behind %v: got %s, want %s", test.proxies, got, test.want)
		}
	}
}
