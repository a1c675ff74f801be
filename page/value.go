package page

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/robotsexclusion/robots/internal/htmltoken"
)

// A valueReader reads the value of a header or META tag: directives parted by
// commas, semicolons or white space. A directive may have a value after a colon,
// and a robot's name with a colon before a directive says whom it and those
// after it are for.
type valueReader struct {
	text   string
	at     int
	last   [2]int // where the word is that was looked at last: it may be long, and have many parts
	robot  string
	source Source

	add func(Directive) bool // false: it wants no more
}

// next returns the next word, and whether a comma or semicolon parts it from
// what is before it. The word is empty at the end.
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

// white returns the bytes of the white space, comma or semicolon that s begins
// with.
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

// read reads the value.
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
		case head == "": // a colon after nothing
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

// robotNamed returns the robot that a META tag or prefix of this name is for:
// a token in lower case, or nothing for everybody. A star at the end of a token means its
// relatives too, which go by the token as well.
func robotNamed(name string) string {
	if name = htmltoken.Lower(name); name == "robots" || name == "*" {
		return ""
	}
	if token := strings.TrimRight(name, "*"); token != "" {
		return token
	}
	return name
}

// colon steps over a colon that begins the next word.
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

// value steps over the value after a colon and returns it: the next word,
// unless a comma is before it, it is itself a directive, or it has a colon in
// it. The size none is a value.
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
	case t.form == flag: // whatever follows a colon is another word
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

// date steps over a date. It may have commas between its words.
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
		// Take it for text up to a comma or a directive.
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

// trimSpace returns s without white space, commas and semicolons around it.
func trimSpace(s string) string {
	return strings.TrimFunc(s, func(c rune) bool { return unicode.IsSpace(c) || c == ',' || c == ';' })
}
