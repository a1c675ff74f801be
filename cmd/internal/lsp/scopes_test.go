package lsp

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots/internal/test/fatal"
	"github.com/robotsexclusion/robots/lint"
)

// typesOfScopes has the types of tokens for the scopes of the TextMate grammar. Scopes that say
// something without a type of the protocol have "".
var typesOfScopes = map[string]string{
	"keyword.control":       "keyword",
	"keyword.other":         "keyword",
	"variable.other":        "variable",
	"entity.name.type":      "type",
	"constant.language":     "enumMember",
	"constant.numeric":      "number",
	"constant.character":    "number",
	"keyword.operator":      "operator",
	"string.unquoted":       "string",
	"markup.underline":      "string",
	"comment.line":          "comment",
	"punctuation.separator": "",
	"invalid.illegal":       "",
}

// typeOfScope returns the type of tokens for a scope.
func typeOfScope(scope string) (string, bool) {
	for name, t := range typesOfScopes {
		if strings.HasPrefix(scope, name+".") {
			return t, true
		}
	}
	return "", false
}

// TestTokensOfGrammar holds the tokens against the tests of the TextMate grammar: where both speak,
// they say the same. In these files a comment below a line has the scope of some of its characters.
func TestTokensOfGrammar(t *testing.T) {
	files, err := filepath.Glob("../../../integrations/editors/vscode/test/*.robots.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no tests of the grammar: %v", err)
	}
	assertion := regexp.MustCompile(`^(# *)(\^+) ([a-z.-]+)$`)
	compared := 0
	for _, file := range files {
		data, err := os.ReadFile(file)
		fatal.If(t, err)
		d := testDocument(string(data), utf8Bytes, lint.Options{})
		askTokens(t, d)
		types := slowTypes(d)
		above, offset := 0, 0 // of the line that the assertions are about
		for line := range strings.Lines(string(data)) {
			m := assertion.FindStringSubmatch(strings.TrimSuffix(line, "\n"))
			if m == nil {
				if !strings.HasPrefix(line, "# ") && !strings.HasPrefix(line, "#^") {
					above = offset
				}
				offset += len(line)
				continue
			}
			want, ok := typeOfScope(m[3])
			if !ok {
				t.Errorf("%s: scope %s has no type of tokens: add it to typesOfScopes", file, m[3])
			}
			for i := range len(m[2]) {
				at := above + len(m[1]) + i
				if got := types[at]; got != want && got != "" {
					t.Errorf("%s: %q has type %s and scope %s", file, data[at], got, m[3])
				}
				compared++
			}
			offset += len(line)
		}
	}
	if compared < 100 {
		t.Errorf("only %d characters compared", compared)
	}
}

// TestScopesHaveTypes checks that each scope of the grammar has a type of tokens.
func TestScopesHaveTypes(t *testing.T) {
	data, err := os.ReadFile("../../../integrations/editors/vscode/syntaxes/robots.tmLanguage.json")
	fatal.If(t, err)
	for _, m := range regexp.MustCompile(`"name": "([a-z.-]+\.robots)"`).FindAllStringSubmatch(string(data), -1) {
		if _, ok := typeOfScope(m[1]); !ok && m[1] != "punctuation.definition.comment.robots" {
			t.Errorf("scope %s has no type of tokens: add it to typesOfScopes", m[1])
		}
	}
}
