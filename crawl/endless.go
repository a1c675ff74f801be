package crawl

import (
	"hash/maphash"
	"slices"
	"strings"

	"github.com/robotsexclusion/robots/crawl/trap"
	"github.com/robotsexclusion/robots/crawl/weburl"
)

// An endless notes what a host has been asked for, to find what has no end though each
// URL looks like any other: lists that can be filtered in any combination, and
// calendars. It is in memory only, and bounded; where it is full it finds nothing new.
type endless struct {
	shapes map[uint64]*shapes // by path
	dates  map[string]*dates  // by what stands before the date
}

// Shapes are how a path was asked for with parameters.
type shapes struct {
	names    []uint64 // each set of the names of parameters
	repeated int      // URLs that have a parameter more than once
}

// How much is noted, and how much is too much.
const (
	mostPaths     = 10_000 // of a host, with parameters
	mostShapes    = 30     // of a path: no program that is not a trap has so many sets of parameters
	mostRepeated  = 50     // URLs of a path that have a parameter more than once
	mostPrefixes  = 1000   // of dates
	mostDates     = 150    // pages in a row that have dates and lead nowhere else
	mostElsewhere = 10_000 // links that lead elsewhere
)

// Dates are the pages of what may be a calendar.
type dates struct {
	start     string          // of their URLs
	barren    int             // in a row
	elsewhere map[uint64]bool // where they lead besides
}

var seed = maphash.MakeSeed()

// refuses reports whether a URL is one of too many.
func (e *endless) refuses(u weburl.URL) bool {
	if prefix, ok := trap.Dated(u); ok {
		if d := e.dates[prefix]; d != nil && d.barren >= mostDates {
			return true
		}
	}
	if u.Query() == "" {
		return false
	}
	path := maphash.String(seed, u.Pathname())
	of := e.shapes[path]
	if of == nil {
		if len(e.shapes) == mostPaths {
			return false
		}
		if e.shapes == nil {
			e.shapes = make(map[uint64]*shapes)
		}
		of = new(shapes)
		e.shapes[path] = of
	}
	names, repeated := shapeOf(u.Query())
	if repeated {
		if of.repeated++; of.repeated > mostRepeated {
			return true
		}
	}
	switch {
	case slices.Contains(of.names, names):
		return false
	case len(of.names) == mostShapes:
		return true
	}
	of.names = append(of.names, names)
	return false
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
		h := maphash.String(seed, name)
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
	d := e.dates[prefix]
	if d == nil {
		if len(e.dates) == mostPrefixes {
			return nil
		}
		if e.dates == nil {
			e.dates = make(map[string]*dates)
		}
		prefix = strings.Clone(prefix)
		d = &dates{start: u.Origin() + prefix, elsewhere: make(map[uint64]bool)}
		e.dates[prefix] = d
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
