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
				"no se conoce ningún robot por el nombre ExampleBot. --unknown lo permite"},
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
	if all, err := l.Resolve([]string{"GPTBot", ","}); err == nil || len(all) > 0 {
		t.Errorf("got %v, %v, want an error without robots", all, err)
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
			"--block: no robot and no purpose is named Gogglebot, and the file does not name it: did you mean Googlebot? --unknown allows it"},
		{"--block", "openai", ""},
		{"--block", "all", `did you mean "*"?`},
		{"--block", "ai", "did you mean ai-train, ai-search, ai-user?"},
		{"--block", "anyone", `did you mean "*"?`},
		{"robots.claims:1", "all", ""},
		{"robots.claims:2", "everyone",
			"robots.claims:2: no robot and no purpose is named everyone, and the file does not name it: did you mean all? --unknown allows it"},
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
