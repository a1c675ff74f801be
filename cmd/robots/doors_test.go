package main

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/ask"
	"github.com/robotsexclusion/robots/cmd/internal/wasm/engine"
	"github.com/robotsexclusion/robots/fetch"
	"github.com/robotsexclusion/robots/internal/test/fatal"
	"github.com/robotsexclusion/robots/server"
)

const doorsText = `User-agent: *
Allow: /
User-agent: GPTBot
User-agent: Googlebot
User-agent: NewBot
User-agent: msnbot
Disallow: /closed
`

// A door answers whether a robot may fetch /closed under doorsText: "allowed", "disallowed" or
// "refused".
type door func(t *testing.T, name string) string

func verdictOf(allowed bool) string {
	if allowed {
		return "allowed"
	}
	return "disallowed"
}

type textTransport string

func (text textTransport) RoundTrip(req *http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: 200, ProtoMajor: 1, ProtoMinor: 1, Header: http.Header{}, Request: req,
		Body: io.NopCloser(strings.NewReader(string(text)))}, nil
}

// answerOf reads the first answer of a door that speaks JSON.
func answerOf(t *testing.T, data []byte) string {
	t.Helper()
	var a struct {
		Allowed *bool
		Results []struct{ Allowed *bool }
	}
	if err := json.NewDecoder(bytes.NewReader(data)).Decode(&a); err != nil {
		t.Fatalf("%v: %q", err, data)
	}
	switch {
	case a.Allowed != nil:
		return verdictOf(*a.Allowed)
	case len(a.Results) == 1 && a.Results[0].Allowed != nil:
		return verdictOf(*a.Results[0].Allowed)
	}
	return "refused"
}

// TestDoorsAgree asks every door about robots that are named as people and programs name them. A
// door may refuse a name, but none lets a robot in that another keeps out.
func TestDoorsAgree(t *testing.T) {
	policy := robots.ParseString(doorsText)
	file := filepath.Join(t.TempDir(), "robots.txt")
	fatal.If(t, os.WriteFile(file, []byte(doorsText), 0o600))
	service := server.New(server.Config{Client: &fetch.Client{Transport: textTransport(doorsText)}})
	line := func(name string) []byte {
		data, err := json.Marshal(map[string]string{"robots": doorsText, "agent": name, "url": "/closed"})
		fatal.If(t, err)
		return append(data, '\n')
	}
	serve := func(r *http.Request) []byte {
		w := httptest.NewRecorder()
		service.ServeHTTP(w, r)
		return w.Body.Bytes()
	}
	command := func(in []byte, args ...string) []byte {
		var out bytes.Buffer
		root := newRoot()
		root.SetArgs(args)
		root.SetIn(bytes.NewReader(in))
		root.SetOut(&out)
		root.SetErr(io.Discard)
		root.SilenceUsage, root.SilenceErrors = true, true
		root.ExecuteContext(t.Context()) // the status is that of the answer
		if out.Len() == 0 {
			return []byte(`{"error":"refused"}`)
		}
		return out.Bytes()
	}
	doors := map[string]door{
		"agent.Group": func(_ *testing.T, name string) string {
			return verdictOf(agent.Group(policy, name).Allowed("/closed"))
		},
		"Policy.For": func(_ *testing.T, name string) string { return verdictOf(policy.For(name).Allowed("/closed")) },
		"match --agent": func(t *testing.T, name string) string {
			return answerOf(t, command(nil, "match", "--json", "--unknown", "--agent", name, file, "/closed"))
		},
		"match --jsonl": func(t *testing.T, name string) string {
			return answerOf(t, command(line(name), "match", "--jsonl"))
		},
		"ask.Server": func(t *testing.T, name string) string {
			var out bytes.Buffer
			_, err := new(ask.Server).Serve(t.Context(), bytes.NewReader(line(name)), &out)
			fatal.If(t, err)
			return answerOf(t, out.Bytes())
		},
		"GET /v1/match": func(t *testing.T, name string) string {
			query := url.Values{"url": {"https://a.example/closed"}, "agent": {name}}
			return answerOf(t, serve(httptest.NewRequest("GET", "/v1/match?"+query.Encode(), nil)))
		},
		"POST /v1/match": func(t *testing.T, name string) string {
			return answerOf(t, serve(httptest.NewRequest("POST", "/v1/match", bytes.NewReader(line(name)))))
		},
		"npm": func(t *testing.T, name string) string {
			e := engine.New()
			handle, err := e.Parse(doorsText, robots.RFC9309)
			fatal.If(t, err)
			numbers, err := e.Robots(handle, []engine.Robot{{Tokens: []string{name}}})
			if err != nil {
				return "refused"
			}
			v, _, err := e.Match(nil, handle, numbers[0], "/closed")
			fatal.If(t, err)
			return verdictOf(v.Allowed())
		},
	}
	// For has no table: it does not know whom a robot follows.
	fallbacks := map[string]bool{"Googlebot-Image": true, "googlebot-image/1.0": true, "bingbot": true,
		"Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)": true, "Googlebot-News\n": true}
	for want, names := range map[string][]string{
		"disallowed": {
			"GPTBot", "gptbot", "GPTBot/1.2", " GPTBot", "GPTBot\n", "\r\nGPTBot \t", "\ufeffGPTBot", "GPTBot\u00a0",
			"User-agent: GPTBot", "GPTBot/1.2 (+https://openai.com/gptbot)",
			"Mozilla/5.0 (compatible; GPTBot/1.2; +https://openai.com/gptbot)",
			"Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)\n",
			"Googlebot", "Googlebot-Image", "googlebot-image/1.0", "Googlebot-News\n",
			"Mozilla/5.0 (Linux; Android 6.0.1) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/99 Mobile " +
				"Safari/537.36 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
			"bingbot", "Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)",
			"NewBot", "NewBot/2", "Mozilla/5.0 (compatible; NewBot/2.0; +https://newbot.example/)",
		},
		"allowed": {
			"CCBot", "ClaudeBot/1.0", "AdsBot-Google", "YetUnheardOfBot",
			"YetUnheardOfBot/1.0 (+https://GPTBot.example/NewBot)",
			"Mozilla/5.0 (compatible; CCBot/2.0)", "*",
		},
		"refused": {"GPTBot,CCBot", "CCBot, GPTBot"},
	} {
		for _, name := range names {
			for which, ask := range doors {
				switch got := ask(t, name); {
				case got == want:
				case which == "Policy.For" && (fallbacks[name] || want == "refused"):
				case which == "agent.Group" && want == "refused":
				case want == "refused" && (which == "GET /v1/match" || which == "match --agent"): // a result for each
				default:
					t.Errorf("%s: %q is %s, want %s", which, name, got, want)
				}
			}
		}
	}
}
