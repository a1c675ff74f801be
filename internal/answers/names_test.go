package answers_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/answers"
	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/proof"
	"github.com/robotsexclusion/robots/proof/merge"
)

// TestQuestions checks which values of --agent lead to a question: tokens that are nearly a known
// name, each once, and no headers.
func TestQuestions(t *testing.T) {
	l := answers.Names{Language: language.Spanish}
	l.AddFile(robots.Parse([]byte("User-agent: HouseBot\nDisallow: /\n")))
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
		wish, claim string
		want        string // a part of the error
	}{
		{"ai-train", "ai-train and Googlebot may fetch /", ""},
		{"housebot", "HouseBot may fetch /", ""},
		{"*", "* may fetch /", ""},
		{"Gogglebot", "",
			"--block: no robot and no purpose is named Gogglebot, and the file does not name it: did you mean Googlebot? --unknown allows it"},
		{"all", "", `--block: no robot and no purpose is named all, and the file does not name it: --unknown`},
		{"anyone", "", `did you mean "*"?`},
		{"", "all may fetch /", ""},
		{"", "\neveryone may fetch /",
			"robots.claims:2: no robot and no purpose is named everyone, and the file does not name it: did you mean all? --unknown allows it"},
		{"", "No\x1bBody may fetch /", `named No\x1bBody,`},
	} {
		l := answers.NamesWithPurposes(nil, language.English)
		l.AddFile(robots.Parse([]byte("User-agent: HouseBot\nDisallow: /\n")))
		var wishes []merge.Wish
		if test.wish != "" {
			wishes = append(wishes, merge.Wish{Robots: test.wish})
		}
		claims, err := proof.ParseClaims(test.claim)
		if err != nil {
			t.Fatal(err)
		}
		if err = l.CheckWishes(wishes); err == nil {
			err = l.CheckClaims("robots.claims", claims)
		}
		switch {
		case test.want == "" && err != nil:
			t.Errorf("%q, %q: %v", test.wish, test.claim, err)
		case test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)):
			t.Errorf("%q, %q: got %v, want %s", test.wish, test.claim, err, test.want)
		}
	}
}
