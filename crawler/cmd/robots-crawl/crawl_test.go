package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/internal/test/fatal"
	"github.com/robotsexclusion/robots/internal/test/scripttest"
)

// TestCrawlAsked asks a crawl in another process for its status, adds URLs to it, and kills
// it.
func TestCrawlAsked(t *testing.T) {
	t.Parallel()
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/robots.txt" {
			fmt.Fprint(w, "User-agent: *\nCrawl-delay: 3600\n")
		}
	}))
	defer site.Close()
	dir := filepath.Join(t.TempDir(), "crawl")
	fatal.If(t, os.MkdirAll(dir, 0o777))
	ask := func(status int, args ...string) string {
		t.Helper()
		out, err := scripttest.Process(t, "robots", append([]string{"crawl", args[0], "--dir", dir},
			args[1:]...)...).CombinedOutput()
		if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) || exit == nil && status != 0 ||
			exit != nil && exit.ExitCode() != status {
			t.Errorf("robots crawl %q: %v, want status %d\n%s", args, err, status, out)
		}
		return string(out)
	}
	cmd := scripttest.Process(t, "robots", "crawl", "--dir", dir, "--allow-private", "--delay", "0s", "--exclude",
		"/private", "--metrics", "0",
		"--user-agent", "ExampleBot/1.0 (+https://example.com/bot)", site.URL+"/")
	stderr, err := cmd.StderrPipe()
	fatal.If(t, err)
	fatal.If(t, cmd.Start())
	defer cmd.Process.Kill()
	lines := bufio.NewReader(stderr)
	line, err := lines.ReadString('\n')
	figures, ok := strings.CutPrefix(strings.TrimSuffix(line, "/metrics\n"), "robots: figures at ")
	if !ok || err != nil {
		t.Fatalf("got %q, %v", line, err)
	}
	go io.Copy(io.Discard, lines)
	get := func(path, host string) (int, string) {
		t.Helper()
		r, err := http.NewRequestWithContext(t.Context(), "GET", figures+path, nil)
		fatal.If(t, err)
		if host != "" {
			r.Host = host
		}
		resp, err := http.DefaultClient.Do(r)
		fatal.If(t, err)
		defer resp.Body.Close()
		text, err := io.ReadAll(resp.Body)
		fatal.If(t, err)
		return resp.StatusCode, string(text)
	}
	for began := time.Now(); ; time.Sleep(20 * time.Millisecond) {
		status, text := get("/metrics", "")
		if status != 200 || !strings.Contains(text, "\nrobots_crawl_running ") {
			t.Fatalf("%d: %s", status, text)
		}
		if strings.Contains(text, `robots_crawl_hosts{wait="crawl-delay"} 1`) {
			if !strings.Contains(text, "\nrobots_crawl_running 1\n") ||
				!strings.Contains(text, "\nrobots_crawl_urls{state=\"queued\"} 1\n") ||
				!strings.Contains(text, "\ngo_goroutines ") {
				t.Errorf("%s", text)
			}
			break
		}
		if time.Since(began) > time.Minute {
			t.Fatal("the host does not wait")
		}
	}
	for _, test := range []struct {
		path, host string
		status     int
		text       string
	}{
		{"/status?hosts=1", "", 200, `"hosts":[{"origin":"` + site.URL},
		{"/status?hosts=x", "", 400, `"error"`},
		{"/debug/pprof/", "", 200, "goroutine"},
		{"/debug/pprof/goroutine?debug=1", "localhost", 200, "goroutine profile"},
		{"/metrics", "evil.example", 421, ""},
		{"/status", "evil.example:80", 421, ""},
		{"/urls", "", 404, ""},
	} {
		if status, text := get(test.path, test.host); status != test.status || !strings.Contains(text, test.text) {
			t.Errorf("%s of %q: %d, %s", test.path, test.host, status, text)
		}
	}

	if out := ask(0, "status"); !strings.HasPrefix(out, "running for ") ||
		!strings.Contains(out, "  "+site.URL+"  0 done  1 queued  until ") ||
		!strings.Contains(out, ": Crawl-delay: 1h0m0s, line 2 of robots.txt\n") {
		t.Errorf("%s", out)
	}
	if out := ask(0, "status", "127.0.0.1"); !strings.Contains(out, "\n  next:\n    "+site.URL+"/\n") {
		t.Errorf("%s", out)
	}
	ask(1, "status", "example.com")
	if out := ask(2, "status", "\x1b[2J\u202e"); strings.ContainsAny(out, "\x1b\u202e") {
		t.Errorf("%q", out)
	}
	if out := ask(0, "add", site.URL+"/new", site.URL); out != "1 URL added, 1 known already\n" {
		t.Errorf("%s", out)
	}
	if out := ask(1, "add", "--json", site.URL+"/new", site.URL+"/private"); out != `{"urls":[{"url":"`+site.URL+
		`/new","known":true},{"url":"`+site.URL+`/private","reason":"excluded"}]}`+"\n" {
		t.Errorf("%s", out)
	}
	if out := ask(1, "add", site.URL+"/private"); out != "not taken: "+site.URL+"/private: excluded\n0 URLs added\n" {
		t.Errorf("%s", out)
	}

	// The journal has a log, and no inbox: only crawls on several machines use inboxes.
	if streams, err := filepath.Glob(filepath.Join(dir, "journal", "jetstream", "$G", "streams", "*")); err != nil ||
		len(streams) != 1 || filepath.Base(streams[0]) != "crawl-log-0" {
		t.Errorf("the journal has the streams %q, %v", streams, err)
	}

	// A second crawl in the same folder is refused, and does no harm.
	second := scripttest.Process(t, "robots", "crawl", "--dir", dir, "--allow-private", "--user-agent",
		"ExampleBot/1.0 (+https://example.com/bot)")
	if out, err := second.CombinedOutput(); err == nil ||
		!strings.Contains(string(out), "robots: crawl: a crawl already runs in "+dir+": ") {
		t.Errorf("a second crawl: %v, %s", err, out)
	}
	if out := ask(0, "status", "--json"); !strings.Contains(out, `"state":"running"`) ||
		!strings.Contains(out, `"queued":2,`) {
		t.Errorf("%s", out)
	}

	cmd.Process.Kill()
	cmd.Wait()
	if out := ask(0, "status"); !strings.HasPrefix(out, "killed: it goes on when it is started again in ") {
		t.Errorf("%s", out)
	}
	if out := ask(2, "add", site.URL); !strings.HasPrefix(out, "robots: no crawl runs in ") {
		t.Errorf("%s", out)
	}
}
