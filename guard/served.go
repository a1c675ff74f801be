package guard

import (
	"bytes"
	"slices"
	"strings"
	"unsafe"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/percent"
)

// plain reports whether a server can only take a target for what it says: its path has no empty segment, no segment
// of dots, and no "%" but in escapes that robots.txt does not distinguish from their bytes.
func plain(target string) bool {
	for i := 0; i < len(target); i++ {
		switch target[i] {
		case '?':
			return true
		case '#':
			return false
		case '/':
			if i+1 < len(target) && (target[i+1] == '/' || target[i+1] == '.') {
				return false
			}
		case '%':
			value, ok := percent.Byte(target[i:])
			if !ok || value < 0x80 && (value == '.' || !percent.Unreserved(value)) {
				return false // a stray "%" may begin an escape when those after it are decoded
			}
		}
	}
	return true
}

// space is the length of targets and forms that are written on the stack, in bytes.
const space = 512

// matchOdd decides by the rules about a target that is not plain: about the target, unless it is exempt, and about its served forms.
//
// In RFC 9309 the target and the forms are compared in normal form. Match would write each of them anew, in memory of the heap.
func (r *rules) matchOdd(d *Decision, target string) {
	path, query := cutQuery(target)
	var sentSpace, decodedSpace, formSpace [space]byte
	var sent []byte // the target in normal form, after host; nil if Match has to find it
	if r.encoded {
		b, fragment, stable := appendNormal(append(sentSpace[:0], host...), path)
		n := len(b)
		if b, _, ok := appendNormal(b, query); ok && stable {
			sent, query = b, inPlace(b[n:])
			if fragment {
				sent = b[:n]
			}
		}
	}
	if d.Reason == ByRules {
		if sent != nil {
			d.Match = r.matchInPlace(sent)
		} else {
			d.Match = r.match(target)
		}
		if !d.Match.Allowed {
			return
		}
	}
	for _, slashes := range []bool{false, true} {
		decoded, has := decodePath(decodedSpace[:0], path, slashes, r.encoded)
		if slashes && !has.slash {
			break
		}
		for _, merge := range []bool{false, true} {
			if merge && !has.empty {
				break
			}
			form := append(removeDots(append(formSpace[:0], host...), decoded, merge), query...)
			if !has.unclear && bytes.Equal(form, sent) || exempt(inPlace(form[len(host):])) {
				continue
			}
			if m := r.matchInPlace(form); !m.Allowed {
				d.Target, d.Match, d.Reason = servedForm(target, slashes, merge), m, ByRules
				return
			}
		}
	}
}

// encodes reports whether a dialect compares paths in the form that appendNormal writes.
func encodes(d robots.Dialect) bool {
	const all = "/*$%7e%2f<\x00é"
	b, _, _ := appendNormal(nil, all)
	return d.Path(all) == string(b)
}

// cutQuery returns the path of a target, and its query with the "?", or an empty one.
func cutQuery(target string) (path, query string) {
	if i := strings.IndexByte(target, '?'); i >= 0 {
		return target[:i], target[i:]
	}
	return target, ""
}

// inPlace returns b as a string without a copy, for functions that keep no part of it.
func inPlace(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

// matchInPlace is match for a target that stands after host.
func (r *rules) matchInPlace(url []byte) robots.Match {
	if target := inPlace(url[len(host):]); !strings.HasPrefix(target, "//") {
		return r.group.Match(target)
	}
	return r.group.Match(inPlace(url))
}

// servedForm returns a form of a target that a server may take the target for. Servers differ in whether "%2F" separates segments, and
// whether several slashes are one (merge).
func servedForm(target string, slashes, merge bool) string {
	path, query := cutQuery(target)
	var decodedSpace, formSpace [space]byte
	decoded, _ := decodePath(decodedSpace[:0], path, slashes, false)
	return string(append(removeDots(formSpace[:0], decoded, merge), query...))
}

func isHex(c byte) bool {
	_, ok := percent.Unhex(c)
	return ok
}

// A pathByte says how a byte of a path is written.
type pathByte uint8

const (
	usual   pathByte = iota // as it is
	slash                   // as it is: it separates segments
	escape                  // "%"
	wild                    // "*" and "$", which are escaped in normal form
	number                  // "#", at which the path ends if it is not escaped
	foreign                 // escaped, since no URL has it
)

var pathBytes = func() (table [256]pathByte) {
	for c := range table {
		if !percent.Allowed(byte(c)) {
			table[c] = foreign
		}
	}
	table['/'], table['%'], table['*'], table['$'], table['#'] = slash, escape, wild, wild, number
	return table
}()

const upperHex = "0123456789ABCDEF"

// appendNormal appends a path or a query to b in the normal form of RFC 9309, section 2.2.2, up to its fragment, and reports whether it has one. It reports too
// whether the normal form of the result is the result itself, which escapes of escapes may change.
func appendNormal(b []byte, s string) (out []byte, fragment, stable bool) {
	n := len(b)
	b = slices.Grow(b, 3*len(s))[:n+3*len(s)]
	stray := -3 // where the last "%" is that begins no escape
	stable = true
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch pathBytes[c] {
		case number:
			return b[:n], true, stable
		case escape:
			value, ok := percent.Byte(s[i:])
			switch {
			case !ok:
				stray = n
			case percent.Unreserved(value):
				i += 2
				stable = stable && (n-stray > 2 || !isHex(value))
				c = value
			default:
				b[n], b[n+1], b[n+2] = '%', upperHex[value>>4], upperHex[value&15]
				n += 3
				i += 2
				continue
			}
		case wild, foreign:
			b[n], b[n+1], b[n+2] = '%', upperHex[c>>4], upperHex[c&15]
			n += 3
			continue
		}
		b[n] = c
		n++
	}
	return b[:n], false, stable
}

// decodedPath says what a decoded path has.
type decodedPath struct {
	empty   bool // segments that are empty, before the last one
	slash   bool // escaped slashes, decoded or not
	unclear bool // escapes that were none before
}

// decodePath appends a path to b. It decodes the escapes of a path, and "%2F" if slashes is set. The bytes that would end the path, and those that
// no URL has, stay escaped. If normal is set, all others are in normal form, unless the path is unclear.
func decodePath(b []byte, path string, slashes, normal bool) (out []byte, has decodedPath) {
	n := len(b)
	b = slices.Grow(b, 3*len(path))[:n+3*len(path)]
	stray := -3
	for i := 0; i < len(path); i++ {
		c := path[i]
		kind := pathBytes[c]
		if kind == escape {
			value, ok := percent.Byte(path[i:])
			switch {
			case !ok:
				stray = n
			case value == '/' && !slashes:
				has.slash = true
				b[n], b[n+1], b[n+2] = '%', '2', path[i+2]
				if normal {
					b[n+2] = 'F'
				}
				n += 3
				i += 2
				continue
			case value == '%':
				b[n], b[n+1], b[n+2] = '%', '2', '5'
				n += 3
				i += 2
				continue
			default:
				has.slash = has.slash || value == '/'
				has.unclear = has.unclear || n-stray <= 2 && isHex(value)
				i += 2
				if c, kind = value, pathBytes[value]; c == '?' {
					kind = foreign
				}
			}
		}
		switch kind {
		case slash:
			has.empty = has.empty || n > 0 && b[n-1] == '/'
		case wild:
			if !normal {
				break
			}
			fallthrough
		case number, foreign:
			b[n], b[n+1], b[n+2] = '%', upperHex[c>>4], upperHex[c&15]
			n += 3
			continue
		}
		b[n] = c
		n++
	}
	return b[:n], has
}

// removeDots appends a path to out. It removes the dot segments of a path, as RFC 3986, section 5.2.4 does, and the empty segments
// before the last one if merge is set.
func removeDots(out, path []byte, merge bool) []byte {
	first := len(out)
	out = slices.Grow(out, len(path)+1)[:first+len(path)+1]
	n := first
	for i := 0; i < len(path); {
		// A segment begins with its slash.
		from := n
		out[n] = '/'
		n++
		for i++; i < len(path) && path[i] != '/'; i++ {
			out[n] = path[i]
			n++
		}
		size, last := n-from, i == len(path)
		switch {
		case size > 3 || size > 1 && out[n-1] != '.':
		case size == 1:
			if merge && !last {
				n = from
			}
		case size == 2 || out[n-2] == '.':
			if n = from; size == 3 && n > first {
				for n--; out[n] != '/'; n-- {
				}
			}
			if last {
				out[n] = '/'
				n++
			}
		}
	}
	return out[:n]
}
