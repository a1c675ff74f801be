package main

import (
	"context"
	"encoding/json"
	"encoding/pem"
	"errors"
	"io"
	"log"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/agent/botauth"
	"github.com/robotsexclusion/robots/agent/keydir"
	"github.com/robotsexclusion/robots/internal/cli"
	"github.com/robotsexclusion/robots/internal/test/fatal"
	"github.com/robotsexclusion/robots/internal/test/scripttest"
	"github.com/robotsexclusion/robots/internal/userfile"
)

// newKey makes a key as robots agents key --new makes it, and returns its file and its public half.
func newKey(t *testing.T) (file string, public botauth.Key) {
	t.Helper()
	file = filepath.Join(t.TempDir(), "bot.pem")
	key, err := userfile.NewPrivateKey(file)
	fatal.If(t, err)
	if public, err = botauth.NewKey(key.Public()); err != nil {
		t.Fatal(err)
	}
	return file, public
}

// TestCrawlSign crawls a server that verifies each request.
func TestCrawlSign(t *testing.T) {
	t.Parallel()
	const agent = "https://bot.example.com"
	file, public := newKey(t)
	verifier := &botauth.Verifier{Nonces: new(botauth.Nonces), Keys: func(_ context.Context, a botauth.Agent,
		_ string) (botauth.Key, error) {
		if a.URL != agent {
			return botauth.Key{}, errors.New("another agent")
		}
		return public, nil
	}}
	var mu sync.Mutex
	verified := make(map[string]bool)
	if runtime.GOOS != "linux" {
		t.Skip("Go reads SSL_CERT_FILE on Linux")
	}
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		v := verifier.Verify(r, time.Now())
		if v.Result != botauth.Verified {
			t.Errorf("%s: %s", r.URL, v)
		}
		mu.Lock()
		defer mu.Unlock()
		verified[r.URL.Path] = true
		if r.URL.Path == "/" {
			w.Header().Set("Content-Type", "text/html")
			io.WriteString(w, `<a href="/a">a</a>`)
		}
	}))
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	s.StartTLS()
	defer s.Close()
	roots := filepath.Join(t.TempDir(), "roots.pem")
	fatal.If(t, os.WriteFile(roots, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.Certificate().Raw}),
		0o600))
	cmd := scripttest.Process(t, "robots", "crawl", "--dir", filepath.Join(t.TempDir(), "crawl"), "--no-index",
		"--allow-private", "--delay", "0s",
		"--user-agent", "ExampleBot/1.0 (+https://example.com/bot)", "--sign", file, "--signature-agent", agent, s.URL)
	cmd.Env = append(os.Environ(), "SSL_CERT_FILE="+roots, "SSL_CERT_DIR=")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	for _, path := range []string{"/robots.txt", "/", "/a"} {
		if !verified[path] {
			t.Errorf("%s was not requested: %v", path, verified)
		}
	}
}

// TestCrawlSignDescribed publishes what robots agents describe makes, as its user does, and has a
// crawl sign with the key. The server fetches the keys from where the requests say. A crawl with
// another key is refused.
func TestCrawlSignDescribed(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("Go reads SSL_CERT_FILE on Linux")
	}
	dir := t.TempDir()
	robots := filepath.Join(dir, "robots")
	build := exec.Command("go", "build", "-o", robots, "github.com/robotsexclusion/robots/cmd/robots")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	served := http.FileServer(http.Dir(filepath.Join(dir, "bot", "serve")))
	keys := &keydir.Client{UserAgent: "ExampleServer/1.0 (+https://example.org)"}
	verifier := &botauth.Verifier{Nonces: new(botauth.Nonces), Keys: keys.Key}
	var mu sync.Mutex
	results := make(map[botauth.Result]int)
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == botauth.DirectoryPath {
			w.Header().Set("Content-Type", botauth.DirectoryType)
			served.ServeHTTP(w, r)
			return
		}
		v := verifier.Verify(r, time.Now())
		mu.Lock()
		results[v.Result]++
		mu.Unlock()
		if v.Result != botauth.Verified {
			http.Error(w, v.String(), http.StatusForbidden)
			return
		}
		w.Header().Set("Content-Type", "text/html")
		if r.URL.Path == "/robots.txt" {
			w.Header().Set("Content-Type", "text/plain")
		} else if r.URL.Path == "/" {
			io.WriteString(w, `<a href="/a">a</a>`)
		}
	}))
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	s.StartTLS()
	defer s.Close()
	keys.Transport = s.Client().Transport
	roots := filepath.Join(dir, "roots.pem")
	fatal.If(t, os.WriteFile(roots, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.Certificate().Raw}),
		0o600))
	const userAgent = "ExampleBot/1.0 (+https://bot.example.com/)"
	description := filepath.Join(dir, "bot.json")
	text, err := json.Marshal(map[string]any{
		"token": "ExampleBot", "operator": "Example Inc.", "purposes": []string{"search"}, "about": "It reads pages.",
		"user_agent": userAgent, "page": s.URL + "/", "contact": []string{"mailto:bot@example.com"},
		"robots_txt": "yes",
	})
	fatal.If(t, err)
	fatal.If(t, os.WriteFile(description, text, 0o600))
	key := filepath.Join(dir, "bot.pem")
	if out, err := exec.CommandContext(t.Context(), robots, "agents", "describe", description, "--key", key, "--new",
		"--out", filepath.Join(dir, "bot")).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	crawl := func(folder, key string) map[botauth.Result]int {
		mu.Lock()
		clear(results)
		mu.Unlock()
		cmd := scripttest.Process(t, "robots", "crawl", "--dir", filepath.Join(dir, folder), "--no-index",
			"--allow-private", "--delay", "0s", "--user-agent", userAgent, "--sign", key,
			"--signature-agent", s.URL, s.URL)
		cmd.Env = append(os.Environ(), "SSL_CERT_FILE="+roots, "SSL_CERT_DIR=")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%v\n%s", err, out)
		}
		mu.Lock()
		defer mu.Unlock()
		return maps.Clone(results)
	}
	if got := crawl("right", key); got[botauth.Verified] < 3 || len(got) != 1 { // robots.txt and two pages
		t.Errorf("with the published key: %v", got)
	}
	other, _ := newKey(t)
	if got := crawl("wrong", other); got[botauth.Verified] > 0 || len(got) == 0 {
		t.Errorf("with another key: %v", got)
	}
}

// A crawl that cannot sign does not begin.
func TestCrawlSignRefused(t *testing.T) {
	t.Parallel()
	file, _ := newKey(t)
	exposed, _ := newKey(t)
	fatal.If(t, os.Chmod(exposed, 0o644))
	dir := filepath.Join(t.TempDir(), "crawl")
	as := []string{"crawl", "--dir", dir, "--user-agent", "ExampleBot/1.0 (+https://example.com/bot)"}
	for _, test := range []struct {
		args []string
		want string
	}{
		{append(as, "--sign", "missing.pem", "https://example.com/"),
			"robots: cannot read missing.pem: there is no such file"},
		{append(as, "--sign", file, "--signature-agent", "bot.example.com", "https://example.com/"),
			"robots: --signature-agent bot.example.com is not an https URL such as https://bot.example.com\n"},
		{append(as, "--signature-agent", "https://bot.example.com", "https://example.com/"),
			"robots: --signature-agent is for --sign: name the file of the private key\n"},
		{[]string{"crawl", "--dir", dir, "--demo", "--sign", file},
			"robots: --demo crawls a web without https, where nothing is signed: leave --sign out\n"},
		{append(slices.Clip(as), "--sign", exposed, "https://example.com/"),
			"robots: others may read the private key in " + exposed + " (its mode is 0644): "},
	} {
		if strings.HasSuffix(test.want, "(its mode is 0644): ") && runtime.GOOS == "windows" {
			continue // files there have no such mode
		}
		cmd := scripttest.Process(t, "robots", test.args...)
		out, _ := cmd.CombinedOutput()
		if status := cmd.ProcessState.ExitCode(); status != cli.StatusFailed ||
			!strings.HasPrefix(string(out), test.want) {
			t.Errorf("%q: status %d, %s", test.args, status, out)
		}
	}
	if _, err := os.Stat(dir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%s is there: %v", dir, err)
	}
}
