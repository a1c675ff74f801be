package lint

import (
	"maps"
	"strings"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/proof"
)

// A file is what all checks of one run look at.
type file struct {
	policy   *robots.Policy // in RFC 9309
	text     string
	options  Options
	language language.Language // of messages
	alien    alien             // what the text is, if it is no robots.txt
	ignores  *ignores
	find     func(string) *Check // is Find, which checks cannot name: they are what it looks in
	passes   []*pass

	each [robots.Malformed + 1][]func(*line) // called for each line of a kind
	ends []func()                            // called after the last line
	late []func()                            // called after ends, by checks that ask what others found

	watched map[int]bool // lines that late asks about; see doubted
	omitted map[int]bool // watched lines with a diagnostic beyond the limit

	searched bool               // divergences were searched
	diverge  []proof.Divergence // see divergences

	tokens []agentToken // see agentTokens

	sums []uint64 // of the rules of each group, if a check asked; see sameRules
}

func newFile(policy *robots.Policy, o Options) *file {
	f := &file{policy: policy, text: policy.String(), options: o, language: language.Parse(o.Language)}
	f.alien = alienOf(policy)
	f.ignores = readIgnores(policy)
	return f
}

// read calls the functions of the checks, line by line. The lines of a file
// that is no robots.txt are of no interest: each of them would be wrong.
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

// doubted returns the watched lines that a check found a warning or an error in,
// or that such a diagnostic refers to: what they say may not be what their author
// meant, or another line depends on them.
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

// A pass is one check that looks at one file.
//
// A check that is about lines asks for them with lines, so that the lines of a
// file are read once for all checks and need not be kept. One that is about
// groups or the whole text looks at policy or text at once.
type pass struct {
	*file
	check   *Check
	silent  bool // the options do not want what it finds
	found   []Diagnostic
	omitted int
	spare   Diagnostic
}

// maxRemembered is how many places or values a check remembers, to find the same
// again or to fix them together: memory is not to grow with the file.
const maxRemembered = 1 << 16

// lines has a function called for each line of these kinds, or of all kinds if
// none is given, in the order of the file. The line is the function's only until
// it returns.
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

// rules has a function called for each rule that stands in a group.
func (p *pass) rules(call func(*line)) { p.lines(call, robots.Allow, robots.Disallow) }

// end has a function called after all lines.
func (p *pass) end(call func()) { p.ends = append(p.ends, call) }

// last has a function called after all others, when the other checks have
// reported what they found.
func (p *pass) last(call func()) { p.late = append(p.late, call) }

// yield takes the fixes away from the diagnostics of a pass whose line a warning of
// another check refers to: without the line as it is, that warning would go, and
// what it warns of would stay.
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

// report adds a diagnostic with a message; args stand for its placeholders.
// The result, in which severity, fix and related places can be set, is valid
// until the next call.
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

// related returns another line that a diagnostic speaks of.
func (p *pass) related(number int, message language.Text, args ...any) Related {
	return Related{number, p.say(message, args...)}
}

// A line is a line of the file, with where its parts are.
type line struct {
	robots.Line
	body  string // without a byte order mark, and without its end
	start int    // bytes of the file before body

	guessed bool
	meaning meaning // if guessed; see meant
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

// edit returns an edit that puts a text in the place of the span.
func (s span) edit(text string) Edit { return Edit{s.start + s.from, s.start + s.to, text} }

// span returns the part of a line from one byte to another.
func (l *line) span(from, to int) span { return span{l.Number, from, to, l.start} }

// all returns the line without the white space around it.
func (l *line) all() span {
	trimmed := strings.TrimLeft(l.body, " \t")
	from := len(l.body) - len(trimmed)
	return l.span(from, from+len(strings.TrimRight(trimmed, " \t")))
}

// field returns where the name of the field is.
func (l *line) field() span {
	from := len(l.body) - len(strings.TrimLeft(l.body, " \t"))
	return l.span(from, from+len(l.Field))
}

// value returns where the value is.
func (l *line) value() span {
	from := strings.IndexByte(l.body, ':') + 1
	from += len(l.body) - from - len(strings.TrimLeft(l.body[from:], " \t"))
	return l.span(from, from+len(l.Value))
}

// within returns a part of the value, by bytes of it.
func (l *line) within(from, to int) span {
	v := l.value()
	return l.span(v.from+from, v.from+to)
}

// comment returns where the comment is, from its "#" on, if there is one.
func (l *line) comment() (at span, ok bool) {
	i := strings.IndexByte(l.body, '#')
	return l.span(max(i, 0), len(l.body)), i >= 0
}

// whole returns an edit that puts a text in the place of the line and its end.
func (l *line) whole(text string) Edit { return Edit{l.start, l.Offset + len(l.Text), text} }

// ending returns how the line ends, or as most do where it has no end.
func (l *line) ending() string {
	if end := l.Text[len(strings.TrimRight(l.Text, "\r\n")):]; end != "" {
		return end
	}
	return "\n"
}
