package pathregex

import "github.com/robotsexclusion/robots/export/internal/layers"

const (
	// tokens matches bytes that end with no "%" and no part of an escape: a byte, an escape, or "%"
	// signs that start no escape, perhaps with one hex digit, and the byte after them.
	tokens = `(?:[^%]|` + strays + `(?:[0-9A-Fa-f][0-9A-Fa-f]|[0-9A-Fa-f]?[^%0-9A-Fa-f]))*?`

	// strays matches "%" signs. The last one may start an escape.
	strays = `%+(?:[0-9A-Fa-f]%+)*`

	noHexDigit = `(?:[^0-9A-Fa-f]|\z)`
)

// digitAlone returns a hex digit that a rule has alone between wildcards, or "". It may be a part
// of an escape whose other digit the next part finds.
func digitAlone(r *layers.Rule) string {
	for i, segment := range r.Segments {
		if i < len(r.Segments)-1 && len(segment) == 1 && isHex(segment[0]) {
			return segment
		}
	}
	return ""
}

// found returns what searched returns, with the bytes that are passed over before the part. RE2
// cannot look back, so the expression of these bytes tells where escapes start.
func (w *writer) found(part []unit) (variants [][]unit) {
	c, rest := byte(part[0]), part[1:]
	if part[0]&^0xFF != plain || !isHex(c) {
		return [][]unit{append([]unit{any}, part...)}
	}
	add := func(before unit, units ...unit) {
		variants = append(variants, append([]unit{before}, units...))
	}
	with := func(first unit, rest []unit) []unit { return append([]unit{first}, rest...) }
	add(anyTokens, part...)
	// After a "%" the digit is a byte of its own if no digit follows.
	switch {
	case len(rest) == 0:
		add(anyTokens, stray, part[0], w.number(noHexDigit))
	case rest[0]&^0xFF != plain || !isHex(byte(rest[0])):
		add(anyTokens, append([]unit{stray}, part...)...)
	case w.odd:
		add(anyTokens, append([]unit{stray, part[0], w.number(escapeOf(byte(rest[0])))}, rest[1:]...)...)
	}
	if w.odd {
		add(any, with(w.number(escapeOf(c)), rest)...)
	}
	if isLower(c) {
		return variants
	}
	add(any, with(hexStart|unit(c), rest)...)
	for _, other := range searched(part)[1:] {
		if other[0]&^0xFF == hexPair {
			other = with(escaped|other[0]&0xFF, other[1:])
		}
		add(any, other...)
	}
	return variants
}

// never returns an expression that matches nothing.
func (s *Syntax) never() string {
	if s.RE2 {
		return `[^\x00-\x{10ffff}]`
	}
	return `(?!)`
}

// noHex returns an expression of a place, at the end of an expression, that no hex digit follows.
func (s *Syntax) noHex() string {
	if s.RE2 {
		return noHexDigit
	}
	return `(?![0-9A-Fa-f])`
}

// openPercent returns the expression of a "%", at the end of an expression, that starts no escape
// of an unreserved byte.
func (s *Syntax) openPercent(odd bool) string {
	switch {
	case !s.RE2:
		return `%(?!` + unreservedDigits + `)`
	case !odd:
		return `%`
	}
	return `%(?:\z|[^2-7]|2(?:\z|[^DdEe])|3(?:\z|[^0-9])|[46](?:\z|[^1-9A-Fa-f])|5(?:\z|[^0-9AaFf])|7(?:\z|[^0-9AaEe]))`
}
