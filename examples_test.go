package robots_test

import (
	"go/doc"
	"go/parser"
	"go/token"
	"path"
	"regexp"
	"strings"
	"testing"
)

// TestExamples checks that each public package, in nested modules too, has an example that pkg.go.dev shows and that runs, and
// that the examples to which the comment of package robots links exist.
func TestExamples(t *testing.T) {
	code, tests := make(map[string]bool), make(map[string][]string) // by folder
	for _, file := range repositoryFiles(t) {
		folder := path.Dir(file)
		switch first, _, _ := strings.Cut(file, "/"); first {
		case "oracle", "examples", "cmd": // no packages for users
			continue
		}
		if path.Ext(file) != ".go" || strings.Contains("/"+folder+"/", "/internal/") {
			continue
		}
		if strings.HasSuffix(file, "_test.go") {
			tests[folder] = append(tests[folder], file)
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.PackageClauseOnly)
		if err != nil {
			t.Fatal(err)
		}
		code[folder] = code[folder] || f.Name.Name != "main" // a generator is no package for users
	}
	names := make(map[string]bool) // such as "fetch#Client_Policy"
	for folder, public := range code {
		if !public {
			continue
		}
		n := 0
		for _, file := range tests[folder] {
			f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ParseComments)
			if err != nil {
				t.Fatal(err)
			}
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
	const site = "https://pkg.go.dev/github.com/robotsexclusion/robots"
	links := regexp.MustCompile(`(?m)^// \[\S+\]: `+regexp.QuoteMeta(site)+`(\S*)#example-(\S+)$`).FindAllStringSubmatch(string(read(t, "doc.go")), -1)
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
