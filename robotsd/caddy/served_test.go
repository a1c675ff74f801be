package robotsguard

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/caddyserver/caddy/v2"
	_ "github.com/caddyserver/caddy/v2/modules/caddyhttp/rewrite"
	_ "github.com/caddyserver/caddy/v2/modules/metrics"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/audit/accesslog"
	"github.com/robotsexclusion/robots/guard"
	"github.com/robotsexclusion/robots/internal/test/corpus"
	"github.com/robotsexclusion/robots/internal/test/fatal"
	"github.com/robotsexclusion/robots/internal/test/probe"
)

const (
	rules   = "User-agent: *\nDisallow: /private/\n\nUser-agent: SlowBot\nCrawl-delay: 1000\n"
	firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0"
	robot   = "NobodyKnowsBot/1.0"
)

// load has Caddy serve sites until the test ends.
func load(t *testing.T, sites string) {
	t.Helper()
	config, err := adapt(sites)
	fatal.If(t, err)
	fatal.If(t, caddy.Load(config, true))
	t.Cleanup(func() { caddy.Stop() })
}

// write writes a file of a test, and returns its name.
func write(t *testing.T, name, text string) string {
	t.Helper()
	name = filepath.Join(t.TempDir(), name)
	fatal.If(t, os.WriteFile(name, []byte(text), 0o600))
	return name
}

// freePort returns a port of the sites' address that nobody listens at.
func freePort(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", net.JoinHostPort(loopback, "0"))
	fatal.If(t, err)
	defer l.Close()
	_, port, _ := net.SplitHostPort(l.Addr().String())
	return port
}

// ask sends a request for a target as it is written, and returns the status and the body of the
// answer.
func ask(t *testing.T, client *http.Client, port, host, target, userAgent string) (int, string) {
	t.Helper()
	r, _ := http.NewRequest("GET", "http://"+loopback+":"+port+"/", nil)
	r.Host = host
	r.URL.Opaque = target
	if strings.HasPrefix(target, "//") {
		r.URL.Opaque = "http://" + host + target
	}
	r.Header.Set("User-Agent", userAgent)
	answer, err := client.Do(r)
	for range 10 {
		if !errors.Is(err, syscall.ECONNRESET) && !errors.Is(err, io.EOF) {
			break
		}
		// Caddy resets connections that it has not read from when it reloads.
		answer, err = client.Do(r)
	}
	fatal.If(t, err)
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	fatal.If(t, err)
	return answer.StatusCode, string(body)
}

// TestUpgrade checks that a server behind Caddy is asked for no other protocol but WebSocket.
func TestUpgrade(t *testing.T) {
	port := freePort(t)
	load(t, fmt.Sprintf(`http://shop.example:%s {
	bind %s
	robots_guard {
		robots %s
	}
	respond "{http.request.header.Upgrade} {http.request.header.HTTP2-Settings}"
}
`, port, loopback, write(t, "robots.txt", rules)))
	for protocol, want := range map[string]string{"h2c": " ", "websocket": "websocket ", "websocket, h2c": " "} {
		r, _ := http.NewRequest("GET", "http://"+net.JoinHostPort(loopback, port)+"/x", nil)
		r.Host = "shop.example"
		r.Header = http.Header{"Connection": {"Upgrade, HTTP2-Settings"}, "Upgrade": {protocol},
			"HTTP2-Settings": {"AAMAAABk"}, "User-Agent": {robot}}
		answer, err := http.DefaultClient.Do(r)
		fatal.If(t, err)
		body, _ := io.ReadAll(answer.Body)
		answer.Body.Close()
		if string(body) != want {
			t.Errorf("%s: got %q, want %q", protocol, body, want)
		}
	}
}

// TestServed checks which requests the sites of a real Caddy answer, and what stands in the log and
// in the figures.
func TestServed(t *testing.T) {
	port, log := freePort(t), filepath.Join(t.TempDir(), "log")
	file := write(t, "robots.txt", rules)
	load(t, fmt.Sprintf(`http://:%[1]s {
	robots_guard {
		robots %[2]s
		log %[3]s
	}
	handle /metrics {
		metrics
	}
	handle_path /private/* {
		respond "{uri}"
	}
	redir /moved/* /private/x
	handle /missing {
		respond 404
	}
	handle {
		respond "{uri}"
	}
}
http://observed:%[1]s {
	robots_guard {
		robots %[2]s
		observe
	}
	respond "observed"
}
http://gone:%[1]s {
	robots_guard {
		robots %[2]s
		status 410
	}
}
http://preferring:%[1]s {
	robots_guard {
		robots %[4]s
		preferences
	}
	respond "served"
}`, port, file, log, write(t, "robots.txt", "User-agent: *\nContent-Usage: train-ai=n\n")))
	for _, test := range []struct {
		host, target, userAgent string
		status                  int
		body                    string
	}{
		{"x", "/private/x?y", firefox, 200, "/x?y"},
		{"x", "/private/x", "curl/8.0", 200, "/x"},
		{"x", "/private/x?y", robot, 403, `line 2, "Disallow: /private/"`},
		{"x", "//private/x", robot, 403, `disallows "/private/x"`},
		{"x", "/a/%2e%2e/private%2Fx", robot, 403, `disallows "/private/x"`},
		{"x", "/open", robot, 200, "/open"},
		{"x", "/missing", robot, 404, ""},
		{"x", "/robots.txt", robot, 200, "/robots.txt"},
		{"x", "/.well-known/x", robot, 200, "/.well-known/x"},
		{"x", "/private/x", "SlowBot/1.0", 200, "/x"},
		{"x", "/private/x", "SlowBot/1.0", 429, "line 5"},
		{"gone", "/private/x", robot, 410, "410 Gone"},
		{"gone", "/other", "SlowBot/1.0", 429, "line 5"}, // the site has the same rules
		{"observed", "/private/x", robot, 200, "observed"},
	} {
		if status, body := ask(t, http.DefaultClient, port, test.host, test.target,
			test.userAgent); status != test.status || !strings.Contains(body, test.body) {
			t.Errorf("%s%s of %s: got %d %q, want %d with %q", test.host, test.target, test.userAgent, status, body,
				test.status, test.body)
		}
	}
	r, _ := http.NewRequest("GET", "http://"+loopback+":"+port+"/from", nil)
	r.Header = http.Header{"X-Forwarded-For": {"192.0.2.1"}, "User-Agent": {robot}}
	answer, err := http.DefaultClient.Do(r)
	fatal.If(t, err)
	answer.Body.Close()
	r.Host = "preferring"
	if answer, err = http.DefaultClient.Do(r); err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	if got := answer.Header.Get("Content-Usage"); got != "train-ai=n" {
		t.Errorf("got the preferences %q", got)
	}
	_, figures := ask(t, http.DefaultClient, port, "x", "/metrics", firefox)
	for _, want := range []string{`robots_guard_decisions_total{action="refuse",reason="rules"} 5`,
		`robots_guard_decisions_total{action="slow",reason="pace"} 2`} {
		if !strings.Contains(figures, want) {
			t.Errorf("the figures lack %s:\n%s", want, figures)
		}
	}
	caddy.Stop() // closes the log
	lines, err := os.ReadFile(log)
	fatal.If(t, err)
	for _, err := range new(accesslog.Reader).From("log", bytes.NewReader(lines)).Requests() {
		if err != nil {
			t.Errorf("package accesslog cannot read the log: %v", err)
		}
	}
	var last struct{ Client, Target string }
	split := bytes.Split(bytes.TrimSpace(lines), []byte("\n"))
	json.Unmarshal(split[len(split)-2], &last)
	if len(split) != 13 || last.Client != "192.0.2.1" || last.Target != "/from" {
		t.Errorf("got %d lines, the last but one with %v:\n%s", len(split), last, lines)
	}
}

// TestOptions checks in Caddy that the options for licenses, X-Robots-Tag and identities have an
// effect. The DNS server is one that never answers.
func TestOptions(t *testing.T) {
	silent, err := net.ListenPacket("udp", "127.0.0.1:0")
	fatal.If(t, err)
	defer silent.Close()
	asked := make(chan bool, 100)
	go func() {
		for {
			if _, _, err := silent.ReadFrom(make([]byte, 512)); err != nil {
				return
			}
			asked <- true
		}
	}()
	port, file := freePort(t), write(t, "robots.txt", "User-agent: *\nLicense: https://shop.example/license.xml\n")
	load(t, fmt.Sprintf(`http://tagged:%[1]s {
	robots_guard {
		robots %[2]s
		preferences
		robots_tag noarchive
		paid_license https://shop.example/license.xml
	}
	respond "served"
}
http://first:%[1]s {
	robots_guard {
		robots %[2]s
		verify
		verify_first
		dns %[3]s
		ranges %[4]s
	}
	respond "served"
}`, port, file, silent.LocalAddr(), t.TempDir()))
	for _, test := range []struct {
		host, userAgent string
		status          int
		tag             string
	}{
		{"tagged", firefox, 200, "noarchive"},
		{"tagged", robot, 402, ""},
		{"first", firefox, 200, ""},
		{"first", robot, 200, ""}, // no table has the robot, so nobody can identify it
		{"first", "Baiduspider/2.0", 429, ""},
	} {
		r, _ := http.NewRequest("GET", "http://"+loopback+":"+port+"/x", nil)
		r.Host = test.host
		r.Header = http.Header{"User-Agent": {test.userAgent}, "X-Forwarded-For": {"192.0.2.1"}}
		answer, err := http.DefaultClient.Do(r)
		fatal.If(t, err)
		answer.Body.Close()
		if got := answer.Header.Get("X-Robots-Tag"); answer.StatusCode != test.status || got != test.tag {
			t.Errorf("%s of %s: got %d, X-Robots-Tag %q", test.host, test.userAgent, answer.StatusCode, got)
		}
	}
	select {
	case <-asked:
	case <-time.After(time.Minute):
		t.Error("the DNS server of the option is not asked")
	}
	caddy.Stop()
}

// TestForged checks that robots are refused whose address is not in their published ranges: the
// address that Caddy believes.
func TestForged(t *testing.T) {
	port, folder := freePort(t), t.TempDir()
	for _, name := range agent.Named("GPTBot").Recipe().Ranges {
		name = strings.NewReplacer(":", "%3A", "/", "%2F").Replace(name)
		fatal.If(t, os.WriteFile(filepath.Join(folder, name), []byte(`{"prefixes": [{"ipv4Prefix": "192.0.2.0/24"}]}`),
			0o600))
	}
	load(t, fmt.Sprintf("http://:%s {\n\trobots_guard {\n\t\trobots %s\n\t\tranges %s\n\t}\n\trespond served\n}\n",
		port, write(t, "robots.txt", rules), folder))
	for client, want := range map[string]int{"192.0.2.1": 200, "198.51.100.1": 403} {
		r, _ := http.NewRequest("GET", "http://"+loopback+":"+port+"/x", nil)
		r.Header = http.Header{"User-Agent": {"GPTBot/1.0"}, "X-Forwarded-For": {client}}
		answer, err := http.DefaultClient.Do(r)
		fatal.If(t, err)
		answer.Body.Close()
		if answer.StatusCode != want {
			t.Errorf("GPTBot at %s: got %d, want %d", client, answer.StatusCode, want)
		}
	}
}

// TestCorpus compares the answers of a real Caddy with the guard's, for targets made from the rules
// of real files.
func TestCorpus(t *testing.T) {
	port := freePort(t)
	var sites strings.Builder
	all := corpus.Files(t, "protego-sites")
	nth := 100
	if corpus.All() {
		nth = 20
	}
	var files []corpus.File
	for i := 0; i < len(all); i += nth {
		// empty files and pages are refused
		if guard.File(write(t, "robots.txt", string(all[i].Data))).Reload(t.Context()) == nil {
			files = append(files, all[i])
		}
	}
	for i, file := range files {
		fmt.Fprintf(&sites,
			"http://site%d:%s {\n\trobots_guard {\n\t\trobots %s\n\t\tno_pace\n\t}\n\trespond \"served\"\n}\n", i, port,
			write(t, "robots.txt", string(file.Data)))
	}
	load(t, sites.String())
	asked, refused := 0, 0
	for i, file := range files {
		policy := robots.Parse(file.Data)
		g := &guard.Guard{Policy: guard.Fixed(policy), NoPace: true}
		for _, target := range targets(policy) {
			for _, header := range append(probe.HeadersFor(policy, i), robot) {
				r := &http.Request{Method: "GET", RequestURI: target, Header: http.Header{"User-Agent": {header}}}
				want := 200
				if g.Decide(r).Action == guard.Refuse {
					want = 403
					refused++
				}
				asked++
				if status, body := ask(t, http.DefaultClient, port, fmt.Sprintf("site%d", i), target,
					header); status != want {
					t.Errorf("%s: %s of %s: got %d %q, want %d", file.Name, target, header, status, body, want)
				}
			}
		}
	}
	t.Logf("%d files, %d requests, %d refused", len(files), asked, refused)
	if refused < 50 {
		t.Error("too few requests were refused to compare anything")
	}
}

// targets returns targets made from the rules of a policy.
func targets(policy *robots.Policy) []string {
	list := []string{"/robots.txt", "/robots.txt?x", "/.well-known/x", "/"}
	for _, line := range policy.Lines() {
		if line.Kind != robots.Disallow && line.Kind != robots.Allow || !strings.HasPrefix(line.Value, "/") ||
			len(list) > 40 {
			continue
		}
		path := strings.NewReplacer("*", "x", "$", "", "#", "", " ", "%20").Replace(line.Value)
		if _, err := url.ParseRequestURI(path); err != nil ||
			strings.ContainsFunc(path, func(r rune) bool { return r <= ' ' || r >= 0x7f }) {
			continue // no client sends such bytes, and servers written in Go answer such escapes with 400
		}
		list = append(list, path, path+"x", "/"+path, "/a/%2e%2e"+path)
	}
	return list
}

// TestReload checks that people are answered while Caddy loads other configurations, that these
// keep the pace of robots, and that nothing is left in the end.
func TestReload(t *testing.T) {
	port, file := freePort(t), write(t, "robots.txt", rules)
	site := func(options, text string) string {
		return fmt.Sprintf("http://:%s {\n\trobots_guard {\n\t\trobots %s\n%s\n\t}\n\trespond %q\n}\n", port, file,
			options, text)
	}
	before := runtime.NumGoroutine()
	load(t, site("", "served 0"))
	if status, _ := ask(t, http.DefaultClient, port, "x", "/", "SlowBot/1.0"); status != 200 {
		t.Errorf("the first request of a slow robot: got %d", status)
	}
	var sent atomic.Int64
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	var clients sync.WaitGroup
	for i := range 4 {
		client := &http.Client{Transport: &http.Transport{DisableKeepAlives: i%2 == 0}}
		clients.Go(func() {
			defer client.CloseIdleConnections()
			for ctx.Err() == nil {
				r, _ := http.NewRequest("GET", "http://"+loopback+":"+port+"/private/x", nil)
				r.Header.Set("User-Agent", firefox)
				answer, err := client.Do(r)
				if err != nil {
					// Caddy closes connections that it has not read from when it reloads, with a
					// guard and without
					continue
				}
				io.Copy(io.Discard, answer.Body)
				answer.Body.Close()
				if answer.StatusCode != 200 {
					t.Errorf("a person got %d", answer.StatusCode)
				}
				sent.Add(1)
			}
		})
	}
	for i, options := range []string{"", "status 410", "no_pace", "observe", ""} {
		for had := sent.Load(); sent.Load() < had+20 && !t.Failed(); time.Sleep(time.Millisecond) {
		}
		load(t, site(options, fmt.Sprintf("served %d", i+1)))
		want := 429
		if options == "no_pace" || options == "observe" {
			want = 200
		}
		if status, body := ask(t, http.DefaultClient, port, "x", "/", "SlowBot/1.0"); status != want {
			t.Errorf("after reload %d with %q: got %d %q, want %d", i, options, status, body, want)
		}
	}
	stop()
	clients.Wait()
	caddy.Stop()
	http.DefaultClient.CloseIdleConnections()
	if n, ok := pool.References(siteKey{robots: file}); ok {
		t.Errorf("%d handlers use the site after the end", n)
	}
	for range 500 {
		if runtime.NumGoroutine() <= before+2 {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	var stacks bytes.Buffer
	buf := make([]byte, 1<<20)
	stacks.Write(buf[:runtime.Stack(buf, true)])
	if strings.Contains(stacks.String(), "robotsguard.openSite") {
		t.Errorf("a watch of robots.txt is left:\n%s", stacks.String())
	}
}
