package agent

import (
	_ "embed"
	"slices"
	"strings"
)

// calledText is data/called.txt. TestCalled checks its form.
//
//go:embed data/called.txt
var calledText string

// A directory has the names that people use for the robots of a table, by the forms of plainName. A
// name that a token differs from by blanks and the like alone is there in lower case too.
type directory struct {
	called map[string][]uint16 // the indices of robots, those that people mean first
	listed map[string]int      // how many of them data/called.txt has
	tokens map[string]bool     // product tokens
	words  []string            // the names as they are written, for questions
}

// minCalled is the minimum length of a name that the table has only in another form.
const minCalled = 3

// names returns the directory of the table, which the first call makes.
func (t *Table) names() *directory {
	t.once.Do(func() {
		t.directory = directory{
			called: make(map[string][]uint16), listed: make(map[string]int), tokens: make(map[string]bool),
		}
		t.directory.fill(t)
	})
	return &t.directory
}

// fill adds the names of data/called.txt and of operators, then purposes, full names, and tokens
// without "bot" and the like.
func (d *directory) fill(t *Table) {
	numbers := make(map[string]uint16, len(t.robots))
	for i := range t.robots {
		plain := plainName(t.robots[i].tokens[0])
		d.tokens[plain] = true
		numbers[plain] = uint16(i)
	}
	for line := range strings.Lines(calledText) {
		if names, tokens, ok := strings.Cut(line, ":"); ok && !strings.HasPrefix(line, "#") {
			for name := range strings.SplitSeq(names, ",") {
				d.list(strings.TrimSpace(name), tokens, numbers)
			}
		}
	}
	for i := range t.robots {
		for _, name := range operatorNames(t.robots[i].operator) {
			d.add(name, uint16(i))
		}
	}
	for p := range Purposes() {
		name := p.String()
		delete(d.called, plainName(name))
		for i := range t.robots {
			if t.robots[i].purposes.Has(p) {
				d.add(name, uint16(i))
			}
		}
	}
	d.guess(t)
}

// list adds a name of data/called.txt, with those of its robots that the table has.
func (d *directory) list(name, tokens string, numbers map[string]uint16) {
	for token := range strings.SplitSeq(tokens, ",") {
		if number, ok := numbers[plainName(strings.TrimSpace(token))]; ok {
			d.add(name, number)
			d.listed[plainName(name)]++
		}
	}
}

// guess adds the full names of robots, and their tokens without "bot" and the like, unless the
// directory has them already.
func (d *directory) guess(t *Table) {
	known := make(map[string]bool, len(d.called))
	for plain := range d.called {
		known[plain] = true
	}
	for i := range t.robots {
		r := &t.robots[i]
		for _, plain := range []string{plainName(r.name), nameStem(plainName(r.tokens[0]))} {
			if len(plain) >= minCalled && !d.tokens[plain] && !known[plain] {
				d.called[plain] = append(d.called[plain], uint16(i))
			}
		}
		for _, name := range []string{r.name, r.operator} {
			if lower := strings.ToLower(name); d.tokens[plainName(name)] && lower != plainName(name) {
				d.called[lower] = append(d.called[lower], uint16(i))
			}
		}
	}
}

// add adds a robot to those that a name stands for.
func (d *directory) add(name string, number uint16) {
	plain := plainName(name)
	if len(plain) < minCalled || slices.Contains(d.called[plain], number) {
		return
	}
	if d.called[plain] == nil {
		d.words = append(d.words, name)
	}
	d.called[plain] = append(d.called[plain], number)
}

// operatorNames returns the names of an operator: as the table has it, without what stands in
// parentheses or after a comma, and without the form of the company.
func operatorNames(operator string) []string {
	if operator == "" {
		return nil
	}
	names := []string{operator}
	if i := strings.IndexAny(operator, ",("); i > 0 {
		operator = strings.TrimSpace(operator[:i])
		names = append(names, operator)
	}
	for _, form := range []string{" AI", " Inc.", " GmbH", " Ltd", " SRL", " SLU", " gGmbH"} {
		if short, ok := strings.CutSuffix(operator, form); ok {
			names = append(names, short)
		}
	}
	return names
}

// nameStem returns a plain name without the word for robots at its end, or the name itself.
func nameStem(plain string) string {
	for _, word := range []string{"crawler", "spider", "robot", "bot"} {
		if stem, ok := strings.CutSuffix(plain, word); ok && stem != "" {
			return stem
		}
	}
	return plain
}
