package main

import (
	"bytes"
	"encoding/json"
	"encoding/pem"
	"errors"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/agent/botauth"
	"github.com/robotsexclusion/robots/internal/test/fatal"
	"github.com/robotsexclusion/robots/internal/userfile"
)

// A tlsSite is a server with TLS that the command trusts.
type tlsSite struct {
	*httptest.Server
	roots string // the file with its certificate
}

func newTLSSite(t *testing.T, h http.HandlerFunc) *tlsSite {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("Go reads SSL_CERT_FILE on Linux")
	}
	s := &tlsSite{httptest.NewUnstartedServer(h), filepath.Join(t.TempDir(), "roots.pem")}
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	s.StartTLS()
	t.Cleanup(s.Close)
	text := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.Certificate().Raw})
	fatal.If(t, os.WriteFile(s.roots, text, 0o600))
	return s
}

// run runs the command with standard input, and returns its output and exit status.
func (s *tlsSite) run(t *testing.T, stdin string, args ...string) (stdout, stderr string, status int) {
	t.Helper()
	cmd := robotsProcess(t, args...)
	cmd.Env = append(os.Environ(), "SSL_CERT_FILE="+s.roots, "SSL_CERT_DIR=")
	cmd.Stdin = strings.NewReader(stdin)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		e := (*exec.ExitError)(nil)
		if !errors.As(err, &e) {
			t.Fatal(err)
		}
		status = e.ExitCode()
	}
	return out.String(), errs.String(), status
}

// newSigner makes a key as the command makes it, and returns a signer with it and its file.
func newSigner(t *testing.T, agent string) (s *botauth.Signer, file string) {
	t.Helper()
	file = filepath.Join(t.TempDir(), "bot.pem")
	key, err := userfile.NewPrivateKey(file)
	fatal.If(t, err)
	return &botauth.Signer{Key: key, Agent: agent}, file
}

// signedHead returns the head of a signed request.
func signedHead(t *testing.T, s *botauth.Signer) string {
	t.Helper()
	r := httptest.NewRequest(http.MethodGet, "https://www.example.org/path?x=1", nil)
	fatal.If(t, s.Sign(r, time.Now()))
	var b strings.Builder
	b.WriteString("GET /path?x=1 HTTP/1.1\nHost: www.example.org\n")
	r.Header.Write(&b)
	return b.String()
}

// TestVerifyRequest judges requests with keys that the command fetches.
func TestVerifyRequest(t *testing.T) {
	var mu sync.Mutex
	var directory func(w http.ResponseWriter, r *http.Request)
	s := newTLSSite(t, func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		directory(w, r)
	})
	good, file := newSigner(t, s.URL)
	other, _ := newSigner(t, s.URL)
	body, errs, status := s.run(t, "", "agents", "key", file)
	if status != 0 || errs != "" {
		t.Fatalf("agents key: exit status %d, %s", status, errs)
	}
	host := strings.TrimPrefix(s.URL, "https://")
	fields, errs, status := s.run(t, "", "agents", "key", file, "--headers", host)
	if status != 0 {
		t.Fatalf("agents key --headers: exit status %d, %s", status, errs)
	}
	set := func(with string) {
		mu.Lock()
		defer mu.Unlock()
		directory = func(w http.ResponseWriter, r *http.Request) {
			for line := range strings.Lines(with) {
				name, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), ": ")
				w.Header().Set(name, value)
			}
			io.WriteString(w, body)
		}
	}
	set(fields)
	verify := func(head string, args ...string) (string, string, int) {
		return s.run(t, head, append([]string{"agents", "verify", "--request", "-"}, args...)...)
	}
	out, errs, status := verify(signedHead(t, good), "--allow-private")
	if status != 0 || errs != "" || !strings.HasPrefix(out, "verified: signed by "+host+
		"\n    request    GET https://www.example.org/path?x=1\n") ||
		!strings.Contains(out, "    keys       "+s.URL+botauth.DirectoryPath+", which this key has signed\n") {
		t.Errorf("exit status %d, %s\n%s", status, errs, out)
	}
	out, errs, status = verify(signedHead(t, good), "--allow-private", "--json")
	var result struct {
		Method, URL string
		Signatures  []struct {
			Result, Reason, Tag, Host, Keys, Keyid string
			Possessed                              bool
			Covered                                []string
		}
	}
	if err := json.Unmarshal([]byte(out), &result); err != nil || status != 0 || len(result.Signatures) != 1 {
		t.Fatalf("exit status %d, %s, %v\n%s", status, errs, err, out)
	}
	if got := result.Signatures[0]; got.Result != "verified" || got.Reason != "valid" || got.Tag != "web-bot-auth" ||
		got.Host != host || !got.Possessed || len(got.Covered) != 4 {
		t.Errorf("got %+v", result)
	}
	set("Content-Type: " + botauth.DirectoryType) // without signatures
	if out, errs, status = verify(signedHead(t, good), "--allow-private"); status != 0 ||
		!strings.Contains(out, ", which this key has not signed\n") {
		t.Errorf("exit status %d, %s\n%s", status, errs, out)
	}
	if out, errs, status = verify(signedHead(t, other), "--allow-private"); status != 1 ||
		!strings.Contains(out, "does not publish this key") {
		t.Errorf("another key: exit status %d, %s\n%s", status, errs, out)
	}
	if out, errs, status = verify(strings.Replace(signedHead(t, good), "/path", "/other", 1),
		"--allow-private"); status != 1 || !strings.HasPrefix(out, "forged: ") {
		t.Errorf("another path: exit status %d, %s\n%s", status, errs, out)
	}
	if out, errs, status = verify(signedHead(t, good)); status != 2 || !strings.HasPrefix(out, "unverifiable: ") ||
		!strings.Contains(out, "loopback") {
		t.Errorf("at a special address: exit status %d, %s\n%s", status, errs, out)
	}
	set("Content-Type: text/html")
	if out, errs, status = verify(signedHead(t, good), "--allow-private"); status != 2 ||
		!strings.Contains(out, `its media type is "text/html"`) {
		t.Errorf("no directory: exit status %d, %s\n%s", status, errs, out)
	}
}
