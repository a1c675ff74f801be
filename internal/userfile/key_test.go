package userfile_test

import (
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots/internal/test/fatal"
	"github.com/robotsexclusion/robots/internal/userfile"
)

// TestNewPrivateKey makes a key, and reads it again.
func TestNewPrivateKey(t *testing.T) {
	name := filepath.Join(t.TempDir(), "bot.pem")
	made, err := userfile.NewPrivateKey(name)
	fatal.If(t, err)
	read, err := userfile.PrivateKey(name)
	if err != nil || !read.Equal(made) {
		t.Errorf("got another key, %v", err)
	}
	before, err := os.ReadFile(name)
	fatal.If(t, err)
	if _, err := userfile.NewPrivateKey(name); err == nil || !strings.Contains(err.Error(), "exists already") {
		t.Errorf("a second time: got %v", err)
	}
	if after, err := os.ReadFile(name); err != nil || string(after) != string(before) {
		t.Errorf("the key was replaced: %v", err)
	}
	if _, err := userfile.NewPrivateKey(filepath.Join(t.TempDir(), "no", "bot.pem")); err == nil {
		t.Error("in a folder that does not exist: no error")
	}
	if runtime.GOOS == "windows" {
		return
	}
	info, err := os.Stat(name)
	if err != nil || info.Mode() != 0o600 {
		t.Errorf("the file has the mode %v, %v", info.Mode(), err)
	}
	for _, mode := range []os.FileMode{0o640, 0o604, 0o620, 0o644} {
		fatal.If(t, os.Chmod(name, mode))
		if _, err := userfile.PrivateKey(name); err == nil || !strings.Contains(err.Error(), "chmod 600") {
			t.Errorf("with the mode %v: got %v", mode, err)
		}
	}
	fatal.If(t, os.Chmod(name, 0o400))
	if _, err := userfile.PrivateKey(name); err != nil {
		t.Errorf("read only: got %v", err)
	}
}

// TestPrivateKey reads keys in all forms, and what is none.
func TestPrivateKey(t *testing.T) {
	// The key of RFC 9421, appendix B.1.4, in its two forms.
	const jwk = `{"kty":"OKP","crv":"Ed25519","kid":"test-key-ed25519","d":"n4Ni-HpISpVObnQMW0wOhCKROaIKqKtW_2ZYb2p9KcU","x":"JrQLj5P_89iXES9-vFgrIy29clF9CC_oPPsw3c5D0bs"}`
	const pkcs8 = "-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEIJ+DYvh6SEqVTm50DFtMDoQikTmiCqirVv9mWG9qfSnF\n-----END PRIVATE KEY-----\n"
	seed, err := base64.RawURLEncoding.DecodeString("n4Ni-HpISpVObnQMW0wOhCKROaIKqKtW_2ZYb2p9KcU")
	fatal.If(t, err)
	ec, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	fatal.If(t, err)
	der, err := x509.MarshalPKCS8PrivateKey(ec)
	fatal.If(t, err)
	for _, test := range []struct{ name, text, err string }{
		{"JWK", jwk, ""},
		{"JWK with blanks", "\n " + jwk + "\n", ""},
		{"PKCS8", pkcs8, ""},
		{"PKCS8 with CRLF and text before", strings.ReplaceAll("key of the bot\n"+pkcs8, "\n", "\r\n"), ""},
		{"nothing", "", "it is not a private key"},
		{"large", strings.Repeat(" ", 100_000), "too large"},
		{"another key", string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der})), "not of Ed25519"},
		{"a broken key", "-----BEGIN PRIVATE KEY-----\nMC4C\n-----END PRIVATE KEY-----\n", "is broken"},
		{"an encrypted key", strings.ReplaceAll(pkcs8, "PRIVATE", "ENCRYPTED PRIVATE"), "is encrypted"},
		{"a key of ssh", strings.ReplaceAll(pkcs8, "PRIVATE", "OPENSSH PRIVATE"), "a key of ssh"},
		{"a public key", strings.ReplaceAll(pkcs8, "PRIVATE", "PUBLIC"), `it has a "PUBLIC KEY"`},
		{"a public JWK", strings.Replace(jwk, `"d"`, `"D2"`, 1), "has no private part"},
		{"a short JWK", strings.Replace(jwk, `"n4Ni`, `"`, 1), "is broken"},
		{"a JWK of two keys", strings.Replace(jwk, `"JrQL`, `"JrQM`, 1), "is not that of its private part"},
		{"a JWK of another kind", strings.Replace(jwk, `"OKP"`, `"EC"`, 1), "not of Ed25519"},
		{"no JWK", "{", "not a JSON Web Key"},
	} {
		name := filepath.Join(t.TempDir(), "key")
		fatal.If(t, os.WriteFile(name, []byte(test.text), 0o600))
		key, err := userfile.PrivateKey(name)
		if test.err == "" {
			if err != nil || !key.Equal(ed25519.NewKeyFromSeed(seed)) {
				t.Errorf("%s: got %v", test.name, err)
			}
			continue
		}
		if err == nil || !strings.Contains(err.Error(), test.err) || strings.Contains(err.Error(), "n4Ni") {
			t.Errorf("%s: got %v", test.name, err)
		}
	}
	for _, name := range []string{"-", t.TempDir(), filepath.Join(t.TempDir(), "missing")} {
		if _, err := userfile.PrivateKey(name); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
