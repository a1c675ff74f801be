package robots_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots"
)

// TestDialectsAreAsked checks that no package above compares a dialect with another one. They ask
// the dialect for its answer, such as [robots.Dialect.FirstMatch]. The listed places only name a
// dialect to people.
func TestDialectsAreAsked(t *testing.T) {
	speaks := []string{"proof/merge/problem.go"}
	constants := []string{"RFC9309", "Google", "Koster1994", "Koster1996", "Kollar1996"}
	if len(constants) != len(robots.Dialects()) {
		t.Fatalf("%d dialects, %d constants", len(robots.Dialects()), len(constants))
	}
	named := func(e ast.Expr) bool {
		s, ok := e.(*ast.SelectorExpr)
		if !ok {
			return false
		}
		x, ok := s.X.(*ast.Ident)
		return ok && x.Name == "robots" && slices.Contains(constants, s.Sel.Name)
	}
	compares := func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BinaryExpr:
			return (n.Op == token.EQL || n.Op == token.NEQ) && (named(n.X) || named(n.Y))
		case *ast.CaseClause:
			return slices.ContainsFunc(n.List, named)
		}
		return false
	}
	found := make(map[string]bool)
	for _, files := range modulePackages(t) {
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			fset := token.NewFileSet()
			f, err := parser.ParseFile(fset, file, nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			ast.Inspect(f, func(n ast.Node) bool {
				if n != nil && compares(n) {
					found[file] = true
					if !slices.Contains(speaks, file) {
						t.Errorf("%s: compares dialects: ask the dialect, or add the question to dialectSpec in dialect.go", fset.Position(n.Pos()))
					}
				}
				return true
			})
		}
	}
	for _, file := range speaks {
		if !found[file] {
			t.Errorf("%s compares no dialects any more: take it out of the list", file)
		}
	}
}

// TestDialectAnswers checks the exported answers of the dialects against what the dialects do.
func TestDialectAnswers(t *testing.T) {
	paths := map[robots.Dialect]string{
		robots.RFC9309:    "/%3B~%C3%A9",
		robots.Google:     "/%3B%7E\u00e9",
		robots.Koster1994: "/;~\u00e9",
		robots.Koster1996: "/;~\u00e9",
		robots.Kollar1996: "/;~\u00e9",
	}
	for _, d := range robots.Dialects() {
		g := d.Parse([]byte("User-agent: *\nDisallow: /\nDisallow: /ab\n")).For("a")
		if got := g.Match("/ab").Rule.Line == 2; got != d.FirstMatch() {
			t.Errorf("%v: the first rule decides: %t, FirstMatch says %t", d, got, d.FirstMatch())
		}
		if got := g.Match("/robots.txt").Allowed; got != d.AllowsRobotsFile() {
			t.Errorf("%v: robots.txt is allowed: %t, AllowsRobotsFile says %t", d, got, d.AllowsRobotsFile())
		}
		if got := d.Path("/%3B%7E\u00e9"); got != paths[d] {
			t.Errorf("%v: compares %s, want %s", d, got, paths[d])
		}
	}
}
