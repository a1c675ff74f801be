// Package trap decides from a URL alone whether a crawler should avoid it: because the
// URL is one of an endless number, such as the months of a calendar, or because a visit
// has an effect, such as logging out.
//
//	if f := rules.Check(u); f.Rule != trap.None {
//		fmt.Println(f) // calendar: 2087-03
//	}
//
// The catalog has all rules with their purpose. Each can be switched off, and their limits
// are fields of [Rules]. Only the site knows the effect of a URL, so the rules are
// guesses, for clear cases only: the budget of its host ends a trap that is let through,
// but a page that is refused is missed.
//
// A check keeps no state. It takes time linear in the length of the URL.
package trap

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/robotsexclusion/robots/crawler/internal/weburl"
	"github.com/robotsexclusion/robots/internal/printable"
)

// A Rule names a reason to avoid a URL. The zero value means that no rule applies.
type Rule uint8

// The rules, in the order in which they are tried. They are stored by name.
const (
	None       Rule = iota // the URL may be visited
	Depth                  // the path has too many segments
	Length                 // a segment of the path is too long
	Repetition             // segments of the path repeat in a row
	Frequency              // a segment of the path or a parameter occurs too often
	Parameters             // the query has too many parameters
	Session                // the path has a session ID that cannot be removed
	Calendar               // the URL is for a date far from now
	Effect                 // a visit has an effect, or opens the form for it
)

// An entry is one rule of the catalog.
type entry struct {
	Rule Rule
	Name string
	Doc  string // one or two sentences: the refused URLs, and the reason
}

var catalog = [...]entry{
	{None, "none", "The URL may be visited."},
	{Depth, "depth", "The path has more than Rules.MaxDepth segments. Folders are rarely that deep; " +
		"links that are relative by mistake go deeper with each page. As Heritrix (TooManyPathSegmentsDecideRule)."},
	{Length, "length",
		"A segment of the path has more than Rules.MaxSegment bytes when it is decoded. No file has so long a name; " +
			"programs that append to a path make them."},
	{Repetition, "repetition",
		"One segment of the path, or up to eight together, stand there more than Rules.MaxRepeats times in a row, " +
			"as in /a/b/a/b/a/b: links that are relative by mistake. As Heritrix (PathologicalPathDecideRule)."},
	{Frequency, "frequency",
		"One segment of the path, or one parameter with its value, stands there more than Rules.MaxCount times; " +
			"or in a path of ten segments or more two of them do as often as that. As Zeno (its path loops)."},
	{Parameters, "parameters",
		"The query has more than Rules.MaxParameters parameters: filters of a shop that can be put together without end."},
	{Session, "session",
		"A segment of the path is the id of a session of ASP.NET, such as (S(lit3py55t21z5v55vlm25s55)): " +
			"all pages are there again under each. Other ids are left out of the URL by package weburl; without this one the server sends another."},
	{Calendar, "calendar",
		"The path ends in a date, or a parameter is one, before 1970 or more than Rules.MaxYears years ahead: " +
			"a calendar goes on for ever. Dates are YYYY/MM, YYYY/MM/DD, YYYY-MM and YYYY-MM-DD, and parameters for a year and a month."},
	{Effect, "effect",
		"A segment of the path or a parameter says that a visit does something, or that it asks for a form to do it: " +
			"log out, delete, vote, put into a cart, unsubscribe, edit; in English, Spanish, Korean and Russian."},
}

// String returns the name of the rule, such as "calendar".
func (r Rule) String() string {
	if int(r) < len(catalog) {
		return catalog[r].Name
	}
	return "unknown"
}

// MarshalText implements [encoding.TextMarshaler] with the name of the rule.
func (r Rule) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

// UnmarshalText implements [encoding.TextUnmarshaler] for the names of rules.
func (r *Rule) UnmarshalText(name []byte) error {
	for _, e := range catalog {
		if e.Name == string(name) {
			*r = e.Rule
			return nil
		}
	}
	return fmt.Errorf("trap: unknown rule %s", printable.Quoted(string(name), 100))
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

// Rules are the rules with their limits. The zero value, and nil, try all rules, with
// limits for crawling unknown sites. Rules must not be changed once they are in use; then
// they are safe for concurrent use.
type Rules struct {
	// Off are the rules that are switched off.
	Off []Rule

	// MaxDepth is the maximum number of segments of a path. If 0, it is 20.
	MaxDepth int
	// MaxSegment is the maximum number of bytes of a decoded segment of the path. If 0,
	// it is 255, the maximum length of file names.
	MaxSegment int
	// MaxRepeats is how often segments may occur in a row. If 0, it is 2.
	MaxRepeats int
	// MaxCount is how often a segment of the path, or a parameter with its value, may
	// occur anywhere. If 0, it is 3.
	MaxCount int
	// MaxParameters is the maximum number of parameters of a query. If 0, it is 20.
	MaxParameters int
	// MaxYears is how many years ahead a date may be. If 0, it is 3.
	MaxYears int

	// Now is the time that dates are compared with. The zero time means the present.
	Now time.Time
}

var zeroRules Rules

// limit returns a limit, or its default if it is 0.
func limit(n, byDefault int) int {
	if n > 0 {
		return n
	}
	return byDefault
}

// Check returns the first reason to avoid the URL, or the zero Finding.
func (r *Rules) Check(u weburl.URL) Finding {
	if u.IsZero() {
		return Finding{}
	}
	if r == nil {
		r = &zeroRules
	}
	var few [32]string // enough for most paths
	path := segments(few[:0], u.Pathname())
	for rule := Depth; rule <= Effect; rule++ {
		if slices.Contains(r.Off, rule) {
			continue
		}
		if part := r.find(rule, path, u.Query()); part != "" {
			return Finding{rule, part}
		}
	}
	return Finding{}
}

// find returns the part of a URL that matches a rule, or "".
func (r *Rules) find(rule Rule, path []string, query string) (part string) {
	switch rule {
	case Depth:
		if n := limit(r.MaxDepth, 20); len(path) > n {
			return path[n]
		}
	case Length:
		return tooLong(path, limit(r.MaxSegment, 255))
	case Repetition:
		return repeated(path, limit(r.MaxRepeats, 2))
	case Frequency:
		return frequent(path, query, limit(r.MaxCount, 3))
	case Parameters:
		if n := limit(r.MaxParameters, 20); strings.Count(query, "&") >= n {
			return query
		}
	case Session:
		return pathSession(path)
	case Calendar:
		return r.farDate(path, query)
	case Effect:
		return effect(path, query)
	}
	return ""
}

// tooLong returns the first segment that has more bytes than the limit when decoded.
func tooLong(path []string, most int) string {
	for _, segment := range path {
		if n := len(segment); n > most && n-2*strings.Count(segment, "%") > most {
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
