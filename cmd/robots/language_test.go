package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// TestNothingEnglish reads the source of the verbs that answer in four languages: they must
// print texts in the language of the user, and no words from a format string.
func TestNothingEnglish(t *testing.T) {
	words := regexp.MustCompile(`[A-Za-z]{2,}`)
	notWords := strings.NewReplacer("robots: ", "")
	verbs := regexp.MustCompile(`%[-+# 0-9.\[\]]*[a-z]`)
	fset := token.NewFileSet()
	n := 0
	var files []string
	for _, folder := range []string{"../internal/say", "../../internal/robotname"} {
		found, err := filepath.Glob(folder + "/*.go")
		fatal.If(t, err)
		files = append(files, found...)
	}
	files = append(files, "agents.go", "agentsdescribe.go", "build.go", "card.go", "diff.go", "input.go", "lint.go",
		"match.go", "minimize.go", "page.go", "past.go", "prove.go")
	for _, file := range files {
		if filepath.Base(file) == "history.go" {
			continue // of fetch, which has no --lang
		}
		f, err := parser.ParseFile(fset, file, nil, 0)
		fatal.If(t, err)
		ast.Inspect(f, func(node ast.Node) bool {
			call, ok := node.(*ast.CallExpr)
			if !ok {
				return true
			}
			of, ok := call.Fun.(*ast.SelectorExpr)
			if !ok || !strings.HasPrefix(of.Sel.Name, "Fprint") {
				return true
			}
			n++
			for _, arg := range call.Args {
				lit, ok := arg.(*ast.BasicLit)
				if !ok || lit.Kind != token.STRING {
					continue
				}
				format, err := strconv.Unquote(lit.Value)
				fatal.If(t, err)
				if found := words.FindString(verbs.ReplaceAllString(notWords.Replace(format), "")); found != "" {
					t.Errorf("%s: %q is in English, whatever --lang says", fset.Position(lit.Pos()), found)
				}
			}
			return true
		})
	}
	if n < 20 {
		t.Errorf("only %d calls that print in these files", n)
	}
}
