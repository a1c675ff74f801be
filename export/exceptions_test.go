package export_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/export"
	"github.com/robotsexclusion/robots/internal/http/webserver"
	"github.com/robotsexclusion/robots/internal/test/corpus"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// startTCP starts a server with one site, whose clients have addresses.
func startTCP(t *testing.T, server, text string, config *export.Config) webServer {
	t.Helper()
	site := siteOf(config)
	site.Text, site.TCP = text, true
	return startSites(t, server, site)
}

// A sent is a request with all that exceptions see.
type sent struct {
	method, target, userAgent, field, from string
}

// answerTo sends a request on a connection of its own.
func (s webServer) answerTo(t *testing.T, r sent) (status int, header http.Header) {
	t.Helper()
	var from net.Addr
	if r.from != "" {
		from = &net.TCPAddr{IP: net.ParseIP(r.from)}
	}
	conn, err := s.DialFrom(0, from)
	fatal.If(t, err)
	defer conn.Close()
	const head = "%s %s HTTP/1.1\r\nHost: %s\r\nUser-Agent: %s\r\nContent-Length: 0\r\nConnection: close\r\n%s\r\n"
	fmt.Fprintf(conn, head, r.method, r.target, webserver.Host(0), r.userAgent, r.field)
	response, err := http.ReadResponse(bufio.NewReader(conn), &http.Request{Method: r.method})
	fatal.If(t, err)
	io.Copy(io.Discard, response.Body)
	return response.StatusCode, response.Header
}

// TestExceptions asks each server with exceptions of all kinds: GET and HEAD alone are refused, and
// a path exception is not a hole.
func TestExceptions(t *testing.T) {
	p := robots.Parse([]byte("User-agent: *\nDisallow: /*?\nDisallow: /closed/\nDisallow: /hook\n"))
	options := export.Options{
		PassPaths:     []string{"/hook", "/closed/v1.2/"},
		PassHeaders:   http.Header{"X-Token": {"s3cret-of/webhooks=="}},
		PassAddresses: []netip.Prefix{netip.MustParsePrefix("127.0.7.0/25"), netip.MustParsePrefix("2001:db8::/32")},
	}
	const token = "X-Token: s3cret-of/webhooks==\r\n"
	type test struct {
		sent
		refused bool
	}
	tests := []test{
		{sent{"GET", "/closed/x", googlebot, "", ""}, true},
		{sent{"HEAD", "/closed/x", googlebot, "", ""}, true},
		{sent{"POST", "/closed/x", googlebot, "", ""}, false},
		{sent{"POST", "/?wc-api=wc_stripe", "ExampleBot/1.0", "", ""}, false},
		{sent{"OPTIONS", "/closed/x", googlebot, "", ""}, false},
		{sent{"PUT", "/closed/x", googlebot, "", ""}, false},
		{sent{"get", "/closed/x", googlebot, "", ""}, true},
		{sent{"GET", "/closed/x", googlebot, token, ""}, false},
		{sent{"GET", "/closed/x", googlebot, strings.ToUpper(token), ""}, true},
		{sent{"GET", "/closed/x", googlebot, "X-Token: s3cret-of/webhooks=\r\n", ""}, true},
		{sent{"GET", "/closed/x", googlebot, "X-Token: s3cret-of/webhooks==x\r\n", ""}, true},
		{sent{"GET", "/closed/x", googlebot, "X-Token: \r\n", ""}, true},
		{sent{"GET", "/closed/x", googlebot, "", "127.0.7.127"}, false},
		{sent{"GET", "/closed/x", googlebot, "", "127.0.7.128"}, true},
		{sent{"GET", "/closed/x", googlebot, "X-Forwarded-For: 127.0.7.1\r\n", ""}, true},
		{sent{"GET", "/closed/x", chrome, "", ""}, false},
		{sent{"GET", "/open", googlebot, "", ""}, false},
	}
	for target, refused := range map[string]bool{
		"/hook": false, "/hook/": false, "/hook/a%20b.c": false, "/hook?x=/../closed/": false, "/hook//x": false,
		"/closed/v1.2/x": false, "http://s0.example/hook/x": false,
		"/hooks": true, "/closed/v1x2/x": true, "/closed/v1.2": true, "/hook/../closed/x": true, "/hook/.x": true,
		"/hook/..%2fclosed/x": true, "/hook/%2e%2e/closed/x": true, "/hook/%252e%252e/closed/x": true,
		"/hook/..;/closed/x": true, "/hook;/../closed/x": true, "/hook%2f../closed/x": true, "/hook/%c0%ae/x": true,
		"/hook/" + strings.Repeat("a.b/", 800) + "../../x": true, "/closed/x?/hook": true, "/closed/x?/hook/": true,
	} {
		tests = append(tests, test{sent{"GET", target, "ExampleBot/1.0", "", ""}, refused})
	}
	for _, server := range export.Servers() {
		t.Run(server, func(t *testing.T) {
			config := write(t, server, p, options)
			for _, include := range config.Includes {
				if strings.Contains(strings.Join(include.Lines, "\n"), "s3cret") {
					t.Errorf("the lines that are printed have the value of a header")
				}
			}
			s := startTCP(t, server, "", config)
			for _, test := range tests {
				status, _ := s.answerTo(t, test.sent)
				if test.refused != (status == 403) && (status != 400 && status != 501 || !test.refused) {
					t.Errorf("%.200v: got %d", test.sent, status)
				}
			}
		})
	}
}

// TestMethods checks that more methods can be refused, or all. Two servers take seconds to start.
func TestMethods(t *testing.T) {
	p := robots.Parse([]byte("User-agent: *\nDisallow: /closed/\n"))
	for _, server := range export.Servers() {
		t.Run(server, func(t *testing.T) {
			if (server == "varnish" || server == "caddy") && !corpus.All() {
				t.Skip("set ROBOTS_CORPUS_ALL")
			}
			for i, methods := range [][]string{{"GET", "POST"}, {"all"}} {
				s := start(t, server, write(t, server, p, export.Options{Methods: methods}))
				for _, method := range []string{"GET", "POST", "HEAD", "PUT"} {
					refused := i == 1 || method == "GET" || method == "POST"
					status, _ := s.answerTo(t, sent{method, "/closed/x", googlebot, "", ""})
					if refused != (status == 403) {
						t.Errorf("%s, with %v: got %d", method, methods, status)
					}
				}
			}
		})
	}
}

// TestBadExceptions checks that exceptions are refused that a configuration cannot have.
func TestBadExceptions(t *testing.T) {
	everywhere := netip.MustParsePrefix("0.0.0.0/0")
	for want, o := range map[string]export.Options{
		"--methods: GET is missing":                       {Methods: []string{"POST"}},
		`--methods: "G E" is not a method`:                {Methods: []string{"GET", "G E"}},
		`--pass-path: "/" is the whole site`:              {PassPaths: []string{"/"}},
		`--pass-path: "/a\"b" is not a path`:              {PassPaths: []string{`/a"b`}},
		"--pass-address: 0.0.0.0/0 is every address":      {PassAddresses: []netip.Prefix{everywhere}},
		"--pass-address: invalid Prefix is every":         {PassAddresses: []netip.Prefix{{}}},
		"--pass-header: the value of X-Token may have":    {PassHeaders: http.Header{"X-Token": {`s3cret"; }`}}},
		`--pass-header: "X Token" is not the name`:        {PassHeaders: http.Header{"X Token": {"s3cret"}}},
		"--pass-header: X-Token has no value":             {PassHeaders: http.Header{"X-Token": {""}}},
		"--pass-header: the field Host names the site in": {PassHeaders: http.Header{"host": {"s3cret"}}},
	} {
		_, err := export.Write("nginx", robots.Parse([]byte("User-agent: *\nDisallow: /x\n")), o)
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "s3cret") {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}
