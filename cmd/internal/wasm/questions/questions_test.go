package questions

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/cmd/internal/wasm/engine"
	"github.com/robotsexclusion/robots/internal/test/fatal"
	"github.com/robotsexclusion/robots/server/answers"
	"github.com/robotsexclusion/robots/server/api"
)

const (
	old    = "User-agent: *\nDisallow: /a\n"
	change = "Usr-agent: x\nUser-agent: *\nDisallow: /a\nDisallow: /a/b\nDisallow: /c\n"
)

// newEngine returns an engine with all questions that keeps policies, with the handles 1, 2 and so
// on.
func newEngine(t testing.TB, texts ...string) *engine.Engine {
	t.Helper()
	e := engine.New(All()...)
	for _, text := range texts {
		if _, err := e.Parse(text, robots.RFC9309); err != nil {
			t.Fatal(err)
		}
	}
	return e
}

// ask decodes the answer to a question into a value of its type.
func ask[A any](t *testing.T, e *engine.Engine, name, question string) (answer A) {
	t.Helper()
	b, err := e.Ask(name, []byte(question))
	if err != nil {
		t.Fatalf("%s %s: %v", name, question, err)
	}
	decoder := json.NewDecoder(bytes.NewReader(b))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&answer); err != nil {
		t.Fatalf("%s %s: %v in %s", name, question, err, b)
	}
	return answer
}

// TestTexts asks about texts: the answers fit the types of the service.
func TestTexts(t *testing.T) {
	e := newEngine(t, old, change)
	report := ask[api.Report](t, e, "lint", `{"policy":2,"profile":"strict","language":"es"}`)
	if len(report.Diagnostics) < 2 || report.Diagnostics[0].Fix == nil {
		t.Errorf("lint: %+v", report)
	}
	difference := ask[api.Difference](t, e, "diff", `{"before":1,"after":2,"agents":["Googlebot"]}`)
	if difference.Equal || len(difference.Changes) != 1 || difference.Changes[0].Direction != "closed" {
		t.Errorf("diff: %+v", difference)
	}
	proofs := ask[api.Proofs](t, e, "prove", `{"policy":2,"claims":"Googlebot may fetch /b\nall may fetch /c\n"}`)
	if len(proofs.Claims) != 2 || !proofs.Claims[0].Holds || proofs.Claims[1].Holds || proofs.Claims[1].Witness == "" {
		t.Errorf("prove: %+v", proofs)
	}
	minimized := ask[api.Minimized](t, e, "minimize", `{"policy":2}`)
	if minimized.Text == nil || minimized.Minimized >= minimized.Bytes {
		t.Errorf("minimize: %+v", minimized)
	}
	for name, want := range map[string]string{"fix": strings.Replace(change, "Usr", "User", 1), "format": change} {
		answer := ask[struct{ Text string }](t, e, name, `{"policy":2}`)
		if name == "format" {
			want = answer.Text // format has its own tests
		}
		if answer.Text != want || answer.Text == "" {
			t.Errorf("%s: got %q, want %q", name, answer.Text, want)
		}
	}
}

// TestNotUTF8 asks about a text that is not UTF-8: no byte is lost.
func TestNotUTF8(t *testing.T) {
	e := newEngine(t, "User-agent:*\nDisallow: /\xff\n")
	for _, name := range []string{"fix", "format"} {
		answer := ask[struct {
			Text []byte `json:"text_base64"`
		}](t, e, name, `{"policy":1}`)
		if !bytes.Contains(answer.Text, []byte("/\xff")) {
			t.Errorf("%s: %q", name, answer.Text)
		}
	}
}

func TestAgents(t *testing.T) {
	e := newEngine(t)
	type list struct {
		Version string
		Agents  []struct{ Token string } `json:"agents"`
	}
	for question, least := range map[string]int{`{}`: 500, `{"search":"google"}`: 5, `{"purposes":["ai-train"]}`: 10,
		`{"search":"gptbot","purposes":["ai-train"]}`: 1, `{"search":"gptbot","purposes":["seo"]}`: 0} {
		b, err := e.Ask("agents", []byte(question))
		var found list
		if err == nil {
			err = json.Unmarshal(b, &found)
		}
		if err != nil || len(found.Agents) < least || least < 2 && len(found.Agents) != least {
			t.Errorf("%s: %d robots, %v", question, len(found.Agents), err)
		}
	}
	for name, want := range map[string]string{
		"Mozilla/5.0 (compatible; Googlebot-Image/1.0)": "[Googlebot-Image Googlebot] false",
		"AdsBot-Google":     "[AdsBot-Google] true",
		"YetUnheardOfBot/2": "[YetUnheardOfBot] false",
		"a>b>>c":            "[a b c] false",
		"":                  "[] false",
	} {
		answer := ask[struct {
			Name   string
			Tokens []string
			Alone  bool
			Facts  any
		}](t, e, "lookup", fmt.Sprintf(`{"agent":%q}`, name))
		if got := fmt.Sprint(answer.Tokens, answer.Alone); got != want || answer.Name != name {
			t.Errorf("%q: got %s, want %s", name, got, want)
		}
	}
	for name, want := range map[string]string{ // headers of visitors
		"GPTBot,CCBot":             "[GPTBot] false",
		"AdsBot-Google, x":         "[AdsBot-Google] true",
		"Gogglebot":                "[Gogglebot] false",
		"claude":                   "[claude] false",
		strings.Repeat(",", 1024):  "[] false",
		"MyPhone/1.0, Browser/2.0": "[Browser] false",
	} {
		answer := ask[struct {
			Name   string
			Tokens []string
			Alone  bool
			Facts  any
		}](t, e, "lookup", fmt.Sprintf(`{"agent":%q,"unknown":true}`, name))
		if got := fmt.Sprint(answer.Tokens, answer.Alone); got != want || answer.Name != name {
			t.Errorf("%.40q: got %s, want %s", name, got, want)
		}
	}
}

func TestPage(t *testing.T) {
	e := newEngine(t)
	b, err := e.Ask("page",
		[]byte(`{"html":"<title>é</title><meta name=robots content='noindex, nofolow'><a href=/x rel=nofollow>x</a>",`+
			`"headers":[["x-robots-tag","Googlebot: nosnippet"]],"url":"https://example.com/y","agents":["Googlebot","*"],"links":true,"language":"ru"}`))
	fatal.If(t, err)
	var answer struct {
		Title string
		For   []struct {
			Agent    string
			Decision struct{ Index bool }
			Sentence string
		}
		Links       []struct{ URL string }
		Follow      []bool
		Diagnostics []struct{ Check string }
	}
	if err := json.Unmarshal(b, &answer); err != nil {
		t.Fatalf("%v in %s", err, b)
	}
	if answer.Title != "é" || len(answer.For) != 2 || answer.For[0].Decision.Index || len(answer.Links) != 1 ||
		answer.Links[0].URL != "https://example.com/x" ||
		answer.For[1].Sentence == "" || len(answer.Follow) != 1 || answer.Follow[0] || len(answer.Diagnostics) == 0 {
		t.Errorf("%s", b)
	}
}

// TestPageNames asks what a page tells robots as people name them: each has a decision.
func TestPageNames(t *testing.T) {
	e := newEngine(t)
	for question, want := range map[string]string{
		`"agents":["GPTBot, CCBot"]`:                  "GPTBot:false CCBot:true",
		`"agents":["*","gemini","gptbot"]`:            "*:true Google-Extended:true gptbot:false",
		`"agents":["GPTBot/1.2 (+https://a.b/c, d)"]`: "GPTBot/1.2 (+https://a.b/c, d):false",
		`"agents":["HouseBot"]`:                       "HouseBot:false",
		`"agents":["YetUnheardOfBot"]`:                "YetUnheardOfBot:true no known robot is named YetUnheardOfBot.",
		`"agents":["GPTBto"],"unknown":true`:          "GPTBto:true no robot is named GPTBto: did you mean gptbot?",
		`"agents":["HuoseBot"],"unknown":true`: "HuoseBot:true no robot " +
			"is named HuoseBot: did you mean housebot?",
		`"agents":["GPTBto"],"unknown":true,"language":"es"`: "GPTBto:true no se conoce " +
			"ningún robot por el nombre GPTBto: " +
			"¿quiso decir gptbot?",
	} {
		b, err := e.Ask("page", []byte(`{"headers":[["X-Robots-Tag","GPTBot: noindex"],["X-Robots-Tag",`+
			`"HouseBot: noindex"]],`+question+`}`))
		fatal.If(t, err)
		var a struct {
			For []struct {
				Agent    string
				Decision struct{ Index bool }
			}
			Notes []string
		}
		fatal.If(t, json.Unmarshal(b, &a))
		var got []string
		for _, f := range a.For {
			got = append(got, fmt.Sprintf("%s:%t", f.Agent, f.Decision.Index))
		}
		if got := strings.Join(append(got, a.Notes...), " "); got != want {
			t.Errorf("%s: got %s, want %s", question, got, want)
		}
	}
}

// TestWrong asks wrong questions: each error says what to do.
func TestWrong(t *testing.T) {
	e := newEngine(t, old, strings.Repeat("#", answers.MaxText+1))
	for _, test := range []struct {
		name, question string
		code           engine.Code
		message        string
	}{
		{"lint", ``, engine.BadValue, "not the object"},
		{"lint", `null`, engine.NoPolicy, "no policy 0"},
		{"lint", `{"policy":1}{}`, engine.BadValue, "more than one"},
		{"lint", `{"policy":-1}`, engine.BadValue, "not the object"},
		{"lint", `{"policy":1,"profiles":"x"}`, engine.BadValue, "profiles"},
		{"lint", `{"policy":3}`, engine.NoPolicy, "no policy 3"},
		{"lint", `{"policy":2}`, engine.TooLarge, "512001"},
		{"fix", `{"policy":2}`, engine.TooLarge, "512001"},
		{"format", `{"policy":2}`, engine.TooLarge, "512001"},
		{"minimize", `{"policy":2}`, engine.TooLarge, "512001"},
		{"lint", `{"policy":1,"robots":"x"}`, engine.BadValue, "parse it"},
		{"lint", `{"policy":1,"profile":"\u001bx"}`, engine.BadValue, `no profile "\x1bx"`},
		{"lint", `{"policy":1,"enable":["x"]}`, engine.BadValue, `no check "x"`},
		{"diff", `{"before":1,"after":9}`, engine.NoPolicy, "no policy 9"},
		{"diff", `{"before":9,"after":1}`, engine.NoPolicy, "no policy 9"},
		{"diff", `{"before":1,"after":1,"agents":["a"` + strings.Repeat(`,"a"`, answers.MaxAgents) + `]}`,
			engine.BadValue, "101 robots"},
		{"diff", `{"before":1,"after":1,"agents":["GPTBto"]}`, engine.BadValue, "did you mean GPTBot?"},
		{"lookup", `{"agent":"Gogglebot"}`, engine.BadValue, "did you mean Googlebot?"},
		{"lookup", `{"agent":"GPTBot,CCBot"}`, engine.BadValue, "2 robots"},
		{"lookup", `{"agent":"claude"}`, engine.BadValue, "name one of ClaudeBot"},
		{"lookup", `{"agent":","}`, engine.BadValue, "no robot"},
		{"lookup", `{"agent":"` + strings.Repeat("a", 1025) + `"}`, engine.BadValue, "1025 bytes"},
		{"page", `{"agents":["GPTBto"]}`, engine.BadValue, `did you mean GPTBot? "unknown": true accepts the name`},
		{"page", `{"agents":[","]}`, engine.BadValue, "no robot"},
		{"page", `{"agents":["a` + strings.Repeat(`,a`, maxAgents) + `"]}`, engine.BadValue, "101 robots"},
		{"prove", `{"policy":1,"claims":""}`, engine.BadValue, "no claim"},
		{"prove", `{"policy":1,"claims":"x"}`, engine.BadValue, "x"},
		{"prove", `{"policy":1,"claims":"Googelbot may fetch /"}`, engine.BadValue, "Googlebot"},
		{"agents", `{"purposes":["x"]}`, engine.BadValue, "ai-train"},
		{"page", `{"headers":[["a\n","b"]]}`, engine.BadValue, "X-Robots-Tag"},
		{"page", `{"url":"x"}`, engine.BadURL, "absolute"},
		{"page", `{"reading":"x"}`, engine.BadValue, "x"},
	} {
		_, err := e.Ask(test.name, []byte(test.question))
		wrong := (*engine.Error)(nil)
		if !errors.As(err, &wrong) || wrong.Code != test.code || !strings.Contains(wrong.Message, test.message) ||
			strings.Contains(wrong.Message, "\x1b") {
			t.Errorf("%s %s: %v", test.name, test.question[:min(len(test.question), 80)], err)
		}
	}
}

// FuzzAsk asks questions of any bytes: each has an answer in JSON or an Error.
func FuzzAsk(f *testing.F) {
	f.Add(old, `{"policy":1,"profile":"strict"}`)
	f.Add(change, `{"before":1,"after":1}`)
	f.Add(change, `{"policy":1,"claims":"Googlebot may fetch /"}`)
	f.Add("",
		`{"html":"<meta name=robots content=noindex>","headers":[["X-Robots-Tag","none"]],"agents":["x"],"links":true}`)
	f.Add("\xff", `{"agent":"Mozilla/5.0 (compatible; bingbot/2.0)"}`)
	f.Add("", `{"search":"a/b","purposes":["seo"]}`)
	f.Fuzz(func(t *testing.T, text, question string) {
		if len(text) > 10_000 {
			t.Skip("lint has fuzz targets of its own")
		}
		e := newEngine(t, text)
		for _, q := range All() {
			answer, err := e.Ask(q.Name, []byte(question))
			wrong := (*engine.Error)(nil)
			switch {
			case err != nil && !errors.As(err, &wrong):
				t.Errorf("%s: %v", q.Name, err)
			case err == nil && !json.Valid(answer):
				t.Errorf("%s: %s", q.Name, answer)
			}
		}
	})
}
