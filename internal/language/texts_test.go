package language

import (
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots/internal/test/fatal"
)

var update = flag.Bool("update", false, "write the texts of the source to po, and the translations of po to catalog")

// untranslated lists the texts that lack a translation, in English. Add yours if you do not write
// Spanish, Korean and Russian; remove a text from the list after its translation.
var untranslated = []string{}

// root is the folder of the module.
const root = "../.."

// A sourceText is a text in the source of the module.
type sourceText struct {
	Text
	files []string // that have it, from the root
}

// TestCatalog compares the files of po with the texts of the source, and the files of catalog
// with those of po: no text lacks an entry, and there are no others. With -update it writes both,
// as go generate does.
func TestCatalog(t *testing.T) {
	texts := sourceTexts(t)
	for l := Spanish; int(l) < len(codes); l++ {
		po := readPO(t, l).updated(l, texts)
		compare(t, poName(l), po.String())
		compare(t, "catalog/"+l.String()+".txt", po.catalog(l))
		compare(t, "catalog/en.txt", po.catalog(English))
	}
}

// compare compares a file with what it should be, or writes it.
func compare(t *testing.T, file, want string) {
	t.Helper()
	if *update {
		fatal.If(t, os.WriteFile(file, []byte(want), 0o666))
	}
	got, err := os.ReadFile(file)
	fatal.If(t, err)
	if string(got) != want {
		t.Errorf("internal/language/%s is not what the source and po say: run go generate ./internal/language", file)
	}
}

// TestTexts checks the translations of all texts: none lacks a language, except the untranslated
// ones, and each has the same placeholders in all languages, choices that the language has, and
// the letters of the language.
func TestTexts(t *testing.T) {
	for l := Spanish; int(l) < len(codes); l++ {
		for _, e := range readPO(t, l).entries {
			at := fmt.Sprintf("%s: %q", poName(l), e.english)
			if e.fuzzy() {
				t.Errorf("%s: an editor marked this as fuzzy: correct the translation, and remove the mark", at)
			}
			if e.translation != "" {
				checkText(t, at, l, e.english, e.translation)
			} else if !slices.Contains(untranslated, e.english) {
				t.Errorf("%s is not translated: translate it, or add it to untranslated in internal/language/texts_test.go", at)
			}
		}
	}
	texts := make(map[string]int) // by the folder of the package
	missing := slices.Clone(untranslated)
	for _, text := range sourceTexts(t) {
		for _, file := range text.files {
			texts[path.Dir(file)]++
			checkText(t, fmt.Sprintf("%s: %q", file, text.english), English, text.english, text.english)
			if path.Dir(file) == "lint" && strings.HasSuffix(text.english, ".") {
				t.Errorf("%s: %q ends with a full stop", file, text.english)
			}
		}
		if !isTranslated(text.Text) {
			missing = slices.DeleteFunc(missing, func(english string) bool { return english == text.english })
		}
	}
	for _, english := range missing {
		t.Errorf("untranslated has %q, which is not a text, or has its translations: take it out", english)
	}
	for folder, want := range map[string]int{"lint": 150, "proof/merge": 20, "page": 40, "cmd/internal/say": 100,
		"robotsd/internal/monitor": 30} {
		if got := texts[folder]; got < want {
			t.Errorf("%d texts in %s, want %d or more", got, folder, want)
		}
	}
	t.Log(texts)
}

// isTranslated reports whether a text has all translations.
func isTranslated(text Text) bool {
	for l := Spanish; int(l) < len(codes); l++ {
		if text.translation(l) == "" {
			return false
		}
	}
	return true
}

func poName(l Language) string { return "po/" + l.String() + ".po" }

func readPO(t *testing.T, l Language) poFile {
	t.Helper()
	data, err := os.ReadFile(poName(l))
	fatal.If(t, err)
	po, err := parsePO(string(data))
	if err != nil {
		t.Fatalf("%s: %v", poName(l), err)
	}
	return po
}

// sourceTexts returns the texts in the source of the module, in the order of files.
func sourceTexts(t *testing.T) (texts []sourceText) {
	t.Helper()
	at := make(map[Text]int) // in texts
	err := filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := d.Name()
		ours := !slices.Contains([]string{"testdata", "oracle", "node_modules"}, name) &&
			(file == root || name[0] != '.')
		if d.IsDir() && !ours {
			return fs.SkipDir
		}
		if d.IsDir() || !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") {
			return nil
		}
		relative, err := filepath.Rel(root, file)
		if err != nil {
			return err
		}
		for _, text := range textsIn(t, file) {
			i, known := at[text]
			if !known {
				i = len(texts)
				at[text] = i
				texts = append(texts, sourceText{Text: text})
			}
			texts[i].files = append(texts[i].files, filepath.ToSlash(relative))
		}
		return nil
	})
	fatal.If(t, err)
	for i := range texts {
		texts[i].files = slices.Compact(texts[i].files)
	}
	return texts
}

// textsIn returns the texts that a file makes.
func textsIn(t *testing.T, file string) (texts []Text) {
	t.Helper()
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, file, nil, 0)
	fatal.If(t, err)
	ast.Inspect(f, func(node ast.Node) bool {
		call, ok := node.(*ast.CallExpr)
		if !ok {
			return true
		}
		switch made(call) {
		case "New":
			texts = append(texts, New(written(t, fset, call.Args[0])))
		case "InContext":
			texts = append(texts, InContext(written(t, fset, call.Args[0]), written(t, fset, call.Args[1])))
		}
		return true
	})
	return texts
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

// written returns a string that is written out.
func written(t *testing.T, fset *token.FileSet, arg ast.Expr) string {
	t.Helper()
	lit, ok := arg.(*ast.BasicLit)
	if !ok {
		t.Fatalf("%s: a text that is not written out", fset.Position(arg.Pos()))
	}
	s, err := strconv.Unquote(lit.Value)
	if err != nil {
		t.Fatalf("%s: %v", fset.Position(arg.Pos()), err)
	}
	return s
}

var (
	placeholder = regexp.MustCompile(`%\[\d+\][sd]|%%|%`)
	choices     = regexp.MustCompile(`(%\[\d+\][sd])[^%⟨⟩]*⟨([^⟩]*)⟩`)

	// scripts has the letters of each language.
	scripts = []*regexp.Regexp{regexp.MustCompile(``), regexp.MustCompile(``), regexp.MustCompile(`\p{Hangul}`),
		regexp.MustCompile(`\p{Cyrillic}`)}
)

// sameInAll lists names that stay the same in all languages.
var sameInAll = []string{"robots.txt", "crawl-delay"}

// checkText checks a text in a language by its English.
func checkText(t *testing.T, at string, l Language, english, s string) {
	t.Helper()
	if strings.TrimSpace(s) == "" {
		t.Errorf("%s: nothing in %s", at, l)
	}
	if strings.HasSuffix(s, ".") != strings.HasSuffix(english, ".") {
		t.Errorf("%s: a full stop at the end in %s, or none", at, l)
	}
	got, want := placeholders(s), placeholders(english)
	if !slices.Equal(got, want) || slices.Contains(got, "%") {
		t.Errorf("%s: placeholders %q in %s, %q in English; each is %%[n]s or %%[n]d", at, got, l, want)
	}
	letters := strings.Trim(placeholder.ReplaceAllString(s, ""), " :;,()")
	asEnglish := l != English && s == english && strings.Contains(letters, " ") // a single word may be the same
	if letters != "" && !slices.Contains(sameInAll, english) && (asEnglish || !scripts[l].MatchString(s)) {
		t.Errorf("%s: %q is not in %s", at, s, l)
	}
	checkChoices(t, at, l, s)
}

// placeholders returns the placeholders of a text, each once, in order.
func placeholders(s string) []string {
	found := placeholder.FindAllString(s, -1)
	slices.Sort(found)
	return slices.Compact(found)
}

// checkChoices checks the choices of a text.
func checkChoices(t *testing.T, at string, l Language, s string) {
	t.Helper()
	marked := choices.FindAllStringSubmatch(s, -1)
	if len(marked) != strings.Count(s, "⟨") || strings.Count(s, "⟨") != strings.Count(s, "⟩") {
		t.Errorf("%s: choices without a placeholder before them in %q", at, s)
	}
	for _, m := range marked {
		want := 2
		if l == Russian {
			want = 3
		}
		if n := len(strings.Split(m[2], "/")); n != want {
			t.Errorf("%s: %d choices in %q, want %d in %s", at, n, m[0], want, l)
		}
	}
}
