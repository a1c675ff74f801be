package pageask

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/cmd/internal/wasm/engine"
	"github.com/robotsexclusion/robots/export"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// ask asks an engine a question about a text, and reads the answer.
func ask[A any](t testing.TB, e *engine.Engine, name, text string, question map[string]any) (answer A) {
	t.Helper()
	handle, err := e.Parse(text, robots.RFC9309)
	fatal.If(t, err)
	defer e.Free(handle)
	if question == nil {
		question = make(map[string]any)
	}
	question["policy"] = handle
	object, err := json.Marshal(question)
	fatal.If(t, err)
	b, err := e.Ask(name, object)
	fatal.If(t, err)
	if err := json.Unmarshal(b, &answer); err != nil {
		t.Fatalf("%s: %v", b, err)
	}
	return answer
}

// texts are files with one group, many, none, and groups that only robots obey that ignore the
// group for everyone.
var texts = []string{
	"",
	"User-agent: *\nDisallow: /\n",
	"User-agent: *\nDisallow: /a\n\nUser-agent: Googlebot\nDisallow: /b\nUser-agent: GPTBot\nDisallow: /\n",
	"User-agent: AdsBot-Google\nDisallow: /\n\nUser-agent: *\nAllow: /a\nDisallow: /\nAllow: /*.js$\n",
	"User-agent: GPTBot\nDisallow: /a\n\nUser-agent: Bingbot\nDisallow: /\n\nUser-agent: gptbot\nDisallow: /c\n",
	"User-agent: *\nDisallow:\n\nUser-agent: SemrushBot\nUser-agent: \"><script>\nDisallow: /*\nAllow: /$\n",
}

// The matrix has the answer of agent.Group and Match for each known robot and each address.
func TestMatrix(t *testing.T) {
	e := engine.New(Questions()...)
	urls := []string{"/", "/a", "/b?x=1", "https://example.com/c", "/x.js", "/robots.txt", "not a URL", "mailto:a@b"}
	for _, text := range texts {
		p := robots.ParseString(text)
		got := ask[matrixAnswer](t, e, "page-matrix", text, map[string]any{"urls": urls})
		seen := make(map[int]bool)
		for g, group := range got.Groups {
			for _, i := range group.Robots {
				if seen[i] {
					t.Errorf("%q: robot %d is in two groups", text, i)
				}
				seen[i] = true
				known := knownSubjects()[i]
				for j, url := range urls {
					want := -1
					if robots.CheckURL(url) == nil {
						m := agent.Group(p, known.Name).Match(url)
						want = m.Rule.Line << 4
						if m.Allowed {
							want++
						}
					}
					if got.Verdicts[g][j] != want {
						t.Errorf("%q: %s and %s: got %d, want %d", text, known.Name, url, got.Verdicts[g][j], want)
					}
				}
			}
		}
		if len(seen) != len(knownSubjects()) {
			t.Errorf("%q: the answer has %d robots of %d", text, len(seen), len(knownSubjects()))
		}
	}
}

// A robot is open, partly open or closed as its answers for many paths say.
func TestReach(t *testing.T) {
	e := engine.New(Questions()...)
	paths := []string{"/", "/a", "/b", "/c", "/x.js", "/a/x.js?y", "/%E4", "/robots.txt2"}
	for _, text := range texts {
		p := robots.ParseString(text)
		for _, g := range ask[[]group](t, e, "page-reach", text, nil) {
			for _, i := range g.Robots {
				open := 0
				group := agent.Group(p, knownSubjects()[i].Name)
				for _, path := range paths {
					if group.Allowed(path) {
						open++
					}
				}
				ok := map[string]bool{"open": open == len(paths), "closed": open == 0, "partly": true}[g.Reach]
				if !ok {
					t.Errorf("%q: %s is %s, but may fetch %d of %d paths", text, knownSubjects()[i].Name, g.Reach, open,
						len(paths))
				}
				if open > 0 && open < len(paths) && g.Reach != "partly" {
					t.Errorf("%q: %s is %s, not partly open", text, knownSubjects()[i].Name, g.Reach)
				}
			}
		}
	}
}

// The explanation of each dialect is that of the library.
func TestExplain(t *testing.T) {
	e := engine.New(Questions()...)
	for _, text := range texts {
		got := ask[struct {
			Tokens   []string
			Dialects []struct {
				Dialect     string
				Explanation json.RawMessage
			}
		}](t, e, "page-explain", text, map[string]any{"agent": "Googlebot-Image", "url": "/b"})
		if len(got.Dialects) != len(robots.Dialects()) ||
			strings.Join(got.Tokens, " ") != "Googlebot-Image Googlebot *" {
			t.Errorf("%q: got %v", text, got)
		}
		for i, d := range robots.Dialects() {
			want, err := json.Marshal(agent.Group(robots.ParseString(text).In(d), "Googlebot-Image").Explain("/b"))
			if err != nil || string(got.Dialects[i].Explanation) != string(want) {
				t.Errorf("%q: %s: got %s, want %s (%v)", text, d, got.Dialects[i].Explanation, want, err)
			}
		}
	}
}

// A person who types gets answers about all robots that are named, and notes about those that
// nobody knows.
func TestNames(t *testing.T) {
	e := engine.New(Questions()...)
	const text = "User-agent: GPTBot\nUser-agent: HouseBot\nDisallow: /\n"
	const header = "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; GPTBot/1.2)"
	for name, want := range map[string]string{
		"GPTBot,CCBot":    "[GPTBot] 0 [CCBot] 1",
		"GPTBot, ":        "[GPTBot] 0",
		"housebot":        "[housebot] 0",
		"Flipboard, Inc.": "[FlipboardProxy] 1",
		header:            "[" + header + "] 0",
		"HuoseBot,GPTBot": "[HuoseBot] 1 [GPTBot] 0 no robot is named HuoseBot: did you mean HouseBot?",
		"YetUnheardOfBot": "[YetUnheardOfBot] 1 no known robot is named YetUnheardOfBot.",
	} {
		a := ask[struct {
			Groups   []struct{ Names []string }
			Verdicts [][]int
			Notes    []string
		}](t, e, "page-matrix", text, map[string]any{"agents": []string{name}, "urls": []string{"/"}})
		var got []string
		for i, g := range a.Groups {
			got = append(got, fmt.Sprint(g.Names, a.Verdicts[i][0]&1))
		}
		if got := strings.Join(append(got, a.Notes...), " "); got != want {
			t.Errorf("%q: got %s, want %s", name, got, want)
		}
	}
	x := ask[struct{ Tokens, Notes []string }](t, e, "page-explain", text, map[string]any{"agent": "GPTBto",
		"url": "/", "language": "ru"})
	if len(x.Tokens) != 2 || len(x.Notes) != 1 || !strings.Contains(x.Notes[0], "GPTBot") {
		t.Errorf("got %+v", x)
	}
	handle, err := e.Parse(text, robots.RFC9309)
	fatal.If(t, err)
	for _, wrong := range []string{`"agent":"GPTBot,CCBot"`, `"agent":"claude"`, `"agent":","`,
		`"agent":"a` + strings.Repeat(",a", maxAgents) + `"`} {
		question := fmt.Appendf(nil, `{"policy":%d,"url":"/",%s}`, handle, wrong)
		if b, err := e.Ask("page-explain", question); err == nil {
			t.Errorf("%.40s gives %s", wrong, b)
		}
	}
}

// A change keeps every byte that it need not change, says what it costs, and shows its lines. Names
// that cannot stand in a file are refused.
func TestChange(t *testing.T) {
	e := engine.New(Questions()...)
	const text = "# Copyright.\n\nUser-agent: *   \nDISALLOW:/x\n\n" +
		"User-agent: GPTBot\nUser-agent: bingbot\nDisallow: /\n# end"
	a := ask[changeAnswer](t, e, "page-change", text, map[string]any{"close": []string{"ai-train", "bingbot"},
		"open": []string{"CCBot", "GPTBot"}, "language": "es"})
	p := robots.ParseString(a.Text)
	for name, open := range map[string]bool{"GPTBot": true, "CCBot": true, "ClaudeBot": false, "bingbot": false,
		"*": true} {
		if agent.Group(p, name).Allowed("/") != open {
			t.Errorf("%s is answered otherwise by\n%s", name, a.Text)
		}
	}
	if !strings.HasPrefix(a.Text, "# Copyright.\n\nUser-agent: *   \nDISALLOW:/x\n") ||
		!strings.Contains(a.Text, "# end") {
		t.Errorf("the file is\n%s", a.Text)
	}
	if len(a.Costs) == 0 || a.Costs[0].Purpose != "ai-train" || !strings.Contains(a.Costs[0].Text, "robots leen") {
		t.Errorf("the costs are %q", a.Costs)
	}
	if !strings.Contains(a.Lines, "\n-User-agent: GPTBot\n") {
		t.Errorf("the lines are\n%s", a.Lines)
	}
	if got, want := strings.Join(a.Commands, "\n"), "robots block ai-train,bingbot --except CCBot,GPTBot\n"+
		"robots allow CCBot,GPTBot"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	none := ask[changeAnswer](t, e, "page-change", text, map[string]any{"close": []string{"GPTBot"},
		"open": []string{"GPTBot"}})
	if none.Text != text || none.Lines != "" || len(none.Commands) != 0 {
		t.Errorf("got %+v", none)
	}
	handle, err := e.Parse(text, robots.RFC9309)
	fatal.If(t, err)
	page, err := e.Parse("<!doctype html><title>Not found</title>", robots.RFC9309)
	fatal.If(t, err)
	for _, wrong := range []string{`"close":["a\nDisallow: /"]`, `"open":["<script>"]`, `"close":[""]`,
		`"close":["ai train"]`,
		`"close":["NoSuchBotAtAll/1"]`, `"fragment":"x"`, `"paths":["x\ny"]`,
		`"close":["a` + strings.Repeat(`","a`, maxAgents) + `"]`} {
		if b, err := e.Ask("page-change", fmt.Appendf(nil, `{"policy":%d,%s}`, handle, wrong)); err == nil {
			t.Errorf("%.50s gives %s", wrong, b)
		}
	}
	if b, err := e.Ask("page-change", fmt.Appendf(nil, `{"policy":%d,"close":["GPTBot"]}`, page)); err == nil {
		t.Errorf("an HTML page gives %s", b)
	}
}

// An address is looked up in the given document only.
func TestAddress(t *testing.T) {
	e := engine.New(Questions()...)
	for question, want := range map[string]string{
		`{"address":"192.0.2.7","document":"192.0.2.0/24"}`:                            `{"address":"192.0.2.7","listed":true,"prefix":"192.0.2.0/24","entries":1}`,
		`{"address":" ::ffff:192.0.2.7 ","document":"{\"prefixes\":[\"192.0.2.7\"]}"}`: `{"address":"192.0.2.7","listed":true,"prefix":"192.0.2.7/32","entries":1}`,
		`{"address":"198.51.100.1","document":"192.0.2.0/24\nnot a range"}`:            `{"address":"198.51.100.1","listed":false,"entries":1,"skipped":1}`,
		`{"address":"10.0.0.1","document":"192.0.2.0/24"}`:                             `{"address":"10.0.0.1","listed":false,"entries":1}`,
		`{"address":"192.0.2.7","document":"0.0.0.0/0"}`:                               "error",
		`{"address":"192.0.2.7","document":"<html>"}`:                                  "error",
		`{"address":"<script>","document":"192.0.2.0/24"}`:                             "error",
		`{"address":"","document":""}`:                                                 "error",
		`{"address":1}`:                                                                "error",
		`[`:                                                                            "error",
	} {
		b, err := e.Ask("page-address", []byte(question))
		if got := string(b); err == nil && got != want || err != nil && want != "error" {
			t.Errorf("%s: got %s, %v", question, got, err)
		}
	}
}

// FuzzQuestions gives an engine any text and question: it answers, or returns an error.
func FuzzQuestions(f *testing.F) {
	for _, text := range texts {
		f.Add(text, "/a", "GPTBot", "192.0.2.0/24")
	}
	e := engine.New(Questions()...)
	f.Fuzz(func(t *testing.T, text, url, name, document string) {
		if len(text) > 10_000 {
			return
		}
		handle, err := e.Parse(text, robots.RFC9309)
		fatal.If(t, err)
		defer e.Free(handle)
		for _, q := range []struct {
			name   string
			object map[string]any
		}{
			{"page-matrix", map[string]any{"policy": handle, "urls": []string{url, name},
				"agents": []string{name, url}}},
			{"page-reach", map[string]any{"policy": handle}},
			{"page-explain", map[string]any{"policy": handle, "agent": name, "url": url}},
			{"page-address", map[string]any{"address": name, "document": document}},
			{"page-change", map[string]any{"policy": handle, "close": []string{name}, "open": []string{document},
				"paths": []string{url}}},
		} {
			object, err := json.Marshal(q.object)
			fatal.If(t, err)
			if b, err := e.Ask(q.name, object); err == nil && !json.Valid(b) {
				t.Errorf("%s answers %q", q.name, b)
			}
		}
	})
}

func BenchmarkMatrix(b *testing.B) {
	var text strings.Builder
	text.WriteString("User-agent: *\n")
	for i := range 5000 {
		fmt.Fprintf(&text, "Disallow: /shop/%d/item-%d\n", i%97, i)
	}
	var urls []string
	for i := range 50 {
		urls = append(urls, fmt.Sprintf("/shop/%d/item-%d", i%97, i*7))
	}
	e := engine.New(Questions()...)
	for b.Loop() {
		ask[matrixAnswer](b, e, "page-matrix", text.String(), map[string]any{"urls": urls})
	}
}

// A path that is closed to all leaves the comments at the head of the file there, and names no
// option of a command.
func TestChangePaths(t *testing.T) {
	const head = "# Copyright Example.\n# Do not edit.\n"
	e := engine.New(Questions()...)
	a := ask[changeAnswer](t, e, "page-change", head+"\nUser-agent: *\nUser-agent: a\nDisallow: /a # --block b\n",
		map[string]any{"close": []string{"ai-train"}, "open": []string{"CCBot"}, "paths": []string{"/x"}})
	if !strings.HasPrefix(a.Text, head+"User-agent: ") || strings.Contains(a.Text, "\n# --") ||
		!strings.Contains(a.Text, "/a # --block b") || !strings.Contains(a.Lines, "\n+Disallow: /x\n") {
		t.Error(a.Text, a.Lines)
	}
	p := robots.ParseString(a.Text)
	for name, want := range map[string]string{"GPTBot": "/", "CCBot": "/x", "NewBot": "/x"} {
		if agent.Group(p, name).Allowed(want) || name != "GPTBot" && !agent.Group(p, name).Allowed("/y") {
			t.Errorf("%s is answered otherwise by\n%s", name, a.Text)
		}
	}
}

// The page has the configuration that the command export writes.
func TestExports(t *testing.T) {
	e := engine.New(Questions()...)
	text := "User-agent: GPTBot\nDisallow: /\n\nUser-agent: *\nDisallow: /cart/\n"
	names := ask[exportAnswer](t, e, "page-export", text, map[string]any{"server": ""})
	if !slices.Equal(names.Servers, export.Servers()) || len(names.Files) > 0 {
		t.Errorf("without a server: %v", names)
	}
	for _, server := range export.Servers() {
		got := ask[exportAnswer](t, e, "page-export", text, map[string]any{"server": server})
		want, err := export.Write(server, robots.ParseString(text), export.Options{})
		fatal.If(t, err)
		if len(got.Files) != len(want.Files) || len(got.Files) == 0 || len(got.Includes) != len(want.Includes) {
			t.Errorf("%s: got %d files and %d includes, want %d and %d", server, len(got.Files), len(got.Includes),
				len(want.Files), len(want.Includes))
			continue
		}
		for i, file := range want.Files {
			if got.Files[i].Name != file.Name || got.Files[i].Text != string(file.Data) {
				t.Errorf("%s: %s is another file", server, file.Name)
			}
		}
	}
	handle, err := e.Parse(text, robots.RFC9309)
	fatal.If(t, err)
	_, err = e.Ask("page-export", fmt.Appendf(nil, `{"policy":%d,"server":"<b>"}`, handle))
	if err == nil || !strings.Contains(err.Error(), "not a server") {
		t.Errorf("an unknown server: %v", err)
	}
}
