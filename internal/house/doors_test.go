package house

import (
	"go/ast"
	"maps"
	"slices"
	"strings"
	"testing"
)

// doors is the number of names that each public package exports: functions, methods of exported
// types, types, constants and variables. Each name is a promise, so one more is a decision, and the
// number is changed by hand.
//
// The numbers fall while the packages are put in order. A commit that removes a name lowers the
// number of its package in the same commit.
var doors = map[string]int{
	".":               113,
	"audit/accesslog": 21,
	"agent":           96,
	"agent/botauth":   36,
	"agent/keydir":    11,
	"ask":             30,
	"audit":           60,
	"compat/temoto":   13,
	"conformance":     20,
	"crawler/crawl":   51,
	"crawler/control": 7,
	"crawler/result":  34,
	"sitemap":         16,
	"crawler/warc":    41,
	"export":          14,
	"fetch":           56,
	"fetch/natscache": 9,
	"lint/format":     1,
	"guard":           36,
	"lint":            45,
	"proof/merge":     14,
	"page":            54,
	"proof/pathset":   23,
	"proof":           43,
	"server":          5,
	"server/answers":  8,
	"server/api":      39,
	"server/web":      3,
}

// maxDoors is the maximum number of names of all public packages together.
const maxDoors = 900

// TestDoors compares the number of names that each package exports with doors, exactly.
func TestDoors(t *testing.T) {
	sum := 0
	packages := house(t).packages()
	for pkg, files := range packages {
		if strings.Contains("/"+pkg+"/", "/internal/") {
			continue
		}
		names := exportedNames(files)
		sum += len(names)
		switch want := doors[pkg]; {
		case len(names) > want:
			t.Errorf("package %s exports %d names, and doors says %d. Growth is a decision: unexport "+
				"what no other program needs, or raise the number. It exports %s",
				pkg, len(names), want, strings.Join(names, ", "))
		case len(names) < want:
			t.Errorf("package %s exports %d names, and doors says %d: lower the number. It exports %s",
				pkg, len(names), want, strings.Join(names, ", "))
		}
	}
	for pkg := range doors {
		if packages[pkg] == nil {
			t.Errorf("doors has a number for %s, which has no Go files", pkg)
		}
	}
	t.Logf("%d names of public packages", sum)
	if sum > maxDoors {
		t.Errorf("all public packages export %d names, more than the %d that maxDoors allows: "+
			"unexport what no other program needs, or raise maxDoors too", sum, maxDoors)
	}
}

// exportedNames returns the names that the files of a package export, sorted. A name that is in
// several files, for several systems, counts once.
func exportedNames(files []*source) []string {
	names := make(map[string]bool)
	for _, s := range files {
		if s.isTest() || s.tree.Name.Name == "main" {
			continue // nobody imports a command, or a generator beside a package
		}
		for _, decl := range s.tree.Decls {
			for _, name := range declaredNames(decl) {
				hidden := func(part string) bool { return !ast.IsExported(part) }
				if !slices.ContainsFunc(strings.Split(name, "."), hidden) {
					names[name] = true
				}
			}
		}
	}
	return slices.Sorted(maps.Keys(names))
}

// declaredNames returns the names of a declaration. The name of a method begins with its type:
// "Policy.For".
func declaredNames(decl ast.Decl) (names []string) {
	switch d := decl.(type) {
	case *ast.FuncDecl:
		name := d.Name.Name
		if d.Recv != nil {
			name = receiver(d.Recv.List[0].Type) + "." + name
		}
		names = append(names, name)
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			switch s := spec.(type) {
			case *ast.TypeSpec:
				names = append(names, s.Name.Name)
			case *ast.ValueSpec:
				for _, name := range s.Names {
					names = append(names, name.Name)
				}
			}
		}
	}
	return names
}
