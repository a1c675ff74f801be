package robots

import (
	"iter"
	"strings"

	"github.com/robotsexclusion/robots/internal/ruleindex"
)

// A Pattern is the path of a rule, taken apart for matching in a dialect. A path matches if it
// starts with the stem and the segments follow, each after the one before, with any bytes between
// them. All texts are in normal form, as are the paths that [Dialect.Path] returns. A Pattern is
// immutable.
//
// Most programs need no patterns: [Group.Match] matches them.
type Pattern struct {
	Stem     string // the start of each path that matches
	Anchored bool   // a path must end where the pattern does ("$")
	Bytes    int    // length of the normal form: in RFC 9309 and Google the longest rule wins

	parts ruleindex.Pattern
}

// pattern returns parts as a Pattern.
func pattern(parts ruleindex.Pattern) Pattern {
	return Pattern{parts.Text[:parts.Stem], parts.Anchored, parts.Bytes, parts}
}

// String returns the pattern in normal form, as it is compared: without a "*" that has no effect.
func (p Pattern) String() string {
	text := p.parts.Text[:p.parts.End]
	if p.Anchored {
		text += "$"
	}
	return text
}

// Segments returns the parts after the stem: the texts after each wildcard ("*"), none of them
// empty. There are no segments if anything may follow the stem, or, if the pattern is anchored, if
// nothing may.
func (p Pattern) Segments() iter.Seq[string] {
	if !p.parts.Wild {
		return func(func(string) bool) {}
	}
	return strings.SplitSeq(p.parts.Segments(), "*")
}

// Matches reports whether a path in normal form matches. It takes time linear in
// the path for each segment at most.
func (p Pattern) Matches(path string) bool { return p.parts.Matches(path) }

// Patterns returns the patterns of the rules of the group, in the order of the file. A rule has one
// pattern; but in dialect Google an Allow rule for an index file has a second one after it, for its
// directory.
func (g *Group) Patterns() iter.Seq2[Rule, Pattern] {
	return func(yield func(Rule, Pattern) bool) {
		if g.policy == nil {
			return
		}
		r := g.policy.dialect.spec()
		for rule := range g.Rules() {
			if !yield(rule, pattern(r.compile(rule.Pattern))) {
				return
			}
			if second, ok := r.ofDirectory(rule.Allow, rule.Pattern); ok && !yield(rule, pattern(second)) {
				return
			}
		}
	}
}

// Pattern takes the value of a rule apart. The value is one path, as written.
func (d Dialect) Pattern(value string) Pattern { return pattern(d.spec().compile(value)) }

// Path returns the part of a URL that is compared with patterns: its path with parameters and
// query, in normal form. The URL is absolute, or its path with the query.
func (d Dialect) Path(url string) string {
	return d.spec().pathOf(url)
}

// compile takes the value of a rule apart. It shares the memory of value if possible.
func (r *dialectSpec) compile(value string) ruleindex.Pattern {
	var p ruleindex.Pattern
	r.compileNormal(&p, r.pattern.of(value))
	return squeezed(p)
}

// compileNormal makes p the pattern of a value in normal form. The text of the pattern is text
// itself, with all its runs of "*".
func (r *dialectSpec) compileNormal(p *ruleindex.Pattern, text string) {
	p.Text, p.Stem, p.End, p.Wild, p.Anchored, p.Bytes = text, 0, len(text), false, false, len(text)
	if r.wildcards {
		if p.End > 0 && text[p.End-1] == '$' {
			p.Anchored = true
			p.End--
		}
		// A "*" at the end lets anything follow, as does a pattern without "$".
		for p.End > 0 && text[p.End-1] == '*' {
			p.Anchored = false
			p.End--
		}
		if i := strings.IndexByte(text[:p.End], '*'); i >= 0 {
			p.Stem, p.Wild = i, true
			return
		}
	}
	p.Stem = p.End
}

// squeezed returns p with each run of "*" squeezed to one "*".
func squeezed(p ruleindex.Pattern) ruleindex.Pattern {
	if !p.Wild || !strings.Contains(p.Text[p.Stem:p.End], "**") {
		return p
	}
	b := make([]byte, 0, p.End)
	for i := range p.End {
		if c := p.Text[i]; c != '*' || len(b) == 0 || b[len(b)-1] != '*' {
			b = append(b, c)
		}
	}
	p.Text, p.End = string(b), len(b)
	return p
}

// indexFile is the start of the last segment of an index file.
const indexFile = "/index.htm"

// ofDirectory returns the second pattern that an Allow rule for an index file has in dialect
// Google: a directory may be fetched if its index file may.
func (r *dialectSpec) ofDirectory(allow bool, value string) (second ruleindex.Pattern, ok bool) {
	if !r.google || !allow {
		return ruleindex.Pattern{}, false
	}
	text := r.pattern.of(value)
	if n := r.directory(allow, text); n > 0 {
		r.compileNormal(&second, text)
		toDirectory(&second, n)
		return squeezed(second), true
	}
	return ruleindex.Pattern{}, false
}

// directory returns the number of bytes of the directory in an Allow rule for an index file, in
// normal form, in dialect Google, and 0 otherwise.
func (r *dialectSpec) directory(allow bool, text string) int {
	if !r.google || !allow || len(text) < len(indexFile) {
		return 0
	}
	i := strings.LastIndexByte(text, '/')
	if i < 0 || !strings.HasPrefix(text[i:], indexFile) {
		return 0
	}
	return i + 1
}

// toDirectory makes p the pattern of a directory, whose name is the first n bytes of p.
func toDirectory(p *ruleindex.Pattern, n int) {
	p.Text, p.End, p.Anchored, p.Bytes = p.Text[:n], n, true, n+1
	if p.Stem >= n {
		p.Stem, p.Wild = n, false
	}
}
