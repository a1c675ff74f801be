package lint

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/robotsexclusion/robots"
)

// A Fix is a change of the text that takes a diagnostic away.
type Fix struct {
	Title  string // what it does, in the language of the options; printable
	Effect Effect // on the answers that robots get

	// Safe says that the text can have been meant in no other way, or that the
	// fix keeps its meaning: [Report.Fix] makes safe fixes only.
	Safe bool

	Edits []Edit // in the order of the text, without overlap
}

// An Edit puts a text in the place of another.
type Edit struct {
	Start, End int // bytes of the file
	New        string
}

// An Effect is what a fix does to the answers that robots get, after RFC 9309,
// for any path. It holds for the fix alone, made to the file as it is.
type Effect string

// The effects.
const (
	Keeps   Effect = "keeps"   // no answer changes
	Closes  Effect = "closes"  // paths may become disallowed, and none allowed
	Opens   Effect = "opens"   // paths may become allowed, and none disallowed
	Changes Effect = "changes" // paths may become both
)

// Apply returns the text with the edits of the fix made to it. The text is that
// of the policy which was linted.
func (f *Fix) Apply(text string) string { return edited(text, f.Edits) }

// isText reports whether what the fix writes is text, as formats for programs
// ask for.
func (f *Fix) isText() bool {
	return !slices.ContainsFunc(f.Edits, func(e Edit) bool { return !utf8.ValidString(e.New) })
}

// edited makes edits that are sorted and do not overlap.
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

// A fix may uncover a mistake that hid behind another, so Report.Fix looks again,
// so often at most; and each time so many fixes of a check are made at most, so
// that memory is bounded.
const (
	fixRounds = 8
	fixLimit  = 1 << 17
)

// Fix returns the text of the file with the safe fixes made. It looks at the
// result again, with the same options, until there is nothing more to fix, at
// most eight times, and makes 131,072 fixes of each check at most at a time.
func (r *Report) Fix() string { return r.fix(func(f *Fix) bool { return f.Safe }) }

func (r *Report) fix(wanted func(*Fix) bool) string {
	o := r.options
	o.Limit = fixLimit
	text := r.Policy.String()
	report := r
	for round := range fixRounds {
		if round > 0 || len(r.Omitted) > 0 { // else r has all that a higher limit would give
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

// edits returns the edits of the wanted fixes in order. Of fixes that overlap
// the first one is taken.
func (r *Report) edits(wanted func(*Fix) bool) (edits []Edit) {
	for _, f := range r.chosen(wanted) {
		edits = append(edits, f.Edits...)
	}
	return edits
}

// chosen returns the wanted fixes that can be made together, in the order of
// their edits.
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
