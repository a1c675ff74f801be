package house

import (
	"bytes"
	"go/ast"
	"go/doc"
	"go/printer"
	"go/token"
	"slices"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// gofmt is the configuration of go/format, whose functions would parse each file again. Its last
// bit makes the printer write prefixes of numbers in lower case.
var gofmt = printer.Config{Mode: printer.UseSpaces | printer.TabIndent | 1<<30, Tabwidth: 8}

// TestGofmt checks that every Go file is formatted by gofmt.
func TestGofmt(t *testing.T) {
	r := house(t)
	var formatted bytes.Buffer
	for _, s := range r.goFiles() {
		formatted.Reset()
		ast.SortImports(r.fset, s.tree)
		if err := gofmt.Fprint(&formatted, r.fset, s.tree); err != nil {
			t.Errorf("%s: %v", s.path, err)
		} else if !bytes.Equal(formatted.Bytes(), s.text) {
			t.Errorf("%s is not formatted: run gofmt -w %[1]s", s.path)
		}
	}
}

// TestComments checks that every package has a package comment, and that every exported name of an
// importable package has a comment.
func TestComments(t *testing.T) {
	r := house(t)
	folders := make(map[string][]*source) // with those of the oracle
	for _, s := range r.goFiles() {
		folders[s.folder()] = append(folders[s.folder()], s)
	}
	for folder, files := range folders {
		var code []*ast.File
		commented := false
		for _, s := range files {
			commented = commented || s.tree.Doc.Text() != ""
			if !s.isTest() && s.tree.Name.Name != "main" {
				code = append(code, s.tree)
			}
		}
		if !commented {
			t.Errorf("%s: no file has a package comment", folder)
		}
		if len(code) == 0 {
			continue // a command, or only tests
		}
		p, err := doc.NewFromFiles(r.fset, code, folder, doc.AllDecls|doc.PreserveAST)
		fatal.If(t, err)
		uncommented(p, func(pos token.Pos, name string) {
			t.Errorf("%s: %s has no comment", r.fset.Position(pos), name)
		})
	}
}

// uncommented returns the exported names of a package without a comment. One comment is enough for
// constants or variables that are declared together. The package has all declarations, because
// package doc removes the others from the shared trees.
func uncommented(p *doc.Package, report func(pos token.Pos, name string)) {
	values := func(list []*doc.Value) {
		for _, v := range list {
			for _, spec := range v.Decl.Specs {
				s := spec.(*ast.ValueSpec)
				i := slices.IndexFunc(s.Names, (*ast.Ident).IsExported)
				if i >= 0 && v.Doc == "" && s.Doc.Text() == "" && s.Comment.Text() == "" {
					report(s.Pos(), s.Names[i].Name)
				}
			}
		}
	}
	funcs := func(list []*doc.Func, prefix string) {
		for _, f := range list {
			// A method of an embedded type that is exported has its comment there.
			elsewhere := f.Level > 0 && ast.IsExported(strings.TrimPrefix(f.Orig, "*"))
			if f.Doc == "" && ast.IsExported(f.Name) && !elsewhere {
				report(f.Decl.Pos(), prefix+f.Name)
			}
		}
	}
	values(p.Consts)
	values(p.Vars)
	funcs(p.Funcs, "")
	for _, typ := range p.Types {
		values(typ.Consts)
		values(typ.Vars)
		funcs(typ.Funcs, "")
		if !ast.IsExported(typ.Name) {
			continue
		}
		if typ.Doc == "" {
			report(typ.Decl.Pos(), typ.Name)
		}
		funcs(typ.Methods, typ.Name+".")
	}
}

// maxMethods is the maximum number of methods of one type.
const maxMethods = 25

// TestMethods checks that every type has at most maxMethods methods. A type that needs more is
// split into several types, each with the few fields that its methods use.
func TestMethods(t *testing.T) {
	methods := make(map[string]int) // by folder and type
	for _, s := range house(t).goFiles() {
		if s.isTest() {
			continue
		}
		for _, d := range s.tree.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv != nil {
				methods[s.folder()+"."+receiver(fn.Recv.List[0].Type)]++
			}
		}
	}
	for name, n := range methods {
		if n > maxMethods {
			t.Errorf("%s has %d methods, more than %d: move some of them, with the fields that they use, "+
				"to a type of their own", name, n, maxMethods)
		}
	}
}

// receiver returns the name of the type of a receiver.
func receiver(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return receiver(e.X)
	case *ast.IndexExpr:
		return receiver(e.X)
	case *ast.IndexListExpr:
		return receiver(e.X)
	case *ast.Ident:
		return e.Name
	}
	return ""
}

// comparers are the files that compare dialects only to name one to people.
var comparers = []string{"proof/merge/problem.go"}

// TestDialectsAreAsked checks that no package above package robots compares a dialect with another
// one. They ask the dialect for its answer, such as robots.Dialect.FirstMatch.
func TestDialectsAreAsked(t *testing.T) {
	r := house(t)
	dialects := typedConstants(r.file(t, "dialect.go").tree, "Dialect")
	if len(dialects) < 5 {
		t.Fatalf("dialect.go has the dialects %v only", dialects)
	}
	found := make(map[string]bool)
	for _, files := range r.packages() {
		for _, s := range files {
			if s.isTest() {
				continue
			}
			ast.Inspect(s.tree, func(n ast.Node) bool {
				if n != nil && comparesDialects(n, dialects) {
					found[s.path] = true
					if !slices.Contains(comparers, s.path) {
						t.Errorf("%s: compares dialects: ask the dialect, or add the question to dialectSpec "+
							"in dialect.go", r.fset.Position(n.Pos()))
					}
				}
				return true
			})
		}
	}
	for _, file := range comparers {
		if !found[file] {
			t.Errorf("%s compares no dialects any more: take it out of the list", file)
		}
	}
}

// comparesDialects reports whether a node compares a value with one of the dialects.
func comparesDialects(n ast.Node, dialects []string) bool {
	named := func(e ast.Expr) bool {
		s, ok := e.(*ast.SelectorExpr)
		if !ok {
			return false
		}
		x, ok := s.X.(*ast.Ident)
		return ok && x.Name == "robots" && slices.Contains(dialects, s.Sel.Name)
	}
	switch n := n.(type) {
	case *ast.BinaryExpr:
		return (n.Op == token.EQL || n.Op == token.NEQ) && (named(n.X) || named(n.Y))
	case *ast.CaseClause:
		return slices.ContainsFunc(n.List, named)
	}
	return false
}

// typedConstants returns the names of the constants that are declared with a type, in the block
// whose first constant has the type.
func typedConstants(f *ast.File, typ string) (names []string) {
	for _, d := range f.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok || g.Tok != token.CONST {
			continue
		}
		if id, ok := g.Specs[0].(*ast.ValueSpec).Type.(*ast.Ident); !ok || id.Name != typ {
			continue
		}
		for _, spec := range g.Specs {
			for _, name := range spec.(*ast.ValueSpec).Names {
				names = append(names, name.Name)
			}
		}
	}
	return names
}
