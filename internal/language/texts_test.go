package language_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots/internal/language"
)

// untranslated lists the texts in English only, made by language.Untranslated. Add
// yours if you do not write Spanish, Korean and Russian; remove a text from the list
// after its translation.
var untranslated = []string{}

// root is the folder of the module.
const root = "../.."

// TestTexts reads every text in the source of the module: no text lacks a language,
// except the untranslated ones, and each has the same placeholders in all languages,
// choices that the language has, and the letters of the language.
func TestTexts(t *testing.T) {
	left := slices.Clone(untranslated)
	texts := make(map[string]int) // by the folder of the package
	fset := token.NewFileSet()
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "testdata" || d.Name() == "oracle" || d.Name() == "node_modules" || path != root && strings.HasPrefix(d.Name(), ".")) {
			return fs.SkipDir
		}
		if d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		f, err := parser.ParseFile(fset, path, nil, 0)
		if err != nil {
			return err
		}
		ast.Inspect(f, func(node ast.Node) bool {
			call, ok := node.(*ast.CallExpr)
			if !ok {
				return true
			}
			at := fset.Position(call.Pos())
			switch made(call) {
			case "New":
				texts[filepath.Dir(path)]++
				checkText(t, at, written(t, at, call.Args))
			case "Untranslated":
				texts[filepath.Dir(path)]++
				all := written(t, at, call.Args)
				i := slices.Index(left, strings.Join(all, ""))
				if i < 0 {
					t.Errorf("%s: %q is in English only: translate it, or add it to untranslated in %s", at, all, "internal/language/texts_test.go")
					break
				}
				left = slices.Delete(left, i, i+1)
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, english := range left {
		t.Errorf("untranslated has %q, which is no text, or has its translations: take it out", english)
	}
	for folder, want := range map[string]int{"lint": 150, "merge": 20, "page": 40, "cmd/internal/say": 100} {
		if got := texts[filepath.Join(root, filepath.FromSlash(folder))]; got < want {
			t.Errorf("%d texts in %s, want %d or more", got, folder, want)
		}
	}
	t.Log(texts)
}

// made returns the name of the function of package language that a call uses to make a
// text, or "".
func made(call *ast.CallExpr) string {
	of, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return ""
	}
	if name, ok := of.X.(*ast.Ident); !ok || name.Name != "language" {
		return ""
	}
	return of.Sel.Name
}

// written returns the string literals among the arguments.
func written(t *testing.T, at token.Position, args []ast.Expr) (all []string) {
	t.Helper()
	for _, arg := range args {
		lit, ok := arg.(*ast.BasicLit)
		if !ok {
			t.Errorf("%s: a text that is not written out", at)
			return nil
		}
		s, err := strconv.Unquote(lit.Value)
		if err != nil {
			t.Fatalf("%s: %v", at, err)
		}
		all = append(all, s)
	}
	return all
}

var (
	placeholder = regexp.MustCompile(`%\[\d+\][sd]|%%|%`)
	choices     = regexp.MustCompile(`(%\[\d+\][sd])[^%⟨⟩]*⟨([^⟩]*)⟩`)

	// scripts has the letters of each language.
	scripts = []*regexp.Regexp{regexp.MustCompile(``), regexp.MustCompile(``), regexp.MustCompile(`\p{Hangul}`), regexp.MustCompile(`\p{Cyrillic}`)}
)

// sameInAll lists names that stay the same in all languages.
var sameInAll = []string{"robots.txt", "crawl-delay"}

// checkText checks one text, given in all languages.
func checkText(t *testing.T, at token.Position, all []string) {
	t.Helper()
	for i, s := range all {
		code := language.Codes()[i]
		if strings.TrimSpace(s) == "" {
			t.Errorf("%s: nothing in %s", at, code)
		}
		if stop := strings.HasSuffix(s, "."); stop != strings.HasSuffix(all[0], ".") || stop && filepath.Base(filepath.Dir(at.Filename)) == "lint" {
			t.Errorf("%s: a full stop at the end in %s, or none", at, code)
		}
		got, want := placeholders(s), placeholders(all[0])
		if !slices.Equal(got, want) || slices.Contains(got, "%") {
			t.Errorf("%s: placeholders %q in %s, %q in English; each is %%[n]s or %%[n]d", at, got, code, want)
		}
		letters := strings.Trim(placeholder.ReplaceAllString(s, ""), " :;,()")
		asEnglish := i > 0 && s == all[0] && strings.Contains(letters, " ") // a single word may be the same
		if letters != "" && !slices.Contains(sameInAll, all[0]) && (asEnglish || !scripts[i].MatchString(s)) {
			t.Errorf("%s: %q is not in %s", at, s, code)
		}
		checkChoices(t, at, code, s)
	}
}

// placeholders returns the placeholders of a text, each once, in order.
func placeholders(s string) []string {
	found := placeholder.FindAllString(s, -1)
	slices.Sort(found)
	return slices.Compact(found)
}

// checkChoices checks the choices of a text.
func checkChoices(t *testing.T, at token.Position, code, s string) {
	t.Helper()
	marked := choices.FindAllStringSubmatch(s, -1)
	if len(marked) != strings.Count(s, "⟨") || strings.Count(s, "⟨") != strings.Count(s, "⟩") {
		t.Errorf("%s: choices without a placeholder before them in %q", at, s)
	}
	for _, m := range marked {
		want := 2
		if code == "ru" {
			want = 3
		}
		if n := len(strings.Split(m[2], "/")); n != want {
			t.Errorf("%s: %d choices in %q, want %d in %s", at, n, m[0], want, code)
		}
	}
}
