package lsp_test

import (
	"encoding/json"
	"os"
	"regexp"
	"testing"

	"github.com/robotsexclusion/robots"
)

// TestGrammarKnowsFields holds the TextMate grammar against the table of fields: one part of the
// grammar, and not the part for unknown fields, begins at each field.
func TestGrammarKnowsFields(t *testing.T) {
	const file = "../editors/vscode/syntaxes/robots.tmLanguage.json"
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var grammar struct {
		Repository map[string]struct{ Begin string }
	}
	if err := json.Unmarshal(data, &grammar); err != nil {
		t.Fatal(err)
	}
	for _, field := range robots.Fields() {
		var parts []string
		for name, part := range grammar.Repository {
			if name != "comment" && part.Begin != "" && regexp.MustCompile(part.Begin).MatchString(field.Name+": x") {
				parts = append(parts, name)
			}
		}
		if len(parts) != 1 {
			t.Errorf("%s: %s is in the parts %q, want one: add it to the part for its kind of values", file, field.Name, parts)
		}
	}
}
