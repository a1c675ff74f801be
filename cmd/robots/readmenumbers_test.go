package main

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/conformance"
	"github.com/robotsexclusion/robots/internal/test/fatal"
	"github.com/robotsexclusion/robots/lint"
)

// TestReadmeNumbers compares the numbers of checks, robots and test vectors in the README and in
// the list of commands with those that there are. A vector is a question of a case.
func TestReadmeNumbers(t *testing.T) {
	sections, err := conformance.Sections()
	fatal.If(t, err)
	vectors := 0
	for _, s := range sections {
		for _, c := range s.Cases {
			vectors += len(c.Asks)
		}
	}
	for _, number := range []struct {
		file, pattern string
		is            int
	}{
		{"README.md", `([\d,]+) checks`, len(lint.Checks())},
		{"doc/commands.md", `([\d,]+) \[checks\]`, len(lint.Checks())},
		{"README.md", `robots by User-Agent, with the groups that they obey \| ([\d,]+) \|`,
			len(slices.Collect(agent.All()))},
		{"README.md", `([\d,]+) test vectors`, vectors},
	} {
		data, err := os.ReadFile("../../" + number.file)
		fatal.If(t, err)
		found := regexp.MustCompile(number.pattern).FindAllStringSubmatch(string(data), -1)
		if len(found) == 0 {
			t.Errorf("%s has no %s", number.file, number.pattern)
		}
		for _, m := range found {
			if got, want := strings.ReplaceAll(m[1], ",", ""), fmt.Sprint(number.is); got != want {
				t.Errorf("%s says %q, and there are %s", number.file, m[0], want)
			}
		}
	}
}
