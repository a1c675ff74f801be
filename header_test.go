package robots_test

import (
	"strings"
	"testing"

	"github.com/robotsexclusion/robots"
)

// named is a policy that names some robots, each with a group of its own.
const named = `User-agent: *
Disallow: /everyone
User-agent: GPTBot
User-agent: CCBot
Disallow: /
User-agent: Googlebot
Disallow: /google
User-agent: Mozilla
User-agent: Chrome
User-agent: TwitterBot
Allow: /
`

// TestForText asks for robots by texts with more than a product token: the commonest mistakes.
func TestForText(t *testing.T) {
	policy := parse(named)
	for text, want := range map[string]string{
		"GPTBot":             "GPTBot",
		"gptbot/1.2":         "GPTBot",
		" GPTBot":            "GPTBot",
		"GPTBot\n":           "GPTBot",
		"\r\n\tGPTBot\v ":    "GPTBot",
		"GPTBot\u00a0":       "GPTBot",
		"\u201cGPTBot\u201d": "GPTBot",
		"\ufeffGPTBot":       "GPTBot",
		"GPTBot\nCCBot":      "GPTBot",
		`"GPTBot"`:           "GPTBot",
		"(GPTBot)":           "GPTBot",
		"GPTBot;":            "GPTBot",
		"* GPTBot":           "GPTBot",
		"GPTBot,CCBot":       "GPTBot",
		"OtherBot, CCBot":    "CCBot",
		"GPTBot/1.2 (+https://openai.com/gptbot)":                                      "GPTBot",
		"User-Agent: GPTBot":                                                           "GPTBot",
		"Mozilla/5.0 (compatible; GPTBot/1.2; +https://openai.com/gptbot)":             "GPTBot",
		"Mozilla/5.0 (compatible;GPTBot/1.2;+https://openai.com/gptbot)":               "GPTBot",
		"Mozilla/5.0+(compatible;+GPTBot/1.2;++https://openai.com/gptbot)":             "GPTBot",
		"mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2)":   "GPTBot",
		"Mozilla/5.0 (X11) Chrome/41 Safari/537.36 (compatible; Googlebot/2.1; +http)": "Googlebot",
		"SAMSUNG-SGH-E250/1.0 (compatible; Googlebot/2.1)":                             "Googlebot",

		// Nobody whom the policy names.
		"": "*", " \r\n": "*", "*": "*", " *\n": "*",
		"GPTBots":                    "*",
		"Googlebot-Image":            "*",
		"GPTBot2":                    "*",
		"Telegram (like TwitterBot)": "*",
		"OtherBot/1.0 (+https://GPTBot.example/GPTBot; GPTBot@example.com)": "*",

		// The words of browsers are names where they stand alone, or where nothing else does.
		"Mozilla": "Mozilla", "Mozilla/5.0": "Mozilla", "Mozilla/5.0 (OtherBot/1.0)": "Mozilla", "Chrome": "Chrome",
		"OtherBot Chrome/41": "*",
	} {
		got := policy.For(text)
		if token := got.Token(); token != want {
			t.Errorf("%q has the group of %q, want %q", text, token, want)
		}
		if want == "*" {
			want = ""
		}
		if token := policy.ForOnly(text).Token(); token != want {
			t.Errorf("%q alone has the group of %q, want %q", text, token, want)
		}
	}
	if n := testing.AllocsPerRun(10, func() {
		policy.For("Mozilla/5.0 (X11) Chrome/41 Safari/537.36 (compatible; Other/2.1; +http)")
	}); n > 1 {
		t.Errorf("For allocates %v times for a header, want once, for the group", n)
	}
}

// TestForTextOfDialects: a dialect that says what a name is keeps its word.
func TestForTextOfDialects(t *testing.T) {
	for _, test := range []struct {
		dialect    robots.Dialect
		text, want string
	}{
		{robots.Google, " GPTBot", "*"},
		{robots.Google, "GPTBot/1.2", "*"},
		{robots.Koster1994, " GPTBot\r\n", "GPTBot"},
		{robots.Koster1996, "GPTBot\u00a0", "GPTBot"},
		{robots.Kollar1996, "Mozilla/5.0 (compatible; GPTBot/1.2)", "Mozilla"},
		{robots.Koster1994, "Other/5.0 (compatible; GPTBot/1.2)", "*"},
	} {
		if got := test.dialect.Parse([]byte(named)).For(test.text).Token(); got != test.want {
			t.Errorf("%v: %q has the group of %q, want %q", test.dialect, test.text, got, test.want)
		}
	}
}

// FuzzFor compares the groups that texts name with those of the slow twin, in every dialect.
func FuzzFor(f *testing.F) {
	f.Add("GPTBot\nCCBot", "Mozilla/5.0 (compatible; GPTBot/1.2; +https://openai.com/gptbot)")
	f.Add("Mozilla\nCCBot/", "mozilla/5.0 (like CCBot/2, other\x7fbot)")
	f.Add("a,b\nb\n like", "like b,a,b\r\n")
	f.Add("Bot\u00a0x\nBot", "\u2003Bot\u00a0x\ufeff\u200b\u0085\xff")
	f.Add("c++\n(x)", "c++/2 (x)")
	f.Fuzz(func(t *testing.T, names, text string) {
		var file strings.Builder
		file.WriteString("User-agent: *\nDisallow: /everyone\n")
		for i, name := range strings.Split(names, "\n") {
			file.WriteString("User-agent: " + name + "\nDisallow: /" + string(rune('a'+i%26)) + "\n")
		}
		for _, d := range robots.Dialects() {
			group := d.Parse([]byte(file.String())).For(text)
			rules := slowChoose(d.String(), slowGroups(d.String(), file.String()), text)
			for c := 'a'; c <= 'z'; c++ {
				compareSlow(t, file.String(), group, d, rules, text, "/"+string(c))
			}
			compareSlow(t, file.String(), group, d, rules, text, "/everyone")
		}
	})
}
