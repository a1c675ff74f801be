package proof

import (
	"iter"
	"slices"
	"strings"

	"github.com/robotsexclusion/robots"
)

// maxSpelt is the maximum number of rules of a group that are tried in other spellings, and
// maxSpeltBytes their maximum length in bytes.
const (
	maxSpelt      = 64
	maxSpeltBytes = 2000
)

// spelt returns the paths of rules with bytes that have several spellings: percent-encoded
// bytes, and bytes above 127. Each path is returned in all of its spellings, but not in
// mixtures. A "*" matches the empty text.
func spelt(groups ...*robots.Group) iter.Seq[string] {
	return func(yield func(string) bool) {
		seen := make(map[string]bool)
		for _, g := range groups {
			for rule := range g.Rules() {
				text := rule.Pattern
				if len(text) > maxSpeltBytes || seen[text] ||
					!strings.ContainsFunc(text, func(c rune) bool { return c == '%' || c > 127 }) {
					continue
				}
				seen[text] = true
				if len(seen) > maxSpelt {
					return
				}
				path := strings.ReplaceAll(strings.TrimSuffix(text, "$"), "*", "")
				if !strings.HasPrefix(path, "/") {
					continue // no path begins so
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

// spellings returns the spellings of a path, each once: as it is, decoded, with only those
// bytes decoded that need no encoding, and with hex digits in upper and in lower case. Paths
// with blanks or control characters are left out.
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

// lowerHex returns a path with the hex digits of percent-encoded bytes in lower case.
func lowerHex(path string) string {
	b := []byte(path)
	for i := 0; i+2 < len(b); i++ {
		if b[i] == '%' {
			copy(b[i+1:], strings.ToLower(path[i+1:i+3]))
		}
	}
	return string(b)
}
