//go:build ignore

// Types checks the types of packages and their tests for a system: "types.go windows/amd64 ./...".
// It compiles nothing, and so takes a small part of the time of "go build" and "go vet", which
// compile all dependencies. It skips the bodies of functions in the packages that are not named.
package main

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// A listed package is what "go list" says of one.
type listed struct {
	ImportPath string
	Dir        string
	GoFiles    []string
	ImportMap  map[string]string
	DepOnly    bool
	Module     *struct{ GoVersion string }
}

func main() {
	log.SetFlags(0)
	list := exec.Command("go", append([]string{"list", "-deps", "-test",
		"-json=ImportPath,Dir,GoFiles,ImportMap,DepOnly,Module"}, os.Args[2:]...)...)
	system, arch, _ := strings.Cut(os.Args[1], "/")
	list.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS="+system, "GOARCH="+arch)
	list.Stderr = os.Stderr
	out, err := list.StdoutPipe()
	if err == nil {
		err = list.Start()
	}
	if err != nil {
		log.Fatal(err)
	}
	c := &checker{files: token.NewFileSet(), known: map[string]*types.Package{"unsafe": types.Unsafe},
		sizes: types.SizesFor("gc", arch)}
	for d := json.NewDecoder(out); ; {
		var p listed
		if err := d.Decode(&p); err == io.EOF {
			break
		} else if err != nil {
			log.Fatal(err)
		}
		c.check(&p)
	}
	if err := list.Wait(); err != nil {
		log.Fatal(err)
	}
	if c.failed {
		os.Exit(1)
	}
	fmt.Printf("   %s: %d packages\n", os.Args[1], len(c.known))
}

type checker struct {
	files  *token.FileSet
	known  map[string]*types.Package
	sizes  types.Sizes
	failed bool
}

// check checks a package whose dependencies are known, as they are in the order of "go list -deps".
func (c *checker) check(p *listed) {
	if p.ImportPath == "unsafe" || strings.HasSuffix(p.ImportPath, ".test") {
		return
	}
	var files []*ast.File
	for _, name := range p.GoFiles {
		f, err := parser.ParseFile(c.files, filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution)
		if err != nil {
			log.Fatal(err)
		}
		files = append(files, f)
	}
	config := types.Config{Importer: importer{c, p}, Sizes: c.sizes, IgnoreFuncBodies: p.DepOnly}
	if p.Module != nil && p.Module.GoVersion != "" {
		config.GoVersion = "go" + p.Module.GoVersion
	}
	config.Error = func(err error) {
		if p.DepOnly {
			return // such as an import that only the skipped bodies use
		}
		fmt.Fprintln(os.Stderr, err)
		c.failed = true
	}
	path, _, _ := strings.Cut(p.ImportPath, " ") // of "a/b [a/b.test]"
	c.known[p.ImportPath], _ = config.Check(path, c.files, files, nil)
}

// An importer finds the packages that a package imports.
type importer struct {
	*checker
	of *listed
}

func (i importer) Import(path string) (*types.Package, error) {
	if other := i.of.ImportMap[path]; other != "" {
		path = other
	}
	if p := i.known[path]; p != nil {
		return p, nil
	}
	return nil, fmt.Errorf("%s is not known", path)
}
