package robotname_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/internal/robotname"
)

// TestResolve checks that several texts are one list of robots, each once, and that every unknown
// name is told, once, in the language.
func TestResolve(t *testing.T) {
	l := robotname.Names{Language: language.Spanish}
	l.Add("HouseBot")
	for _, test := range []struct {
		texts []string
		want  string // the tokens
		err   string // the whole message
	}{
		{[]string{"GPTBot", "gptbot", "HouseBot, CCBot"}, "GPTBot HouseBot CCBot", ""},
		{[]string{"Gogglebot", "Googlebot, HuoseBot/1.0", "Gogglebot", "ExampleBot",
			"Mozilla/5.0 (compatible; Gogglebot/2.1; +http://example.com/)"},
			"Gogglebot Googlebot HuoseBot ExampleBot Gogglebot",
			"no se conoce ningún robot por el nombre Gogglebot: ¿quiso decir Googlebot? " +
				"no se conoce ningún robot por el nombre HuoseBot/1.0: ¿quiso decir HouseBot? " +
				"no se conoce ningún robot por el nombre ExampleBot. --unknown los permite"},
	} {
		all, err := l.Resolve(test.texts)
		var tokens []string
		for _, s := range all {
			tokens = append(tokens, s.Tokens[0])
		}
		if got := strings.Join(tokens, " "); got != test.want {
			t.Errorf("%q: got %s, want %s", test.texts, got, test.want)
		}
		unknown := (*robotname.UnknownError)(nil)
		if test.err == "" && err != nil || test.err != "" && (!errors.As(err, &unknown) || err.Error() != test.err) {
			t.Errorf("%q: got\n%v\nwant\n%s", test.texts, err, test.err)
		}
	}
	for _, code := range []language.Language{language.English, language.Spanish, language.Korean, language.Russian} {
		l.Language = code
		_, err := l.Resolve([]string{"--unknown"})
		got := robotname.InJSON(err)
		if strings.Count(got, "--unknown") != 1 || !strings.Contains(got, `"unknown": true`) {
			t.Errorf("%s: got %s", code, got)
		}
	}
	if all, err := l.Resolve([]string{"GPTBot", ","}); err == nil || len(all) > 0 {
		t.Errorf("got %v, %v, want an error without robots", all, err)
	}
}

// TestOne checks which robot a text names, where a question is about one.
func TestOne(t *testing.T) {
	l := robotname.Names{Language: language.Korean}
	l.Add("HouseBot")
	for text, want := range map[string]string{
		"GPTBot":            "GPTBot",
		" gptbot/1.2":       "GPTBot",
		"housebot":          "housebot",
		"gemini":            "Google-Extended",
		"Yandex":            "Yandex", // its token, though people mean YandexBot too
		"NewBot>HouseBot":   "NewBot HouseBot",
		"GPTBot, gptbot":    "GPTBot",
		"Gogglebot":         "Gogglebot",
		"claude":            "error ClaudeBot",
		"OpenAI":            "error GPTBot",
		"ai-train":          "error …",
		"GPTBot, CCBot":     "error GPTBot, CCBot",
		",":                 "error no robot",
		"No\x1bBody,GPTBot": `error No\x1bBody`,
		"":                  "",
		"Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0": "Mozilla",
		"(x)": "",
		"Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://a.b/c)\n": "GPTBot",
	} {
		s, err := l.One(text)
		unknown, isUnknown := errors.AsType[*robotname.UnknownError](err)
		if part, ok := strings.CutPrefix(want, "error "); ok {
			if err == nil || isUnknown || len(s.Tokens) > 0 || !strings.Contains(err.Error(), part) {
				t.Errorf("%q: got %v, %v, want an error with %q", text, s.Tokens, err, part)
			}
			continue
		}
		if got := strings.Join(s.Tokens, " "); got != want && !strings.EqualFold(s.Tokens[0], want) {
			t.Errorf("%q: got %s, want %s", text, got, want)
		}
		if len(s.Tokens) == 0 && s.Name != text || err != nil && !isUnknown {
			t.Errorf("%q: got the name %q, %v", text, s.Name, err)
		}
		if mistyped := text == "Gogglebot"; mistyped && (!isUnknown || len(unknown.Notes()) != 1) {
			t.Errorf("%q: got %v", text, err)
		}
	}
}

// TestCheckSize checks the limits of texts from strangers.
func TestCheckSize(t *testing.T) {
	for _, test := range []struct {
		texts []string
		want  string
	}{
		{[]string{"GPTBot", "a,b"}, ""},
		{nil, ""},
		{[]string{"GPTBot", "a,b", "c"}, "4 robots are given, more than 3"},
		{[]string{"a" + strings.Repeat(",a", 1<<20)}, "1048577 robots are given, more than 3"},
		{[]string{"a," + strings.Repeat("a", 2000)}, "2000 bytes, more than 1024"},
	} {
		err := robotname.CheckSize(test.texts, 3)
		if test.want == "" && err != nil || test.want != "" && (err == nil ||
			!strings.Contains(err.Error(), test.want)) {
			t.Errorf("%.40q: got %v, want %s", test.texts, err, test.want)
		}
	}
}

// TestCheck checks which names wishes and claims may use.
func TestCheck(t *testing.T) {
	for _, test := range []struct {
		where, name string
		want        string // a part of the error
	}{
		{"--block", "ai-train", ""},
		{"--block", "housebot", ""},
		{"--block", "*", ""},
		{"--block", "Gogglebot",
			"--block: no robot and no purpose is named Gogglebot, and the file does not name it: did you mean Googlebot? --unknown accepts the name"},
		{"--block", "openai", ""},
		{"--block", "all", `did you mean "*"?`},
		{"--block", "ai", "did you mean ai-train, ai-search, ai-user?"},
		{"--block", "anyone", `did you mean "*"?`},
		{"robots.claims:1", "all", ""},
		{"robots.claims:2", "everyone",
			"robots.claims:2: no robot and no purpose is named everyone, and the file does not name it: did you mean all? --unknown accepts the name"},
		{"robots.claims:1", "No\x1bBody", `named No\x1bBody,`},
	} {
		l := robotname.WithPurposes(nil, language.English)
		l.Add("HouseBot")
		if strings.HasPrefix(test.where, "robots.claims") {
			l.Add("all")
		}
		err := l.Check(test.where, "Googlebot", test.name)
		switch {
		case test.want == "" && err != nil:
			t.Errorf("%s %q: %v", test.where, test.name, err)
		case test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)):
			t.Errorf("%s %q: got %v, want %s", test.where, test.name, err, test.want)
		}
	}
}
