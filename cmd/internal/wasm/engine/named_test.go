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
			want := Robot{Tokens: []string{text}}
			if len(a.Tokens()) > 1 || !a.Everyone() {
				want = Robot{Tokens: a.Tokens(), Alone: !a.Everyone()}
			}
			if !slices.Equal(got.Tokens, want.Tokens) || got.Alone != want.Alone {
				t.Errorf("%q is %v, and in the table %v", text, got, want)
			}
		}
	}
	for _, given := range []Robot{{}, {Tokens: []string{"Googlebot-Image"}, Alone: true},
		{Tokens: []string{"Googlebot-Image", "x"}}, {Tokens: []string{"MyGooglebot-Image2"}},
		{Tokens: []string{"Mediapartners-Google*"}}, {Tokens: []string{"AdsBot-Google"}, Everyone: true}} {
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
	for _, several := range []Robot{{Tokens: []string{"GPTBot,CCBot"}}, {Tokens: []string{"x", "GPTBot,CCBot"}},
		{Tokens: []string{"GPTBot,CCBot"}, Alone: true}, {Tokens: []string{"\x00[null,[\"a\"]]"}}} {
		if _, err := e.Robots(handle, []Robot{several}); err == nil {
			t.Errorf("%q are one robot", several.Tokens)
		}
	}
	// The caller's word that the robot obeys the group for everyone makes another robot.
	handle, err = e.Parse("User-agent: *\nDisallow: /\n", robots.RFC9309)
	if err != nil {
		t.Fatal(err)
	}
	numbers, err := e.Robots(handle, []Robot{{Tokens: []string{"AdsBot-Google"}},
		{Tokens: []string{"AdsBot-Google"}, Everyone: true}})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []bool{true, false} {
		if v, _, err := e.Match(nil, handle, numbers[i], "/"); err != nil || v.Allowed() != want {
			t.Errorf("robot %d: %v, %v", i, v, err)
		}
	}
}
