package botauth

import (
	"crypto/ed25519"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/internal/test/fatal"
)

func seconds(n int) time.Duration { return time.Duration(n) * time.Second }

// A signed request is verified after it went over the wire.
func TestSign(t *testing.T) {
	verdicts := make(chan Verdict, 1)
	v := &Verifier{Keys: published(botURL, botKey)}
	server := httptest.NewTLSServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		verdicts <- v.Verify(r, now)
	}))
	defer server.Close()
	for name, test := range map[string]struct {
		signer  Signer
		url     string
		covered []string
	}{
		"as it is": {Signer{}, "/path?x=1", []string{`"@method"`, `"@authority"`, `"@path"`,
			`"signature-agent";key="sig1"`}},
		"no path": {Signer{}, "", []string{`"@method"`, `"@authority"`, `"@path"`, `"signature-agent";key="sig1"`}},
		"odd path": {Signer{}, "/a b/%2f//ü?q=ü", []string{`"@method"`, `"@authority"`, `"@path"`,
			`"signature-agent";key="sig1"`}},
		"more covered": {Signer{Cover: []string{"@target-uri", "@query", "user-agent", "accept"}, Label: "bot-1"},
			"/%41?",
			[]string{`"@authority"`, `"@target-uri"`, `"@query"`, `"user-agent"`, `"accept"`,
				`"signature-agent";key="bot-1"`}},
		"as little as can be": {Signer{Cover: []string{}}, "/",
			[]string{`"@authority"`, `"signature-agent";key="sig1"`}},
	} {
		s := test.signer
		s.Key, s.Agent = botKey, botURL
		req, err := http.NewRequest("GET", server.URL+test.url, nil)
		fatal.If(t, err)
		req.Header.Set("User-Agent", "ExampleBot/1.0")
		req.Header.Add("Accept", "text/html")
		req.Header.Add("Accept", "  text/plain ")
		var nonces []string
		for range 2 { // a second time replaces the first
			if err := s.Sign(req, now); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			resp, err := server.Client().Do(req)
			fatal.If(t, err)
			resp.Body.Close()
			got := <-verdicts
			if got.Result != Verified || got.Agent.URL != botURL || !slices.Equal(got.Covered, test.covered) {
				t.Errorf("%s: got %s", name, got)
			}
			if !got.Created.Equal(now) || !got.Expires.Equal(now.Add(5*time.Minute)) {
				t.Errorf("%s: valid from %s to %s", name, got.Created, got.Expires)
			}
			nonces = append(nonces, got.Nonce)
		}
		if nonces[0] == nonces[1] || len(nonces[0]) != 88 {
			t.Errorf("%s: got the nonces %q", name, nonces)
		}
	}
}

// Without an agent, those who know the key can verify it.
func TestSignNoAgent(t *testing.T) {
	req, err := http.NewRequest("GET", "https://example.com/", nil)
	fatal.If(t, err)
	req.Header = nil
	s := &Signer{Key: botKey, Validity: time.Hour}
	fatal.If(t, s.Sign(req, now))
	if got := (&Verifier{Keys: published("", botKey)}).Verify(req, now); got.Result != Verified ||
		got.Agent != (Agent{}) {
		t.Errorf("got %s", got)
	}
}

func TestSignRefuses(t *testing.T) {
	good := Signer{Key: botKey, Agent: botURL}
	for name, change := range map[string]func(*Signer){
		"no key":                  func(s *Signer) { s.Key = nil },
		"half a key":              func(s *Signer) { s.Key = s.Key[:32] },
		"a bad public part":       func(s *Signer) { s.Key = append(slices.Clone(s.Key[:32]), make([]byte, 32)...) },
		"an agent without TLS":    func(s *Signer) { s.Agent = "http://bot.example.com" },
		"an agent that is a name": func(s *Signer) { s.Agent = "bot.example.com" },
		"an agent not in ASCII":   func(s *Signer) { s.Agent = "https://bücher.example" },
		"a label in capitals":     func(s *Signer) { s.Label = "Sig" },
		"a label with a blank":    func(s *Signer) { s.Label = "sig 1" },
		"a label that is a star":  func(s *Signer) { s.Label = "*" },
		"no time":                 func(s *Signer) { s.Validity = time.Millisecond },
		"a time that is over":     func(s *Signer) { s.Validity = -time.Hour },
		"a field that is missing": func(s *Signer) { s.Cover = []string{"accept"} },
		"a field in capitals":     func(s *Signer) { s.Cover = []string{"User-Agent"} },
		"an unknown component":    func(s *Signer) { s.Cover = []string{"@later"} },
		"the same twice":          func(s *Signer) { s.Cover = []string{"@authority"} },
	} {
		req, err := http.NewRequest("GET", "https://example.com/", nil)
		fatal.If(t, err)
		req.Header.Set("User-Agent", "ExampleBot/1.0")
		s := good
		change(&s)
		if err := s.Sign(req, now); err == nil {
			t.Errorf("%s: no error", name)
		}
		if len(req.Header) != 1 {
			t.Errorf("%s: the request has the fields %v", name, req.Header)
		}
	}
	if len(botKey) != ed25519.PrivateKeySize {
		t.Error("the key was changed")
	}
}
