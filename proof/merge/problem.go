package merge

import (
	"fmt"
	"strings"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/internal/printable"
	"github.com/robotsexclusion/robots/proof"
	"github.com/robotsexclusion/robots/proof/pathset"
)

// An Error is why no file was built.
type Error struct {
	Problems []Problem // in the order of the fragments; not to be modified
	Omitted  int       // how many more there are

	// Proofs are the outcomes of Options.Claims, in their order, if there are no problems but
	// a claim does not hold. Notes are those of the file that was not built then.
	Proofs []proof.Proof
	Notes  []string

	// Undecided says that a proof took too many cases: there may be more problems, or, if none is
	// listed, perhaps none. If there are Proofs, no claim is disproven, and some are undecided. The
	// error wraps pathset.ErrUndecided then.
	Undecided bool

	language language.Language
}

// maxProblems is the maximum number of problems in an Error.
const maxProblems = 100

// Error returns the problems and the claims that do not hold, one a line. Claims are in English.
// It is safe for a terminal.
func (e *Error) Error() string {
	var lines []string
	for _, p := range e.Problems {
		lines = append(lines, p.String())
	}
	if e.Omitted > 0 {
		lines = append(lines, textAndMore.In(e.language, e.Omitted))
	}
	for _, p := range e.Proofs {
		if !p.Holds {
			lines = append(lines, p.String())
		}
	}
	if e.Undecided && len(e.Proofs) == 0 {
		lines = append(lines, textUndecided.In(e.language))
	}
	return strings.Join(lines, "\n")
}

// Unwrap returns pathset.ErrUndecided if a proof took too many cases, and nil otherwise.
func (e *Error) Unwrap() error {
	if e.Undecided {
		return pathset.ErrUndecided
	}
	return nil
}

// A Problem is what keeps fragments from being joined.
type Problem struct {
	Fragment string   // the name of the fragment; "" for what only a wish asks
	Line     int      // its number, from 1 on; 0 where Fragment is ""
	Message  string   // the mistake, and how to mend it; safe for a terminal
	Agents   []string // the robots that contradicting lines address
	Witness  string   // a path that shows the contradiction, if it is one of rules

	// The other line of a contradiction.
	OtherFragment string
	OtherLine     int
}

// String returns the problem as a line that starts with its place, such as
// "shop.txt:4: Allow: /shop/ opens /shop/admin to *, which site.txt:3 closes".
func (p Problem) String() string {
	if p.Fragment == "" {
		return p.Message
	}
	return fmt.Sprintf("%s: %s", at(p.Fragment, p.Line), p.Message)
}

// at returns a place as written in messages.
func at(fragment string, line int) string {
	return fmt.Sprintf("%s:%d", printable.Text(fragment), line)
}

// quoted returns a line as written in messages.
func quoted(line robots.Line) string {
	return "'" + printable.Clipped(strings.TrimSpace(strings.TrimPrefix(line.Text, "\ufeff")), 80) + "'"
}

// problem adds a problem with a text.
func (j *joiner) problem(p Problem, text language.Text, args ...any) {
	if len(j.problems) >= maxProblems {
		j.omitted++
		return
	}
	p.Message = say(text, args...).in(j.language)
	j.problems = append(j.problems, p)
}

// failed returns the error with the problems so far, or nil if there are none.
func (j *joiner) failed() error {
	if len(j.problems) == 0 && !j.undecided {
		return nil
	}
	return &Error{Problems: j.problems, Omitted: j.omitted, Undecided: j.undecided, language: j.language}
}

// conflict reports that a fragment opens a path that another one closes.
func (j *joiner) conflict(c proof.Conflict) {
	opens, closes := j.fragments[c.Opens], j.fragments[c.Closes]
	p := Problem{
		Fragment: opens.name, Line: opens.line(c.Allow.Rule.Line), Agents: c.Agents, Witness: c.Witness,
		OtherFragment: closes.name, OtherLine: closes.line(c.Disallow.Rule.Line),
	}
	advice := textSayLess
	if len(j.problems) < maxProblems && idle(opens, p.Line, j.proofOptions()) {
		advice = textIdle
	}
	j.problem(p, textConflict, c.Allow.Rule, printable.Text(c.Witness), people(c.Agents), at(closes.name, p.OtherLine),
		c.Disallow.Rule, say(advice))
}

// idle reports whether a rule of a fragment has no effect and is there for readers only, such
// as "Allow: /".
func idle(f *fragment, number int, o proof.Options) bool {
	var b strings.Builder
	for _, line := range f.lines {
		if line.Number == number {
			b.WriteString("Disallow:\n") // the group must keep at least one rule
		} else {
			b.WriteString(line.Text)
		}
	}
	d, err := proof.Diff(f.policy, robots.Parse([]byte(b.String())), o)
	return err == nil && d.Equal()
}

// breach reports that the file would differ from its parts.
func (j *joiner) breach(d robots.Dialect, b proof.Breach, w *wishes) {
	p := Problem{Agents: b.Agents, Witness: b.Witness}
	source := j.sources[b.Match.Rule.Line]
	if source.fragment != nil {
		p.Fragment, p.Line = source.fragment.name, source.line
	}
	var said sentence
	who, path := people(b.Agents), printable.Text(b.Witness)
	switch {
	case b.Part == len(j.fragments) && source.fragment != nil:
		// A wish closes paths that a longer rule opens, which is not within the wish.
		said = say(textOverWish, b.Match.Rule, path, who, w.blocking(b.Agents[0]))
	case b.Part >= 0 && b.Part < len(j.fragments):
		f := j.fragments[b.Part]
		if p.Fragment == "" {
			p.Fragment, p.Line = f.name, f.line(b.InPart.Rule.Line)
		} else {
			p.OtherFragment, p.OtherLine = f.name, f.line(b.InPart.Rule.Line)
		}
		said = say(textOverPart, path, who, at(f.name, f.line(b.InPart.Rule.Line)), b.InPart.Rule)
	case b.Part >= 0:
		said = say(textWouldOpen, path, who, w.blocking(b.Agents[0]))
	default:
		said = say(textWouldClose, path, who, b.Match.Rule)
	}
	if d != robots.RFC9309 {
		said = say(textAsGoogle, said)
	}
	j.problem(p, said.text, said.args...)
}
