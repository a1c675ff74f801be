package house

import (
	"go/ast"
	"regexp"
	"strings"
	"testing"
)

// TestSkipped checks the lists of tests that .ci/run leaves out of a step: each name is that of a
// test, and no test that the step with all of the corpus leaves out asks for its size.
func TestSkipped(t *testing.T) {
	r := house(t)
	list := regexp.MustCompile(`(?m)^(unraced|unsized)\+?='(.*?)'`)
	lists := list.FindAllStringSubmatch(string(r.file(t, ".ci/run").text), -1)
	if len(lists) < 4 {
		t.Errorf(".ci/run has %d lines of lists", len(lists))
	}
	bodies := make(map[string]string) // by name, of all packages
	for _, s := range r.goFiles() {
		for _, d := range s.tree.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && s.isTest() && strings.HasPrefix(fn.Name.Name, "Test") {
				from, to := r.fset.Position(fn.Pos()).Offset, r.fset.Position(fn.End()).Offset
				bodies[fn.Name.Name] += string(s.text[from:to])
			}
		}
	}
	// .ci/run finds the packages that ask for a size by the same names: this file does not spell
	// them.
	size := regexp.MustCompile(`corpus\.` + `(All|Cases|Every|Files)\(|ROBOTS_CORPUS` + `_ALL`)
	for _, list := range lists {
		for _, name := range regexp.MustCompile(`Test\w+`).FindAllString(list[2], -1) {
			switch body := bodies[name]; {
			case body == "":
				t.Errorf(".ci/run leaves out %s, and there is no such test", name)
			case list[1] == "unsized" && size.MatchString(body):
				t.Errorf(".ci/run leaves out %s, which asks for %s", name, "ROBOTS_CORPUS"+"_ALL")
			}
		}
	}
}
