package export_test

import (
	"bufio"
	"fmt"
	"net/http"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/export"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// documented returns the part of doc/export.md that a group of an expression matches. A blank stands
// for the end of a line too, in the expression and in the document.
func documented(t *testing.T, expression string) string {
	t.Helper()
	data, err := os.ReadFile("../doc/export.md")
	fatal.If(t, err)
	found := regexp.MustCompile(strings.ReplaceAll(expression, " ", `\s+`)).FindSubmatch(data)
	if found == nil {
		t.Fatalf("doc/export.md has nothing like %s", expression)
	}
	return strings.Join(strings.Fields(string(found[1])), " ")
}

// TestDocumentedLines checks that the lines of doc/export.md are those that the command prints,
// which the other tests run.
func TestDocumentedLines(t *testing.T) {
	data, err := os.ReadFile("../doc/export.md")
	fatal.If(t, err)
	for _, server := range export.Servers() {
		o := export.Options{Site: "shop"}
		switch server {
		case "nginx":
			o.Folder = "/etc/nginx/robots"
		case "lua":
			continue // the lines of the others
		}
		for _, include := range write(t, server, robots.Parse([]byte("User-agent: *\nDisallow: /x\n")), o).Includes {
			for _, line := range include.Lines {
				if !strings.HasPrefix(line, "http-request") && !strings.Contains(string(data), "`"+line+"`") {
					t.Errorf("%s: doc/export.md has no line `%s`", server, line)
				}
			}
		}
	}
}

// TestSeveralSites checks the conditions of doc/export.md for several sites in one server: they
// hold for all names by which servers know a site.
func TestSeveralSites(t *testing.T) {
	policy := robots.Parse([]byte("User-agent: *\nDisallow: /private/\n"))
	haproxy := func(condition string) string {
		var lines []string
		for _, line := range write(t, "haproxy", policy, export.Options{}).Includes[0].Lines {
			if !strings.Contains(line, " if ") {
				line += " if"
			}
			lines = append(lines, line+" "+condition)
		}
		return strings.Join(lines, "\n") + "\nhttp-request return status 200"
	}
	varnish := func(condition string) string {
		return "sub vcl_recv {\n" + documented(t, "Before these lines, write `([^`]*)`") + "\n" +
			strings.Replace(condition, "robots_shop", "robots_site", 1) + "\nreturn (synth(200));\n}"
	}
	inHAProxy := documented(t, "add `if ([^`]*)` to the lines of each site")
	inVarnish := documented(t, "several sites, write `(if [^`]*)`")
	other := documented(t, "name the other sites: `(![^`]*)`")
	others := []string{"blog.example.com", "x.shop.example.com", "shop.example.com.evil"}
	for _, test := range []struct {
		server, text string
		closed, open []string // names of hosts
	}{
		{"haproxy", haproxy(inHAProxy), nil, others},
		{"haproxy", haproxy(other), []string{"x", "127.0.0.1", "", "blog.example.com,x", "x,blog.example.com",
			"shop.example.com,wiki.example.com", "blog.example.com:x"}, []string{"blog.example.com",
			"WIKI.example.com:80"}},
		{"varnish", varnish(inVarnish), nil, others},
		{"varnish", varnish(documented(t, "name the other sites: `(if [^`]*)`")), []string{"x", "blog.example.com,x",
			"blog.example.com:x"}, []string{"blog.example.com", "WIKI.example.com:80"}},
	} {
		t.Run(test.server, func(t *testing.T) {
			config := write(t, test.server, policy, export.Options{})
			site := siteOf(config)
			if test.server == "varnish" {
				site.Includes[0] = append(site.Includes[0], test.text)
			} else {
				site.Includes[0], site.Text = nil, test.text
			}
			s := startSites(t, test.server, site)
			status := func(target, host, userAgent string) int {
				conn, err := s.Dial(0)
				fatal.If(t, err)
				defer conn.Close()
				fmt.Fprintf(conn, "GET %s HTTP/1.1\r\nHost: %s\r\nUser-Agent: %s\r\n\r\n", target, host, userAgent)
				answer, err := http.ReadResponse(bufio.NewReader(conn), nil)
				fatal.If(t, err)
				return answer.StatusCode
			}
			closed := test.closed
			if closed == nil {
				closed = []string{"shop.example.com", "SHOP.Example.com", "shop.example.com:80",
					"shop.example.com:7142", "shop.example.com:", "shop.example.com.", "shop.example.com.:80",
					// nginx takes all after the colon for the port
					"shop.example.com:80a", "shop.example.com:x", "shop.example.com.:80:90", "shop.example.com:80,x"}
			}
			for _, host := range closed {
				if got := status("/private/x", host, googlebot); got != 403 {
					t.Errorf("Host: %s: %d, want 403", host, got)
				}
				if got := status("/private/x", host, chrome); got != 200 {
					t.Errorf("Host: %s of a browser: %d", host, got)
				}
			}
			for _, host := range test.open {
				if got := status("/private/x", host, googlebot); got != 200 {
					t.Errorf("Host: %s: %d, want 200", host, got)
				}
			}
			for _, scheme := range []string{"http", "https", "ftp"} {
				if got := status(scheme+"://shop.example.com/private/x", "blog.example.com", googlebot); got == 200 &&
					test.closed == nil {
					t.Errorf("a target with %s and another host: %d", scheme, got)
				}
			}
		})
	}
}
