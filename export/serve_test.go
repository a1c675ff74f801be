package export_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/export"
	"github.com/robotsexclusion/robots/internal/http/webserver"
	"github.com/robotsexclusion/robots/internal/test/fatal"
	"github.com/robotsexclusion/robots/internal/test/probe"
)

// A request is what a client sends. The other fields are those of a GET, and the Host field names
// the site with a number.
type request struct {
	target, userAgent string
	site              int
}

// refused reports whether a server should answer 403: the policy disallows the target to the robot
// that the header shows. /robots.txt passes with any query.
func refused(p *robots.Policy, r request) bool {
	path := robots.RFC9309.Path("http://example.com" + r.target)
	a := agent.Lookup(r.userAgent)
	g := p.ForOnly(a.Tokens()...)
	if a.Everyone() && a.Crawler() {
		g = p.For(a.Tokens()...)
	}
	return a.Kind == agent.Robot && !a.Device && !strings.HasPrefix(path, "/robots.txt?") &&
		!g.Allowed("http://example.com"+r.target)
}

// A webServer is a running server that answers 200 where it does not refuse.
type webServer struct{ *webserver.Process }

// start runs a server with a site for each configuration until the end of the test, or skips the
// test.
func start(t testing.TB, server string, configs ...*export.Config) webServer {
	t.Helper()
	return startWith(t, server, "", configs...)
}

// startWith runs a server whose sites have directives of their own, and pages named refused.html
// and 403.html.
func startWith(t testing.TB, server, text string, configs ...*export.Config) webServer {
	t.Helper()
	var sites []webserver.Site
	for _, c := range configs {
		site := siteOf(c)
		site.Text = text
		sites = append(sites, site)
	}
	return startSites(t, server, sites...)
}

// siteOf returns a site with a configuration.
func siteOf(c *export.Config) webserver.Site {
	site := webserver.Site{Files: make(map[string][]byte)}
	for _, f := range c.Files {
		site.Files[f.Name] = f.Data
	}
	for _, include := range c.Includes {
		site.Includes = append(site.Includes, include.Lines)
	}
	return site
}

func startSites(t testing.TB, server string, sites ...webserver.Site) webServer {
	t.Helper()
	if server == "lua" {
		t.Skip("lua is the file alone: its servers are tested each")
	}
	dir := folder(t)
	fatal.If(t, os.Mkdir(filepath.Join(dir, "pages"), 0o755))
	for _, name := range []string{"refused.html", "403.html"} {
		fatal.If(t, os.WriteFile(filepath.Join(dir, "pages", name), []byte("our own page"), 0o644))
	}
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Minute)
	p, err := webserver.Start(ctx, server, dir, sites...)
	if errors.Is(err, fs.ErrNotExist) {
		cancel()
		t.Skip(err)
	} else if err != nil {
		cancel()
		t.Fatal(err)
	}
	t.Cleanup(func() {
		output := p.Stop()
		cancel()
		if t.Failed() {
			t.Logf("%s: %.2000s", server, output)
		}
	})
	return webServer{p}
}

// folder returns a folder with a short name, because the names of sockets are limited.
func folder(t testing.TB) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "rx")
	fatal.If(t, err)
	fatal.If(t, os.Chmod(dir, 0o755))
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

// ask sends requests, many on each connection, and returns the statuses of the answers. A server
// may close a connection after an answer.
func (s webServer) ask(t testing.TB, requests []request) (statuses []int) {
	t.Helper()
	failures := 0
	for len(statuses) < len(requests) {
		some := requests[len(statuses):min(len(requests), len(statuses)+64)]
		if i := slices.IndexFunc(some, func(r request) bool { return r.site != some[0].site }); i > 0 {
			some = some[:i]
		}
		if failures > 0 {
			some = some[:1] // Caddy resets the connection after a malformed request if others follow
		}
		n, err := s.askSome(some, &statuses)
		if failures++; n > 0 {
			failures = 0
		}
		if failures > 3 {
			t.Fatalf("no answer to %+v: %v", requests[len(statuses)], err)
		}
	}
	return statuses
}

func (s webServer) askSome(requests []request, statuses *[]int) (n int, err error) {
	conn, err := s.Dial(requests[0].site)
	if err != nil {
		return 0, err
	}
	defer conn.Close()
	conn.SetDeadline(time.Now().Add(30 * time.Second))
	var b bytes.Buffer
	for _, r := range requests {
		fmt.Fprintf(&b, "GET %s HTTP/1.1\r\nHost: %s\r\n", r.target, webserver.Host(r.site))
		if r.userAgent != "" {
			fmt.Fprintf(&b, "User-Agent: %s\r\n", r.userAgent)
		}
		b.WriteString("\r\n")
	}
	go conn.Write(b.Bytes())
	reader := bufio.NewReader(conn)
	for ; n < len(requests); n++ {
		response, err := http.ReadResponse(reader, nil)
		if err != nil {
			return n, err
		}
		if _, err := io.Copy(io.Discard, response.Body); err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
			return n, err
		}
		*statuses = append(*statuses, response.StatusCode)
		if response.Close {
			return n + 1, nil
		}
	}
	return n, nil
}

// compare asks a server and holds its answers against the policies of its sites. It returns the
// number of requests that the server itself refused as malformed.
func (s webServer) compare(t *testing.T, policies []*robots.Policy, requests []request) (malformed int) {
	t.Helper()
	wrong := 0
	for i, status := range s.ask(t, requests) {
		r := requests[i]
		p := policies[r.site]
		want := refused(p, r)
		switch {
		case status == 400 || status == 404 || status == 405 || status == 414:
			malformed++
			continue
		case status == 200 && !want || status == 403 && want:
			continue
		}
		if wrong++; wrong <= 10 {
			t.Errorf("%q to %q (%v): %d, but refused is %t: %v", r.target, r.userAgent, agent.Lookup(r.userAgent).Token,
				status, want, agent.Group(p, r.userAgent).Match("http://example.com"+r.target))
		}
	}
	if wrong > 10 {
		t.Errorf("%d of %d answers are wrong", wrong, len(requests))
	}
	return malformed
}

const (
	chrome    = probe.Chrome
	googlebot = probe.Googlebot
)

// headers are User-Agent headers of each kind.
var headers = probe.Headers()

// requestsOf returns requests to a site for some targets with all headers.
func requestsOf(site int, targets, headers []string) (requests []request) {
	for _, target := range targets {
		for _, header := range headers {
			requests = append(requests, request{target, header, site})
		}
	}
	return requests
}

// An answer is the status that a request must get.
type answer struct {
	request
	status int
}

// checkAnswers sends each request on a connection of its own.
func (s webServer) checkAnswers(t *testing.T, answers []answer) {
	t.Helper()
	for _, a := range answers {
		if got := s.ask(t, []request{a.request})[0]; got != a.status {
			t.Errorf("%+v: %d, want %d", a.request, got, a.status)
		}
	}
}

// checkPage checks that the answer to a request has the site's own page.
func (s webServer) checkPage(t *testing.T, r request) {
	t.Helper()
	if page := s.body(t, r); !strings.Contains(page, "our own page") {
		t.Errorf("the answer does not have the page of the site: %q", page)
	}
}

// body returns the body of the answer to a request.
func (s webServer) body(t testing.TB, r request) string {
	t.Helper()
	conn, err := s.Dial(r.site)
	fatal.If(t, err)
	defer conn.Close()
	fmt.Fprintf(conn, "GET %s HTTP/1.1\r\nHost: %s\r\nUser-Agent: %s\r\nConnection: close\r\n\r\n", r.target,
		webserver.Host(r.site), r.userAgent)
	all, err := io.ReadAll(conn)
	fatal.If(t, err)
	return string(all)
}
