package lint

import (
	"maps"
	"strings"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/proof"
)

// A file is the input of all checks of one run.
type file struct {
	policy   *robots.Policy // in RFC 9309
	text     string
	options  Options
	language language.Language // of messages
	alien    alien             // the kind of text, if it is not robots.txt
	ignores  *ignores
	find     func(string) *Check // Find; checks cannot refer to it, because it searches the list of checks
	passes   []*pass

	each [robots.Malformed + 1][]func(*line) // called for each line of a kind
	ends []func()                            // called after the last line
	late []func()                            // called after ends, for checks that use the findings of others

	watched map[int]bool // lines that functions of late ask about; see doubted
	omitted map[int]bool // watched lines with a diagnostic beyond the limit

	searched bool               // divergences were searched
	diverge  []proof.Divergence // see divergences

	tokens []agentToken // see agentTokens

	sums []uint64 // hashes of the rules of each group, if a check needs them; see sameRules
}

func newFile(policy *robots.Policy, o Options) *file {
	f := &file{policy: policy, text: policy.String(), options: o, language: language.Parse(o.Language)}
	f.alien = alienOf(policy)
	f.ignores = readIgnores(policy)
	return f
}

// read calls the functions of the checks for each line. If the text is not robots.txt, its
// lines are skipped: each of them would be a mistake.
func (f *file) read() {
	if f.alien == robotsText {
		var here line
		for _, l := range f.policy.Lines() {
			here.set(l)
			for _, call := range f.each[l.Kind] {
				call(&here)
			}
		}
	}
	for _, end := range f.ends {
		end()
	}
	for _, end := range f.late {
		end()
	}
}

// doubted returns the watched lines with a warning or an error of a check, and those that such
// a diagnostic refers to. Their meaning may not be what their author intended, or another line
// depends on them.
func (f *file) doubted() map[int]bool {
	doubted := maps.Clone(f.omitted)
	if doubted == nil {
		doubted = make(map[int]bool)
	}
	for _, p := range f.passes {
		for i := range p.found {
			d := &p.found[i]
			if d.Severity < Warning {
				continue
			}
			doubted[d.Line] = true
			for _, r := range d.Related {
				doubted[r.Line] = true
			}
		}
	}
	return doubted
}

// A pass is the run of one check on one file.
//
// A check of lines registers a function with lines, so that the lines of a file are read once
// for all checks and need not be stored. A check of groups or of the whole text uses policy or
// text directly.
type pass struct {
	*file
	check   *Check
	silent  bool // the options exclude the findings
	found   []Diagnostic
	omitted int
	spare   Diagnostic
}

// maxRemembered is the maximum number of places or values that a check stores to find
// duplicates or to fix them together. The limit keeps the memory independent of the file.
const maxRemembered = 1 << 16

// lines registers a function to be called for each line of the given kinds, or of all kinds if
// none is given, in the order of the file. The line is valid only until the function returns.
func (p *pass) lines(call func(*line), kinds ...robots.Kind) {
	if len(kinds) == 0 {
		for kind := range p.file.each {
			p.file.each[kind] = append(p.file.each[kind], call)
		}
	}
	for _, kind := range kinds {
		p.file.each[kind] = append(p.file.each[kind], call)
	}
}

// rules registers a function to be called for each rule inside a group.
func (p *pass) rules(call func(*line)) { p.lines(call, robots.Allow, robots.Disallow) }

// end registers a function to be called after all lines.
func (p *pass) end(call func()) { p.ends = append(p.ends, call) }

// last registers a function to be called after all others, when the other checks have reported
// their findings.
func (p *pass) last(call func()) { p.late = append(p.late, call) }

// yield removes the fixes from the diagnostics of a pass for lines that a warning of another
// check refers to. Changing such a line would remove the warning, but not the problem.
func (p *pass) yield() {
	if len(p.found) == 0 {
		return
	}
	referred := make(map[int]bool)
	for _, other := range p.passes {
		for i := range other.found {
			if d := &other.found[i]; other != p && d.Severity >= Warning {
				for _, r := range d.Related {
					referred[r.Line] = true
				}
			}
		}
	}
	for i := range p.found {
		if referred[p.found[i].Line] {
			p.found[i].Fix = nil
		}
	}
}

// report adds a diagnostic with a message and its arguments. The caller may set severity, fix
// and related places of the result, which is valid until the next call.
func (p *pass) report(at span, message language.Text, args ...any) *Diagnostic {
	if p.ignores.ignore(p.check.Name, at.line) {
		p.spare = Diagnostic{}
		return &p.spare
	}
	if len(p.found) >= p.options.Limit {
		p.omitted++
		if p.watched[at.line] && p.check.Severity >= Warning {
			if p.file.omitted == nil {
				p.file.omitted = make(map[int]bool)
			}
			p.file.omitted[at.line] = true
		}
		p.spare = Diagnostic{}
		return &p.spare
	}
	p.found = append(p.found, Diagnostic{
		Line: at.line, Column: at.from + 1, EndColumn: at.to + 1,
		Severity: p.check.Severity, Check: p.check,
		Message: p.say(message, args...),
	})
	return &p.found[len(p.found)-1]
}

// say returns a message in the language of the options.
func (p *pass) say(message language.Text, args ...any) string {
	return textIn(p.language, message, args...)
}

// related returns another line that a diagnostic refers to.
func (p *pass) related(number int, message language.Text, args ...any) Related {
	return Related{number, p.say(message, args...)}
}

// A line is a line of the file with the positions of its parts.
type line struct {
	robots.Line
	body  string // without a byte order mark, and without its end
	start int    // bytes of the file before body

	guessed    bool
	fieldGuess fieldGuess // if guessed; see meant
}

// set makes l the line of a policy.
func (l *line) set(of robots.Line) {
	body := of.Text
	if of.Offset == 0 {
		body = strings.TrimPrefix(body, byteOrderMark)
	}
	*l = line{Line: of, start: of.Offset + len(of.Text) - len(body)}
	l.body = strings.TrimRight(body, "\r\n")
}

const byteOrderMark = "\uFEFF"

// A span is a place in a line.
type span struct {
	line     int
	from, to int // bytes of the line before it, and before its end
	start    int // bytes of the file before the line
}

// edit returns an edit that replaces the span by a text.
func (s span) edit(text string) Edit { return Edit{s.start + s.from, s.start + s.to, text} }

// span returns the span of a line between two byte indexes.
func (l *line) span(from, to int) span { return span{l.Number, from, to, l.start} }

// all returns the span of the line without surrounding white space.
func (l *line) all() span {
	trimmed := strings.TrimLeft(l.body, " \t")
	from := len(l.body) - len(trimmed)
	return l.span(from, from+len(strings.TrimRight(trimmed, " \t")))
}

// field returns the span of the field's name.
func (l *line) field() span {
	from := len(l.body) - len(strings.TrimLeft(l.body, " \t"))
	return l.span(from, from+len(l.Field))
}

// value returns the span of the value.
func (l *line) value() span {
	from := strings.IndexByte(l.body, ':') + 1
	from += len(l.body) - from - len(strings.TrimLeft(l.body[from:], " \t"))
	return l.span(from, from+len(l.Value))
}

// within returns the span of a part of the value, given by byte indexes.
func (l *line) within(from, to int) span {
	v := l.value()
	return l.span(v.from+from, v.from+to)
}

// comment returns the span of the comment, including its "#". ok is false without a comment.
func (l *line) comment() (at span, ok bool) {
	i := strings.IndexByte(l.body, '#')
	return l.span(max(i, 0), len(l.body)), i >= 0
}

// whole returns an edit that replaces the line and its line end by a text.
func (l *line) whole(text string) Edit { return Edit{l.start, l.Offset + len(l.Text), text} }

// ending returns the line end, or the usual one of the file for a line without an end.
func (l *line) ending() string {
	if end := l.Text[len(strings.TrimRight(l.Text, "\r\n")):]; end != "" {
		return end
	}
	return "\n"
}
