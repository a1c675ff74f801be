package main

import (
	"fmt"
	"strings"
)

// splitWords splits a command into words at white space. Quotes of either kind keep the text
// between them together. Nothing else is special: no backslash, which the paths of some
// systems contain, no variables, no wildcards.
func splitWords(command string) ([]string, error) {
	var all []string
	var word strings.Builder
	inWord := false
	for rest := command; rest != ""; rest = rest[1:] {
		switch c := rest[0]; c {
		case ' ', '\t', '\n':
			if inWord {
				all = append(all, word.String())
				word.Reset()
			}
			inWord = false
		case '"', '\'':
			inWord = true
			quoted, after, ok := strings.Cut(rest[1:], string(c))
			if !ok {
				return nil, fmt.Errorf("a quote %c is not closed in %s", c, command)
			}
			word.WriteString(quoted)
			rest = string(c) + after // the loop drops the quote
		default:
			inWord = true
			word.WriteByte(c)
		}
	}
	if inWord {
		all = append(all, word.String())
	}
	return all, nil
}
