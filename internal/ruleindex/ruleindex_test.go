package ruleindex

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/robotsexclusion/robots/internal/ruleindex/byteclass"
	"github.com/robotsexclusion/robots/internal/test/corpus"
)

// A textRule is a rule of a test: a value after "+" allows, any other value disallows. An empty
// value that disallows is not a rule.
type textRule struct {
	value string
	at    int // the place in the file
	line  int
	allow bool
}

func parseRules(file string) (rules []textRule) {
	at, line := 0, 0
	for value := range strings.Lines(file) {
		line++
		rule := textRule{value: strings.TrimSuffix(value, "\n"), at: at, line: line}
		at += len(value)
		if v, ok := strings.CutPrefix(rule.value, "+"); ok {
			rule.value, rule.allow, rule.at = v, true, rule.at+1
		}
		if rule.value != "" || rule.allow {
			rules = append(rules, rule)
		}
	}
	return rules
}

// compile returns the parts of a pattern.
func compile(value string) Pattern {
	p := Pattern{Text: value, Bytes: len(value)}
	body, anchored := strings.CutSuffix(value, "$")
	p.Anchored = anchored && !strings.HasSuffix(body, "*")
	body = strings.TrimRight(body, "*")
	if strings.Contains(body, "**") {
		for strings.Contains(body, "**") {
			body = strings.ReplaceAll(body, "**", "*")
		}
		p.Text = body
	}
	p.End, p.Stem = len(body), len(body)
	if i := strings.IndexByte(body, '*'); i >= 0 {
		p.Stem, p.Wild = i, true
	}
	return p
}

// build makes an index of rules. One pattern in each copied is not a part of the file.
func build(file string, rules []textRule, form Form, first bool, copied int) *Index {
	var b Builder
	var stems []Rule
	stem := func(r textRule) bool { return strings.HasPrefix(r.value, "/") && !strings.ContainsAny(r.value, "*$") }
	for _, r := range rules {
		if stem(r) {
			stems = append(stems, Rule{At: uint32(r.at), Line: uint32(r.line), Weight: Weight(len(r.value), r.allow)})
		}
	}
	b.Start(file, stems, Size{})
	for i, r := range rules {
		if stem(r) {
			continue
		}
		p := compile(file[r.at : r.at+len(r.value)])
		if copied > 0 && i%copied == 0 {
			p.Text = strings.Clone(p.Text)
		}
		b.Add(&p, Span{At: uint32(r.at), Size: uint32(len(r.value))}, uint32(r.line), r.allow)
	}
	return b.Finish(form, first)
}

// check compares the index of the rules of a file, in every form, with the slow twin.
func check(t *testing.T, file, path string) {
	t.Helper()
	all := parseRules(file)
	for k := range 4 {
		first, copied := k&1 > 0, k>>1*2
		rules := all
		if first { // dialects in which the first rule decides have no wildcards
			rules = slices.DeleteFunc(slices.Clone(all),
				func(r textRule) bool { return strings.ContainsAny(r.value, "*$") })
		}
		wantLine, wantValue := slowMatch(rules, first, path)
		list := build(file, rules, List, first, copied)
		forms := map[string]*Index{
			"list":  list,
			"table": build(file, rules, Table, first, copied),
			"net":   build(file, rules, Net, first, copied),
		}
		if list.Form() == List {
			forms["grown"] = list.Grown(file)
			if list.Len() <= MaxSieve {
				forms["sieve"] = list.Sieved(file)
			}
		}
		for form, x := range forms {
			var at atomic.Pointer[Index]
			at.Store(x)
			d, by, ok := x.Match(&at, file, path, byteclass.Of(path))
			line, value := 0, ""
			if ok {
				line, value = d.Line(), by.Value(d, file)
			}
			allow := func(r textRule) bool { return r.line == line && r.allow }
			if line != wantLine || value != wantValue || ok && d.Allow() != slices.ContainsFunc(rules, allow) {
				t.Fatalf("%s, first %t, copied %d: rules %q, path %q: got line %d, %q, want line %d, %q", form, first,
					copied, file, path, line, value, wantLine, wantValue)
			}
		}
	}
}

// FuzzIndex compares an index in all its forms with trying each rule in turn.
func FuzzIndex(f *testing.F) {
	f.Add("/\n+/a*b$\n/a**b\n/*\n+*\n", "/axb")
	f.Add("/abcdefgh\n/abcdefghi\n+/abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz\n/abc*\n",
		"/abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz")
	f.Add("*a*b*c\n/*a*b*d$\n/a*"+strings.Repeat("x", 70)+"*y\n+$\n", "/a"+strings.Repeat("x", 71)+"abcy")
	f.Fuzz(func(t *testing.T, file, path string) {
		if len(file) > 2000 || len(path) > 300 {
			return // the twin would take too long
		}
		check(t, strings.ReplaceAll(file, "\r", ""), "/"+path)
	})
}

// TestIndex runs FuzzIndex with 1,200 fixed inputs, or 3,000 with ROBOTS_CORPUS_ALL.
func TestIndex(t *testing.T) {
	n := corpus.Cases(1200, 3000)
	if testing.Short() {
		n = 500
	}
	r := rand.New(rand.NewPCG(9309, 34))
	parts := []string{"/", "a", "b", "/a", "ab", "*", "*", "**", "$", "%2F", "abcdefgh", strings.Repeat("ab", 20),
		strings.Repeat("q", 66)}
	for range n {
		var file, path strings.Builder
		for range r.IntN(100) {
			file.WriteString([]string{"", "+"}[r.IntN(2)])
			file.WriteString([]string{"/", "/", "/", "*", "a"}[r.IntN(5)])
			for range r.IntN(6) {
				file.WriteString(parts[r.IntN(len(parts))])
			}
			file.WriteString("\n")
		}
		for range r.IntN(12) {
			path.WriteString(parts[r.IntN(len(parts))])
		}
		check(t, file.String(), "/"+path.String())
	}
}

// An index replaces itself after many questions. Its answers must stay the same.
func TestAskedOften(t *testing.T) {
	for _, rules := range []int{few, few + 1, MaxSieve, MaxSieve + 1, 3 * stepRules} {
		var text strings.Builder
		for i := range rules {
			fmt.Fprintf(&text, "/%x\n", i)
		}
		file := text.String()
		x := build(file, parseRules(file), List, false, 0)
		x.SetRough(true)
		var at atomic.Pointer[Index]
		at.Store(x)
		for i := range 40 {
			d, by, ok := at.Load().Match(&at, file, "/7", 0)
			if !ok || d.Line() != 8 || by.Value(d, file) != "/7" {
				t.Fatalf("%d rules, question %d: got line %d, %t, want line 8", rules, i, d.Line(), ok)
			}
		}
		last := at.Load()
		if !last.Rough() {
			t.Errorf("%d rules: the mark is lost", rules)
		}
		switch {
		case rules <= few && last != x:
			t.Errorf("%d rules: replaced", rules)
		case rules > few && rules <= MaxSieve && last.sieve == nil:
			t.Errorf("%d rules: no sieve", rules)
		case rules > MaxSieve && last.Form() != Table:
			t.Errorf("%d rules: the form is %d, want a table", rules, last.Form())
		}
	}
}
