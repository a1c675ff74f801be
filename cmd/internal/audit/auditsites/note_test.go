package auditsites

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/internal/printable"
)

// A stored note may be by anybody: a kind that is not known is refused, and a hostile argument is
// escaped.
func TestStoredNote(t *testing.T) {
	for _, text := range []string{`{"kind": "other", "args": ["x"]}`, `{"kind": "shallow", "args": ["x"]}`,
		`{"kind": "shallow"}`, `{}`, `[]`, `"shallow"`} {
		var note Note
		if err := json.Unmarshal([]byte(text), &note); err == nil {
			t.Errorf("%s: got %+v, want an error", text, note)
		}
	}
	for kind, known := range noteTexts {
		note := Note{Kind: kind}
		for range known.args {
			note.Args = append(note.Args, "\x1b[2J%[9]d⟨a/b⟩")
		}
		for l := range language.Language(len(language.Codes())) {
			if text := note.In(l); !printable.IsText(text) || strings.Contains(text, "%!") ||
				strings.Count(text, "%[9]d") != known.args {
				t.Errorf("%s in %v: got %q", kind, l, text)
			}
		}
	}
}
