//go:build unix

package main

import (
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/audit"
	"github.com/robotsexclusion/robots/audit/accesslog"
	"github.com/robotsexclusion/robots/internal/test/fatal"
	"github.com/robotsexclusion/robots/internal/test/ports"
)

// TestGuardObserve follows --observe from requests to its summary, and its log through an audit.
func TestGuardObserve(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	rules, log := filepath.Join(dir, "robots.txt"), filepath.Join(dir, "guard.jsonl")
	put(t, rules, "User-agent: *\nDisallow: /private/\n")
	p := beforeSite(t, "--observe", "--robots", rules, "--log", log)
	for _, target := range []string{"/private/a", "/private/b", "/x", "/robots.txt"} {
		for _, userAgent := range []string{"GPTBot/1.0",
			"Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0"} {
			if got := p.status(t, target, userAgent); got != 200 {
				t.Errorf("%s of %s: got %d", target, userAgent, got)
			}
		}
	}
	const want = `robots: of 8 requests, the guard would have refused 2 and would have slowed 0
robots:   GPTBot: 2 refused, 0 slowed, such as /private/a: line 2: Disallow: /private/
`
	p.signal(syscall.SIGHUP)
	p.says(t, "robots: robots.txt was read again\n"+want)
	p.signal(syscall.SIGTERM)
	if err := p.wait(); err != nil {
		t.Error(err)
	}
	p.says(t, want+want)
	text := readFile(t, rules)
	auditor, err := audit.New(audit.Options{Sites: map[string][]audit.Version{"": {{ID: rules, State: audit.Served,
		Text: text}}}})
	fatal.If(t, err)
	scan := new(accesslog.Reader).Open(log)
	part, err := auditor.Read(scan, 1)
	fatal.If(t, err)
	robots := part.Report().Robots
	if len(robots) != 1 || robots[0].Token != "GPTBot" || robots[0].Requests != 4 || robots[0].Violations.Certain != 2 {
		t.Errorf("an audit of the log of the guard reports %+v", robots)
	}
	for format, n := range scan.Logs()[0].Formats {
		if format.String() != "robots-guard" || n != 8 {
			t.Errorf("%d requests are in the format %v", n, format)
		}
	}
}

// TestGuardLog renames the log of a guard, as logrotate does.
func TestGuardLog(t *testing.T) {
	t.Parallel()
	log := filepath.Join(t.TempDir(), "guard.jsonl")
	p := beforeSite(t, "--log", log)
	p.status(t, "/first", "GPTBot/1.0")
	fatal.If(t, os.Rename(log, log+".1"))
	p.signal(syscall.SIGHUP)
	p.says(t, "robots: "+log+" was opened again")
	p.status(t, "/second", "GPTBot/1.0")
	p.signal(syscall.SIGTERM)
	if err := p.wait(); err != nil {
		t.Error(err)
	}
	for name, target := range map[string]string{log + ".1": "/first", log: "/second"} {
		text, err := os.ReadFile(name)
		if err != nil || strings.Count(string(text), "\n") != 1 || !strings.Contains(string(text), `"target":"`+target+
			`"`) {
			t.Errorf("%s has %q, %v, and wants one line about %s", name, text, err, target)
		}
	}
}

// TestGuardWatches replaces robots.txt as editors, deployments and Kubernetes do: by renaming a
// file over it, by pointing a link to another folder, and by removing it for a moment.
func TestGuardWatches(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write := func(name, path string) {
		t.Helper()
		fatal.If(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o700))
		put(t, filepath.Join(dir, name), "User-agent: *\nDisallow: "+path+"\n")
	}
	must := func(err error) {
		t.Helper()
		fatal.If(t, err)
	}
	// A ConfigMap is a folder with links to a link to a folder with a time as its name.
	write("..1/robots.txt", "/one")
	must(os.Symlink("..1", filepath.Join(dir, "..data")))
	must(os.Symlink("..data/robots.txt", filepath.Join(dir, "robots.txt")))
	p := beforeSite(t, "--robots", filepath.Join(dir, "robots.txt"))
	inForce := func(closed, open string) {
		t.Helper()
		for deadline := time.Now().Add(time.Minute); p.status(t, closed,
			"GPTBot/1.0") != 403; time.Sleep(20 * time.Millisecond) {
			if time.Now().After(deadline) {
				t.Fatalf("%s is not closed", closed)
			}
		}
		if got := p.status(t, open, "GPTBot/1.0"); got != 200 {
			t.Errorf("%s: got %d", open, got)
		}
	}
	inForce("/one", "/two")
	write("..2/robots.txt", "/two")
	must(os.Symlink("..2", filepath.Join(dir, "..new")))
	must(os.Rename(filepath.Join(dir, "..new"), filepath.Join(dir, "..data")))
	inForce("/two", "/one")
	write("new", "/three")
	must(os.Rename(filepath.Join(dir, "new"), filepath.Join(dir, "robots.txt")))
	inForce("/three", "/two")
	must(os.Remove(filepath.Join(dir, "robots.txt")))
	p.says(t, "robots: robots.txt cannot be used: ")
	inForce("/three", "/two")
	write("robots.txt", "/four")
	inForce("/four", "/three")
}

// TestGuardKeepsRules replaces robots.txt with a page and starts the guard again: the new process
// ends, and the old one goes on with its rules and its figures.
func TestGuardKeepsRules(t *testing.T) {
	t.Parallel()
	rules, figures := filepath.Join(t.TempDir(), "robots.txt"), ports.Address(t)
	write := func(text string) {
		put(t, rules, text)
	}
	write("User-agent: *\nDisallow: /private/\n")
	p := beforeSite(t, "--robots", rules, "--metrics", figures)
	for i, text := range []string{"<html>\n", ""} {
		write(text)
		p.signal(syscall.SIGUSR2)
		const refused, last = "robots: cannot enforce ",
			"robots: cannot start again: the new process has ended, and this one goes on"
		for said := ""; strings.Count(said, last) <= i; time.Sleep(5 * time.Millisecond) {
			if said = p.says(t, last); strings.Count(said, last) > i &&
				strings.Count(said, refused+rules+": the text is ") <= i {
				t.Errorf("%q: the new process does not say why:\n%s", text, said)
			}
		}
		if got := p.status(t, "/private/x", "GPTBot/1.0"); got != 403 {
			t.Errorf("%q: got %d after the restart that failed", text, got)
		}
		if answer, err := http.Get("http://" + figures + "/readyz"); err != nil || answer.StatusCode != 200 {
			t.Errorf("%q: the guard that goes on is not ready: %v, %v", text, answer, err)
		}
	}
}

// TestGuardStarts checks what guard says of a port in use, and of an upstream that starts later.
func TestGuardStarts(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	fatal.If(t, err)
	defer l.Close()
	cmd := robotsProcess(t, "guard", "--forward-auth", "--robots", "../examples/site/robots.txt", "--listen",
		l.Addr().String())
	out, _ := cmd.CombinedOutput()
	if code := cmd.ProcessState.ExitCode(); code != 2 || !strings.Contains(string(out), "robots: cannot listen: ") ||
		!strings.Contains(string(out), "another program listens at ") {
		t.Errorf("exits with %d and says %s", code, out)
	}

	upstream := ports.Address(t)
	p := beforeSite(t, "--upstream", "http://"+upstream)
	p.says(t, "robots: all requests pass until robots.txt can be read: ")
	if got := p.status(t, "/private/", "GPTBot/1.0"); got != 502 {
		t.Errorf("without an upstream: got %d", got)
	}
	late, err := net.Listen("tcp", upstream)
	if err != nil {
		t.Skip(err) // another process has the port now
	}
	site := http.Server{Handler: http.FileServer(http.Dir("../examples/site"))}
	go site.Serve(late)
	defer site.Close()
	p.says(t, "robots: another robots.txt is in force")
	if got := p.status(t, "/private/", "GPTBot/1.0"); got != 403 {
		t.Errorf("with an upstream: got %d", got)
	}

	// A site that answers everything with a page has no rules: that is a fault, and not the rule
	// that everything is allowed.
	p = beforeSite(t)
	p.says(t,
		`robots: all requests pass until robots.txt can be read: the text is not a robots.txt: no line names robots, and line 1 is "page"`)
	if got := p.status(t, "/private/", "GPTBot/1.0"); got != 200 {
		t.Errorf("without rules: got %d", got)
	}
	p.says(t, "robots: the guard could not decide about a request: guard: no robots.txt was read yet")
}
