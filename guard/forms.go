package guard

import (
	"slices"
	"strings"

	"github.com/robotsexclusion/robots/internal/url/percent"
)

// host stands before a target in a URL of this host, so that //x/y is a path.
const host = "http://host"

// forms are two served forms of a path in normal form, after host: with its empty segments, and
// without those before the last one.
type forms struct {
	kept, merged form

	empty    bool // the path has empty segments before the last one, without which merged is not written
	removals int  // how many segments ".." can remove from here on, at most

	unclear bool // decoding made escapes before the limit, so that the forms may have another normal form
}

// A form is the first bytes of a form, up to a limit. The segments after the limit are counted,
// since ".." may remove them.
type form struct {
	b     []byte
	size  int // how many bytes of b are written
	after int // how many segments begin after the limit
}

// with returns the form with a query. The form is not written up to the limit if it is whole.
func (f *form) with(query string, limit int) []byte {
	if f.size >= len(host)+limit {
		return f.b[:f.size]
	}
	return append(f.b[:f.size], query...)
}

// newForm returns an empty form with a part of space, or of new memory, for the forms of a path up
// to a limit.
func newForm(space []byte, path string, limit int) form {
	size := len(host) + min(2*limit, 3*len(path)) + 8 // a segment that begins before the limit is written after it too
	return form{b: slices.Grow(append(space, host...), size)[:size]}
}

// end ends a path with a slash.
func (f *form) end(limit int) {
	if f.size < limit {
		f.b[f.size] = '/'
		f.size++
	}
}

// add adds a segment with its slash.
func (f *form) add(segment []byte, limit int) {
	if f.size < limit {
		f.size += copy(f.b[f.size:min(limit, len(f.b))], segment)
	} else {
		f.after++
	}
}

// remove removes the last segment, if there is one.
func (f *form) remove() {
	switch {
	case f.after > 0:
		f.after--
	case f.size > len(host):
		for f.size--; f.b[f.size] != '/'; f.size-- {
		}
	}
}

// write writes the forms of a path: all of them, or their first bytes up to a limit of 4 or more.
// Escaped slashes separate segments if slashes is set.
func (f *forms) write(path string, slashes bool, limit int) {
	f.empty, f.unclear = false, false
	f.removals = (strings.Count(path, ".") + strings.Count(path, "%")) / len("..") // dots may be escaped
	f.kept.size, f.kept.after = len(host), 0
	f.merged.size, f.merged.after = len(host), 0
	limit += len(host)
	for i := 0; i < len(path) && !f.settled(len(path)-i, limit); {
		next := byte('x')
		if path[i] == '/' && i+1 < len(path) {
			next = path[i+1]
		}
		switch {
		case next == '/':
			f.addEmpty(limit)
			i++
		case next == '.' && strings.HasPrefix(path[i+2:], "/"):
			i += 2
		case next == '.' && strings.HasPrefix(path[i+2:], "./"):
			f.remove()
			i += 3
		default:
			i = f.add(path, i, slashes, limit)
		}
	}
}

// settled reports whether the rest of a path, of the given length, cannot change the first bytes of
// the forms up to a limit: there are more segments after the limit than the rest can remove.
func (f *forms) settled(rest, limit int) bool {
	removals := min(rest/len("/.."), f.removals)
	return f.kept.settled(removals, limit) && (!f.empty || f.merged.settled(removals, limit))
}

func (f *form) settled(removals, limit int) bool { return f.size >= limit && f.after >= removals }

// add adds the segment of a path that begins at byte i with its slash, and returns where the next
// one begins.
func (f *forms) add(path string, i int, slashes bool, limit int) (next int) {
	if path[i] == '%' {
		i += len("2F")
	}
	from := f.kept.size
	f.kept.b[from] = '/'
	end, next, unclear := f.segment(from+1, path, i+1, slashes, from+1+limit-len(host))
	segment := f.kept.b[from:end]
	last := next == len(path)
	switch {
	case len(segment) == 1 && !last:
		f.addEmpty(limit)
		return next
	case len(segment) == 2 && segment[1] == '.':
	case len(segment) == 3 && segment[1] == '.' && segment[2] == '.':
		f.remove()
	default:
		f.unclear = f.unclear || unclear && (from < limit || f.empty && f.merged.size < limit)
		if f.empty {
			f.merged.add(segment, limit)
		}
		if from < limit {
			f.kept.size = min(end, limit)
		} else {
			f.kept.after++
		}
		return next
	}
	if last { // the segment before the dots ends with a slash
		f.kept.end(limit)
		f.merged.end(limit)
	}
	return next
}

// addEmpty adds an empty segment.
func (f *forms) addEmpty(limit int) {
	if !f.empty {
		f.empty = true
		f.merged.size, f.merged.after = f.kept.size, f.kept.after
		copy(f.merged.b[len(host):], f.kept.b[len(host):f.kept.size])
	}
	if f.kept.size < limit {
		f.kept.b[f.kept.size] = '/'
		f.kept.size++
	} else {
		f.kept.after++
	}
}

// remove removes the last segments.
func (f *forms) remove() {
	f.removals--
	f.kept.remove()
	if f.empty {
		f.merged.remove()
	}
}

// segment writes the segment of a path that begins at i to kept, from byte n up to byte end, and
// returns where it ends, and whether decoding made escapes.
func (f *forms) segment(n int, path string, i int, slashes bool, end int) (_, next int, unclear bool) {
	b := f.kept.b
	stray := n - 3 // where the last "%" is that begins no escape
	for i < len(path) {
		c := path[i]
		switch pathBytes[c] {
		case usual:
			b[n] = c
			n++
			i++
		case slash:
			return n, i, unclear
		case escape:
			value, ok := percent.Byte(path[i:])
			switch {
			case !ok:
				stray = n
				b[n] = '%'
				n++
				i++
			case value == '/' && slashes:
				return n, i, unclear
			case pathBytes[value] == usual && value != '?':
				unclear = unclear || n-stray <= 2 && isHex(value)
				b[n] = value
				n++
				i += 3
			default:
				b[n], b[n+1], b[n+2] = '%', upperHex[value>>4], upperHex[value&15]
				n += 3
				i += 3
			}
		default:
			b[n], b[n+1], b[n+2] = '%', upperHex[c>>4], upperHex[c&15]
			n += 3
			i++
		}
		n = min(n, end)
	}
	return n, i, unclear
}
