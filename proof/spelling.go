package proof

import (
	"iter"
	"slices"
	"strings"

	"github.com/robotsexclusion/robots"
)

// maxSpelt is how many rules of a group are tried in other spellings, and
// maxSpeltBytes how many bytes one of them may have.
const (
	maxSpelt      = 64
	maxSpeltBytes = 2000
)

// spelt returns the paths of rules that have bytes which may be written in several
// ways: percent-encoded ones, and those above 127. Each path comes in all of its
// spellings, but not in mixtures of them. A "*" stands for nothing.
func spelt(groups ...*robots.Group) iter.Seq[string] {
	return func(yield func(string) bool) {
		seen := make(map[string]bool)
		for _, g := range groups {
			for rule := range g.Rules() {
				text := rule.Pattern
				if len(text) > maxSpeltBytes || seen[text] || !strings.ContainsFunc(text, func(c rune) bool { return c == '%' || c > 127 }) {
					continue
				}
				seen[text] = true
				if len(seen) > maxSpelt {
					return
				}
				path := strings.ReplaceAll(strings.TrimSuffix(text, "$"), "*", "")
				if !strings.HasPrefix(path, "/") {
					continue // no path starts so
				}
				for _, path := range spellings(path) {
					if !yield(path) {
						return
					}
				}
			}
		}
	}
}

// spellings returns the ways to write a path, each once: as it is, decoded, with
// only those bytes decoded that need no encoding, and with hex digits in upper and
// in lower case. A path that would have blanks or control characters is left out.
func spellings(path string) (all []string) {
	upper := robots.Google.Pattern(path).String()
	for _, spelling := range []string{
		path,
		witness(robots.Koster1994.Path(anySite + path)),
		robots.RFC9309.Path(anySite + path),
		upper,
		lowerHex(upper),
	} {
		odd := strings.ContainsFunc(spelling, func(c rune) bool { return c <= ' ' || c == 0x7F })
		if !odd && !slices.Contains(all, spelling) {
			all = append(all, spelling)
		}
	}
	return all
}

// lowerHex returns a path with the digits of percent-encoded bytes in lower case.
func lowerHex(path string) string {
	b := []byte(path)
	for i := 0; i+2 < len(b); i++ {
		if b[i] == '%' {
			copy(b[i+1:], strings.ToLower(path[i+1:i+3]))
		}
	}
	return string(b)
}
