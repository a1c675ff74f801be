package format

import (
	"fmt"
	"strings"

	"github.com/robotsexclusion/robots/internal/printable"
)

// Diff returns the lines of a file that [Source] changes, for people: removed lines with "-", and
// added lines with "+", below the number of the first of them. It returns "" if Source changes
// nothing. The name of the file is for the head. The result is safe for a terminal.
func Diff(name, text string) string {
	formatted := Source(text)
	if formatted == text {
		return ""
	}
	return changes(name, strings.SplitAfter(text, "\n"), strings.SplitAfter(formatted, "\n"))
}

// changes returns the lines that differ. Formatting changes single lines, and adds or removes blank
// lines, so changes looks for each line close to its old place.
func changes(name string, old, now []string) string {
	const near = 8
	var b strings.Builder
	fmt.Fprintf(&b, "--- %s\n+++ %[1]s, laid out\n", printable.Shown(name))
	show := func(sign, line string) {
		if line != "" {
			fmt.Fprintf(&b, "%s%s\n", sign, printable.Text(strings.TrimSuffix(line, "\n")))
		}
	}
	i, j := 0, 0
	for i < len(old) || j < len(now) {
		if i < len(old) && j < len(now) && old[i] == now[j] {
			i, j = i+1, j+1
			continue
		}
		// The next common line ends the change.
		di, dj := nextSame(old[i:], now[j:], near)
		fmt.Fprintf(&b, "@@ line %d @@\n", i+1)
		for _, line := range old[i : i+di] {
			show("-", line)
		}
		for _, line := range now[j : j+dj] {
			show("+", line)
		}
		i, j = i+di, j+dj
	}
	return b.String()
}

// nextSame returns how many lines of each text come before the first common line that is not
// blank, at most near lines away. It returns one of each if there is none.
func nextSame(old, now []string, near int) (i, j int) {
	for sum := 1; sum <= 2*near; sum++ {
		for i := max(0, sum-near); i <= min(sum, near); i++ {
			if j := sum - i; i < len(old) && j < len(now) && old[i] == now[j] && strings.TrimSpace(old[i]) != "" {
				return i, j
			}
		}
	}
	return min(1, len(old)), min(1, len(now))
}
