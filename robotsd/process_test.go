package main

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/internal/test/fatal"
	"github.com/robotsexclusion/robots/internal/test/ports"
)

// A guardProcess is a running guard, or another service, whose standard error grows while it runs.
type guardProcess struct {
	address string
	signal  func(os.Signal)
	wait    func() error
	closed  func() error // waits until no process has its standard error open
	mu      sync.Mutex
	said    bytes.Buffer
}

func (p *guardProcess) Write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.said.Write(b)
}

// says waits until the guard has said a text, and returns all that it said.
func (p *guardProcess) says(t *testing.T, text string) string {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(5 * time.Millisecond) {
		p.mu.Lock()
		said := p.said.String()
		p.mu.Unlock()
		if strings.Contains(said, text) {
			return said
		}
		if time.Now().After(deadline) {
			t.Fatalf("the guard does not say %q, but\n%s", text, said)
		}
	}
}

// status returns the status of the answer to a robot.
func (p *guardProcess) status(t *testing.T, target, userAgent string) int {
	t.Helper()
	r, _ := http.NewRequest("GET", "http://"+p.address+target, nil)
	r.Header.Set("User-Agent", userAgent)
	answer, err := http.DefaultClient.Do(r)
	fatal.If(t, err)
	answer.Body.Close()
	return answer.StatusCode
}

// runService runs a service until the test ends, and waits until it listens.
func runService(t *testing.T, verb string, args ...string) *guardProcess {
	t.Helper()
	p := &guardProcess{address: ports.Address(t)}
	cmd := robotsProcess(t, append([]string{verb, "--listen", p.address}, args...)...)
	cmd.Stderr = p
	fatal.If(t, cmd.Start())
	p.signal = func(s os.Signal) { cmd.Process.Signal(s) }
	p.closed = sync.OnceValue(cmd.Wait) // a second Wait may wait for ever
	t.Cleanup(func() { cmd.Process.Kill(); p.closed() })
	p.wait = func() error { // cmd.Wait would wait for a successor too, which has the same standard error
		state, err := cmd.Process.Wait()
		if err == nil && !state.Success() {
			err = &exec.ExitError{ProcessState: state}
		}
		return err
	}
	p.says(t, "robots: listening at http")
	return p
}

// serves is what a process says that has handed its listener on.
var serves = regexp.MustCompile(`robots: process (\d+) serves now`)

// again waits until a process has handed the listener on so often, and returns the last one.
func (p *guardProcess) again(t *testing.T, number int) *os.Process {
	t.Helper()
	for {
		if said := serves.FindAllStringSubmatch(p.says(t, " serves now"), -1); len(said) == number {
			pid, _ := strconv.Atoi(said[number-1][1])
			process, err := os.FindProcess(pid)
			fatal.If(t, err)
			t.Cleanup(func() { process.Kill() })
			return process
		}
		time.Sleep(5 * time.Millisecond)
	}
}

// serveText serves a text at each path until the test ends, and returns the URL of the site.
func serveText(t *testing.T, text string) string {
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, text) }))
	t.Cleanup(site.Close)
	return site.URL
}

// readFile reads a file.
func readFile(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(name)
	fatal.If(t, err)
	return data
}

// changingSite serves a text until the test ends. It returns the URL of the site, and a function
// that changes the text.
func changingSite(t *testing.T, text string) (url string, serve func(text string)) {
	var now atomic.Value
	now.Store(text)
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		io.WriteString(w, now.Load().(string))
	}))
	t.Cleanup(site.Close)
	return site.URL, func(text string) { now.Store(text) }
}

// beforeSite runs a guard before a small site until the test ends.
func beforeSite(t *testing.T, args ...string) *guardProcess {
	t.Helper()
	return runService(t, "guard", append([]string{"--upstream", serveText(t, "page")}, args...)...)
}

// startGuard runs a guard with figures before a site until the test ends, and returns its address
// and that of its figures.
func startGuard(t *testing.T, site http.HandlerFunc, flags ...string) (address, figures string) {
	t.Helper()
	server := httptest.NewServer(site)
	t.Cleanup(server.Close)
	rules := put(t, filepath.Join(t.TempDir(), "robots.txt"), "User-agent: *\nDisallow: /private/\n")
	figures = ports.Address(t)
	return runService(t, "guard", append([]string{"--upstream", server.URL, "--robots", rules, "--metrics", figures},
		flags...)...).address, "http://" + figures
}
