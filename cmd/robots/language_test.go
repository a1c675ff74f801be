package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/proof"
)

// TestEnglish compares the English texts with those of the packages.
func TestEnglish(t *testing.T) {
	rule := robots.Rule{Pattern: "/a\x1b", Line: 3}
	for reason := robots.NoGroup; reason <= robots.Unreachable; reason++ {
		for _, allowed := range []bool{false, true} {
			m := robots.Match{Allowed: allowed, Reason: reason}
			if reason == robots.DecidingRule {
				m.Rule = rule
			}
			if got, want := sayMatch(language.English, m), m.String(); got != want {
				t.Errorf("got %q, want %q", got, want)
			}
			for l := range language.Language(len(language.Codes())) {
				if l != language.English && sayMatch(l, m) == m.String() {
					t.Errorf("%v is English in %v", m, l)
				}
			}
		}
	}
	for _, c := range []proof.RecordChange{
		{Record: robots.Record{Field: "Sitemap", Value: "http://h/"}, Added: true},
		{Record: robots.Record{Field: "Crawl-delay", Value: "5"}, Agents: []string{"*", "a"}},
	} {
		if got, want := sayRecordChange(language.English, c), c.String(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// TestEnglishAgents compares the English texts about agents with those of package agent.
func TestEnglishAgents(t *testing.T) {
	for _, header := range []string{
		"Mozilla/5.0 (compatible; NoSuchBot/1.0; +https://example.com/)", "foo bot", "curl/8.0", "Thing/1.0", "Googlebot",
		"Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0 Safari/537.36", "",
	} {
		a := agent.Lookup(header)
		if got, want := sayWhy(language.English, a), a.Why(); got != want {
			t.Errorf("%s: got %q, want %q", header, got, want)
		}
		if got, want := sayKind(language.English, a.Kind), a.Kind.String(); got != want {
			t.Errorf("%s: got %q, want %q", header, got, want)
		}
		if got, want := sayObedience(language.English, a.Obedience()), a.Obedience().String(); got != want {
			t.Errorf("%s: got %q, want %q", header, got, want)
		}
	}
}

// TestNothingEnglish reads the source of the verbs that answer in four languages: they must
// print texts in the language of the user, and no words from a format string.
func TestNothingEnglish(t *testing.T) {
	words := regexp.MustCompile(`[A-Za-z]{2,}`)
	notWords := strings.NewReplacer("robots: ", "")
	verbs := regexp.MustCompile(`%[-+# 0-9.\[\]]*[a-z]`)
	fset := token.NewFileSet()
	n := 0
	for _, file := range []string{"agents.go", "build.go", "diff.go", "input.go", "match.go", "matchtext.go", "names.go", "page.go", "pagetext.go", "past.go", "prove.go", "../../internal/survey/report.go", "saypage.go", "lintorigin.go"} {
		f, err := parser.ParseFile(fset, file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(f, func(node ast.Node) bool {
			call, ok := node.(*ast.CallExpr)
			if !ok {
				return true
			}
			of, ok := call.Fun.(*ast.SelectorExpr)
			if !ok || !strings.HasPrefix(of.Sel.Name, "Fprint") {
				return true
			}
			n++
			for _, arg := range call.Args {
				lit, ok := arg.(*ast.BasicLit)
				if !ok || lit.Kind != token.STRING {
					continue
				}
				format, err := strconv.Unquote(lit.Value)
				if err != nil {
					t.Fatal(err)
				}
				if found := words.FindString(verbs.ReplaceAllString(notWords.Replace(format), "")); found != "" {
					t.Errorf("%s: %q is in English, whatever --lang says", fset.Position(lit.Pos()), found)
				}
			}
			return true
		})
	}
	if n < 20 {
		t.Errorf("only %d calls that print in these files", n)
	}
}
