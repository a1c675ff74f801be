package agent

import (
	"strings"

	"github.com/robotsexclusion/robots/internal/nearest"
)

// Nearest returns the name that somebody may have meant who wrote a product token:
// the token of a robot of the table, or one of others, that is spelt nearly like it.
// It returns "" if there is none, or if the table or others have the name itself.
//
// Blanks, dots, "-" and "_" do not matter. Of other letters two that changed places
// count as one difference, and so does one that is missing or too many. One that is
// another letter counts only in names of nine letters or more, of which two may differ
// in fourteen: the names of robots are short and alike.
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

// substituted reports whether two names of one length differ otherwise than by two
// letters that changed places.
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

// plainName returns a name in lower case without what people leave out or add.
func plainName(name string) string {
	return strings.Map(func(c rune) rune {
		if strings.ContainsRune("-_ .", c) {
			return -1
		}
		return c
	}, strings.ToLower(name))
}
