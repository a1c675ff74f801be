package pathregex

import (
	"fmt"
	"strings"

	"github.com/robotsexclusion/robots/internal/url/percent"
	"github.com/robotsexclusion/robots/internal/url/reading"
)

// A unit is a part of a pattern that an expression spells in one piece: a byte, an escape such as
// "%C3", or a part between wildcards. Tries branch only between units.
type unit int32

// The units. The lowest byte of the first kinds is a byte.
const (
	plain       unit = iota << 8 // the byte itself, which a target may have escaped
	escaped                      // the escape of the byte
	hexStart                     // the byte, a hex digit that a search finds, also as the second digit of an escape
	hexPair                      // the byte whose two digits a search finds in its escape
	hexDigit                     // a hex digit that a search finds as the first digit of an escape
	openEscape                   // the end of a pattern: "%"
	openEscape1                  // the end of a pattern: "%" and the hex digit
	special                      // any and end
	strayPair   unit = 1 << 16   // "%" and two hex digits that are not an escape in normal form
	opaque      unit = 1 << 17   // the text with the number in the lower bits
)

const (
	any       unit = special + iota // any bytes
	end                             // the end of the path
	anyTokens                       // any bytes that end with no "%" and no part of an escape, of RE2
	stray                           // after anyTokens: bytes that end with a "%", of RE2
	endDir                          // after a "/": the end of the path, also with the segment "." before it
	endFile                         // the end of the path, also with "/." before it
)

// unitsOf returns the units of a literal part of a pattern in normal form. The part is last if
// nothing follows in the pattern, so that it may end within an escape. ok is false if it ends
// within an escape, and is not last.
func unitsOf(units []unit, text string, last bool) (_ []unit, ok bool) {
	for i := 0; i < len(text); i++ {
		c := text[i]
		rest := text[i+1:]
		switch {
		case c != '%':
			units = append(units, plain|unit(c))
		case rest == "" && last:
			units = append(units, openEscape)
		case len(rest) == 1 && isHex(rest[0]) && last:
			units = append(units, openEscape1|unit(rest[0]))
			i++
		case rest == "" || len(rest) == 1 && isHex(rest[0]):
			return nil, false
		case len(rest) < 2 || !isHex(rest[0]) || !isHex(rest[1]):
			units = append(units, plain|'%')
		default:
			if v, _ := percent.Byte(text[i:]); !percent.Unreserved(v) && !isLower(rest[0]) && !isLower(rest[1]) {
				units = append(units, escaped|unit(v))
			} else {
				units = append(units, strayPair|unit(rest[0])<<8|unit(rest[1]))
			}
			i += 2
		}
	}
	return units, true
}

// searched returns the units of a part that a search finds anywhere. In normal form the part may
// start within an escape of the target: "2F" is a part of "%2F". Such a part has a second list.
func searched(units []unit) [][]unit {
	c := byte(units[0])
	if units[0]&^0xFF != plain || !isHex(c) {
		return [][]unit{units}
	}
	first := append([]unit{hexStart | unit(c)}, units[1:]...)
	switch {
	case isLower(c):
	case len(units) == 1 || units[1] == end || units[1] == endFile:
		if len(units) == 1 {
			return [][]unit{first, {hexDigit | unit(c)}}
		}
	case units[1]&^0xFF == plain && isHex(byte(units[1])) && !isLower(byte(units[1])):
		if v, _ := percent.Byte(string([]byte{'%', c, byte(units[1])})); !percent.Unreserved(v) {
			return [][]unit{first, append([]unit{hexPair | unit(v)}, units[2:]...)}
		}
	}
	return [][]unit{first}
}

// spell returns the expression of a unit. An odd expression also matches targets with escaped
// unreserved bytes.
func (s *Syntax) spell(u unit, odd bool) string {
	c := byte(u)
	switch {
	case u == any:
		return s.Any
	case u == end:
		return s.End
	case u == endFile:
		if s.RE2 { // a slash is a run of them, of which the last may be "%2F"
			return `(?:(?:` + s.Slash + reading.Dot + `?)?%2[Ff]|` + s.Slash + reading.Dot + `)?` + s.End
		}
		return `(?:` + s.Slash + `(?:` + reading.Dot + `|(?<=%2[Ff])))?` + s.End
	case u == endDir:
		return reading.Dot + `?` + s.End
	case u == anyTokens:
		return tokens
	case u == stray:
		return strays
	case u >= strayPair:
		if !odd {
			return s.never() // the target of such a path has an escaped byte
		}
		return strayEscape(byte(u>>8), c)
	}
	switch u &^ 0xFF {
	case escaped:
		text := escapeOf(c)
		alternatives := []string{text}
		if s.encoded(c) {
			alternatives = append(alternatives, literal(c))
		}
		if odd {
			alternatives = append(alternatives, strayEscape(upperHex[c>>4], upperHex[c&15]))
		}
		return group(alternatives)
	case hexStart:
		return s.hexStart(c, odd)
	case hexPair:
		alternatives := []string{digit(upperHex[c>>4]) + digit(upperHex[c&15]) + `(?<=%..)`}
		if s.encoded(c) {
			alternatives = append(alternatives, literal(c))
		}
		return group(alternatives)
	case hexDigit:
		low, raw := s.nibbles(c, func(d byte) byte { return value(c)<<4 | value(d) })
		if s.RE2 {
			return group([]string{`%` + digit(c) + low, raw})
		}
		return group([]string{digit(c) + `(?<=%.)(?=` + low + `)`, raw})
	case openEscape:
		return group([]string{s.openPercent(odd), s.class(s.encoded)})
	case openEscape1:
		if isLower(c) {
			return `%` + one(c, odd) + s.noHex()
		}
		low, raw := s.nibbles(c, func(d byte) byte { return value(c)<<4 | value(d) })
		alternatives := []string{`%` + digit(c) + low, `%` + literal(c) + s.noHex(), raw}
		if odd {
			alternatives = append(alternatives, `%`+escapeOf(c))
		}
		return group(alternatives)
	}
	if c == '/' && s.Slash != "" {
		return s.Slash
	}
	return one(c, odd)
}

// hexStart returns the expression of a hex digit that a search finds: as a byte of its own, not
// within an escape; and, if it is not a small letter, as the second digit of an escape. With RE2 it
// is only the escape.
func (s *Syntax) hexStart(c byte, odd bool) string {
	if s.RE2 {
		high, raw := s.nibbles(c, func(d byte) byte { return value(d)<<4 | value(c) })
		return group([]string{`%` + high + digit(c), raw})
	}
	// The byte comes before its assertions: then a search does not assert anything of other bytes,
	// and takes fewer steps.
	alternatives := []string{literal(c) + `(?<!%[0-9A-Fa-f].)(?!(?<=%.)[0-9A-Fa-f])`}
	if odd {
		alternatives = append(alternatives, escapeOf(c))
	}
	if !isLower(c) {
		high, raw := s.nibbles(c, func(d byte) byte { return value(d)<<4 | value(c) })
		alternatives = append(alternatives, digit(c)+`(?<=%`+high+`.)`, raw)
	}
	return group(alternatives)
}

const (
	upperHex = "0123456789ABCDEF"

	// unreservedDigits matches the digits of an escaped unreserved byte.
	unreservedDigits = `(?:2[DdEe]|3[0-9]|[46][1-9A-Fa-f]|[57][0-9Aa]|5[Ff]|7[Ee])`
)

// one returns the expression of a byte that an escape of the target does not hide.
func one(c byte, odd bool) string {
	if odd && percent.Unreserved(c) {
		return `(?:` + literal(c) + `|` + escapeOf(c) + `)`
	}
	return literal(c)
}

// strayEscape returns the expression of "%" and two digits to which the normal form decodes a stray
// "%" and escaped digits, as in "%%34%30".
func strayEscape(high, low byte) string {
	h, l := escapeOf(high), escapeOf(low)
	return `%(?:` + literal(high) + l + `|` + h + `(?:` + literal(low) + `|` + l + `))`
}

// nibbles returns the classes of the hex digits that make an escape of a byte that is not
// unreserved, together with the digit c, and of the raw bytes that the normal form escapes so.
func (s *Syntax) nibbles(c byte, join func(digit byte) byte) (digits, raw string) {
	keep := make(map[byte]bool)
	for i := range len(upperHex) {
		if d := upperHex[i]; !percent.Unreserved(join(d)) {
			keep[d], keep[d|0x20] = true, true
			if d <= '9' {
				delete(keep, d|0x20)
				keep[d] = true
			}
		}
	}
	digits = s.class(func(b byte) bool { return keep[b] })
	raw = s.class(func(b byte) bool {
		for i := range len(upperHex) {
			if join(upperHex[i]) == b {
				return s.encoded(b)
			}
		}
		return false
	})
	return digits, raw
}

// class returns a character class of the bytes that in holds for, or an expression that matches
// nothing.
func (s *Syntax) class(in func(byte) bool) string {
	var b strings.Builder
	for c := 0; c < 256; c++ {
		if !in(byte(c)) {
			continue
		}
		from := c
		for c+1 < 256 && in(byte(c+1)) {
			c++
		}
		b.WriteString(member(byte(from)))
		if c > from {
			b.WriteString("-" + member(byte(c)))
		}
	}
	if b.Len() == 0 {
		return s.never()
	}
	return "[" + b.String() + "]"
}

func member(c byte) string {
	if '0' <= c && c <= '9' || 'A' <= c && c <= 'Z' || 'a' <= c && c <= 'z' {
		return string(rune(c))
	}
	return fmt.Sprintf(`\x%02x`, c)
}

// Literal returns an expression of a text, in which no byte means anything to a configuration
// language: all bytes but letters, digits and a few others are written by number.
func Literal(text string) string {
	var b strings.Builder
	for i := range len(text) {
		b.WriteString(literal(text[i]))
	}
	return b.String()
}

func literal(c byte) string {
	if strings.IndexByte("/_~=&:,;@-", c) >= 0 {
		return string(rune(c))
	}
	return member(c)
}

// escapeOf returns the expression of the escape of a byte, with hex digits of any case.
func escapeOf(c byte) string { return `%` + digit(upperHex[c>>4]) + digit(upperHex[c&15]) }

// digit returns the expression of a hex digit of any case.
func digit(c byte) string {
	if c <= '9' {
		return string(rune(c))
	}
	return "[" + string(rune(c)) + string(rune(c|0x20)) + "]"
}

func group(alternatives []string) string {
	if len(alternatives) == 1 {
		return alternatives[0]
	}
	return `(?:` + strings.Join(alternatives, `|`) + `)`
}

// encoded reports whether a target may have the byte, and the normal form of a path escapes it.
func (s *Syntax) encoded(c byte) bool {
	return (!percent.Allowed(c) || c == '*' || c == '$') && (c < 0x80 || !s.RE2)
}

func value(digit byte) byte {
	v, _ := percent.Unhex(digit)
	return v
}

func isHex(c byte) bool {
	_, ok := percent.Unhex(c)
	return ok
}

func isLower(c byte) bool { return 'a' <= c && c <= 'z' }
