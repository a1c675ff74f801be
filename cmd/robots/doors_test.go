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
User-agent: coccocbot-web
User-agent: GrapeshotCrawler
Disallow: /closed
User-agent: coccocbot
User-agent: grapeshot
User-agent: Baiduspider
Allow: /
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
		"ai-train": 20, "openai, claude, GPTBot, bing": 7, "Yandex": 2,
		"CCBot/2.0,GPTBot/1.2": 2, "CCBot;GPTBot": 2, "claude, CCBot (Common Crawl)": 4,
		"CCBot/2.0 (+https://ccbot.example/), Googlebot/2.1 (+http://www.google.com/bot.html)": 2} {
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
			"Mozilla/5.0%20(compatible;%20Googlebot/2.1)", "GPTBot/1.2%20(+https://openai.com/gptbot)",
			"Mozilla%2F5.0%20%28compatible%3B%20GPTBot%2F1.2%29",
			"Mozilla/5.0 (compatible; coccocbot-web/1.0; +http://help.coccoc.com/searchengine)",
			"GrapeshotCrawler/2.0",
			"Mozilla/5.0 (compatible; GrapeshotCrawler/2.0; +http://www.grapeshot.co.uk/crawler.php)",
			"NewBot", "NewBot/2", "Mozilla/5.0 (compatible; NewBot/2.0; +https://newbot.example/)",
		},
		"allowed": {
			"CCBot", "ClaudeBot/1.0", "AdsBot-Google", "YetUnheardOfBot",
			"YetUnheardOfBot/1.0 (+https://GPTBot.example/NewBot)",
			"Mozilla/5.0 (compatible; CCBot/2.0)", "*",
		},
		"refused": {"GPTBot,CCBot", "CCBot, GPTBot", "CCBot/2.0,GPTBot/1.2", "CCBot/2.0, Googlebot/2.1", "CCBot;GPTBot",
			"CCBot, GPTBot (OpenAI)", "CCBot/2.0 (+https://ccbot.example/), GPTBot/1.2 (+https://openai.com/gptbot)",
			"CCBot/2.0 GPTBot/1.2", "Mozilla/5.0 (compatible; CCBot/2.0), Mozilla/5.0 (compatible; GPTBot/1.2)",
			"claude", " OpenAI\n", "GPT-4", "ai-train"},
	} {
		for _, name := range names {
			for which, ask := range doors {
				switch got := ask(t, name); {
				case got == want:
				case which == "Policy.For" && (fallbacks[name] || want == "refused"):
				case which == "agent.Group" && want == "refused":
				case which == "npm" && name == "CCBot/2.0 GPTBot/1.2": // it has no table
				case want == "refused" && rowsOf[which]: // see TestRowsAgree
				default:
					t.Errorf("%s: %q is %s, want %s", which, name, got, want)
				}
			}
		}
	}
}

// TestDoorsAgreeOnURLs asks every door about odd URLs. Where one refuses a text, so do all: what
// cannot be fetched is not answered for.
func TestDoorsAgreeOnURLs(t *testing.T) {
	const text = "User-agent: *\nAllow: /\n"
	group := robots.ParseString(text).For("*")
	file := filepath.Join(t.TempDir(), "robots.txt")
	fatal.If(t, os.WriteFile(file, []byte(text), 0o600))
	service := server.New(server.Config{Client: &fetch.Client{Transport: textTransport(text)}})
	line := func(url string) []byte {
		data, err := json.Marshal(map[string]string{"robots": text, "url": url})
		fatal.If(t, err)
		return append(data, '\n')
	}
	serve := func(r *http.Request) string {
		w := httptest.NewRecorder()
		service.ServeHTTP(w, r)
		return answerOf(t, w.Body.Bytes())
	}
	command := func(in []byte, args ...string) string {
		var out bytes.Buffer
		root := newRoot()
		root.SetArgs(append([]string{"match"}, args...))
		root.SetIn(bytes.NewReader(in))
		root.SetOut(&out)
		root.SetErr(io.Discard)
		root.SilenceUsage, root.SilenceErrors = true, true
		root.ExecuteContext(t.Context()) // the status is that of the answer
		return answerOf(t, out.Bytes())
	}
	refusedIf := func(err error) string {
		if err != nil {
			return "refused"
		}
		return "allowed"
	}
	doors := map[string]func(url string) string{
		"CheckURL":     func(url string) string { return refusedIf(robots.CheckURL(url)) },
		"fetch.Origin": func(url string) string { _, err := fetch.Origin(url); return refusedIf(err) },
		"Group.Allowed": func(url string) string {
			if group.Allowed(url) {
				return "allowed"
			}
			return "refused" // the file disallows nothing
		},
		"match FILE":    func(url string) string { return command(nil, "--json", file, url) },
		"match --jsonl": func(url string) string { return command(line(url), "--jsonl") },
		"ask.Server": func(url string) string {
			var out bytes.Buffer
			_, err := new(ask.Server).Serve(t.Context(), bytes.NewReader(line(url)), &out)
			fatal.If(t, err)
			return answerOf(t, out.Bytes())
		},
		"GET /v1/match": func(text string) string {
			query := url.Values{"url": {text}}
			return serve(httptest.NewRequest("GET", "/v1/match?"+query.Encode(), nil))
		},
		"POST /v1/match": func(url string) string {
			return serve(httptest.NewRequest("POST", "/v1/match", bytes.NewReader(line(url))))
		},
	}
	long := strings.Repeat("a", 63)
	for want, urls := range map[string][]string{
		"allowed": {
			"http://h.example", "HTTPS://H.Example/x", "http://h.example:/x", "http://h.example:1/x",
			"http://h.example:65535/x", "http://h.example:0000080/x", "http://h.example./x", "http://my_site.example/x",
			"http://u:p@h.example/x", "http://u@v@h.example/x", "http://192.0.2.1/x", "http://192.0.2.1:8080",
			"http://[2001:db8::1]/x", "http://[::ffff:192.0.2.1]:80/x", "http://h%2Eexample/x", "http://1.2.3.4a/x",
			"http://" + long + ".example/x", "http://127.example/x", "http://0x7g/x", "http://h.example/a/../b",
			"http://m\u00fcnchen.example/x", "http://h.example?x", "http://h.example#x",
		},
		"refused": {
			"http://h.example:0/x", "http://h.example:00/x", "http://h.example:65536/x", "http://h.example:99999/x",
			"http://h.example:100000", "http://h.example:1e3/x", "http://h.example:-1/x", "http://h.example:+80/x",
			"http://h.example:80:80/x", "http://192.0.2.1:0/x", "http://[2001:db8::1]:0/x", "http://[2001:db8::1]80/x",
			"http://0x7f.1/x", "http://0X7F.0X1/x", "http://127.1/x", "http://2130706433/x", "http://0/x",
			"http://017700000001/x", "http://0177.0.0.1/x", "http://127.0.0.1./x", "http://1.2.3.256/x",
			"http://1.2.3.4.5/x", "http://h.0x/x", "http://h.7/x", "http://%31%32%37.1/x",
			"http://h..example/x", "http://.example/x", "http://./x", "http://" + long + "a.example/x",
			"http://" + strings.Repeat("a.", 126) + "aa/x", "http://*.example/x", "http://h;p/x", "http://u;p@h/x",
			"http://h .example/x", "http://h\\x", "http://h%2fx/y", "http://h%zz/x",
			"http://[::::]/x", "http://[1::2/x",
			"http://[192.0.2.1]/x", "http://[fe80::1%25eth0]/x", "http://2001:db8::1/x", "http:///x", "http://:80/x",
			"http://u@/x", "ftp://h.example/x", "mailto:x@h.example", "//h.example/x", "h.example/x", "",
		},
	} {
		for _, url := range urls {
			for name, ask := range doors {
				if got := ask(url); got != want {
					t.Errorf("%s: %q is %s, want %s", name, url, got, want)
				}
			}
		}
	}
}

// The page closes and opens a site as block and allow do, one after the other: the files have the
// same bytes.
func TestPageChangesAsBlock(t *testing.T) {
	texts := []string{"", doorsText,
		"# Head.\n\nUser-agent: *\nDisallow: /\n\nUser-agent: GPTBot\nDisallow: /\n",
		"User-agent: *\r\nDisallow: /a # x\r\n\r\nSitemap: https://example.com/s.xml",
		"\ufeffUser-agent: Googlebot\nDisallow:\n"}
	wishes := []struct{ close, open []string }{
		{close: []string{"ai-train"}}, {close: []string{"ai-train", "seo"}, open: []string{"CCBot"}},
		{open: []string{"ai-train", "search"}}, {close: []string{"Googlebot", "bingbot"}, open: []string{"ai-search"}},
		{close: []string{"*"}, open: []string{"search"}},
	}
	e := engine.New(pageask.Questions()...)
	file := filepath.Join(t.TempDir(), "robots.txt")
	for _, text := range texts {
		handle, err := e.Parse(text, robots.RFC9309)
		fatal.If(t, err)
		for _, w := range wishes {
			var a struct {
				Text, Lines string
				Commands    []string
			}
			question := map[string]any{"policy": handle, "close": w.close, "open": w.open}
			if !askEngine(t, e, "page-change", question, &a) {
				t.Errorf("%q: %v is refused", text, w)
				continue
			}
			fatal.If(t, os.WriteFile(file, []byte(text), 0o666))
			for _, command := range a.Commands {
				args := append(strings.Fields(command)[1:], "--yes", "--file", file)
				if args[0] == "block" {
					args = append(args, "--search-engines")
				}
				if _, errs, status := cardOf(args...); status != 0 {
					t.Errorf("%q: %s gives status %d: %s", text, command, status, errs)
				}
			}
			got, err := os.ReadFile(file)
			fatal.If(t, err)
			if string(got) != a.Text || (a.Lines == "") != (text == a.Text) {
				t.Errorf("%q: %q give\n%s\nand the page\n%s\nby\n%s", text, a.Commands, got, a.Text, a.Lines)
			}
		}
	}
}
