package agent_test

import (
	"strings"
	"testing"

	"github.com/robotsexclusion/robots/agent"
)

func TestNearest(t *testing.T) {
	for _, test := range []struct {
		name   string
		others []string
		want   string
	}{
		{"Googlebto", nil, "Googlebot"}, {"GTPBot", nil, "GPTBot"}, {"Google-bot", nil, "Googlebot"},
		{"google bot", nil, "Googlebot"},
		{"Gogglebot", nil, "Googlebot"}, {"Googlebots", nil, "Googlebot"}, {"bingbto", nil, "bingbot"},
		{"GPT-Bot", nil, "GPTBot"},
		{"ClaudeBto", nil, "ClaudeBot"}, {"CCBto", nil, "CCBot"},
		{"ai-trian", []string{"ai-train", "ai-search"}, "ai-train"}, {"ai train", []string{"ai-train"}, "ai-train"},
		{"ai-train", []string{"ai-train"}, ""},
		{"MyBto", []string{"MyBot"}, "MyBot"}, {"mybot", []string{"MyBot"}, ""},
		{"Googlebot", nil, ""}, {"googlebot", nil, ""}, {"Googlebot/2.1", nil, ""}, {"FooBot", nil, ""},
		{"ExampleBot", nil, ""}, {"*", nil, ""}, {"", nil, ""}, {"all", nil, ""},
		{"DCBot", nil, ""}, {"x", nil, ""}, {"\x00", nil, ""}, {strings.Repeat("Googlebot", 1000), nil, ""},
	} {
		if got := agent.Nearest(test.name, test.others...); got != test.want {
			t.Errorf("Nearest(%.50q, %q) = %q, want %q", test.name, test.others, got, test.want)
		}
	}
	// A name of the table has no nearest name.
	for a := range agent.All() {
		if got := agent.Nearest(a.Token); got != "" {
			t.Errorf("Nearest(%q) = %q", a.Token, got)
		}
	}
}
