package agent

import (
	"strings"

	"github.com/robotsexclusion/robots/internal/nearest"
)

// Nearest returns the name that the author of a product token may have meant: the token of a robot
// of the table, or one of others, with nearly the same spelling. It returns "" if there is none, or
// if the table or others have the name itself.
//
// Blanks, dots, "-" and "_" are ignored. Two swapped letters count as one difference, and so does a
// missing or an extra letter. A substituted letter counts only in names of nine letters or more,
// and two of them only from fourteen letters on: the names of robots are short and alike.
func (t *Table) Nearest(name string, others ...string) string {
	if t.Named(name).Known() {
		return ""
	}
	plain := plainName(name)
	best, near := 3, ""
	consider := func(token string) (same bool) {
		if strings.EqualFold(token, name) {
			return true
		}
		other := plainName(token)
		most := 0
		switch {
		case len(other) >= 14:
			most = 2
		case len(other) >= 5:
			most = 1
		}
		most = min(most, best-1)
		if d := len(plain) - len(other); d > most || -d > most || most < 0 {
			return false
		}
		if d := nearest.Distance(plain, other); d <= most && (len(other) >= 9 || !substituted(plain, other)) {
			best, near = d, token
		}
		return false
	}
	for _, other := range others {
		if consider(other) {
			return ""
		}
	}
	for a := range t.All() {
		consider(a.Token)
	}
	return near
}

// substituted reports whether two names of one length differ by more than two swapped letters.
func substituted(a, b string) bool {
	if len(a) != len(b) || a == b {
		return false
	}
	i := 0
	for a[i] == b[i] {
		i++
	}
	return i+1 == len(a) || a[i] != b[i+1] || a[i+1] != b[i]
}

// plainName returns a name in lower case without the characters that people leave out or add.
func plainName(name string) string {
	return strings.Map(func(c rune) rune {
		if strings.ContainsRune("-_ .", c) {
			return -1
		}
		return c
	}, strings.ToLower(name))
}
