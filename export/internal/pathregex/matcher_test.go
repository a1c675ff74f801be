package pathregex

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os/exec"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/export/internal/layers"
)

// perl reads expressions and targets, and answers for each target with the number of the first
// expression that matches, or "-".
const perl = `while (<STDIN>) { chomp; my ($what, $rest) = split / /, $_, 2;
	if ($what eq "new") { @fast = (); @odd = (); }
	elsif ($what eq "fast") { my ($v, $r) = split / /, $rest, 2; push @fast, [$v, qr/$r/]; }
	elsif ($what eq "odd") { my ($v, $r) = split / /, $rest, 2; push @odd, [$v, qr/$r/]; }
	else { my $t = pack("H*", $rest // ""); my $answer = 0; my $list = $t =~ /` + Odd + `/ ? \@odd : \@fast;
		for (@$list) { if ($t =~ $_->[1]) { $answer = $_->[0]; last } } print "$answer\n"; } }`

// ask returns the answers of expressions in Perl: "1" for a target that is disallowed.
func ask(t *testing.T, script string) []string {
	t.Helper()
	program, err := exec.LookPath("perl")
	if err != nil {
		t.Skip("perl is not installed, whose regular expressions stand for those of PCRE")
	}
	cmd := exec.Command(program, "-e", perl)
	cmd.Stdin = strings.NewReader(script)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("perl: %v: %.300s", err, &stderr)
	}
	return strings.Fields(string(out))
}

// expressions appends the expressions of a group to the script.
func expressions(t *testing.T, script *strings.Builder, g *robots.Group) error {
	t.Helper()
	script.WriteString("new\n")
	for _, l := range layers.Of(g) {
		for _, odd := range []bool{false, true} {
			texts, err := syntax.Write(l.Rules, odd)
			if err != nil {
				return err
			}
			for _, text := range texts {
				if len(text) > syntax.Limit {
					t.Errorf("an expression has %d bytes", len(text))
				}
				name, verdict := "fast", 1
				if odd {
					name = "odd"
				}
				if l.Allow {
					verdict = 0
				}
				fmt.Fprintf(script, "%s %d %s\n", name, verdict, text)
			}
		}
	}
	return nil
}

// A question is a target of random bytes for a group of random rules of the same few bytes, which
// make many of each kind of escape.
type question struct {
	group  *robots.Group
	target string
}

// questions returns questions. Those of a group follow each other.
func questions() (list []question) {
	random := rand.New(rand.NewPCG(1, 2))
	word := func(bytes []string, most int) string {
		var b strings.Builder
		for range random.IntN(most) {
			b.WriteString(bytes[random.IntN(len(bytes))])
		}
		return b.String()
	}
	alphabets := [][]string{
		{"a", "b", "/", "*", "$", "A"},
		{"a", "F", "C", "3", "%", "*", "/"},
		{"%", "4", "0", "6", "1", "*", "%C3", "%2A", "%24"},
		{"%c3", "%A9", "\xc3", "\xa9", "%", "3", "A", "*"},
		{"f", "e", "%2", "%F", "/", "*", ".", "?", "$", " "},
		{"2", "F", "%2F", "*", "x", "%", "\"", "{", "\\"},
	}
	raw := [][]string{
		{"a", "b", "/", "%61", "%62", "*", "$", "#", "A", "%2A", "%24"},
		{"a", "F", "C", "3", "%", "%46", "%63", "/", "%C3", "%cF", "f", "c"},
		{"%", "4", "0", "6", "1", "%34", "%30", "%36", "%31", "%C3", "\xc3", "*", "%2a", "$"},
		{"%c3", "%C3", "%A9", "%a9", "\xc3", "\xa9", "%", "3", "A", "%33", "%41"},
		{"f", "e", "%2", "%F", "%2f", "%46", "/", ".", "%2E", "?", "$", " ", "%20"},
		{"2", "F", "%2F", "%2f", "x", "%", "\"", "%22", "{", "%7b", "\\", "%32", "%46", "f"},
	}
	for i := range 900 {
		letters := i % len(alphabets)
		text := "user-agent: *\n"
		for range 1 + random.IntN(5) {
			text += []string{"allow: ", "disallow: "}[random.IntN(2)] + []string{"/", "/", "",
				"*"}[random.IntN(4)] + word(alphabets[letters], 7) + "\n"
		}
		g := robots.Parse([]byte(text)).For()
		for range 40 {
			list = append(list, question{g, "/" + word(raw[letters], 8)})
		}
	}
	return list
}

// TestAgainstMatcher compares the expressions of random rules with the matcher.
func TestAgainstMatcher(t *testing.T) {
	var script strings.Builder
	var asked []question
	var last *robots.Group
	said := false
	for _, q := range questions() {
		if q.group != last {
			last = q.group
			err := expressions(t, &script, q.group)
			if said = err == nil; err != nil && !errors.As(err, new(*RuleError)) {
				t.Fatal(err)
			}
		}
		if said {
			fmt.Fprintf(&script, "ask %x\n", q.target)
			asked = append(asked, q)
		}
	}
	answers := ask(t, script.String())
	if len(answers) != len(asked) {
		t.Fatalf("%d answers to %d questions", len(answers), len(asked))
	}
	compare(t, asked, answers)
}

// compare holds answers, "0" for allowed, against the matcher.
func compare(t *testing.T, questions []question, answers []string) {
	t.Helper()
	wrong, disallowed := 0, 0
	for i, q := range questions {
		m := q.group.Match("http://example.com" + q.target)
		if !m.Allowed {
			disallowed++
		}
		if m.Allowed != (answers[i] == "0") {
			if wrong++; wrong < 20 {
				var rules []string
				for r := range q.group.Rules() {
					rules = append(rules, fmt.Sprintf("%v (%q)", r, robots.RFC9309.Pattern(r.Pattern)))
				}
				t.Errorf("%q (%q): the expressions answer %s, but it is %v\n%s", q.target,
					robots.RFC9309.Path(q.target), answers[i], m, strings.Join(rules, "\n"))
			}
		}
	}
	if disallowed < len(questions)/10 || disallowed > len(questions)*9/10 {
		t.Errorf("%d of %d targets are disallowed: the test shows little", disallowed, len(questions))
	}
}
