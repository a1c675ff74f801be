package exportcheck

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/export"
)

func TestCheck(t *testing.T) {
	p := robots.Parse([]byte("User-agent: *\nDisallow: /private/\nAllow: /private/*.css$\n\nUser-agent: Googlebot\nDisallow: /search\n"))
	for _, server := range export.Servers() {
		t.Run(server, func(t *testing.T) {
			how := programs[server]
			if _, err := how.find(t.Context()); errors.Is(err, fs.ErrNotExist) {
				t.Skip(err)
			} else if err != nil {
				t.Fatal(err)
			}
			r, err := Check(t.Context(), server, p, export.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if len(r.Wrong) > 0 || r.Refused == 0 || r.Malformed > r.Requests/2 {
				t.Errorf("the report is %+v", r)
			}
		})
	}
}

// TestWrong checks that a server with the files of another policy is found out, and that a server
// that does not start is an error.
func TestWrong(t *testing.T) {
	if _, err := find("nginx"); err != nil {
		t.Skip("nginx is not installed")
	}
	open, closed := robots.Parse(nil), robots.Parse([]byte("User-agent: *\nDisallow: /x\n"))
	dir := t.TempDir()
	config, err := export.Write("nginx", open, export.Options{Folder: dir})
	if err != nil {
		t.Fatal(err)
	}
	running, err := Start(t.Context(), "nginx", dir, Site{Config: config})
	if err != nil {
		t.Fatal(err)
	}
	defer running.Stop()
	var r Report
	if err := r.ask(running, closed, export.Options{}, "/x", "ExampleBot/1.0"); err != nil || len(r.Wrong) != 1 || !strings.Contains(r.Wrong[0].Match, "line 2") {
		t.Errorf("the report is %+v, %v", r, err)
	}
	config.Includes[0].Lines = []string{"map }"}
	if _, err := Start(t.Context(), "nginx", t.TempDir(), Site{Config: config}); err == nil || !strings.Contains(err.Error(), "does not take the files") {
		t.Errorf("a broken file: %v", err)
	}
}

// TestStop checks that a server that has stopped leaves no process: some have workers.
func TestStop(t *testing.T) {
	for _, server := range export.Servers() {
		t.Run(server, func(t *testing.T) {
			how := programs[server]
			if _, err := how.find(t.Context()); errors.Is(err, fs.ErrNotExist) {
				t.Skip(err)
			} else if err != nil {
				t.Fatal(err)
			}
			dir, err := os.MkdirTemp("", "rx")
			if err != nil {
				t.Fatal(err)
			}
			defer os.RemoveAll(dir)
			config, err := export.Write(server, robots.Parse(nil), export.Options{Folder: dir})
			if err != nil {
				t.Fatal(err)
			}
			running, err := Start(t.Context(), server, dir, Site{Config: config})
			if err != nil {
				t.Fatal(err)
			}
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

// TestNotBuilt checks that a server without a part that it needs counts as missing, so that its tests are skipped.
func TestNotBuilt(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the server of this test is a script of sh")
	}
	how := program{command: "server", built: "Built with Lua"}
	dir := t.TempDir()
	for says, missing := range map[string]bool{"Built with Lua version 5.3": false, "Built without": true} {
		if err := os.WriteFile(filepath.Join(dir, "server"), []byte("#!/bin/sh\necho "+says+"\n"), 0o755); err != nil {
			t.Fatal(err)
		}
		t.Setenv("PATH", dir+string(filepath.ListSeparator)+os.Getenv("PATH"))
		if _, err := how.find(t.Context()); errors.Is(err, fs.ErrNotExist) != missing || !missing && err != nil {
			t.Errorf("a server that says %q: %v", says, err)
		}
	}
}
