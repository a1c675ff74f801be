package page

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/robotsexclusion/robots/internal/html/htmltoken"
)

// A valueReader parses the value of a header or META tag: directives, separated by commas,
// semicolons or white space. A directive may have a colon and a value. The name of a robot,
// with a colon, before a directive means that this directive and those after it are for that
// robot.
type valueReader struct {
	text   string
	at     int
	last   [2]int // start and end of the last word, which may be long and have many parts
	robot  string
	source Source

	add func(Directive) bool // returns false to stop the reader
}

// next returns the next word, and whether a comma or semicolon precedes the word. The word is
// empty at the end.
func (v *valueReader) next() (word string, parted bool) {
	for v.at < len(v.text) {
		n := white(v.text[v.at:])
		if n == 0 {
			break
		}
		parted = parted || v.text[v.at] == ',' || v.text[v.at] == ';'
		v.at += n
	}
	start := v.at
	if v.last[0] <= start && start < v.last[1] {
		v.at = v.last[1]
		return v.text[start:v.at], parted
	}
	for v.at < len(v.text) && white(v.text[v.at:]) == 0 {
		_, n := utf8.DecodeRuneInString(v.text[v.at:])
		v.at += n
	}
	v.last = [2]int{start, v.at}
	return v.text[start:v.at], parted
}

// white returns the length in bytes of the white space, comma or semicolon at the start of s,
// or 0.
func white(s string) int {
	switch c := s[0]; {
	case c == ',' || c == ';' || c == ' ' || '\t' <= c && c <= '\r':
		return 1
	case c < utf8.RuneSelf:
		return 0
	}
	if c, n := utf8.DecodeRuneInString(s); unicode.IsSpace(c) {
		return n
	}
	return 0
}

// read parses the value.
func (v *valueReader) read() {
	for {
		word, _ := v.next()
		if word == "" {
			return
		}
		head, tail, colon := strings.Cut(word, ":")
		if colon {
			v.at -= len(tail)
		} else {
			colon = v.colon()
		}
		term := lookup(head)
		switch {
		case head == "": // a colon without a name
		case term == nil && colon && v.beforeKnown():
			v.robot = robotNamed(head)
		case term == nil:
			value := ""
			if colon {
				value = v.value(flag)
			}
			if !v.give(Directive{Name: htmltoken.Lower(head), Value: value, colon: colon}) {
				return
			}
		default:
			if !v.give(v.directive(term, colon)) {
				return
			}
		}
	}
}

func (v *valueReader) give(d Directive) bool {
	d.Robot, d.Source = v.robot, v.source
	return v.add(d)
}

// robotNamed returns the robot that a META tag or prefix with a name is for: a token in lower
// case, or "" for all robots. A star at the end of a token includes related robots, which obey
// the token as well.
func robotNamed(name string) string {
	if name = htmltoken.Lower(name); name == "robots" || name == "*" {
		return ""
	}
	if token := strings.TrimRight(name, "*"); token != "" {
		return token
	}
	return name
}

// colon skips a colon at the start of the next word.
func (v *valueReader) colon() bool {
	at := v.at
	if word, parted := v.next(); parted || word == "" || word[0] != ':' {
		v.at = at
		return false
	} else {
		v.at -= len(word) - 1
		return true
	}
}

// beforeKnown reports whether the next word is a known directive.
func (v *valueReader) beforeKnown() bool {
	at := v.at
	word, parted := v.next()
	v.at = at
	head, _, _ := strings.Cut(word, ":")
	return !parted && lookup(head) != nil
}

// value skips and returns the value after a colon. The value is the next word, unless a comma
// precedes the word, or the word is a directive or contains a colon. For a size, none is a
// value.
func (v *valueReader) value(f form) string {
	at := v.at
	word, parted := v.next()
	if _, ok := previewNamed(word); ok && f == size && !parted {
		return word
	}
	if parted || lookup(word) != nil || strings.Contains(word, ":") {
		v.at = at
		return ""
	}
	return word
}

// directive returns the directive of a term, with its value.
func (v *valueReader) directive(t *term, colon bool) Directive {
	d := Directive{Name: t.name, term: t}
	switch {
	case t.form == flag: // a word after the colon is not a value
	case !colon:
		d.Err = errNoValue
	case t.form == date:
		v.date(&d)
	default:
		d.Value = v.value(t.form)
		d.read()
	}
	return d
}

// date parses a date, which may have commas between its words.
func (v *valueReader) date(d *Directive) {
	start := v.at
	var words [longestDate]string
	var ends [longestDate]int
	n := 0
	for n < len(words) {
		if words[n], _ = v.next(); words[n] == "" {
			break
		}
		ends[n] = v.at
		n++
	}
	t, used := parseDate(words[:n])
	if used == 0 {
		// The value is the text up to a comma or a directive.
		d.Err = errNoDate
		v.at = start
		for {
			at := v.at
			word, parted := v.next()
			head, _, _ := strings.Cut(word, ":")
			if word == "" || parted || lookup(head) != nil {
				v.at = at
				break
			}
		}
		d.Value = trimSpace(v.text[start:v.at])
		if d.Value == "" {
			d.Err = errNoValue
		}
		return
	}
	v.at = ends[used-1]
	d.Value, d.time = trimSpace(v.text[start:v.at]), t
}

// trimSpace removes white space, commas and semicolons from both ends of s.
func trimSpace(s string) string {
	return strings.TrimFunc(s, func(c rune) bool { return unicode.IsSpace(c) || c == ',' || c == ';' })
}
