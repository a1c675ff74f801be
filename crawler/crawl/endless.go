package crawl

import (
	"encoding/binary"
	"hash/maphash"
	"slices"
	"strings"

	"github.com/robotsexclusion/robots/crawler/internal/binread"
	"github.com/robotsexclusion/robots/crawler/internal/trap"
	"github.com/robotsexclusion/robots/crawler/internal/weburl"
)

// An endless detects endless URL spaces at a host whose URLs each look ordinary: lists with
// any combination of filters, and calendars. Its size is bounded; when it is full, it detects
// no more spaces. Detected spaces are stored with the state of the host; suspected ones are in
// memory only.
type endless struct {
	shapes map[uint64]*shapes // by path
	dates  map[uint64]*dates  // by the part of the URL before the date
	found  []uint64           // hashes of the endless paths and prefixes
}

// Shapes are the sets of parameters requested at one path.
type shapes struct {
	names    []uint64 // hashes of the sets of parameter names
	repeated int      // URLs with a repeated parameter
	found    bool
}

// The limits of an endless.
const (
	mostPaths     = 10_000 // paths with parameters at one host
	mostShapes    = 30     // sets of parameters at one path: only a trap has so many
	mostRepeated  = 50     // URLs at one path with a repeated parameter
	mostPrefixes  = 1000   // prefixes of dates
	mostDates     = 150    // pages in a row with dates that lead nowhere else
	mostElsewhere = 10_000 // links that lead elsewhere
	mostFound     = 16     // stored endless spaces
)

// Dates are the pages of a possible calendar.
type dates struct {
	start     string // common prefix of their URLs
	barren    int    // pages in a row without a link to elsewhere
	found     bool
	elsewhere map[uint64]bool // hashes of the URLs elsewhere that they link to
}

var seed = maphash.MakeSeed()

// hashOf returns the mixed 64-bit FNV-1a hash of s, which is the same in every process.
func hashOf(s string) uint64 {
	h := uint64(0xcbf29ce484222325)
	for i := range len(s) {
		h = (h ^ uint64(s[i])) * 0x100000001b3
	}
	return mix(h)
}

// refuses reports whether a URL exceeds a limit, and counts the URL.
func (e *endless) refuses(u weburl.URL) bool {
	if prefix, ok := trap.Dated(u); ok {
		h := hashOf(prefix)
		if d := e.dates[h]; d != nil && d.barren >= mostDates {
			e.find(h, &d.found)
			return true
		}
	}
	if u.Query() == "" {
		return false
	}
	path := hashOf(u.Pathname())
	of := e.shapes[path]
	if of == nil {
		if len(e.shapes) == mostPaths {
			return false
		}
		of = e.shapesOf(path)
	}
	names, repeated := shapeOf(u.Query())
	if repeated {
		if of.repeated++; of.repeated > mostRepeated {
			e.find(path, &of.found)
			return true
		}
	}
	switch {
	case slices.Contains(of.names, names):
		return false
	case len(of.names) == mostShapes:
		e.find(path, &of.found)
		return true
	}
	of.names = append(of.names, names)
	return false
}

// shapesOf adds the shapes of a path.
func (e *endless) shapesOf(path uint64) *shapes {
	if e.shapes == nil {
		e.shapes = make(map[uint64]*shapes)
	}
	of := new(shapes)
	e.shapes[path] = of
	return of
}

// datesOf adds the dates of a possible calendar.
func (e *endless) datesOf(prefix uint64) *dates {
	if e.dates == nil {
		e.dates = make(map[uint64]*dates)
	}
	d := &dates{elsewhere: make(map[uint64]bool)}
	e.dates[prefix] = d
	return d
}

// find records an endless space, once.
func (e *endless) find(what uint64, found *bool) {
	if !*found && len(e.found) < mostFound {
		e.found = append(e.found, what)
	}
	*found = true
}

// The kinds of endless spaces. They are stored by number: never renumber.
const (
	foundShapes = 1
	foundDates  = 2
)

// appendBinary appends the endless spaces to b.
func (e *endless) appendBinary(b []byte) []byte {
	b = append(b, byte(len(e.found)))
	for _, what := range e.found {
		of := e.shapes[what]
		if of == nil || !of.found {
			b = append(b, foundDates)
			b = binary.LittleEndian.AppendUint64(b, what)
			continue
		}
		b = append(b, foundShapes)
		b = binary.LittleEndian.AppendUint64(b, what)
		b = binary.AppendUvarint(b, uint64(of.repeated))
		b = append(b, byte(len(of.names)))
		for _, names := range of.names {
			b = binary.LittleEndian.AppendUint64(b, names)
		}
	}
	return b
}

// read restores the endless spaces that appendBinary wrote.
func (e *endless) read(r *binread.Reader) {
	*e = endless{}
	for range r.Byte() {
		kind, what := r.Byte(), r.Fixed()
		switch {
		case r.Wrong || len(e.found) == mostFound || kind != foundShapes && kind != foundDates:
			r.Wrong = true
			return
		case kind == foundDates:
			d := e.datesOf(what)
			d.barren, d.found = mostDates, true
		default:
			of := e.shapesOf(what)
			of.repeated, of.found = int(min(r.Number(), mostRepeated+1)), true
			for range min(r.Byte(), mostShapes) {
				of.names = append(of.names, r.Fixed())
			}
		}
		e.found = append(e.found, what)
	}
}

// shapeOf returns a hash of the parameter names of a query, in any order, and whether a name
// is repeated.
func shapeOf(query string) (names uint64, repeated bool) {
	var few [32]uint64
	all := few[:0]
	for param := range strings.SplitSeq(query, "&") {
		name, _, named := strings.Cut(param, "=")
		if !named {
			name = "" // a parameter without "=" may be the name of a page
		}
		h := hashOf(name)
		repeated = repeated || slices.Contains(all, h)
		all = append(all, h)
		names += h
	}
	return names, repeated
}

// visited counts a visit of a page. If the URL has a date, it returns the dates that collect
// the page's links, otherwise nil.
func (e *endless) visited(u weburl.URL) *dates {
	prefix, ok := trap.Dated(u)
	if !ok {
		return nil
	}
	h := hashOf(prefix)
	d := e.dates[h]
	if d == nil {
		if len(e.dates) == mostPrefixes {
			return nil
		}
		d = e.datesOf(h)
	}
	if d.start == "" {
		d.start = u.Origin() + prefix
	}
	d.barren++
	return d
}

// to records a link of a page with a date. d may be nil.
func (d *dates) to(u weburl.URL) {
	if d == nil || strings.HasPrefix(u.String(), d.start) {
		return
	}
	if h := maphash.String(seed, u.String()); !d.elsewhere[h] && len(d.elsewhere) < mostElsewhere {
		d.elsewhere[h] = true
		d.barren = 0
	}
}
