package lint

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestTexts reads every text in the source: none lacks a language, and each has
// the same placeholders in all.
func TestTexts(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	fset := token.NewFileSet()
	n := 0
	for _, file := range files {
		f, err := parser.ParseFile(fset, file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(f, func(node ast.Node) bool {
			lit, ok := node.(*ast.CompositeLit)
			if !ok {
				return true
			}
			switch typ := lit.Type.(type) {
			case *ast.Ident:
				if typ.Name == "text" && len(lit.Elts) > 0 {
					n++
					checkText(t, fset.Position(lit.Pos()), lit)
				}
			case *ast.MapType:
				if name, ok := typ.Value.(*ast.Ident); !ok || name.Name != "text" {
					return true
				}
				for _, e := range lit.Elts {
					if l, ok := e.(*ast.KeyValueExpr).Value.(*ast.CompositeLit); ok && l.Type == nil {
						n++
						checkText(t, fset.Position(l.Pos()), l)
					}
				}
			}
			return true
		})
	}
	if n < len(Checks()) {
		t.Errorf("%d texts in the source for %d checks", n, len(Checks()))
	}
}

func checkText(t *testing.T, at token.Position, lit *ast.CompositeLit) {
	if len(lit.Elts) != len(languages) {
		t.Errorf("%s: a text of %d languages, want %d", at, len(lit.Elts), len(languages))
		return
	}
	scripts := []*regexp.Regexp{nil, nil, regexp.MustCompile(`\p{Hangul}`), regexp.MustCompile(`\p{Cyrillic}`)}
	var want []string
	var english string
	for i, e := range lit.Elts {
		basic, ok := e.(*ast.BasicLit)
		if !ok {
			t.Errorf("%s: a text that is not written out", at)
			return
		}
		s, err := strconv.Unquote(basic.Value)
		if err != nil {
			t.Fatal(err)
		}
		if strings.TrimSpace(s) == "" {
			t.Errorf("%s: nothing in %s", at, languages[i])
		}
		got := placeholders(t, at, s)
		if i == 0 {
			want, english = got, s
		} else if !slices.Equal(got, want) {
			t.Errorf("%s: placeholders %q in %s, %q in English", at, got, languages[i], want)
		}
		if i > 0 && s == english {
			t.Errorf("%s: the same text in English and %s", at, languages[i])
		}
		if scripts[i] != nil && !scripts[i].MatchString(s) {
			t.Errorf("%s: no letter of the script of %s", at, languages[i])
		}
		if strings.HasSuffix(s, ".") {
			t.Errorf("%s: a full stop at the end in %s", at, languages[i])
		}
	}
}

// placeholders returns those of a text, each once, in order.
func placeholders(t *testing.T, at token.Position, s string) []string {
	t.Helper()
	all := regexp.MustCompile(`%\[\d+\][sd]|%%|%`).FindAllString(s, -1)
	for _, p := range all {
		if p == "%" {
			t.Errorf("%s: a placeholder that is neither %%[n]s nor %%[n]d in %q: strings are made printable before", at, s)
		}
	}
	all = slices.DeleteFunc(all, func(p string) bool { return p == "%%" })
	slices.Sort(all)
	return slices.Compact(all)
}

func TestParseLanguage(t *testing.T) {
	for _, tt := range []struct {
		locale string
		want   Language
	}{
		{"", English}, {"C", English}, {"POSIX", English}, {"en_US.UTF-8", English}, {"es", Spanish},
		{"es_MX.UTF-8", Spanish}, {"ko-KR", Korean}, {"ru_RU@euro", Russian}, {"RU", Russian},
		{"de:ko:en", Korean}, {"de_DE.UTF-8", English}, {"est", English},
	} {
		if got := ParseLanguage(tt.locale); got != tt.want {
			t.Errorf("ParseLanguage(%q) = %v, want %v", tt.locale, got, tt.want)
		}
	}
}
