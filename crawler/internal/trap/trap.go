// Package trap decides from a URL alone whether a crawler should avoid it: because the
// URL is one of an endless number, such as the months of a calendar, or because a visit
// has an effect, such as logging out.
//
//	if f := trap.Check(u); f.Rule != trap.None {
//		fmt.Println(f) // calendar: 2087-03
//	}
//
// Only the site knows the effect of a URL, so the rules are guesses, for clear cases only:
// the budget of its host ends a trap that is let through, but a page that is refused is
// missed.
//
// A check keeps no state. It takes time linear in the length of the URL.
package trap

import (
	"strings"
	"time"

	"github.com/robotsexclusion/robots/crawler/internal/weburl"
	"github.com/robotsexclusion/robots/internal/printable"
)

// A Rule names a reason to avoid a URL. The zero value means that no rule applies.
type Rule uint8

// The rules, in the order in which they are tried.
const (
	// None means that the URL may be visited.
	None Rule = iota
	// Depth: the path has too many segments. Folders are rarely that deep; links that are
	// relative by mistake go deeper with each page. As Heritrix (TooManyPathSegmentsDecideRule).
	Depth
	// Length: a segment of the path is too long when it is decoded. No file has so long a name;
	// programs that append to a path make them.
	Length
	// Repetition: one segment of the path, or up to eight together, stand there too often in a
	// row, as in /a/b/a/b/a/b: links that are relative by mistake. As Heritrix
	// (PathologicalPathDecideRule).
	Repetition
	// Frequency: one segment of the path, or one parameter with its value, stands there too
	// often; or in a path of ten segments or more two of them do as often as that. As Zeno (its
	// path loops).
	Frequency
	// Parameters: the query has too many parameters: filters of a shop that can be put together
	// without end.
	Parameters
	// Session: a segment of the path is the id of a session of ASP.NET, such as
	// (S(lit3py55t21z5v55vlm25s55)): all pages are there again under each. Other ids are left out
	// of the URL by package weburl; without this one the server sends another.
	Session
	// Calendar: the path ends in a date, or a parameter is one, before 1970 or too many years
	// ahead: a calendar goes on for ever. Dates are YYYY/MM, YYYY/MM/DD, YYYY-MM and YYYY-MM-DD,
	// and parameters for a year and a month.
	Calendar
	// Effect: a segment of the path or a parameter says that a visit does something, or that it
	// asks for a form to do it: log out, delete, vote, put into a cart, unsubscribe, edit; in
	// English, Spanish, Korean and Russian.
	Effect
)

var ruleNames = [...]string{"none", "depth", "length", "repetition", "frequency", "parameters", "session", "calendar",
	"effect"}

// The limits of the rules, for crawling unknown sites.
const (
	maxDepth      = 20  // segments of a path
	maxSegment    = 255 // bytes of a decoded segment, the maximum length of file names
	maxRepeats    = 2   // times that segments may occur in a row
	maxCount      = 3   // times that a segment, or a parameter with its value, may occur anywhere
	maxParameters = 20  // of a query
	maxYears      = 3   // that a date may be ahead
)

// String returns the name of the rule, such as "calendar".
func (r Rule) String() string {
	if int(r) < len(ruleNames) {
		return ruleNames[r]
	}
	return "unknown"
}

// A Finding is a reason to avoid a URL. The zero Finding means that no rule applies.
type Finding struct {
	Rule Rule
	Part string // the part of the URL that the rule matched; shares the memory of the URL
}

// String returns the finding as "calendar: 2087-03".
func (f Finding) String() string {
	if f.Part == "" {
		return f.Rule.String()
	}
	return f.Rule.String() + ": " + printable.Clipped(f.Part, 100)
}

// Check returns the first reason to avoid the URL, or the zero Finding.
func Check(u weburl.URL) Finding { return check(u, time.Now) }

// check is Check at another time.
func check(u weburl.URL, now func() time.Time) Finding {
	if u.IsZero() {
		return Finding{}
	}
	var few [32]string // enough for most paths
	path, query := segments(few[:0], u.Pathname()), u.Query()
	for rule := Depth; rule <= Effect; rule++ {
		if part := rule.find(path, query, now); part != "" {
			return Finding{rule, part}
		}
	}
	return Finding{}
}

// find returns the part of a URL that matches the rule, or "".
func (r Rule) find(path []string, query string, now func() time.Time) (part string) {
	switch r {
	case Depth:
		if len(path) > maxDepth {
			return path[maxDepth]
		}
	case Length:
		return tooLong(path)
	case Repetition:
		return repeated(path)
	case Frequency:
		return frequent(path, query)
	case Parameters:
		if strings.Count(query, "&") >= maxParameters {
			return query
		}
	case Session:
		return pathSession(path)
	case Calendar:
		return farDate(path, query, now)
	case Effect:
		return effect(path, query)
	}
	return ""
}

// tooLong returns the first segment that has more than maxSegment bytes when decoded.
func tooLong(path []string) string {
	for _, segment := range path {
		if n := len(segment); n > maxSegment && n-2*strings.Count(segment, "%") > maxSegment {
			return segment
		}
	}
	return ""
}

// segments appends the segments of a path, without the empty one at its end. Other empty
// segments become "/", so that they are visible.
func segments(list []string, path string) []string {
	path = strings.TrimSuffix(path[1:], "/")
	if path == "" {
		return list
	}
	for segment := range strings.SplitSeq(path, "/") {
		if segment == "" {
			segment = "/"
		}
		list = append(list, segment)
	}
	return list
}
