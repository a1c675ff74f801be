package lsp_test

import (
	"encoding/json"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// The colours of Vim and Emacs, and the names in Vim's for the parts of the TextMate grammar.
const (
	vimFile   = "../../../integrations/editors/vim/syntax/robots.vim"
	emacsFile = "../../../integrations/editors/emacs/robots-txt-mode.el"
)

var vimParts = map[string]string{"user-agent": "Agent", "rule": "Rule", "address": "Address", "number": "Number",
	"record": "Record"}

func readText(t *testing.T, file string) string {
	t.Helper()
	data, err := os.ReadFile(file)
	fatal.If(t, err)
	return string(data)
}

// TestGrammarKnowsFields holds the TextMate grammar, and the colours of Vim and Emacs, against the
// table of fields: one part of the grammar, and not the part for unknown fields, begins at each
// field.
func TestGrammarKnowsFields(t *testing.T) {
	const file = "../../../integrations/editors/vscode/syntaxes/robots.tmLanguage.json"
	data, err := os.ReadFile(file)
	fatal.If(t, err)
	var grammar struct {
		Repository map[string]struct{ Begin string }
	}
	fatal.If(t, json.Unmarshal(data, &grammar))
	vim := make(map[string][]string) // fields by part
	for _, m := range regexp.MustCompile(`(?m)^syntax match robots(\w+)Field /\^\\s\*(?:\\%\()?([a-z|\\-]+?)(?:\\\))?\\ze`).FindAllStringSubmatch(readText(t, vimFile), -1) {
		vim[m[1]] = strings.Split(m[2], `\|`)
	}
	emacs := readText(t, emacsFile)
	for _, field := range robots.Fields() {
		var parts []string
		for name, part := range grammar.Repository {
			if name != "comment" && part.Begin != "" && regexp.MustCompile(part.Begin).MatchString(field.Name+": x") {
				parts = append(parts, name)
			}
		}
		if len(parts) != 1 {
			t.Errorf("%s: %s is in the parts %q, want one: add it to the part for its kind of values", file, field.Name,
				parts)
			continue
		}
		if numeric := regexp.MustCompile(`^[0-9]`).MatchString(field.Example); numeric != (parts[0] == "number") {
			t.Errorf("%s: %s is in the part %s: fields with numbers, and only these, are in the part number", file,
				field.Name, parts[0])
		}
		if name := vimParts[parts[0]]; !slices.Contains(vim[name], strings.ToLower(field.Name)) {
			t.Errorf("%s: %s is not in robots%sField", vimFile, field.Name, name)
		}
		if !strings.Contains(emacs, strconv.Quote(strings.ToLower(field.Name))) {
			t.Errorf("%s: %s is not in robots-txt-fields", emacsFile, field.Name)
		}
	}
}
