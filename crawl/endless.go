package crawl

import (
	"encoding/binary"
	"hash/maphash"
	"slices"
	"strings"

	"github.com/robotsexclusion/robots/crawl/internal/trap"
	"github.com/robotsexclusion/robots/internal/binread"
	"github.com/robotsexclusion/robots/internal/weburl"
)

// An endless notes what a host has been asked for, to find what has no end though each
// URL looks like any other: lists that can be filtered in any combination, and
// calendars. It is bounded; where it is full it finds nothing new. What it has found is
// kept with the state of the host, what it suspects is in memory only.
type endless struct {
	shapes map[uint64]*shapes // by path
	dates  map[uint64]*dates  // by what stands before the date
	found  []uint64           // of both, what has no end
}

// Shapes are how a path was asked for with parameters.
type shapes struct {
	names    []uint64 // each set of the names of parameters
	repeated int      // URLs that have a parameter more than once
	found    bool
}

// How much is noted, and how much is too much.
const (
	mostPaths     = 10_000 // of a host, with parameters
	mostShapes    = 30     // of a path: no program that is not a trap has so many sets of parameters
	mostRepeated  = 50     // URLs of a path that have a parameter more than once
	mostPrefixes  = 1000   // of dates
	mostDates     = 150    // pages in a row that have dates and lead nowhere else
	mostElsewhere = 10_000 // links that lead elsewhere
	mostFound     = 16     // that are kept
)

// Dates are the pages of what may be a calendar.
type dates struct {
	start     string // of their URLs
	barren    int    // in a row
	found     bool
	elsewhere map[uint64]bool // where they lead besides
}

var seed = maphash.MakeSeed()

// hashOf returns a hash that is the same in each process (FNV-1a of 64 bits, mixed).
func hashOf(s string) uint64 {
	h := uint64(0xcbf29ce484222325)
	for i := range len(s) {
		h = (h ^ uint64(s[i])) * 0x100000001b3
	}
	return mix(h)
}

// refuses reports whether a URL is one of too many.
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

// shapesOf begins to note how a path is asked for.
func (e *endless) shapesOf(path uint64) *shapes {
	if e.shapes == nil {
		e.shapes = make(map[uint64]*shapes)
	}
	of := new(shapes)
	e.shapes[path] = of
	return of
}

// datesOf begins to note the pages of what may be a calendar.
func (e *endless) datesOf(prefix uint64) *dates {
	if e.dates == nil {
		e.dates = make(map[uint64]*dates)
	}
	d := &dates{elsewhere: make(map[uint64]bool)}
	e.dates[prefix] = d
	return d
}

// find notes that something has no end, once.
func (e *endless) find(what uint64, found *bool) {
	if !*found && len(e.found) < mostFound {
		e.found = append(e.found, what)
	}
	*found = true
}

// The kinds of what is kept. They are stored by number: never renumber.
const (
	foundShapes = 1
	foundDates  = 2
)

// appendBinary appends what has no end to b.
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

// read takes over what was found to have no end.
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

// shapeOf returns what stands for the names of the parameters of a query, in any order,
// and whether one is there more than once.
func shapeOf(query string) (names uint64, repeated bool) {
	var few [32]uint64
	all := few[:0]
	for param := range strings.SplitSeq(query, "&") {
		name, _, named := strings.Cut(param, "=")
		if !named {
			name = "" // a query may be the name of a page
		}
		h := hashOf(name)
		repeated = repeated || slices.Contains(all, h)
		all = append(all, h)
		names += h
	}
	return names, repeated
}

// visited notes that a page is visited, and returns what notes where it leads if its
// URL has a date, or else nil.
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

// to notes where a page leads, if it is one with a date.
func (d *dates) to(u weburl.URL) {
	if d == nil || strings.HasPrefix(u.String(), d.start) {
		return
	}
	if h := maphash.String(seed, u.String()); !d.elsewhere[h] && len(d.elsewhere) < mostElsewhere {
		d.elsewhere[h] = true
		d.barren = 0
	}
}
