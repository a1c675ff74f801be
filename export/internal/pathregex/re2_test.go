package pathregex

import (
	"errors"
	"regexp"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/export/internal/layers"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

var syntaxRE2 = Syntax{Root: `^/`, Any: `.*?`, End: `\z`, Limit: 60000, RE2: true}

// A compiled is an expression, and its answer about the targets that it matches.
type compiled struct {
	*regexp.Regexp
	answer string
}

// compile returns the expressions of a group, for usual and for odd targets.
func compile(t *testing.T, g *robots.Group) (lists [2][]compiled, err error) {
	t.Helper()
	for _, l := range layers.Of(g) {
		answer := "1"
		if l.Allow {
			answer = "0"
		}
		for i, odd := range []bool{false, true} {
			texts, err := syntaxRE2.Write(l.Rules, odd)
			if err != nil {
				return lists, err
			}
			for _, text := range texts {
				e, err := regexp.Compile(text)
				fatal.If(t, err)
				lists[i] = append(lists[i], compiled{e, answer})
			}
		}
	}
	return lists, nil
}

// TestRE2AgainstMatcher compares the expressions of random rules for RE2 with the matcher.
func TestRE2AgainstMatcher(t *testing.T) {
	var asked []question
	var answers []string
	var last *robots.Group
	var lists [2][]compiled
	var err error
	odd := regexp.MustCompile(Odd)
	for _, q := range questions() {
		if q.group != last {
			last = q.group
			if lists, err = compile(t, q.group); err != nil && !errors.As(err, new(*RuleError)) {
				t.Fatal(err)
			}
		}
		target, _, _ := strings.Cut(q.target, "#")
		if err != nil || strings.ContainsFunc(target, func(c rune) bool { return c >= 0x80 }) {
			continue
		}
		list, answer := lists[0], "0"
		if odd.MatchString(target) {
			list = lists[1]
		}
		for _, e := range list {
			if e.MatchString(target) {
				answer = e.answer
				break
			}
		}
		asked, answers = append(asked, q), append(answers, answer)
	}
	if len(asked) < 20000 {
		t.Errorf("only %d questions", len(asked))
	}
	compare(t, asked, answers)
}
