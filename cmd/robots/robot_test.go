package main

import (
	"slices"
	"strings"
	"testing"
)

// The names that a robot obeys, by what --agent says.
func TestRobotsOf(t *testing.T) {
	const google = "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)"
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
		// It has a name of its own, and the table that of its operator's robots.
		{"Exabot-Images", "Exabot-Images, Exabot, *", "Exabot-Images, Exabot"},
		{"Exabot-Images/3.0", "Exabot-Images, Exabot, *", "Exabot-Images, Exabot"},
		// With commas, names are taken as they are.
		{"AdsBot-Google,*", "AdsBot-Google, *", "AdsBot-Google, *"},
		{"Googlebot-Image, ExampleBot", "Googlebot-Image, ExampleBot, *", "Googlebot-Image, ExampleBot"},
		{",ExampleBot,,", "ExampleBot, *", "ExampleBot"},
		// Those of a header are part of it.
		{"ExampleBot/1.0 (a, b; +https://bot.example/bot)", "ExampleBot, *", "ExampleBot"},
	} {
		all, err := robotsOf(nil, []string{test.name})
		if err != nil || len(all) != 1 {
			t.Errorf("%q: %d robots, %v", test.name, len(all), err)
			continue
		}
		r := all[0]
		if got := strings.Join(r.obeys(), ", "); got != test.obeys {
			t.Errorf("%q obeys %s, want %s", test.name, got, test.obeys)
		}
		if got := strings.Join(r.names(), ", "); got != test.speaks {
			t.Errorf("%q is spoken to as %s, want %s", test.name, got, test.speaks)
		}
		if r.name != test.name {
			t.Errorf("%q is shown as %q", test.name, r.name)
		}
	}
	for _, name := range []string{"", " ", ",", " , ,", "()", "/", "  (;)"} {
		if all, err := robotsOf(nil, []string{name}); err == nil {
			t.Errorf("%q: got %q, want an error", name, all[0].tokens)
		}
	}
	all, err := robotsOf(nil, nil)
	if err != nil || len(all) != 1 || !slices.Equal(all[0].obeys(), []string{"*"}) {
		t.Errorf("nobody: got %v, %v", all, err)
	}
}

// TestPageNames: what a robot obeys of another operator's robot in robots.txt, it does not
// obey in the tags of pages.
func TestPageNames(t *testing.T) {
	for name, want := range map[string][]string{
		"Applebot":           {"Applebot"},
		"Googlebot-Image":    {"Googlebot-Image", "Googlebot"},
		"Applebot,Googlebot": {"Applebot", "Googlebot"},
		"ExampleBot":         {"ExampleBot"},
	} {
		found, err := robotsOf(nil, []string{name})
		if err != nil || !slices.Equal(found[0].names(), want) {
			t.Errorf("%s goes by %q, %v, want %q", name, found[0].names(), err, want)
		}
	}
}
