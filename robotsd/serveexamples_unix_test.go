//go:build unix

package main

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/robotsexclusion/robots/internal/test/fatal"
	"github.com/robotsexclusion/robots/internal/test/ports"
)

// TestServeExamples runs the examples for clients against a service that wants a token and is busy
// at first.
func TestServeExamples(t *testing.T) {
	t.Parallel()
	site := serveText(t, "User-agent: *\nDisallow: /private/\nDisallow: /*\"allowed\":true\n")
	const token = "0123456789abcdef0123"
	tokens := filepath.Join(t.TempDir(), "tokens")
	fatal.If(t, os.WriteFile(tokens, []byte(token+"\n"), 0o600))
	p := startService(t, "--allow-private", "--tokens", tokens)
	for _, example := range []struct{ program, needs, file string }{
		{"sh", "curl", "ask.sh"},
		{"python3", "python3", "ask.py"},
		{"node", "node", "ask.mjs"},
	} {
		t.Run(example.file, func(t *testing.T) {
			t.Parallel()
			for _, name := range []string{example.program, example.needs} {
				if _, err := exec.LookPath(name); err != nil {
					t.Skipf("%s is not installed, which the example uses", name)
				}
			}
			ask := func(service, token string, urls ...string) (output, said string, status int) {
				t.Helper()
				cmd := exec.Command(example.program, append([]string{"../examples/serve/" + example.file, service,
					"ExampleBot"}, urls...)...)
				cmd.Env = append(os.Environ(), "ROBOTS_TOKEN="+token, "no_proxy=*", "NO_PROXY=*")
				var stderr strings.Builder
				cmd.Stderr = &stderr
				out, err := cmd.Output()
				if _, ok := errors.AsType[*exec.ExitError](err); err != nil && !ok {
					t.Fatal(err)
				}
				return string(out), stderr.String(), cmd.ProcessState.ExitCode()
			}
			for _, args := range [][]string{nil, {"http://127.0.0.1"}, {"http://127.0.0.1", "ExampleBot"}} {
				cmd := exec.Command(example.program, append([]string{"../examples/serve/" + example.file}, args...)...)
				out, _ := cmd.CombinedOutput()
				if want := "usage: " + example.program + " " + example.file + " SERVICE ROBOT URL...\n"; string(out) !=
					want || cmd.ProcessState.ExitCode() != 2 {
					t.Errorf("with %q: got %d, %q, want %q", args, cmd.ProcessState.ExitCode(), out, want)
				}
			}
			service := "http://" + p.address
			open, shut, odd := site+"/a?b=c&d=%20+ü", site+"/private/x", site+`/x"allowed":true`
			output, said, status := ask(busyOnce(t, service), token, open, shut, odd, open)
			if want := "yes " + open + "\nno " + shut + "\nno " + odd + "\nyes " + open + "\n"; output != want ||
				status != 1 {
				t.Errorf("exits with %d, prints\n%s%s, want\n%s", status, output, said, want)
			}
			if output, said, status = ask(service, token, open); output != "yes "+open+"\n" || status != 0 {
				t.Errorf("exits with %d, prints %q, says %q", status, output, said)
			}
			for _, c := range []struct{ service, token, url, want string }{
				{service, token, "mailto:x", "bad-url"},
				{service, "wrong", open, "unauthorized"},
				{"http://" + ports.Address(t), token, open, ""},
			} {
				if output, said, status = ask(c.service, c.token, c.url); output != "" || status != 2 ||
					!strings.Contains(said, c.want) || said == "" {
					t.Errorf("%s of %s: exits with %d, prints %q, says %q", c.url, c.service, status, output, said)
				}
			}
		})
	}
}

// busyOnce returns the URL of a proxy of a service that refuses its first request, as a busy
// service does.
func busyOnce(t *testing.T, service string) string {
	t.Helper()
	to, err := url.Parse(service)
	fatal.If(t, err)
	proxy := httputil.NewSingleHostReverseProxy(to)
	var asked atomic.Bool
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !asked.Swap(true) {
			w.Header().Set("Retry-After", "1")
			w.Header().Set("Content-Type", "application/problem+json")
			w.WriteHeader(http.StatusServiceUnavailable)
			io.WriteString(w, `{"type":"busy","status":503}`)
			return
		}
		proxy.ServeHTTP(w, r)
	}))
	t.Cleanup(s.Close)
	return s.URL
}
