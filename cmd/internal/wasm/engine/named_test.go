package engine

import (
	"slices"
	"testing"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/agent"
)

// TestObeys compares the robots of the core engine with those of the table.
func TestObeys(t *testing.T) {
	for a := range agent.All() {
		for _, text := range []string{a.Token, a.Token + "/1.0",
			"Mozilla/5.0 (compatible; " + a.Token + "/1.0; +https://a.example/)"} {
			got, err := Robot{Tokens: []string{text}}.known()
			if err != nil {
				t.Errorf("%q: %v", text, err)
				continue
			}
			want := Robot{[]string{text}, false}
			if len(a.Tokens()) > 1 || !a.Everyone() {
				want = Robot{a.Tokens(), !a.Everyone()}
			}
			if !slices.Equal(got.Tokens, want.Tokens) || got.Alone != want.Alone {
				t.Errorf("%q is %v, and in the table %v", text, got, want)
			}
		}
	}
	for _, given := range []Robot{{}, {[]string{"Googlebot-Image"}, true}, {[]string{"Googlebot-Image", "x"}, false},
		{[]string{"MyGooglebot-Image2"}, false}, {[]string{"Mediapartners-Google*"}, false}} {
		got, err := given.known()
		if err != nil || !slices.Equal(got.Tokens, given.Tokens) || got.Alone != given.Alone {
			t.Errorf("%v is %v, %v", given, got, err)
		}
	}
	e := New()
	handle, err := e.Parse("User-agent: GPTBot\nDisallow: /\n", robots.RFC9309)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := e.Robots(handle, []Robot{{Tokens: []string{"GPTBot,CCBot"}}}); err == nil {
		t.Error("two robots in one text are one")
	}
}
