package main

import (
	"context"
	"encoding/pem"
	"errors"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/agent/botauth"
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

// A crawl that cannot sign does not begin.
func TestCrawlSignRefused(t *testing.T) {
	t.Parallel()
	file, _ := newKey(t)
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
	} {
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
