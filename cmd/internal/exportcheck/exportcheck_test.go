package exportcheck

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/export"
	"github.com/robotsexclusion/robots/internal/http/webserver"
	"github.com/robotsexclusion/robots/internal/test/corpus"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// policy has names in no table, rules that Allow rules overrule, and slashes, dots and escapes in
// patterns and queries.
const policy = `User-agent: *
Disallow: /private/
Allow: /private/*.css$
Disallow: /*?s=
Disallow: /a//b
Disallow: /*/deep/
Disallow: /q%25
Disallow: /%3fx
Disallow: /c%23d
Disallow: /out?u=http://x/
Disallow: /e$
Disallow: /dir/$
Allow: /dir/../e
Disallow: /.git
Disallow: /robots.txt.old

User-agent: Googlebot
Disallow: /search

User-agent: OurOwnBot
User-agent: Some-Other-Crawler
User-agent: FooLoader
Disallow: /
Allow: /public/
`

// TestCheck checks that each server gives the answers of a policy, with and without other
// spellings.
func TestCheck(t *testing.T) {
	p := robots.Parse([]byte(policy))
	for _, server := range export.Servers() {
		t.Run(server, func(t *testing.T) {
			if err := webserver.Installed(t.Context(), server); errors.Is(err, fs.ErrNotExist) {
				t.Skip(err)
			} else if err != nil {
				t.Fatal(err)
			}
			refused := 0
			options := []export.Options{{Literal: true}, {}, {WellKnown: true,
				Agents: export.Named}}
			if !corpus.All() && strings.HasSuffix(server, "-lua") {
				options = options[1:2] // lighttpd runs the same file with all of them
			}
			for _, o := range options {
				r, err := Check(t.Context(), server, p, o)
				fatal.If(t, err)
				if len(r.Wrong) > 0 || r.Refused == 0 || r.Malformed > r.Requests/2 {
					t.Errorf("%+v: the report is %+v", o, r)
				}
				if o.Agents == export.All && r.Refused <= refused {
					t.Errorf("%+v: %d requests are refused, no more than the %d without other spellings", o, r.Refused,
						refused)
				}
				refused = r.Refused
			}
		})
	}
}

// TestHeaders checks that the sample has the names of a policy that are in no table.
func TestHeaders(t *testing.T) {
	list := headers(robots.Parse([]byte(policy + "\nUser-agent: curl\nUser-agent: Evil\rBot\nDisallow: /x\n")))
	for _, name := range []string{"OurOwnBot/1.0", "Some-Other-Crawler/1.0", "Googlebot/1.0",
		"FooLoader/1.0 (+https://example.com/)"} {
		if !slices.Contains(list, name) {
			t.Errorf("%s is not among %q", name, list)
		}
	}
	for _, header := range list {
		if strings.HasPrefix(header, "curl/1.0") || strings.Contains(header, "\r") {
			t.Errorf("the sample has %q", header)
		}
	}
}

// TestRead checks which spellings may be refused by a server that computes the path, and by one
// with expressions.
func TestRead(t *testing.T) {
	g := robots.Parse([]byte("User-agent: *\nDisallow: /private/\nAllow: /private/open\nDisallow: /?x\n")).For()
	for _, test := range []struct {
		target               string
		must, nginx, varnish bool
	}{
		{"//private/x", true, true, true},
		{"/a/../private/x", true, true, true},
		{"/private%2Fx", true, true, true},
		{"/%70rivate//%2e/x", true, true, true},
		{"/private/../x", false, false, true},
		{"/private/open/../../x", false, false, true},
		{"/a/../private/open", false, false, true},
		{"//private/open", false, false, false},
		{"/public//x", false, false, false},
		{"/a/../public", false, false, false},
		{"/%3Fx", false, true, false},
		{"/?u=//private/", false, false, false},
		{"/x" + strings.Repeat("/..", 10), false, true, true},
	} {
		want := map[string]expectation{"lighttpd": {test.must, test.must}, "nginx": {test.must, test.nginx},
			"varnish": {test.must, test.varnish}}
		for server, want := range want {
			if got := read(server, g, export.Options{}, test.target); got != want {
				t.Errorf("%s: %s: %+v, want %+v", server, test.target, got, want)
			}
		}
	}
}

// TestWrong checks that a server with the files of another policy is found out, and that a server
// that does not start is an error.
func TestWrong(t *testing.T) {
	if err := webserver.Installed(t.Context(), "nginx"); err != nil {
		t.Skip(err)
	}
	open, closed := robots.Parse(nil), robots.Parse([]byte("User-agent: *\nDisallow: /x\n"))
	dir := t.TempDir()
	config, err := export.Write("nginx", open, export.Options{Folder: dir})
	fatal.If(t, err)
	running, err := webserver.Start(t.Context(), "nginx", dir, siteOf(config))
	fatal.If(t, err)
	defer running.Stop()
	client := &client{server: running}
	defer client.close()
	var r Report
	if err := r.ask(client, "nginx", closed, export.Options{}, "/x", "ExampleBot/1.0"); err != nil ||
		len(r.Wrong) != 1 || !strings.Contains(r.Wrong[0].Match, "line 2") {
		t.Errorf("the report is %+v, %v", r, err)
	}
	// the files of the open policy refuse too little
	for target, wrong := range map[string]int{"//x": 1, "/a/../x": 1, "//y": 0} {
		var r Report
		if err := r.ask(client, "nginx", closed, export.Options{}, target,
			"ExampleBot/1.0"); err != nil || len(r.Wrong) != wrong {
			t.Errorf("%s: the report is %+v, %v", target, r, err)
		}
	}
	config.Includes[0].Lines = []string{"map }"}
	if _, err := webserver.Start(t.Context(), "nginx", t.TempDir(), siteOf(config)); err == nil ||
		!strings.Contains(err.Error(), "does not take the files") {
		t.Errorf("a broken file: %v", err)
	}
}

// TestTooMany checks that files that refuse other spellings of paths that the policy allows are
// found out.
func TestTooMany(t *testing.T) {
	p := robots.Parse([]byte("User-agent: *\nDisallow: /x\n"))
	broken := robots.Parse([]byte("User-agent: *\nDisallow: /x\nDisallow: /y\n"))
	o := export.Options{}
	for _, server := range []string{"nginx", "varnish", "lighttpd"} {
		t.Run(server, func(t *testing.T) {
			if err := webserver.Installed(t.Context(), server); errors.Is(err, fs.ErrNotExist) {
				t.Skip(err)
			}
			dir, err := os.MkdirTemp("", "rx")
			fatal.If(t, err)
			defer os.RemoveAll(dir)
			fatal.If(t, os.Chmod(dir, 0o755))
			config, err := export.Write(server, broken, export.Options{Folder: dir})
			fatal.If(t, err)
			running, err := webserver.Start(t.Context(), server, dir, siteOf(config))
			fatal.If(t, err)
			defer running.Stop()
			client := &client{server: running}
			defer client.close()
			for target, wrong := range map[string]int{"//y": 1, "/a/../y": 1, "/./y": 1, "/y": 1, "//x": 0,
				"/a/../x": 0, "//z": 0} {
				var r Report
				if err := r.ask(client, server, p, o, target, "ExampleBot/1.0"); err != nil || len(r.Wrong) != wrong {
					t.Errorf("%s: the report is %+v, %v", target, r, err)
				}
			}
		})
	}
}

// TestStop checks that a server that has stopped leaves no process: some have workers.
func TestStop(t *testing.T) {
	for _, server := range export.Servers() {
		t.Run(server, func(t *testing.T) {
			if err := webserver.Installed(t.Context(), server); errors.Is(err, fs.ErrNotExist) {
				t.Skip(err)
			} else if err != nil {
				t.Fatal(err)
			}
			dir, err := os.MkdirTemp("", "rx")
			fatal.If(t, err)
			defer os.RemoveAll(dir)
			config, err := export.Write(server, robots.Parse(nil), export.Options{Folder: dir})
			fatal.If(t, err)
			running, err := webserver.Start(t.Context(), server, dir, siteOf(config))
			fatal.If(t, err)
			running.Stop()
			left := processesOf(dir)
			for tries := 0; len(left) > 0 && tries < 100; tries++ { // the last may be about to end
				time.Sleep(100 * time.Millisecond)
				left = processesOf(dir)
			}
			if len(left) > 0 {
				t.Errorf("%d processes are left: %q", len(left), left)
			}
		})
	}
}

// processesOf returns the command lines of the processes that name a folder. On some systems it
// finds none.
func processesOf(dir string) (commands []string) {
	names, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, name := range names {
		if text, _ := os.ReadFile(name); strings.Contains(string(text), dir) {
			commands = append(commands, string(text))
		}
	}
	return commands
}
