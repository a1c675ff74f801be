package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/export"
	"github.com/robotsexclusion/robots/internal/http/webserver"
)

// A list is names of robots in the configuration of a server, in the form in which a project writes
// it.
type list struct {
	name, server string
	config       func(dir string) *export.Config
}

// lists returns the lists that are asked in their servers.
func lists() []list {
	ai, bad := names()
	var escaped []string
	for _, name := range ai {
		escaped = append(escaped, regexp.QuoteMeta(name))
	}
	words := `\b(` + strings.Join(escaped, "|") + `)\b`
	return []list{
		{"ai.robots.txt, nginx", "nginx", func(string) *export.Config {
			return configOf(nil, []string{
				`set $block 0;`, `if ($http_user_agent ~ "` + words + `") { set $block 1; }`,
				`if ($request_uri = '/robots.txt') { set $block 0; }`, `if ($block) { return 403; }`,
			})
		}},
		{"ai.robots.txt, Apache httpd", "apache", func(string) *export.Config {
			return configOf([]string{"RewriteEngine On", `RewriteCond %{HTTP_USER_AGENT} "(` + words + `)"`,
				`RewriteRule !^/?robots\.txt$ - [F]`})
		}},
		{"ai.robots.txt, Caddy", "caddy", func(string) *export.Config {
			return configOf(nil, []string{"@aibots {", "header_regexp User-Agent `" + words + "`", "}",
				"abort @aibots"})
		}},
		{"ai.robots.txt, HAProxy", "haproxy", func(dir string) *export.Config {
			c := configOf([]string{"acl ai_robot hdr_sub(user-agent) -i -f " + filepath.Join(dir, "ai"),
				"http-request deny if ai_robot"})
			c.Files = []export.File{{Name: "ai", Data: []byte(strings.Join(ai, "\n") + "\n")}}
			return c
		}},
		{"bad-bot-blocker, nginx", "nginx", func(string) *export.Config {
			lines := []string{"map_hash_max_size 8192; map_hash_bucket_size 512;", "map $http_user_agent $bad {",
				"default 0;"}
			for _, name := range bad {
				lines = append(lines, `"~*(?:\b)`+name+`(?:\b)" 1;`)
			}
			return configOf(append(lines, "}"), []string{"if ($bad) { return 403; }"})
		}},
	}
}

// configOf returns a configuration of lines for each place.
func configOf(places ...[]string) *export.Config {
	c := new(export.Config)
	for _, lines := range places {
		c.Includes = append(c.Includes, export.Include{Lines: lines})
	}
	return c
}

// refuser asks the server of the list once for each header, for a page and for robots.txt: the list
// looks at nothing else.
func (l list) refuser(headers []string) refuser {
	dir, err := os.MkdirTemp("", "rx")
	check(err)
	defer os.RemoveAll(dir)
	check(os.Chmod(dir, 0o755))
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	p, err := webserver.Start(ctx, l.server, dir, siteOf(l.config(dir)))
	check(err)
	defer p.Stop()
	c := client{dial: func() (net.Conn, error) { return p.Dial(0) }}
	page, file := make(map[string]bool), make(map[string]bool)
	for _, header := range headers {
		page[header] = c.refused("/page", header)
		file[header] = c.refused("/robots.txt", header)
	}
	return func(_ *robots.Policy, header, target string) (refuses, judged bool) {
		if target == "/robots.txt" {
			return file[header], true
		}
		return page[header], true
	}
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

// A client sends requests, one after the other.
type client struct {
	dial   func() (net.Conn, error)
	conn   net.Conn
	reader *bufio.Reader
}

// get sends a request with its target as it is. The error is io.EOF or another one if the server
// closes the connection.
func (c *client) get(target, header string) (*http.Response, error) {
	if c.conn == nil {
		conn, err := c.dial()
		check(err)
		c.conn, c.reader = conn, bufio.NewReader(conn)
	}
	c.conn.SetDeadline(time.Now().Add(30 * time.Second))
	fmt.Fprintf(c.conn, "GET %s HTTP/1.1\r\nHost: %s\r\nUser-Agent: %s\r\n\r\n", target, webserver.Host(0), header)
	answer, err := http.ReadResponse(c.reader, nil)
	if err == nil {
		_, err = io.Copy(io.Discard, answer.Body)
	}
	if err != nil || answer.Close {
		c.conn.Close()
		c.conn = nil
	}
	return answer, err
}

// refused reports whether a server answers 403, or, as abort of Caddy does, nothing, also to a
// second try.
func (c *client) refused(target, header string) bool {
	for range 2 {
		answer, err := c.get(target, header)
		if err != nil {
			continue
		}
		if answer.StatusCode != 200 && answer.StatusCode != 403 && answer.StatusCode != 404 {
			check(fmt.Errorf("%q: status %d", header, answer.StatusCode))
		}
		return answer.StatusCode == 403
	}
	return true
}
