//go:build unix

package main

import (
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/robotsexclusion/robots/audit/accesslog"
	"github.com/robotsexclusion/robots/internal/test/fatal"
	"github.com/robotsexclusion/robots/internal/test/ports"
)

// TestServeLog reads the log of a service as "robots audit" does: before and after a rotation, with
// the addresses that a trusted proxy names, and with text of strangers escaped. The figures count
// the same requests.
func TestServeLog(t *testing.T) {
	t.Parallel()
	name := filepath.Join(t.TempDir(), "access.jsonl")
	figures := ports.Address(t)
	p := startService(t, "--access-log", name, "--trust", "127.0.0.1", "--metrics", figures)
	const trace = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
	ask := func(target, userAgent string) {
		t.Helper()
		r, _ := http.NewRequest("GET", "http://"+p.address+target, nil)
		r.Header.Set("User-Agent", userAgent)
		r.Header.Set("Traceparent", trace)
		r.Header.Set("X-Forwarded-For", "192.0.2.1, 198.51.100.7")
		answer, err := http.DefaultClient.Do(r)
		fatal.If(t, err)
		answer.Body.Close()
	}
	const evil = "evil\"}\u202e"
	ask("/healthz", "GPTBot/1.0")
	ask("/v1/match?url=http://127.0.0.1/x", evil)
	fatal.If(t, os.Rename(name, name+".1"))
	p.signal(syscall.SIGHUP)
	p.says(t, "robots: "+name+" was opened again")
	ask("/nowhere", "GPTBot/1.0")
	answer, err := http.Get("http://" + figures + "/metrics")
	fatal.If(t, err)
	text, err := io.ReadAll(answer.Body)
	answer.Body.Close()
	if err != nil || !strings.Contains(string(text),
		`robots_serve_requests_total{route="GET /healthz",status="200"} 1`) {
		t.Errorf("the figures are %s, %v", text, err)
	}
	p.signal(syscall.SIGTERM)
	if err := p.wait(); err != nil {
		t.Error(err)
	}
	var got []string
	for _, name := range []string{name + ".1", name} {
		text := readFile(t, name)
		if strings.Contains(string(text), "\u202e") {
			t.Errorf("%s has text of strangers unescaped: %s", name, text)
		}
		scan := new(accesslog.Reader).Open(name)
		for r, err := range scan.Requests() {
			fatal.If(t, err)
			if r.Client.String() != "198.51.100.7" || string(r.Host) != strings.Split(p.address, ":")[0] || !r.Zoned ||
				r.Duration <= 0 || r.Bytes <= 0 || !strings.Contains(string(r.Text), `"traceparent":"`+trace+`"`) {
				t.Errorf("got %+v: %s", r, r.Text)
			}
			got = append(got, filepath.Base(name)+" "+string(r.Target)+" "+http.StatusText(r.Status)+" "+
				string(r.UserAgent))
		}
	}
	want := []string{
		"access.jsonl.1 /healthz OK GPTBot/1.0",
		"access.jsonl.1 /v1/match?url=http://127.0.0.1/x Forbidden " + evil,
		"access.jsonl /nowhere Not Found GPTBot/1.0",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got %q", got)
	}
}
