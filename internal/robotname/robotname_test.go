package robotname_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/internal/robotname"
)

// TestQuestions checks which values of --agent lead to a question: tokens that are nearly a known
// name, each once, and no headers.
func TestQuestions(t *testing.T) {
	l := robotname.Names{Language: language.Spanish}
	l.Add("HouseBot")
	got := l.Questions([]string{"Gogglebot", "Googlebot, HuoseBot/1.0", "Gogglebot", "ExampleBot",
		"Mozilla/5.0 (compatible; Gogglebot/2.1; +http://example.com/)"})
	want := []string{
		"no se conoce ningún robot por el nombre Gogglebot: ¿quiso decir Googlebot?",
		"no se conoce ningún robot por el nombre HuoseBot: ¿quiso decir HouseBot?",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
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
		{"--block", "all", `--block: no robot and no purpose is named all, and the file does not name it: --unknown`},
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
