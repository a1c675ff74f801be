package ask_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots/ask"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// A common name of one robot is answered for this robot, and one of several is refused, unless the
// text has a group with the name. A robot that the table does not have asks about itself.
func TestCommonNames(t *testing.T) {
	const text = "User-agent: *\nAllow: /\n\nUser-agent: GPTBot\nUser-agent: CCBot\nDisallow: /\n\n" +
		"User-agent: gemini\nAllow: /\n"
	for name, want := range map[string]string{
		"common crawl":  "false",
		"CommonCrawl":   "false",
		"gpt":           "several robots",
		"claude":        "several robots",
		" OpenAI\n":     "several robots",
		"ai-train":      "several robots",
		"GPT Bot":       "did you mean GPTBot?",
		"gemini":        "true",
		"*":             "true",
		"":              "true",
		"NewcomerBot":   "true",
		"Newcomer Bot":  "true",
		"NewcomerBot/1": "true",
		"Yandex":        "true",
		"GPTBot/1.2":    "false",
	} {
		line, err := json.Marshal(map[string]string{"robots": text, "agent": name, "url": "/"})
		fatal.If(t, err)
		var out bytes.Buffer
		_, err = new(ask.Server).Serve(t.Context(), bytes.NewReader(append(line, '\n')), &out)
		fatal.If(t, err)
		got := out.String()
		refused := strings.Contains(got, `"error"`) && strings.Contains(got, want)
		if !refused && !strings.Contains(got, `"allowed":`+want) {
			t.Errorf("%q: got %s, want %s", name, got, want)
		}
	}
}
