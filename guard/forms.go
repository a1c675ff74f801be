package guard

import (
	"slices"

	"github.com/robotsexclusion/robots/internal/url/percent"
	"github.com/robotsexclusion/robots/internal/url/reading"
)

// host stands before a target in a URL of this host, so that //x/y is a path.
const host = "http://host"

// forms has the segments of a path, from which it writes each form that a server may serve. The
// path is decoded once for all forms, into normal form. Its methods change no field, so that its
// space can be on the stack.
type forms struct {
	text     []byte    // the segments in normal form
	segments []segment // of the path
	whole    []segment // those that are left where "%2F" is not a slash
	merged   []segment // and without the empty ones
	form     []segment // space for those of a form

	empty   bool // an empty segment is not the last one
	parent  bool // a segment is ".."
	slashes bool // a slash is "%2F"
}

// A segment is a slash, and the bytes up to the next one.
type segment struct {
	from, to int32 // where it stands in the text, with its slash
	kind     segmentKind
	inner    bool // its slash is "%2F"
	joined   bool // its slash or the next one is
	raw      bool // it is decoded, and Match finds its normal form
}

// kindFor returns the kind of a segment, for a server that may take "%2F" for no slash.
func (s segment) kindFor(slashes bool) segmentKind {
	if s.joined && !slashes {
		return name
	}
	return s.kind
}

type segmentKind uint8

const (
	name segmentKind = iota
	empty
	dot
	parent // ".."
	left   // the slash that a last segment of dots leaves
)

// end is what a last segment of dots leaves. Each text begins with a slash.
var end = segment{to: 1, kind: left}

// read returns f with the segments of a path, as far as they decide the first bytes of a form, up
// to a limit.
func (f forms) read(path string, limit int) forms {
	f.text = slices.Grow(f.text, 3*len(path))[:3*len(path)]
	n := int32(0) // how many bytes of the text are written
	parents := lastParent(path)
	sure := 0 // bytes of names that no ".." removes, in normal form
	for i := 0; i < len(path) && (i < parents || sure < limit); {
		s := segment{from: n}
		if path[i] == '%' {
			i += len("2F")
			s.inner, s.joined, f.slashes = true, true, true
			f.segments[len(f.segments)-1].joined = true
		}
		i, s.to, s.raw = decode(f.text, s.from, path, i+1)
		switch b := f.text[s.from+1 : s.to]; {
		case len(b) == 0:
			s.kind = empty
			f.empty = f.empty || i < len(path)
		case b[0] == '.' && len(b) == 1:
			s.kind = dot
		case b[0] == '.' && len(b) == 2 && b[1] == '.':
			s.kind = parent
			f.parent = true
			sure = 0
		case s.raw:
			s.to, s.raw = normalize(f.text, s.from+1, s.to)
			sure += int(s.to-s.from) / 3 // three bytes may become one
		default:
			sure += len(b) + 1
		}
		n = s.to
		f.segments = append(f.segments, s)
	}
	f.text = f.text[:n]
	f.whole = resolve(f.whole, f.segments, false, false)
	f.merged = resolve(f.merged, f.segments, false, true)
	return f
}

// normalize brings the name of a segment into normal form, and returns where the name ends then. It
// leaves a name raw if Match would bring its normal form into another one, and if exempt would take
// the normal form for an exempt name, which the name is not.
func normalize(text []byte, from, to int32) (end int32, raw bool) {
	var normalSpace [space]byte
	b, _, stable := appendNormal(normalSpace[:0], inPlace(text[from:to]), int(to-from))
	if !stable || string(b) == ".well-known" || string(b) == "robots.txt" {
		return to, true
	}
	return from + int32(copy(text[from:], b)), false
}

// lastParent returns a position in a path from which on no segment can be "..", since fewer than
// two bytes there are dots or begin an escape.
func lastParent(path string) int {
	n := 0
	for i := len(path) - 1; i >= 0; i-- {
		if path[i] == '.' || path[i] == '%' {
			if n++; n == 2 {
				return i
			}
		}
	}
	return 0
}

// decode writes a slash and the segment of a path that begins at byte i to b, from one byte up to
// another. It returns where the segment ends, and whether decoding may have made escapes.
func decode(b []byte, from int32, path string, i int) (end int, to int32, raw bool) {
	n := int(from)
	b[n] = '/'
	n++
	stray := n - 3 // where the last "%" is that begins no escape
loop:
	for i < len(path) {
		c := path[i]
		switch pathBytes[c] {
		case usual:
			b[n] = c
			n++
			i++
			continue
		case slash:
			break loop
		case escape:
			value, ok := percent.Byte(path[i:])
			switch {
			case !ok:
				stray = n
				b[n] = '%'
				n++
				i++
				continue
			case value == '/':
				break loop
			case pathBytes[value] == usual && value != '?':
				raw = raw || n-stray <= 2 && isHex(value)
				b[n] = value
				n++
				i += 3
				continue
			}
			c = value
			i += 3
		default:
			i++
		}
		b[n], b[n+1], b[n+2] = '%', upperHex[c>>4], upperHex[c&15]
		n += 3
	}
	return i, int32(n), raw
}

// size returns how long a form is at most that is written up to a limit.
func (f forms) size(query string, limit int) int {
	return min(len(f.text)+len(f.segments)*len("2F"), rawLimit(limit)+len("2F")) + len("/") + len(query)
}

// differs reports whether a server that reads the path in one way may serve another form than those
// that come before in reading.All.
func (f forms) differs(way reading.Reading) bool {
	if way.Slashes && !f.slashes {
		return false
	}
	if last := f.segments[len(f.segments)-1]; way.Bare && (last.kind == name || last.kind == empty && !last.inner) {
		return false
	}
	return (f.empty || !way.Merged || way.Bare) && (f.parent || !way.Late && !way.Twice)
}

// write appends the form that a server reads in one way to b: all of it and the query, or as much
// as decides the first bytes of its normal form, up to a limit.
func (f forms) write(b []byte, way reading.Reading, query string, limit int) []byte {
	merge, form := way.Merged && !way.Late, f.whole
	if merge {
		form = f.merged
	}
	if way.Slashes {
		path := f.segments
		if way.Twice {
			path = form
		}
		form = resolve(f.form, path, true, merge)
	}
	if last := form[len(form)-1]; way.Bare && (last.kind == left || way.Slashes && last.inner && last.kind == empty) {
		form = form[:len(form)-1]
	}
	for i, s := range form {
		if way.Late && s.kindFor(way.Slashes) == empty && i < len(form)-1 {
			continue
		}
		text := f.text[s.from:s.to]
		if s.inner && !way.Slashes {
			b, text, limit = append(b, "%2F"...), text[1:], max(0, limit-len("%2F"))
		}
		if s.raw {
			text = text[:min(len(text), rawLimit(limit))]
			limit -= len(text) / 3
		} else {
			text = text[:min(len(text), limit)]
			limit -= len(text)
		}
		if b = append(b, text...); limit <= 0 {
			return b
		}
	}
	if len(form) == 0 {
		b = append(b, '/')
	}
	return append(b, query...)
}

// resolve appends the segments of a path to out, without those of dots and, if merge is set,
// without the empty ones before the last. A last segment of dots leaves a slash. Escaped slashes
// separate segments if slashes is set.
func resolve(out, path []segment, slashes, merge bool) []segment {
	for i, s := range path {
		last := i == len(path)-1
		switch kind := s.kindFor(slashes); kind {
		case empty:
			if merge && !last {
				continue
			}
		case dot, parent:
			if kind == parent {
				out = removeLast(out, slashes)
			}
			if !last {
				continue
			}
			s = end
		}
		out = append(out, s)
	}
	return out
}

// removeLast removes the last segment, if there is one. Escaped slashes separate segments if
// slashes is set.
func removeLast(path []segment, slashes bool) []segment {
	n := max(0, len(path)-1)
	for !slashes && n > 0 && path[n].inner {
		n--
	}
	return path[:n]
}
