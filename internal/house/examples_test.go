package house

import (
	"go/ast"
	"go/doc"
	"regexp"
	"strings"
	"testing"
)

// TestExamples checks that each public package, in nested modules too, has an example that
// pkg.go.dev shows and that runs, and that the examples to which the comment of package robots
// links exist.
func TestExamples(t *testing.T) {
	names := exampleNames(t, house(t))
	const site = "https://pkg.go.dev/github.com/robotsexclusion/robots"
	link := regexp.MustCompile(`(?m)^// \[\S+\]: ` + regexp.QuoteMeta(site) + `(\S*)#example-(\S+)$`)
	links := link.FindAllStringSubmatch(string(house(t).file(t, "doc.go").text), -1)
	if len(links) < 12 {
		t.Errorf("doc.go links to %d examples", len(links))
	}
	for _, link := range links {
		folder, name := strings.TrimPrefix(link[1], "/"), strings.ReplaceAll(link[2], ".", "_")
		if folder == "" {
			folder = "."
		}
		if name == "package" {
			name = ""
		}
		if !names[folder+"#"+name] {
			t.Errorf("doc.go links to %s, and there is no such example", link[0])
		}
	}
}

// exampleNames returns the examples of the public packages, such as "fetch#Client_Policy". It fails
// the test for a package without one.
func exampleNames(t *testing.T, r *repository) map[string]bool {
	t.Helper()
	code, tests := make(map[string]bool), make(map[string][]*ast.File) // by folder
	for _, s := range r.goFiles() {
		folder := s.folder()
		switch first, _, _ := strings.Cut(s.path, "/"); first {
		case "oracle", "examples", "cmd": // no packages for users
			continue
		}
		if strings.Contains("/"+folder+"/", "/internal/") {
			continue
		}
		if s.isTest() {
			tests[folder] = append(tests[folder], s.tree)
			continue
		}
		code[folder] = code[folder] || s.tree.Name.Name != "main" // a generator is not a package for users
	}
	names := make(map[string]bool)
	for folder, public := range code {
		if !public {
			continue
		}
		n := 0
		for _, f := range tests[folder] {
			for _, e := range doc.Examples(f) {
				if e.Output != "" || e.EmptyOutput {
					names[folder+"#"+e.Name] = true
					n++
				}
			}
		}
		if n == 0 {
			t.Errorf("package %s has no example with an output", folder)
		}
	}
	return names
}
