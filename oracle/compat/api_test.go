package compat_test

import (
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// theirPath and ourPath are the import lines that a user changes.
const (
	theirPath = "github.com/temoto/robotstxt"
	ourPath   = "github.com/robotsexclusion/robots/compat/temoto"
)

// TestAPI checks that package compat/temoto exports the names of the original, each of the same
// type: nothing is missing, and nothing is added that a program could not use after the way back.
func TestAPI(t *testing.T) {
	load := importer.ForCompiler(token.NewFileSet(), "source", nil)
	theirs, err := load.Import(theirPath)
	fatal.If(t, err)
	ours, err := load.Import(ourPath)
	fatal.If(t, err)
	want, got := exported(theirs), exported(ours)
	if len(want) < 10 {
		t.Fatalf("the original exports %d names: %v", len(want), want)
	}
	for _, name := range slices.Sorted(maps.Keys(want)) {
		if got[name] != want[name] {
			t.Errorf("%s: got %q, want %q", name, got[name], want[name])
		}
	}
	for name := range got {
		if want[name] == "" {
			t.Errorf("%s is not in the original", name)
		}
	}

	// One program, which uses each name, compiles against both.
	for _, path := range []string{theirPath, ourPath} {
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, "program.go", strings.ReplaceAll(program, "IMPORT", path), 0)
		fatal.If(t, err)
		info := &types.Info{Uses: make(map[*ast.Ident]types.Object)}
		if _, err := (&types.Config{Importer: load}).Check("program", fset, []*ast.File{file}, info); err != nil {
			t.Errorf("with %s: %v", path, err)
		}
		used := make(map[string]bool)
		for _, o := range info.Uses {
			if o.Pkg() != nil && o.Pkg().Path() == path {
				used[o.Name()] = true
			}
		}
		for name := range want {
			if _, member, ok := strings.Cut(name, "."); !used[name] && !(ok && used[member]) {
				t.Errorf("the program does not use %s", name)
			}
		}
	}
}

// program is a program of a user, as it is before and after the change of the import line.
const program = `package program

import (
	"errors"
	"net/http"
	"time"

	"IMPORT"
)

func all(res *http.Response, text string) (bool, time.Duration, []string, string, error) {
	for _, read := range []func() (*robotstxt.RobotsData, error){
		func() (*robotstxt.RobotsData, error) { return robotstxt.FromString(text) },
		func() (*robotstxt.RobotsData, error) { return robotstxt.FromBytes([]byte(text)) },
		func() (*robotstxt.RobotsData, error) { return robotstxt.FromStatusAndString(200, text) },
		func() (*robotstxt.RobotsData, error) { return robotstxt.FromStatusAndBytes(200, []byte(text)) },
	} {
		if data, err := read(); err != nil || !data.TestAgent("/", "FooBot") {
			var failed *robotstxt.ParseError
			if errors.As(err, &failed) {
				return false, 0, nil, failed.Error(), failed.Errs[0]
			}
			return false, 0, nil, string(robotstxt.WhitespaceChars), err
		}
	}
	data, err := robotstxt.FromResponse(res)
	if err != nil {
		return false, 0, nil, "", err
	}
	var group *robotstxt.Group = data.FindGroup("FooBot")
	return group.Test("/"), group.CrawlDelay, data.Sitemaps, data.Host + group.Agent, nil
}
`

// exported returns the exported names of a package, with the fields and methods of its types, each
// with its type. Names of parameters and results are not part of a type.
func exported(p *types.Package) map[string]string {
	here := func(q *types.Package) string {
		if q == p {
			return ""
		}
		return q.Path()
	}
	all := make(map[string]string)
	add := func(name string, o types.Object) {
		text := types.TypeString(unnamed(o.Type()), here)
		if _, ok := o.(*types.TypeName); ok {
			text = fmt.Sprintf("%T", o.Type().Underlying())
		}
		all[name] = fmt.Sprintf("%T %s", o, text)
	}
	for _, name := range p.Scope().Names() {
		o := p.Scope().Lookup(name)
		if !o.Exported() {
			continue
		}
		add(name, o)
		if _, ok := o.(*types.TypeName); !ok {
			continue
		}
		if s, ok := o.Type().Underlying().(*types.Struct); ok {
			for f := range s.Fields() {
				if f.Exported() {
					add(name+"."+f.Name(), f)
				}
			}
		}
		for m := range types.NewMethodSet(types.NewPointer(o.Type())).Methods() {
			if m.Obj().Exported() {
				add(name+"."+m.Obj().Name(), m.Obj())
			}
		}
		for m := range types.NewMethodSet(o.Type()).Methods() { // a value has these, not only a pointer
			if m.Obj().Exported() {
				all[name+"."+m.Obj().Name()] += " of a value"
			}
		}
	}
	return all
}

// unnamed returns a type without the names of its parameters and results, if it is a function.
func unnamed(typ types.Type) types.Type {
	s, ok := typ.(*types.Signature)
	if !ok {
		return typ
	}
	tuple := func(named *types.Tuple) *types.Tuple {
		var vars []*types.Var
		for v := range named.Variables() {
			vars = append(vars, types.NewVar(token.NoPos, nil, "", v.Type()))
		}
		return types.NewTuple(vars...)
	}
	return types.NewSignatureType(nil, nil, nil, tuple(s.Params()), tuple(s.Results()), s.Variadic())
}
