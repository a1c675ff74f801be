package oracle_test

import (
	"bufio"
	"context"
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/agent/botauth"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// A signatureQuestion is a question for npm/botauth.mjs.
type signatureQuestion struct {
	Library string            `json:"library"`
	Do      string            `json:"do"`
	JWK     map[string]string `json:"jwk"`
	KeyID   string            `json:"keyid"`
	URL     string            `json:"url"`
	Header  map[string]string `json:"header"`
	Created int64             `json:"created"`
	Expires int64             `json:"expires"`
}

// A signatureAnswer is an answer of npm/botauth.mjs.
type signatureAnswer struct {
	Header   map[string]string
	Verified bool
	Error    string
}

// TestSignatures compares signatures of requests with two other implementations: what one signs,
// the other verifies, and nobody verifies the signature for another URL.
func TestSignatures(t *testing.T) {
	ask := startSignatures(t)
	private := ed25519.NewKeyFromSeed([]byte(strings.Repeat("o", ed25519.SeedSize)))
	public, err := botauth.NewKey(private.Public())
	fatal.If(t, err)
	encode := base64.RawURLEncoding.EncodeToString
	publicJWK := map[string]string{"kty": "OKP", "crv": "Ed25519", "x": encode(private.Public().(ed25519.PublicKey))}
	privateJWK := map[string]string{"kty": "OKP", "crv": "Ed25519", "x": publicJWK["x"], "d": encode(private.Seed())}
	verifier := &botauth.Verifier{Keys: func(context.Context, botauth.Agent, string) (botauth.Key,
		error) {
		return public, nil
	}}
	now := time.Now()
	for _, library := range []string{"web-bot-auth", "http-message-signatures"} {
		for _, url := range []string{"https://example.com/", "https://example.com/a%2Fb?c=d&e",
			"https://example.com:8443/%C3%A9", "http://example.com/x"} {
			for _, agent := range []string{"", "https://bot.example.com"} {
				name := fmt.Sprintf("%s, %s, agent %q", library, url, agent)
				// We sign.
				req, err := http.NewRequest(http.MethodGet, url, nil)
				fatal.If(t, err)
				fatal.If(t, (&botauth.Signer{Key: private, Agent: agent}).Sign(req, now.Add(-time.Second)))
				header := make(map[string]string)
				for field := range req.Header {
					header[strings.ToLower(field)] = req.Header.Get(field)
				}
				q := signatureQuestion{Library: library, Do: "verify", JWK: publicJWK, URL: url, Header: header}
				want := true
				if library == "web-bot-auth" && agent != "" {
					// Version 0.1.3 takes the whole field for a member of Signature-Agent, which
					// the draft has covered since 2026.
					want = false
				}
				if a := ask(q); a.Verified != want {
					t.Errorf("%s: they say of our signature %+v", name, a)
				}
				q.URL = strings.Replace(url, "example.com", "other.example", 1)
				if a := ask(q); a.Verified {
					t.Errorf("%s: they say of our signature for another host %+v", name, a)
				}
				// They sign.
				q = signatureQuestion{
					Library: library, Do: "sign", JWK: privateJWK, KeyID: public.ID(), URL: url,
					Header:  map[string]string{},
					Created: now.Unix() - 1, Expires: now.Unix() + 300,
				}
				if agent != "" {
					q.Header["signature-agent"] = `"` + agent + `"`
				}
				a := ask(q)
				if a.Error != "" {
					t.Fatalf("%s: they cannot sign: %s", name, a.Error)
				}
				req, err = http.NewRequest(http.MethodGet, url, nil)
				fatal.If(t, err)
				for _, fields := range []map[string]string{q.Header, a.Header} {
					for field, value := range fields {
						req.Header.Set(field, value)
					}
				}
				if got := verifier.Verify(req, now); got.Result != botauth.Verified || got.Agent.URL != agent ||
					got.KeyID != public.ID() {
					t.Errorf("%s: we say of their signature %s", name, got)
				}
				req.Host = "other.example"
				if got := verifier.Verify(req, now); got.Result != botauth.Forged {
					t.Errorf("%s: we say of their signature for another host %s", name, got)
				}
			}
		}
	}
}

// startSignatures starts npm/botauth.mjs, and returns a function that asks it.
func startSignatures(t *testing.T) func(signatureQuestion) signatureAnswer {
	t.Helper()
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("node is not installed")
	}
	for _, library := range []string{"web-bot-auth", "http-message-signatures"} {
		if _, err := os.Stat(filepath.Join("npm", "node_modules", library)); errors.Is(err, fs.ErrNotExist) {
			t.Skipf(`%s is not installed: run "npm ci" in oracle/npm`, library)
		}
	}
	cmd := exec.CommandContext(t.Context(), node, filepath.Join("npm", "botauth.mjs"))
	cmd.Stderr = t.Output()
	in, err := cmd.StdinPipe()
	fatal.If(t, err)
	out, err := cmd.StdoutPipe()
	fatal.If(t, err)
	fatal.If(t, cmd.Start())
	t.Cleanup(func() {
		in.Close()
		cmd.Wait()
	})
	lines := bufio.NewScanner(out)
	return func(q signatureQuestion) (a signatureAnswer) {
		t.Helper()
		fatal.If(t, json.NewEncoder(in).Encode(q))
		if !lines.Scan() {
			t.Fatalf("npm/botauth.mjs ended: %v", lines.Err())
		}
		if err := json.Unmarshal(lines.Bytes(), &a); err != nil {
			t.Fatalf("%v: %s", err, lines.Text())
		}
		return a
	}
}
