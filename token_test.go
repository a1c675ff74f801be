package robots_test

import (
	"testing"

	"github.com/robotsexclusion/robots"
)

func TestProductToken(t *testing.T) {
	for text, want := range map[string]string{
		"ExampleBot":                       "ExampleBot",
		"ExampleBot/1.0 (+https://a.test)": "ExampleBot",
		"ExampleBot (a; b)":                "ExampleBot",
		"\t ExampleBot\t1":                 "ExampleBot",
		"Example.Bot_2-x/3":                "Example.Bot_2-x",
		"/1.0":                             "",
		" ":                                "",
		"":                                 "",
	} {
		if got := robots.ProductToken(text); got != want {
			t.Errorf("%q begins with the token %q, want %q", text, got, want)
		}
		// A policy finds the same token in the name of a question.
		p := robots.Parse([]byte("User-agent: " + want + "\nDisallow: /\n"))
		if got := p.For(robots.ProductToken(text)).Token(); got != want {
			t.Errorf("%q has the group of %q, want %q", text, got, want)
		}
	}
}
