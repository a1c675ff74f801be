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
	first    []segment // space for those without the dots that are removed before "%2F" is decoded
	form     []segment // space for those of a form

	empty   bool // an empty segment is not the last one
	parent  bool // a segment is ".."
	unclear bool // decoding made escapes, so that the forms may have another normal form
}

// A segment is a slash, and the bytes up to the next one.
type segment struct {
	from, to int32 // where it stands in the text, with its slash
	kind     segmentKind
	inner    bool // its slash is "%2F"
}

type segmentKind uint8

const (
	name segmentKind = iota
	empty
	dot
	parent // ".."
)

// end is the segment after the last slash of a path. Each text begins with a slash.
var end = segment{to: 1, kind: empty}

// read returns f with the segments of a path, as far as they decide the first bytes of a form, up
// to a limit. Escaped slashes separate segments if slashes is set.
func (f forms) read(path string, slashes bool, limit int) forms {
	f.segments = f.segments[:0]
	f.empty, f.parent, f.unclear = false, false, false
	f.text = slices.Grow(f.text[:0], 3*len(path))[:3*len(path)]
	n := int32(0) // how many bytes of the text are written
	parents := lastParent(path)
	sure := 0 // bytes of names that no ".." removes
	for i := 0; i < len(path) && (i < parents || sure < limit); {
		s := segment{from: n, inner: path[i] == '%'}
		if s.inner {
			i += len("2F")
		}
		var unclear bool
		i, s.to, unclear = decode(f.text, s.from, path, i+1, slashes)
		f.unclear = f.unclear || unclear
		n = s.to
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
		default:
			sure += len(b) + 1
		}
		f.segments = append(f.segments, s)
	}
	return f
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
// another. It returns where the segment ends, and whether decoding made escapes.
func decode(b []byte, from int32, path string, i int, slashes bool) (end int, to int32, unclear bool) {
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
			case value == '/' && slashes:
				break loop
			case pathBytes[value] == usual && value != '?':
				unclear = unclear || n-stray <= 2 && isHex(value)
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
	return i, int32(n), unclear
}

// differs reports whether a server that reads the path in one way may serve another form than those
// that come before in reading.All.
func (f forms) differs(way reading.Reading) bool {
	if last := f.segments[len(f.segments)-1].kind; way.Bare && last != dot && last != parent {
		return false
	}
	return (f.empty || !way.Merged || way.Bare) && (f.parent || !way.Late && !way.Twice)
}

// write appends the form that a server reads in one way to b: the first bytes up to a limit, or all
// of it and the query.
func (f forms) write(b []byte, way reading.Reading, query string, limit int) []byte {
	segments, merge := f.segments, way.Merged && !way.Late
	if way.Twice {
		if segments = resolve(f.first, segments, merge, false, true); len(segments) == 0 {
			segments = append(segments, end)
		}
	}
	form := resolve(f.form, segments, merge, way.Bare, false)
	limit += len(b)
	for i, s := range form {
		if way.Late && s.kind == empty && i < len(form)-1 {
			continue
		}
		if b = append(b, f.text[s.from:s.to]...); len(b) >= limit {
			return b[:limit]
		}
	}
	if len(form) == 0 {
		b = append(b, '/')
	}
	return append(b, query...)
}

// resolve appends the segments of a path to out, without those of dots and, if merge is set,
// without the empty ones before the last. A last segment of dots leaves a slash unless bare is set.
// If whole is set, only the slashes that are not escaped separate segments.
func resolve(out, path []segment, merge, bare, whole bool) []segment {
	for i, s := range path {
		last := i == len(path)-1
		kind := s.kind
		if whole && (s.inner || !last && path[i+1].inner) {
			kind = name
		}
		switch kind {
		case empty:
			if merge && !last {
				continue
			}
		case dot, parent:
			if kind == parent {
				out = removeLast(out, whole)
			}
			if !last || bare {
				continue
			}
			s = end
		}
		out = append(out, s)
	}
	return out
}

// removeLast removes the last segment, if there is one. If whole is set, only the slashes that are
// not escaped separate segments.
func removeLast(path []segment, whole bool) []segment {
	n := max(0, len(path)-1)
	for whole && n > 0 && path[n].inner {
		n--
	}
	return path[:n]
}
