// Package house has the rules of this repository that no compiler checks, as tests: which package
// may import which (floors_test.go), how many names a package may export (doors_test.go), how wide
// lines are, and what must not stand in texts. The tests read the files of the repository once, and
// parse each Go file once. They need no corpus, and they run in seconds:
//
//	go test ./internal/house
package house

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// modules are the folders of the modules whose packages stand on floors and have doors. Other
// nested modules, such as oracle, are only held to the rules for all files.
var modules = []string{".", "crawler", "robotsd"}

// A source is a file of the repository. The rules share it, so they do not change it.
type source struct {
	path string // relative to the root of the repository, with slashes
	text []byte
	tree *ast.File // of a Go file
}

// isTest reports whether a Go file is compiled for tests only.
func (s *source) isTest() bool { return strings.HasSuffix(s.path, "_test.go") }

// folder returns the folder of the file, "." for the root.
func (s *source) folder() string { return path.Dir(s.path) }

// A repository is the files of this repository.
type repository struct {
	root    string // its folder
	fset    *token.FileSet
	files   []*source
	folders map[string]string // of the listed modules, by the path of the module
}

// house returns the repository, which is read for the first test that asks.
func house(t *testing.T) *repository {
	t.Helper()
	r, err := readOnce()
	fatal.If(t, err)
	return r
}

var readOnce = sync.OnceValues(func() (*repository, error) {
	root, err := findRoot()
	if err != nil {
		return nil, err
	}
	debug.SetGCPercent(400) // the trees of all files stay until the end
	r := &repository{root: root, fset: token.NewFileSet()}
	return r, filepath.WalkDir(root, r.visit)
})

// findRoot returns the folder of the repository: the first one above the working directory, or
// itself, that has this package.
func findRoot() (string, error) {
	dir, err := os.Getwd()
	for err == nil {
		if _, err := os.Stat(filepath.Join(dir, "internal", "house", "house_test.go")); err == nil {
			return dir, nil
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", fmt.Errorf("no folder above the working directory has internal/house")
		}
		dir = parent
	}
	return "", err
}

// visit reads a file. It leaves out test data, packages installed by npm, and the hidden folders of
// git and editors.
func (r *repository) visit(file string, d fs.DirEntry, err error) error {
	if err != nil {
		return err
	}
	name := d.Name()
	if d.IsDir() {
		hidden := strings.HasPrefix(name, ".") && file != r.root && name != ".ci" && name != ".github"
		if hidden || name == "testdata" || name == "node_modules" || name == "dist" {
			return fs.SkipDir
		}
		return nil
	}
	if !d.Type().IsRegular() {
		return nil
	}
	relative, err := filepath.Rel(r.root, file)
	if err != nil {
		return err
	}
	s := &source{path: filepath.ToSlash(relative)}
	if s.text, err = os.ReadFile(file); err != nil {
		return err
	}
	if path.Ext(name) == ".go" {
		mode := parser.ParseComments | parser.SkipObjectResolution
		if s.tree, err = parser.ParseFile(r.fset, s.path, s.text, mode); err != nil {
			return err
		}
	}
	r.files = append(r.files, s)
	return nil
}

// goFiles returns all Go files, those of nested modules too.
func (r *repository) goFiles() (files []*source) {
	for _, s := range r.files {
		if s.tree != nil {
			files = append(files, s)
		}
	}
	return files
}

// file returns the file with a path.
func (r *repository) file(t *testing.T, path string) *source {
	t.Helper()
	for _, s := range r.files {
		if s.path == path {
			return s
		}
	}
	t.Fatalf("there is no file %s", path)
	return nil
}

// packages returns the Go files of each package of the modules in the list, by folder.
func (r *repository) packages() map[string][]*source {
	var nested []string // folders of all modules, the root last
	for _, s := range r.files {
		if path.Base(s.path) == "go.mod" {
			nested = append(nested, s.folder())
		}
	}
	packages := make(map[string][]*source)
	for _, s := range r.goFiles() {
		if folder := s.folder(); slices.Contains(modules, longest(nested, folder)) {
			packages[folder] = append(packages[folder], s)
		}
	}
	return packages
}

// longest returns the longest of the roots that is p or above it. The root "." is above every
// folder.
func longest(roots []string, p string) (root string) {
	for _, r := range roots {
		if (r == "." || within(r, p)) && len(r) > len(root) {
			root = r
		}
	}
	return root
}

// within reports whether a folder or an import path is root or below it.
func within(root, p string) bool {
	return p == root || strings.HasPrefix(p, root+"/")
}

// imports returns the imports of a Go file.
func (s *source) imports(t *testing.T) (paths []string) {
	t.Helper()
	for _, spec := range s.tree.Imports {
		p, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			t.Fatalf("%s: %v", s.path, err)
		}
		paths = append(paths, p)
	}
	return paths
}

// thirdParty reports whether an import path is of another module: its first element has a dot,
// unlike those of the standard library.
func thirdParty(p string) bool {
	host, _, _ := strings.Cut(p, "/")
	return host != "." && strings.Contains(host, ".")
}

// A directive is one line of go.mod, reduced to what the tests need.
type directive struct {
	verb, arg string // such as "require" and the path of a module
	indirect  bool
}

// goMod returns the path of the module in a folder, and the directives of its go.mod.
func (r *repository) goMod(t *testing.T, folder string) (module string, directives []directive) {
	t.Helper()
	block := ""
	for line := range strings.Lines(string(r.file(t, path.Join(folder, "go.mod")).text)) {
		code, comment, _ := strings.Cut(line, "//")
		words := strings.Fields(code)
		switch {
		case len(words) == 0:
			continue
		case words[0] == ")":
			block = ""
			continue
		case len(words) == 2 && words[1] == "(":
			block = words[0]
			continue
		case block != "":
			words = slices.Insert(words, 0, block)
		}
		if len(words) < 2 {
			t.Fatalf("%s/go.mod: cannot read %q", folder, line)
		}
		d := directive{words[0], words[1], strings.TrimSpace(comment) == "indirect"}
		if d.verb == "module" {
			module = d.arg
		}
		directives = append(directives, d)
	}
	return module, directives
}

// ownFolder returns the folder of a package of the listed modules, by its import path.
func (r *repository) ownFolder(t *testing.T, p string) (folder string, ok bool) {
	t.Helper()
	if r.folders == nil {
		r.folders = make(map[string]string)
		for _, folder := range modules {
			module, _ := r.goMod(t, folder)
			r.folders[module] = folder
		}
	}
	module := longest(slices.Collect(maps.Keys(r.folders)), p)
	if module == "" {
		return "", false
	}
	return path.Join(r.folders[module], strings.TrimPrefix(p, module)), true
}
