package agent_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/agent"
)

// The names that a robot obeys, by the text that names it.
func TestSubject(t *testing.T) {
	const google = "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)"
	var known *agent.Table // that of the package
	for _, test := range []struct {
		name   string
		obeys  string // groups, the closest first
		speaks string // META names in order
	}{
		{"*", "*", "*"},
		{"ExampleBot", "ExampleBot, *", "ExampleBot"},
		{"ExampleBot/1.0", "ExampleBot, *", "ExampleBot"},
		{" ExampleBot ", "ExampleBot, *", "ExampleBot"},
		{"Googlebot", "Googlebot, *", "Googlebot, googlebot"},
		{"googlebot", "Googlebot, *", "Googlebot, googlebot"},
		{"Googlebot/2.1", "Googlebot, *", "Googlebot, googlebot"},
		{"Googlebot-Image", "Googlebot-Image, Googlebot, *", "Googlebot-Image, Googlebot"},
		{"AdsBot-Google", "AdsBot-Google", "AdsBot-Google, adsbot-google"},
		{google, "Googlebot, *", "Googlebot, googlebot"},
		{"ExampleBot/1.0 (+https://bot.example/bot)", "ExampleBot, *", "ExampleBot"},
		// The robot has its own name, and the table has the name of its operator's robots.
		{"Exabot-Images", "Exabot-Images, Exabot, *", "Exabot-Images, Exabot"},
		{"Exabot-Images/3.0", "Exabot-Images, Exabot, *", "Exabot-Images, Exabot"},
		{"ExampleBot\r\n", "ExampleBot, *", "ExampleBot"},
		// Names joined by ">" are not looked up.
		{"AdsBot-Google>*", "AdsBot-Google, *", "AdsBot-Google, *"},
		{"Googlebot-Image > ExampleBot", "Googlebot-Image, ExampleBot, *", "Googlebot-Image, ExampleBot"},
		{">ExampleBot>>", "ExampleBot, *", "ExampleBot"},
		// The commas of a header are part of the header.
		{"ExampleBot/1.0 (a, b; +https://bot.example/bot)", "ExampleBot, *", "ExampleBot"},
	} {
		r := known.Subject(test.name)
		if got := strings.Join(r.Obeys(), ", "); got != test.obeys {
			t.Errorf("%q obeys %s, want %s", test.name, got, test.obeys)
		}
		if got := strings.Join(r.PageNames(), ", "); got != test.speaks {
			t.Errorf("%q is spoken to as %s, want %s", test.name, got, test.speaks)
		}
		if r.Name != test.name {
			t.Errorf("%q is shown as %q", test.name, r.Name)
		}
	}
	for _, name := range []string{"", " ", ",", " , ,", "()", "/", "  (;)", ">", "GPTBot,CCBot"} {
		if s := known.Subject(name); len(s.Tokens) > 0 {
			t.Errorf("%q: got %q, want no robot", name, s.Tokens)
		}
	}
}

// TestPageNames checks that a robot that obeys the rules for another operator's robot in robots.txt
// does not obey the tags of pages for that robot.
func TestPageNames(t *testing.T) {
	for name, want := range map[string][]string{
		"Applebot":           {"Applebot"},
		"Googlebot-Image":    {"Googlebot-Image", "Googlebot"},
		"Applebot>Googlebot": {"Applebot", "Googlebot"},
		"ExampleBot":         {"ExampleBot"},
	} {
		var known *agent.Table
		if got := known.Subject(name).PageNames(); !slices.Equal(got, want) {
			t.Errorf("%s goes by %q, want %q", name, got, want)
		}
	}
}

// TestOneGroup checks that every function that returns the group of a robot returns the same group.
func TestOneGroup(t *testing.T) {
	var known *agent.Table
	var all strings.Builder
	for a := range agent.All() {
		all.WriteString("User-agent: " + a.Token + "\nDisallow: /" + a.Token + "\n")
	}
	for _, text := range []string{all.String(),
		"User-agent: *\nDisallow: /\nUser-agent: Googlebot\nUser-agent: Exabot\nAllow: /\n"} {
		p := robots.Parse([]byte(text))
		names := []string{"*", "ExampleBot", "Exabot-Images", "Exabot-Images/3.0", "AdsBot-Google"}
		for a := range agent.All() {
			names = append(names, a.Token)
		}
		for _, name := range names {
			want := agent.Group(p, name).Lines()
			if got := known.Subject(name).Group(p).Lines(); !slices.Equal(got, want) {
				t.Errorf("Subject(%q): lines %v, want %v", name, got, want)
			}
			if got := known.SubjectNamed(name).Group(p).Lines(); !slices.Equal(got, want) {
				t.Errorf("SubjectNamed(%q): lines %v, want %v", name, got, want)
			}
		}
	}
}

// FuzzSubject checks that a product token alone, which has a way of its own, is the robot that it
// is with a version.
func FuzzSubject(f *testing.F) {
	for _, name := range []string{"ExampleBot", "googlebot", "Exabot-Images", "AdsBot-Google", "B\xc3\xb6t", "\xff",
		"100%", "a.b!c", "-", "Foo/1", " ", "", "*", "a+b"} {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, name string) {
		if strings.ContainsAny(name, " \t\n\v\f\r\u0085\u00a0/,(;") || strings.TrimSpace(name) != name {
			t.Skip("it is not a product token alone")
		}
		var known *agent.Table
		got, want := known.Subject(name), known.Subject(name+"/1.0")
		if !slices.Equal(got.Tokens, want.Tokens) || got.Alone != want.Alone ||
			!slices.Equal(got.PageNames(), want.PageNames()) {
			t.Errorf("%q is %v, and with a version %v", name, got, want)
		}
	})
}
