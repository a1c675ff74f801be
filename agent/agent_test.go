package agent_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/internal/printable"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

func TestNamed(t *testing.T) {
	for _, test := range []struct{ name, token string }{
		{"Googlebot", "Googlebot"},
		{"googlebot", "Googlebot"},
		{"GOOGLEBOT/2.1 (+http://www.google.com/bot.html)", "Googlebot"},
		{" Googlebot ", "Googlebot"},
		{"google-extended", "Google-Extended"},
	} {
		if a := agent.Named(test.name); !a.Known() || a.Token != test.token {
			t.Errorf("Named(%q) = %v, want %s of the table", test.name, a, test.token)
		}
	}
	for _, test := range []struct{ name, token string }{
		{"ExampleBot/1.0", "ExampleBot"},
		{"Example Bot", "Example Bot"},
		{"", ""},
		{"*", "*"},
		{"Mozilla", "Mozilla"}, // a word, but not a robot
	} {
		want := agent.Agent{Token: test.token}
		if a := agent.Named(test.name); a != want {
			t.Errorf("Named(%q) = %v, want the token %q and nothing else", test.name, a, test.token)
		}
	}
}

// TestFallbacks checks the fallbacks that operators document.
func TestFallbacks(t *testing.T) {
	for _, test := range []struct {
		name     string
		tokens   []string
		everyone bool
	}{
		{"Googlebot-Image", []string{"Googlebot-Image", "Googlebot"}, true},
		{"Googlebot", []string{"Googlebot"}, true},
		{"Applebot", []string{"Applebot", "Googlebot"}, true},
		{"AdsBot-Google", []string{"AdsBot-Google"}, false},
		{"ExampleBot", []string{"ExampleBot"}, true},
		{"", nil, true},
	} {
		a := agent.Named(test.name)
		if got := a.Tokens(); !slices.Equal(got, test.tokens) || a.Everyone() != test.everyone {
			t.Errorf("Named(%q) obeys %q, and everyone's group: %v; want %q, %v", test.name, got, a.Everyone(),
				test.tokens, test.everyone)
		}
	}
}

func TestFacts(t *testing.T) {
	a := agent.Named("Googlebot")
	switch {
	case a.Operator != "Google", !a.Purposes.Has(agent.Search), a.Kind != agent.Robot:
		t.Errorf("%v, %v, want a robot of Google for search", a, a.Purposes)
	case a.Obedience() != agent.Obeys, a.CrawlDelay() != agent.DelayIgnored, !slices.Contains(a.Meta(), "googlebot"):
		t.Errorf("obedience %v, Crawl-delay %v, meta %v", a.Obedience(), a.CrawlDelay(), a.Meta())
	case len(a.Recipe().Ranges) == 0, len(a.Recipe().DNS) == 0, !strings.HasPrefix(a.Docs(), "https://"),
		a.Checked() == "":
		t.Errorf("recipe %v, docs %q, checked %q", a.Recipe(), a.Docs(), a.Checked())
	case a.PolicyOnly():
		t.Error("Googlebot shows itself in headers")
	}
	if a := agent.Named("Google-Extended"); !a.PolicyOnly() || agent.Lookup("Google-Extended/1.0").Known() {
		t.Error("Google-Extended stands in robots.txt only")
	}
}

// TestZero checks an unknown agent.
func TestZero(t *testing.T) {
	var a agent.Agent
	if a.Known() || a.Tokens() != nil || !a.Everyone() || a.PolicyOnly() || a.Obedience() != agent.Unsaid ||
		a.CrawlDelay() != agent.DelayUnsaid ||
		a.Meta() != nil || a.Recipe().Ranges != nil || a.Docs() != "" || a.Checked() != "" || a.Kind != agent.Unknown ||
		a.Reason != agent.Nothing {
		t.Errorf("the zero Agent knows something: %v", a)
	}
	if got, want := describe(a), ": unknown, nothing is known"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestShared checks that append to a result cannot change an agent.
func TestShared(t *testing.T) {
	a := agent.Named("Googlebot-Image")
	_ = append(a.Tokens(), "x")
	_ = append(a.Meta(), "x")
	_ = append(a.Recipe().Ranges, "x")
	if got := append(a.Tokens(), "x"); !slices.Equal(agent.Named("Googlebot-Image").Tokens(), a.Tokens()) ||
		len(got) != 3 {
		t.Errorf("%q", got)
	}
}

func TestAll(t *testing.T) {
	var tokens []string
	n := 0
	for a := range agent.All() {
		n++
		tokens = append(tokens, strings.ToLower(a.Token))
		if !a.Known() || a.Reason != agent.Listed || a.Name == "" || a.Purposes == 0 {
			t.Errorf("%v lacks something", a)
		}
		if b := agent.Named(a.Token); b != a {
			t.Errorf("Named(%q) = %v, want %v", a.Token, b, a)
		}
	}
	if !slices.IsSorted(tokens) {
		t.Error("the agents are not in the order of their tokens")
	}
	if n < 150 {
		t.Errorf("%d robots, want 150 at least", n)
	}
	if !strings.HasSuffix(agent.Version, fmt.Sprintf(", %d robots", n)) {
		t.Errorf("Version = %q, but there are %d robots", agent.Version, n)
	}
	byPurpose := 0
	for a := range agent.All(agent.AITrain, agent.AISearch) {
		byPurpose++
		if !a.Purposes.Has(agent.AITrain | agent.AISearch) {
			t.Errorf("%v is for %v", a, a.Purposes)
		}
	}
	if byPurpose == 0 || byPurpose >= n {
		t.Errorf("%d of %d robots are for AI", byPurpose, n)
	}
	for range agent.All() {
		break // All must tolerate that
	}
}

// TestNames looks up every name of the table in a header, alone and as a part of a word.
func TestNames(t *testing.T) {
	for _, listed := range slowTable().names {
		name := listed.name
		for _, header := range []string{
			name, name + "/1.0", "Mozilla/5.0 (compatible; " + name + "/2.1; +https://example.com/)",
			strings.ToUpper(name),
			"Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Safari/537.36 " +
				name,
		} {
			if a := agent.Lookup(header); !a.Known() || a.Token != listed.robot.Token {
				t.Errorf("Lookup(%q) = %v, want %s of the table", header, a, listed.robot.Token)
			}
		}
		for _, header := range []string{"x" + name, name + "x", "https://example.com/" + name, "like " + name} {
			if a := agent.Lookup(header); a.Known() && a.Token == listed.robot.Token {
				t.Errorf("Lookup(%q) = %v, but that is part of a word, an address, or another's name", header, a)
			}
		}
	}
}

func TestStrings(t *testing.T) {
	for _, test := range []struct{ header, want string }{
		{"Googlebot-Image/1.0", `Googlebot-Image: robot of Google, listed as "Googlebot-Image"`},
		{"Mozilla/5.0 (compatible; Example; crawler)", `Example: robot, the word "crawler"`},
		{"Example (+https://example.com/\u202e)", `Example: robot, it gives the address "https://example.com/\u202e"`},
		{"ex\u202eample/1.0", `ex\u202eample: program, the name "ex\u202eample", and no browser`},
		{"\xffoo/1.0", `\xffoo: program, the name "\xffoo", and no browser`},
	} {
		if got := describe(agent.Lookup(test.header)); got != test.want {
			t.Errorf("%q is %s, want %s", test.header, got, test.want)
		}
	}
}

// describe returns the facts about an agent as a text.
func describe(a agent.Agent) string {
	text := printable.Text(a.Token) + ": " + a.Kind.String()
	if a.Operator != "" {
		text += " of " + printable.Text(a.Operator)
	}
	return text + ", " + a.Why()
}

func TestJSON(t *testing.T) {
	for _, test := range []struct{ header, want string }{
		{"", `{"token":"","tokens":[],"kind":"unknown","reason":"nothing","device":false,"known":false,` +
			`"everyone":true,"crawler":true}`},
		{"Example crawler",
			`{"token":"Example","tokens":["Example"],"kind":"robot","reason":"robot-word","word":"crawler",` +
				`"device":false,"known":false,"everyone":true,"crawler":true}`},
	} {
		got, err := json.Marshal(agent.Lookup(test.header))
		if err != nil || string(got) != test.want {
			t.Errorf("JSON of %q = %s, %v, want %s", test.header, got, err, test.want)
		}
	}
	got, err := json.Marshal(agent.Named("AdsBot-Google"))
	fatal.If(t, err)
	for _, want := range []string{`"token":"AdsBot-Google"`, `"everyone":false`, `"purposes":["ads"]`,
		`"operator":"Google"`, `"robots_txt":"yes"`, `"verify":{"ranges":[`} {
		if !strings.Contains(string(got), want) {
			t.Errorf("JSON of AdsBot-Google = %s, which has no %s", got, want)
		}
	}
}

func TestPurposes(t *testing.T) {
	n := 0
	for p := range agent.Purposes() {
		n++
		if q, ok := agent.ParsePurpose(strings.ToUpper(p.String())); !ok || q != p {
			t.Errorf("ParsePurpose(%v) = %v, %v", p, q, ok)
		}
	}
	if n != 16 {
		t.Errorf("%d purposes, want 16", n)
	}
	if p, ok := agent.ParsePurpose("train"); ok || p != 0 {
		t.Errorf("ParsePurpose(train) = %v, %v, want none", p, ok)
	}
	if got := (agent.Search | agent.AIUser).String(); got != "search, ai-user" {
		t.Errorf("String() = %q", got)
	}
}

// TestImport runs this program without tests, to see what the import of the package costs. The
// import must do nothing: the first use makes the table.
func TestImport(t *testing.T) {
	program, err := os.Executable()
	if err != nil {
		t.Skip(err)
	}
	cmd := exec.Command(program, "-test.run=^$")
	cmd.Env = append(os.Environ(), "GODEBUG=inittrace=1")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	traced := false
	for line := range strings.Lines(string(out)) {
		traced = traced || strings.HasPrefix(line, "init ")
		if strings.HasPrefix(line, "init github.com/robotsexclusion/robots/agent @") {
			t.Errorf("the package works when it is imported: %s", line)
		}
	}
	if !traced {
		t.Skip("this Go does not trace imports")
	}
}
