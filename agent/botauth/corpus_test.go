package botauth

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// vectors reads a file of test vectors of the corpus, which is not part of this
// repository.
func vectors(t *testing.T, name string, into any) {
	t.Helper()
	dir := os.Getenv("ROBOTS_CORPUS")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "shared", "corpus")
	}
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		if os.Getenv("ROBOTS_CORPUS") != "" {
			t.Fatalf("ROBOTS_CORPUS names %s, which does not exist", dir)
		}
		t.Skip("the corpus is not here: set ROBOTS_CORPUS to its folder to run this")
	}
	data, err := os.ReadFile(filepath.Join(dir, "agents", "web-bot-auth", name))
	fatal.If(t, err)
	if err := json.Unmarshal(data, into); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}

// publicKey returns a key of the corpus without its private part.
func publicKey(t *testing.T, jwk map[string]any) Key {
	t.Helper()
	for _, member := range []string{"d", "p", "q", "dp", "dq", "qi"} {
		delete(jwk, member)
	}
	data, err := json.Marshal(jwk)
	fatal.If(t, err)
	key, err := ParseKey(data)
	fatal.If(t, err)
	return key
}

// The signed requests of both versions are verified, and only as they are.
func TestVectorsOfCorpus(t *testing.T) {
	for _, name := range []string{"web_bot_auth_architecture_v1.json", "web_bot_auth_architecture_v2.json"} {
		var tests []struct {
			Key            map[string]any
			TargetURL      string `json:"target_url"`
			CreatedMS      int64  `json:"created_ms"`
			ExpiresMS      int64  `json:"expires_ms"`
			Nonce          string
			Label          string
			Signature      string
			SignatureInput string  `json:"signature_input"`
			SignatureAgent *string `json:"signature_agent"`
			AgentKey       string  `json:"signature_agent_key"`
		}
		vectors(t, name, &tests)
		if len(tests) != 4 {
			t.Errorf("%s: got %d vectors, want 4", name, len(tests))
		}
		for i, test := range tests {
			req, err := http.NewRequest("GET", test.TargetURL, nil)
			fatal.If(t, err)
			req.Header.Set("Signature", test.Signature)
			req.Header.Set("Signature-Input", test.SignatureInput)
			agent := Agent{}
			if test.SignatureAgent != nil {
				req.Header.Set("Signature-Agent", *test.SignatureAgent)
				agent = Agent{Label: test.AgentKey, URL: "https://signature-agent.test", Type: "directory"}
			}
			key := publicKey(t, test.Key)
			v := &Verifier{
				Keys:          func(context.Context, Agent, string) (Key, error) { return key, nil },
				MaxValidity:   101 * 365 * 24 * time.Hour, // one of the second version
				AllowTestKeys: true,
			}
			created, expires := time.UnixMilli(test.CreatedMS), time.UnixMilli(test.ExpiresMS)
			got := v.Verify(req, created)
			if got.Result != Verified {
				t.Errorf("%s, %d: got %s", name, i, got)
			}
			if got.Label != test.Label || got.KeyID != key.ID() || got.Nonce != test.Nonce ||
				!got.Created.Equal(created) || !got.Expires.Equal(expires) || got.Agent != agent {
				t.Errorf("%s, %d: got %+v", name, i, got.Signature)
			}
			if got := v.Verify(req, expires.Add(2*time.Minute)); got.Reason != expired {
				t.Errorf("%s, %d, later: got %s", name, i, got)
			}
			req.Host = "other.example"
			if got := v.Verify(req, created); got.Reason != badSignature {
				t.Errorf("%s, %d, for another server: got %s", name, i, got)
			}
		}
	}
}

func TestThumbprintsOfCorpus(t *testing.T) {
	var tests []struct{ Name, JWK, Precompute, SHA256, Thumbprint string }
	vectors(t, "jwk-thumbprint-vectors.json", &tests)
	for _, test := range tests {
		var jwk map[string]any
		fatal.If(t, json.Unmarshal([]byte(test.JWK), &jwk))
		delete(jwk, "alg") // of the RSA key it is one that is not for us
		key := publicKey(t, jwk)
		members, err := json.Marshal(key.jwk())
		if err != nil || fmt.Sprintf("%x", members) != test.Precompute || key.ID() != test.Thumbprint {
			t.Errorf("%s: got %s, %s, %v", test.Name, members, key.ID(), err)
		}
	}
	var jwk map[string]any
	vectors(t, "rfc9421-ed25519.json", &jwk)
	if key := publicKey(t, jwk); key.ID() != rfcThumbprint {
		t.Errorf("the key of the RFC: got %s", key.ID())
	}
}

func TestAgentsOfCorpus(t *testing.T) {
	var tests []struct {
		Name, Header string
		Entries      []struct{ Label, URI, Type string }
	}
	vectors(t, "web_bot_auth_signature_agent_v1.json", &tests)
	for _, test := range tests {
		var want []Agent
		for _, e := range test.Entries {
			want = append(want, Agent{Label: e.Label, URL: e.URI, Type: e.Type})
		}
		if got, err := parseAgents(test.Header); err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: got %+v, %v, want %+v", test.Name, got, err, want)
		}
	}
}

func TestCardsOfCorpus(t *testing.T) {
	var tests []struct {
		Name, URL string
		Valid     bool
		Card      json.RawMessage
	}
	vectors(t, "web_bot_auth_signature_agent_card_v1.json", &tests)
	for _, test := range tests {
		c, err := ParseCard(test.URL, test.Card)
		if (err == nil) != test.Valid {
			t.Errorf("%s: got %v", test.Name, err)
		}
		if err == nil && c.KeysURL == "" && len(c.Keys.keys) == 0 {
			t.Errorf("%s: got no keys: %+v", test.Name, c)
		}
	}
}
