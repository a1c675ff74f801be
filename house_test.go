package robots_test

import (
	"bytes"
	"go/ast"
	"go/doc"
	"go/format"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// repositoryFiles returns the files of the repository, relative to its root and with slashes. It
// leaves out test data, packages installed by npm, and the hidden folders of git and editors.
func repositoryFiles(t *testing.T) (files []string) {
	t.Helper()
	err := filepath.WalkDir(".", func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := d.Name()
		if !d.IsDir() {
			if d.Type().IsRegular() {
				files = append(files, filepath.ToSlash(file))
			}
			return nil
		}
		hidden := strings.HasPrefix(name, ".") && file != "." && name != ".ci"
		if hidden || name == "testdata" || name == "node_modules" || name == "dist" {
			return fs.SkipDir
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// TestGofmt checks that every Go file is formatted by gofmt.
func TestGofmt(t *testing.T) {
	for _, file := range repositoryFiles(t) {
		if path.Ext(file) != ".go" {
			continue
		}
		text := read(t, file)
		formatted, err := format.Source(text)
		if err != nil {
			t.Errorf("%s: %v", file, err)
		} else if !bytes.Equal(formatted, text) {
			t.Errorf("%s is not formatted: run gofmt -w %[1]s", file)
		}
	}
}

// TestWhiteSpace checks that every line of text ends with LF and no white space before it, so that
// no editor makes unintended changes.
func TestWhiteSpace(t *testing.T) {
	stray := regexp.MustCompile(`(?m)[ \t\r]+$`)
	for _, file := range repositoryFiles(t) {
		text := read(t, file)
		if bytes.IndexByte(text, 0) >= 0 {
			continue // a binary
		}
		if at := stray.FindIndex(text); at != nil {
			t.Errorf("%s:%d: white space or CR at the end of the line", file, 1+bytes.Count(text[:at[0]], []byte("\n")))
		}
	}
}

// TestComments checks that every package has a package comment, and that every exported name of an
// importable package has a comment.
func TestComments(t *testing.T) {
	folders := make(map[string][]string) // with those of the oracle
	for _, file := range repositoryFiles(t) {
		if path.Ext(file) == ".go" {
			folders[path.Dir(file)] = append(folders[path.Dir(file)], file)
		}
	}
	for folder, files := range folders {
		fset := token.NewFileSet()
		var code []*ast.File
		commented := false
		for _, file := range files {
			f, err := parser.ParseFile(fset, file, nil, parser.ParseComments)
			if err != nil {
				t.Fatal(err)
			}
			commented = commented || f.Doc.Text() != ""
			if !strings.HasSuffix(file, "_test.go") && f.Name.Name != "main" {
				code = append(code, f)
			}
		}
		if !commented {
			t.Errorf("%s: no file has a package comment", folder)
		}
		if len(code) == 0 {
			continue // a command, or only tests
		}
		p, err := doc.NewFromFiles(fset, code, folder)
		if err != nil {
			t.Fatal(err)
		}
		uncommented(p, func(pos token.Pos, name string) {
			t.Errorf("%s: %s has no comment", fset.Position(pos), name)
		})
	}
}

// uncommented returns the exported names of a package without a comment. One comment is enough for
// constants or variables that are declared together.
func uncommented(p *doc.Package, report func(pos token.Pos, name string)) {
	values := func(list []*doc.Value) {
		for _, v := range list {
			for _, spec := range v.Decl.Specs {
				s := spec.(*ast.ValueSpec)
				if v.Doc == "" && s.Doc.Text() == "" && s.Comment.Text() == "" {
					report(s.Pos(), s.Names[0].Name)
				}
			}
		}
	}
	funcs := func(list []*doc.Func, prefix string) {
		for _, f := range list {
			if f.Doc == "" {
				report(f.Decl.Pos(), prefix+f.Name)
			}
		}
	}
	values(p.Consts)
	values(p.Vars)
	funcs(p.Funcs, "")
	for _, typ := range p.Types {
		if typ.Doc == "" {
			report(typ.Decl.Pos(), typ.Name)
		}
		values(typ.Consts)
		values(typ.Vars)
		funcs(typ.Funcs, "")
		funcs(typ.Methods, typ.Name+".")
	}
}

// maxMethods is the maximum number of methods of one type.
const maxMethods = 25

// TestMethods checks that every type has at most maxMethods methods. A type that needs more is
// split into several types, each with the few fields that its methods use.
func TestMethods(t *testing.T) {
	methods := make(map[string]int) // by folder and type
	for _, file := range repositoryFiles(t) {
		if path.Ext(file) != ".go" || strings.HasSuffix(file, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), file, read(t, file), parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		folder := strings.TrimPrefix(path.Dir(file), ".")
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv != nil {
				methods[folder+"."+receiver(fn.Recv.List[0].Type)]++
			}
		}
	}
	for name, n := range methods {
		if n > maxMethods {
			t.Errorf("%s has %d methods, more than %d: move some of them, with the fields that they use, to a type of their own", name, n, maxMethods)
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

// TestLinks checks that the links of every document to files of the repository work.
func TestLinks(t *testing.T) {
	code := regexp.MustCompile("(?ms)^```.*?^```$|`[^`\n]*`")
	link := regexp.MustCompile(`\]\(([^)\s]+)|(?m)^\[[^\]\n]+\]:\s+(\S+)`) // in line, or by reference
	scheme := regexp.MustCompile(`^[a-z][a-z0-9+.-]*:`)
	for _, file := range repositoryFiles(t) {
		if path.Ext(file) != ".md" {
			continue
		}
		for _, m := range link.FindAllSubmatch(code.ReplaceAll(read(t, file), nil), -1) {
			target, _, _ := strings.Cut(string(m[1])+string(m[2]), "#")
			if target == "" || scheme.MatchString(target) {
				continue
			}
			to := path.Join(path.Dir(file), target)
			if !filepath.IsLocal(to) {
				t.Errorf("%s: the link to %s leads out of the repository", file, target)
			} else if _, err := os.Stat(to); err != nil {
				t.Errorf("%s: the link to %s leads nowhere", file, target)
			}
		}
	}
}

// TestRoot checks that the root of the repository has the files that people expect there.
func TestRoot(t *testing.T) {
	for _, file := range []string{"CHANGELOG.md", "CONTRIBUTING.md", "LICENSE"} {
		if len(read(t, file)) == 0 {
			t.Errorf("%s is empty", file)
		}
	}
}

// habits are phrases that were in the texts of this project and that its readers did not understand, each with what to
// write instead.
var habits = []struct {
	phrase  *regexp.Regexp
	instead string
}{
	{regexp.MustCompile(`(?i)\bcould not be had\b|\bcan(not)? be had\b|\bto be had\b`), "could not be fetched, is available"},
	{regexp.MustCompile(`(?i)(?:[^e]|[^r]e) is no (URL|IP address)\b`), "is not a URL"}, // "there is no URL" is English
	{regexp.MustCompile(`(?i)\bwithout another meaning\b`), "without changing the meaning"},
	{regexp.MustCompile(`(?i)\blets? go of\b`), "drops, forgets, releases"},
	{regexp.MustCompile(`(?i)\bnobody is (named|told)\b`), "no … is given"},
	{regexp.MustCompile(`(?i)\b(what|which) (it|they|that) comes? to\b|\bcomes? to (its|their) end\b`), "is, ends"},
	{regexp.MustCompile(`(?i)\bgo(es)? on where (it|they) (was|were)\b`), "resumes"},
	{regexp.MustCompile(`(?i)\bso many of them\b`), "at most a number of …"},
	{regexp.MustCompile(`(?i)\bas yet\b`), "yet, so far"},
}

// TestHabits checks that no text has one of the habits. Records of decisions are not rewritten, and tests may quote strangers.
func TestHabits(t *testing.T) {
	for _, file := range repositoryFiles(t) {
		switch path.Ext(file) {
		case ".go", ".md", ".sh", ".yml", ".yaml":
		default:
			continue
		}
		if strings.HasSuffix(file, "_test.go") || strings.HasPrefix(file, "doc/decisions/") || file == "doc/testweb-results.md" {
			continue
		}
		text := read(t, file)
		for _, habit := range habits {
			if at := habit.phrase.FindIndex(text); at != nil {
				t.Errorf("%s:%d: %q: write %s", file, 1+bytes.Count(text[:at[0]], []byte("\n")), text[at[0]:at[1]], habit.instead)
			}
		}
	}
}

func read(t *testing.T, file string) []byte {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return data
}
