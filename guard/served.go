package guard

import (
	"bytes"
	"math"
	"slices"
	"strings"
	"unsafe"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/url/percent"
	"github.com/robotsexclusion/robots/internal/url/reading"
)

// plain reports whether every server reads a target as the path that is written. Such a path has no
// empty segment, no segment of dots, and no "%" except in escapes that robots.txt does not
// distinguish from their bytes.
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

// space is the length of the buffers on the stack into which targets and forms are written, in
// bytes.
const space = 512

// matchOdd decides by the rules about a target that is not plain: about the target, unless it is
// exempt, and about its served forms.
//
// In RFC 9309 the target and the forms are compared in normal form. Match would normalize each of
// them in newly allocated memory. Also, many rules only compare the start of paths, so the rest of
// a form is not written.
func (r *rules) matchOdd(d *Decision, target string) {
	if !r.encoded {
		r.matchServed(d, target)
		return
	}
	path, query := cutQuery(target)
	limit := min(r.reach(), 3*len(target))
	var sentSpace, querySpace [space]byte
	sent, read, stable := appendNormal(append(sentSpace[:0], host...), path, limit)
	asked := target[:read]
	b, readQuery, ok := appendNormal(querySpace[:0], query, limit)
	query = query[:readQuery]
	if read == len(path) {
		asked = target[:len(path)+len(query)]
	}
	if ok {
		query = inPlace(b)
	} else {
		stable = false // Match finds the normal form
	}
	if read == len(path) {
		sent = append(sent, query...)
	}
	if d.Reason == byRules {
		if stable {
			d.Match = r.matchInPlace(sent)
		} else {
			d.Match = r.match(asked)
		}
		if !d.Match.Allowed {
			return
		}
	}
	var textSpace [space]byte
	var formSpace [2 * space]byte
	var segmentSpace, wholeSpace, mergedSpace, keptSpace [space / 8]segment
	f := forms{text: textSpace[:0], segments: segmentSpace[:0], whole: wholeSpace[:0], merged: mergedSpace[:0],
		form: keptSpace[:0]}
	f = f.read(path, limit)
	all, ends := formSpace[:], make([]int, 1, 16) // the forms so far, and where they end in it
	for _, way := range reading.All {
		if !f.differs(way) {
			continue
		}
		if size := len(host) + f.size(query, limit); last(ends)+size > len(all) {
			all, ends = slices.Grow(all[:0], size), ends[:1]
			all = all[:cap(all)]
		}
		from := last(ends)
		form := f.write(append(all[from:from], host...), way, query, limit)
		if stable && bytes.Equal(form, sent) || contains(all, ends, form) || exempt(inPlace(form[len(host):])) {
			continue
		}
		ends = append(ends, from+len(form))
		if m := r.matchInPlace(form); !m.Allowed {
			d.Target, d.Match, d.Reason = servedForm(target, way), m, byRules
			return
		}
	}
}

func last(ends []int) int { return ends[len(ends)-1] }

// contains reports whether a form is among those that stand in all, one after the other.
func contains(all []byte, ends []int, form []byte) bool {
	for i, end := range ends[1:] {
		if bytes.Equal(form, all[ends[i]:end]) {
			return true
		}
	}
	return false
}

// rawLimit returns how many bytes of a text to normalize for a prefix of its normal form with the
// given length: three bytes may become one, and an escape that is cut stays as it is.
func rawLimit(limit int) int { return 3*limit + 3 }

// matchServed is matchOdd in other dialects, where Match finds the normal forms.
func (r *rules) matchServed(d *Decision, target string) {
	if d.Reason == byRules {
		if d.Match = r.match(target); !d.Match.Allowed {
			return
		}
	}
	for _, way := range reading.All {
		form := servedForm(target, way)
		if form == target || exempt(form) {
			continue
		}
		if m := r.match(form); !m.Allowed {
			d.Target, d.Match, d.Reason = form, m, byRules
			return
		}
	}
}

// encodes reports whether a dialect compares paths in the form that appendNormal writes.
func encodes(d robots.Dialect) bool {
	const all = "/*$%7e%2f<\x00é"
	b, _, _ := appendNormal(nil, all, space)
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

// servedForm returns the form of a target that a server reads in one way.
func servedForm(target string, way reading.Reading) string {
	path, query := cutQuery(target)
	var formSpace [space]byte
	return string(append(appendForm(formSpace[:0], path, way), query...))
}

// appendForm appends the form of a path that a server reads in one way.
func appendForm(b []byte, path string, way reading.Reading) []byte {
	var firstSpace, decodedSpace, lateSpace [space]byte
	merged := way.Merged && !way.Late
	if way.Twice {
		path = inPlace(removeDots(firstSpace[:0], path, merged, true))
	}
	decoded := inPlace(decodePath(decodedSpace[:0], path, way.Slashes))
	if way.Late {
		return removeDots(b, inPlace(removeDots(lateSpace[:0], decoded, false, false)), true, false)
	}
	form := removeDots(b, decoded, merged, false)
	last := decoded[strings.LastIndexByte(decoded, '/')+1:]
	if way.Bare && len(form) > 1 && (dots(last, false) > 0 || last == "" && path[len(path)-1] != '/') {
		form = form[:len(form)-1]
	}
	return form
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

// appendNormal appends a path or a query to b in the normal form of RFC 9309, section 2.2.2, up to
// its fragment, or until limit bytes or more are appended. It returns how many bytes of s it has
// read. It reports too whether the normal form of the result is the result itself, which escapes of
// escapes may change.
func appendNormal(b []byte, s string, limit int) (out []byte, read int, stable bool) {
	n := len(b)
	size := min(3*len(s), limit+3)
	b = slices.Grow(b, size)[:n+size]
	end := n + limit
	start, stray := n, n-3 // where the last "%" is that begins no escape
	stable = true
	i := 0
	for ; i < len(s) && n < end; i++ {
		c := s[i]
		switch pathBytes[c] {
		case number:
			return b[:n], i, stable || settled(b[start:n])
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
	return b[:n], i, stable || settled(b[start:n])
}

// settled reports whether the escapes of a text are in normal form.
func settled(text []byte) bool {
	for i, c := range text {
		if c != '%' {
			continue
		}
		if value, ok := percent.Byte(inPlace(text[i:])); ok && (percent.Unreserved(value) ||
			text[i+1] != upperHex[value>>4] || text[i+2] != upperHex[value&15]) {
			return false
		}
	}
	return true
}

// decodePath appends a path to b. It decodes the escapes of a path, and "%2F" if slashes is set.
// The bytes that would end the path, and those that no URL has, stay escaped.
func decodePath(b []byte, path string, slashes bool) []byte {
	for i := 0; i < len(path); i++ {
		c := path[i]
		kind := pathBytes[c]
		if value, ok := percent.Byte(path[i:]); ok {
			if value == '/' && !slashes {
				b = append(b, path[i:i+3]...)
				i += 2
				continue
			}
			i += 2
			if c, kind = value, pathBytes[value]; c == '?' || c == '%' {
				kind = foreign
			}
		}
		if kind == number || kind == foreign {
			b = append(b, '%', upperHex[c>>4], upperHex[c&15])
		} else {
			b = append(b, c)
		}
	}
	return b
}

// removeDots appends a path to out. It removes the dot segments of a path, as RFC 3986, section
// 5.2.4 does, also if their dots are escaped and escapes is set, and the empty segments before the
// last one if merge is set.
func removeDots(out []byte, path string, merge, escapes bool) []byte {
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
		last := i == len(path)
		switch dots(inPlace(out[from+1:n]), escapes) {
		case 0:
			if n == from+1 && merge && !last {
				n = from
			}
		case 2:
			if n = from; n > first {
				for n--; out[n] != '/'; n-- {
				}
			}
			if last {
				out[n] = '/'
				n++
			}
		case 1:
			if n = from; last {
				n++
			}
		}
	}
	return out[:n]
}

// dots returns 1 or 2 for a segment of as many dots, and otherwise 0. Escaped dots count if escapes
// is set.
func dots(segment string, escapes bool) (n int) {
	for ; len(segment) > 0; n++ {
		switch value, ok := percent.Byte(segment); {
		case n == 2:
			return 0
		case segment[0] == '.':
			segment = segment[1:]
		case ok && escapes && value == '.':
			segment = segment[3:]
		default:
			return 0
		}
	}
	return n
}

// reachOf returns how many bytes of a path in normal form decide how a group answers: the length of
// its longest rule, and one more for rules that end with "$". Rules with wildcards compare all
// bytes.
func reachOf(g *robots.Group) int {
	reach := len("/.well-known/") // as many bytes as exempt compares
	for rule := range g.Rules() {
		pattern := strings.TrimRight(strings.TrimSuffix(rule.Pattern, "$"), "*")
		if strings.Contains(pattern, "*") {
			return math.MaxInt32
		}
		size := len(pattern) + 1
		for i := range len(pattern) {
			if kind := pathBytes[pattern[i]]; kind == foreign || kind == wild {
				size += 2 // it may be an escape in normal form
			}
		}
		reach = max(reach, size)
	}
	return reach
}
