package main

import (
	"bytes"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/ask"
	"github.com/robotsexclusion/robots/cmd/internal/wasm/engine"
	"github.com/robotsexclusion/robots/cmd/internal/wasm/pageask"
	"github.com/robotsexclusion/robots/cmd/internal/wasm/questions"
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

// rowsOf are the doors that have a result for each of several robots.
var rowsOf = map[string]bool{"GET /v1/match": true, "match --agent": true, "page-matrix": true}

// engineDoors returns the questions of the web page, and of the npm package.
func engineDoors(t *testing.T) map[string]door {
	e := engine.New(slices.Concat(pageask.Questions(), questions.All())...)
	handle, err := e.Parse(doorsText, robots.RFC9309)
	fatal.If(t, err)
	return map[string]door{
		"page-matrix": func(t *testing.T, name string) string {
			rows, _ := matrixRows(t, e, handle, name)
			if len(rows) != 1 {
				return "refused"
			}
			return slices.Collect(maps.Values(rows))[0]
		},
		"page-explain": func(t *testing.T, name string) string {
			var a struct {
				Dialects []struct {
					Explanation struct{ Match struct{ Allowed bool } }
				}
			}
			if !askEngine(t, e, "page-explain", map[string]any{"policy": handle, "agent": name, "url": "/closed"}, &a) {
				return "refused"
			}
			return verdictOf(a.Dialects[0].Explanation.Match.Allowed)
		},
		"npm lookup": func(t *testing.T, name string) string {
			var robot struct {
				Tokens []string
				Alone  bool
			}
			if !askEngine(t, e, "lookup", map[string]any{"agent": name}, &robot) {
				return "refused"
			}
			numbers, err := e.Robots(handle, []engine.Robot{{Tokens: robot.Tokens, Alone: robot.Alone}})
			fatal.If(t, err)
			v, _, err := e.Match(nil, handle, numbers[0], "/closed")
			fatal.If(t, err)
			return verdictOf(v.Allowed())
		},
		"npm diff": func(t *testing.T, name string) string {
			open, err := e.Parse("User-agent: *\nAllow: /\n", robots.RFC9309)
			fatal.If(t, err)
			defer e.Free(open)
			var a struct{ Agents, Changes []any }
			if !askEngine(t, e, "diff", map[string]any{"before": open, "after": handle, "agents": []string{name},
				"unknown": true}, &a) || len(a.Agents) != 1 {
				return "refused"
			}
			return verdictOf(len(a.Changes) == 0)
		},
	}
}

// askEngine reads the answer to a question, and reports whether there is one.
func askEngine(t *testing.T, e *engine.Engine, question string, object map[string]any, answer any) bool {
	t.Helper()
	data, err := json.Marshal(object)
	fatal.If(t, err)
	if data, err = e.Ask(question, data); err != nil {
		return false
	}
	fatal.If(t, json.Unmarshal(data, answer))
	return true
}

// matrixRows returns the verdict on each robot that a text names, and the notes.
func matrixRows(t *testing.T, e *engine.Engine, handle uint32, text string) (rows map[string]string, notes []string) {
	t.Helper()
	var a struct {
		Groups   []struct{ Names []string }
		Verdicts [][]int
		Notes    []string
	}
	rows = make(map[string]string)
	askEngine(t, e, "page-matrix", map[string]any{"policy": handle, "agents": []string{text},
		"urls": []string{"/closed"}}, &a)
	for i, g := range a.Groups {
		for _, name := range g.Names {
			rows[name] = verdictOf(a.Verdicts[i][0]&1 == 1)
		}
	}
	return rows, a.Notes
}

// TestRowsAgree asks the doors that answer for several robots about texts that name several: each
// has the same rows.
func TestRowsAgree(t *testing.T) {
	policy := robots.ParseString(doorsText)
	file := filepath.Join(t.TempDir(), "robots.txt")
	fatal.If(t, os.WriteFile(file, []byte(doorsText), 0o600))
	service := server.New(server.Config{Client: &fetch.Client{Transport: textTransport(doorsText)}})
	e := engine.New(pageask.Questions()...)
	handle, err := e.Parse(doorsText, robots.RFC9309)
	fatal.If(t, err)
	results := func(data []byte) map[string]string {
		var a struct {
			Results []struct {
				Agent   string
				Allowed bool
			}
		}
		fatal.If(t, json.Unmarshal(data, &a))
		rows := make(map[string]string)
		for _, r := range a.Results {
			rows[r.Agent] = verdictOf(r.Allowed)
		}
		return rows
	}
	for text, least := range map[string]int{"GPTBot,CCBot": 2, "CCBot, GPTBot,": 2, "claude": 3, "OpenAI": 3,
		"ai-train": 20, "openai, claude, GPTBot, bing": 7, "Yandex": 2} {
		want := make(map[string]string)
		all, err := (*agent.Table)(nil).Resolve(text)
		fatal.If(t, err)
		for _, s := range all {
			want[s.Name] = verdictOf(s.Group(policy).Allowed("/closed"))
		}
		if len(want) < least {
			t.Errorf("%q names %d robots, want %d at least", text, len(want), least)
		}
		var out bytes.Buffer
		root := newRoot()
		root.SetArgs([]string{"match", "--json", "--agent", text, file, "/closed"})
		root.SetOut(&out)
		root.SilenceUsage, root.SilenceErrors = true, true
		root.ExecuteContext(t.Context()) // the status is that of the answers
		w := httptest.NewRecorder()
		query := url.Values{"url": {"https://a.example/closed"}, "agent": {text}}
		service.ServeHTTP(w, httptest.NewRequest("GET", "/v1/match?"+query.Encode(), nil))
		rows, notes := matrixRows(t, e, handle, text)
		for which, got := range map[string]map[string]string{"match --agent": results(out.Bytes()),
			"GET /v1/match": results(w.Body.Bytes()), "page-matrix": rows} {
			if !maps.Equal(got, want) {
				t.Errorf("%s: %q gives %v, want %v", which, text, got, want)
			}
		}
		if len(notes) > 0 {
			t.Errorf("%q: the page notes %q", text, notes)
		}
	}
	rows, notes := matrixRows(t, e, handle, "Gogglebot, CCBot")
	if len(rows) != 2 || len(notes) != 1 || !strings.Contains(notes[0], "did you mean Googlebot?") {
		t.Errorf("got %v with the notes %q", rows, notes)
	}
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
	maps.Copy(doors, engineDoors(t))
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
				case want == "refused" && rowsOf[which]: // see TestRowsAgree
				default:
					t.Errorf("%s: %q is %s, want %s", which, name, got, want)
				}
			}
		}
	}
}
