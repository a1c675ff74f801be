package lsp

import (
	"testing"

	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// TestCompletionFiltered checks that the names of robots are those that a client would select for
// the letters before the cursor, and that the client is then told to ask again.
func TestCompletionFiltered(t *testing.T) {
	s := newSession(new(Server))
	complete := func(text string) completionList {
		t.Helper()
		d := testDocument(text, utf16Units, s.settings.options())
		list, err := d.completion(testClient(utf16Units),
			placeParams{Position: position{Line: 0, Character: len(text)}})
		fatal.If(t, err)
		return list.(completionList)
	}
	all := complete("User-agent: ")
	if all.IsIncomplete || len(all.Items) < 100 || all.Items[0].Label != "*" {
		t.Errorf("%d items, incomplete: %v", len(all.Items), all.IsIncomplete)
	}
	for _, item := range all.Items[1:] {
		typed := "user-agent: " + item.Label
		if some := complete(typed); !some.IsIncomplete || len(some.Items) == 0 || len(some.Items) > len(all.Items)/2 {
			t.Errorf("%q has %d items, incomplete: %v", typed, len(some.Items), some.IsIncomplete)
		}
	}
	gpt := complete("User-agent: gptb")
	for _, item := range gpt.Items {
		if item.Label == "GPTBot" {
			return
		}
	}
	t.Errorf("gptb has no GPTBot among %d items", len(gpt.Items))
}
