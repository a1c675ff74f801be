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

// TestReadmeNumbers compares the numbers of checks, robots and test vectors in the README with
// those that there are. A vector is a question of a case.
func TestReadmeNumbers(t *testing.T) {
	data, err := os.ReadFile("../../README.md")
	fatal.If(t, err)
	sections, err := conformance.Sections()
	fatal.If(t, err)
	vectors := 0
	for _, s := range sections {
		for _, c := range s.Cases {
			vectors += len(c.Asks)
		}
	}
	for _, number := range []struct {
		pattern string
		is      int
	}{
		{`([\d,]+) checks`, len(lint.Checks())},
		{`robots by User-Agent, with the groups that they obey \| ([\d,]+) \|`, len(slices.Collect(agent.All()))},
		{`([\d,]+) test vectors`, vectors},
	} {
		found := regexp.MustCompile(number.pattern).FindAllStringSubmatch(string(data), -1)
		if len(found) == 0 {
			t.Errorf("README.md has no %s", number.pattern)
		}
		for _, m := range found {
			if got, want := strings.ReplaceAll(m[1], ",", ""), fmt.Sprint(number.is); got != want {
				t.Errorf("README.md says %q, and there are %s", m[0], want)
			}
		}
	}
}
