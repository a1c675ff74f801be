//go:build ignore

// Asks prints the tests that ask for the size of the corpus, by corpus.All, Cases or Every or by
// ROBOTS_CORPUS_ALL, in their own code or in a function or variable of the tests that they mention:
// a line "FOLDER TestOne|TestTwo" for each folder of the arguments that has such tests. What only
// looks like a mention counts too: a test that runs once more does no harm.
package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"log"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

func main() {
	log.SetFlags(0)
	for _, folder := range os.Args[1:] {
		if tests := asking(folder); len(tests) > 0 {
			fmt.Println(folder, strings.Join(tests, "|"))
		}
	}
}

// A decl is a function, a method or a variable of tests.
type decl struct {
	name     string // a method's begins with a point
	mentions []string
	asks     bool
}

// asking returns the sorted names of the tests of a folder that ask.
func asking(folder string) (tests []string) {
	files, err := filepath.Glob(filepath.Join(folder, "*_test.go"))
	if err != nil {
		log.Fatal(err)
	}
	var decls []*decl
	for _, file := range files {
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			log.Fatal(err)
		}
		decls = append(decls, declsOf(f)...)
	}
	asked := make(map[string]bool)
	for more := true; more; {
		more = false
		for _, d := range decls {
			if !asked[d.name] && (d.asks || slices.ContainsFunc(d.mentions,
				func(name string) bool { return asked[name] })) {
				asked[d.name], more = true, true
			}
		}
	}
	isTest := regexp.MustCompile(`^(Test|Fuzz)[^a-z]`)
	for name := range asked {
		if isTest.MatchString(name) && name != "TestMain" {
			tests = append(tests, name)
		}
	}
	slices.Sort(tests)
	return tests
}

// declsOf returns the functions, methods and variables of a file.
func declsOf(f *ast.File) (decls []*decl) {
	for _, node := range f.Decls {
		switch node := node.(type) {
		case *ast.FuncDecl:
			name := node.Name.Name
			if node.Recv != nil {
				name = "." + name
			}
			decls = append(decls, newDecl(name, node))
		case *ast.GenDecl:
			for _, spec := range node.Specs {
				if spec, ok := spec.(*ast.ValueSpec); ok {
					for _, name := range spec.Names {
						decls = append(decls, newDecl(name.Name, spec))
					}
				}
			}
		}
	}
	return decls
}

// newDecl returns the declaration of a name, with what its code mentions.
func newDecl(name string, node ast.Node) *decl {
	d := &decl{name: name}
	ast.Inspect(node, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			of, _ := n.X.(*ast.Ident)
			d.asks = d.asks || of != nil && of.Name == "corpus" && slices.Contains([]string{"All", "Cases", "Every"},
				n.Sel.Name)
			d.mentions = append(d.mentions, "."+n.Sel.Name)
		case *ast.Ident:
			d.mentions = append(d.mentions, n.Name)
		case *ast.BasicLit:
			d.asks = d.asks || n.Value == `"ROBOTS_CORPUS_ALL"`
		}
		return true
	})
	return d
}
