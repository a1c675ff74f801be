package lint

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/robotsexclusion/robots"
)

// A Fix is a change of the text that removes a diagnostic.
type Fix struct {
	Title  string // what it does, in the language of the options; printable
	Effect Effect // on the answers that robots get

	// Safe says that the text can have no other intended meaning, or that the fix keeps its
	// meaning. [Report.Fix] makes only safe fixes.
	Safe bool

	Edits []Edit // in the order of the text, without overlap
}

// An Edit replaces a range of the text by another text.
type Edit struct {
	Start, End int // offsets in the file, in bytes
	New        string
}

// An Effect is the effect of a fix on the answers for robots, according to RFC 9309, for any
// path. It describes the fix alone, applied to the unchanged file.
type Effect string

// The effects.
const (
	Keeps   Effect = "keeps"   // no answer changes
	Closes  Effect = "closes"  // paths may become disallowed, and none allowed
	Opens   Effect = "opens"   // paths may become allowed, and none disallowed
	Changes Effect = "changes" // both may happen
)

// Apply returns the text with the edits of the fix applied. The text must be that of the linted
// policy.
func (f *Fix) Apply(text string) string { return edited(text, f.Edits) }

// isText reports whether the new text of the fix is UTF-8, as formats for programs require.
func (f *Fix) isText() bool {
	return !slices.ContainsFunc(f.Edits, func(e Edit) bool { return !utf8.ValidString(e.New) })
}

// edited applies edits, which must be sorted and not overlap.
func edited(text string, edits []Edit) string {
	var b strings.Builder
	at := 0
	for _, e := range edits {
		b.WriteString(text[at:e.Start])
		b.WriteString(e.New)
		at = e.End
	}
	b.WriteString(text[at:])
	return b.String()
}

// A fix may uncover a mistake that another one hid, so Report.Fix checks the result again, up
// to a maximum number of rounds. In each round, the number of fixes of a check is limited, to
// bound the memory.
const (
	fixRounds = 8
	fixLimit  = 1 << 17
)

// Fix returns the text of the file with the safe fixes applied. It checks the result again,
// with the same options, until nothing is left to fix, in at most eight rounds, with at most
// 131,072 fixes of each check per round.
func (r *Report) Fix() string { return r.fix(func(f *Fix) bool { return f.Safe }) }

func (r *Report) fix(wanted func(*Fix) bool) string {
	o := r.options
	o.Limit = fixLimit
	text := r.Policy.String()
	report := r
	for round := range fixRounds {
		if round > 0 || len(r.Omitted) > 0 { // otherwise r has everything that a higher limit would give
			report = Run(robots.Parse([]byte(text)), o)
		}
		edits := report.edits(wanted)
		if len(edits) == 0 {
			break
		}
		text = edited(text, edits)
	}
	return text
}

// edits returns the edits of the wanted fixes in order. Of overlapping fixes, the first one is
// used.
func (r *Report) edits(wanted func(*Fix) bool) (edits []Edit) {
	for _, f := range r.chosen(wanted) {
		edits = append(edits, f.Edits...)
	}
	return edits
}

// chosen returns the wanted fixes that do not overlap, in the order of their edits.
func (r *Report) chosen(wanted func(*Fix) bool) (chosen []*Fix) {
	var all []*Fix
	for i := range r.Diagnostics {
		if f := r.Diagnostics[i].Fix; f != nil && len(f.Edits) > 0 && wanted(f) {
			all = append(all, f)
		}
	}
	slices.SortStableFunc(all, func(a, b *Fix) int { return a.Edits[0].Start - b.Edits[0].Start })
	end := -1
	for _, f := range all {
		if f.Edits[0].Start <= end {
			continue
		}
		chosen = append(chosen, f)
		end = f.Edits[len(f.Edits)-1].End
	}
	return chosen
}
