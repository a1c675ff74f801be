package pathregex

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/export/internal/layers"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

var syntax = Syntax{Root: `^(?:/|(?![^?#]))`, Any: `[^#]*?`, End: `(?:#|\z)`, Limit: 3500}

// TestLimits checks that a rule that is too long is named, and that rules that nest deeper than
// PCRE allows, or are together too large, become several expressions.
func TestLimits(t *testing.T) {
	rules := func(text string) []layers.Rule {
		return layers.Of(robots.Parse([]byte("user-agent: *\n" + text)).For())[0].Rules
	}
	_, err := syntax.Write(rules("disallow: /b\ndisallow: /"+strings.Repeat("a", 4000)), false)
	if e, ok := errors.AsType[*RuleError](err); !ok || e.Rule.Line != 3 {
		t.Errorf("a rule of 4,000 bytes: %.200v", err)
	}
	_, err = syntax.Write(rules("disallow: /a%4*b"), false)
	if e, ok := errors.AsType[*RuleError](err); !ok || e.Rule.Line != 2 {
		t.Errorf("an escape that a wildcard cuts: %v", err)
	}
	var nested strings.Builder
	for i := range 400 {
		nested.WriteString("disallow: /" + strings.Repeat("a", i) + "$\n")
	}
	texts, err := syntax.Write(rules(nested.String()), false)
	fatal.If(t, err)
	for _, text := range texts {
		depth, most := 0, 0
		for _, c := range text {
			switch c {
			case '(':
				depth++
				most = max(most, depth)
			case ')':
				depth--
			}
		}
		if most > 200 || len(text) > syntax.Limit {
			t.Errorf("an expression of %d bytes nests %d parentheses", len(text), most)
		}
	}
}

// TestLinear writes the expressions of rules on which a writer that is not linear takes minutes.
func TestLinear(t *testing.T) {
	var chain, wide strings.Builder
	for i := range 2000 {
		chain.WriteString("disallow: /" + strings.Repeat("a", i) + "$\n")
	}
	for i := range 30000 {
		fmt.Fprintf(&wide, "disallow: /shop/%d/item-%d\n", i%97, i)
	}
	large := syntax
	large.Limit = 12000
	for _, text := range []string{
		"disallow: /" + strings.Repeat("a", 5000), "disallow: /" + strings.Repeat("a*", 2000), chain.String(),
		wide.String(),
	} {
		g := robots.Parse([]byte("user-agent: *\n" + text)).For()
		size := 0
		for _, l := range layers.Of(g) {
			texts, err := large.Write(l.Rules, false)
			if err != nil && !errors.As(err, new(*RuleError)) {
				t.Error(err)
			}
			for _, text := range texts {
				size += len(text)
			}
		}
		if size > 4*len(text)+100 {
			t.Errorf("%d bytes of rules became %d bytes of expressions", len(text), size)
		}
	}
}
