package accesslog

import (
	"bytes"
	"fmt"
	"strings"
)

// A template reads lines that have the same fields in the same places, with the same text
// between them.
type template struct {
	start []byte // text before the first field
	steps []step
	head  *head // reads several of the steps at once, or nil
	// open says that more text may follow after a blank, as in formats that extend another.
	open bool
	// decoded says that the server writes paths after decoding them.
	decoded bool
}

// A step is a field and the text that follows it.
type step struct {
	field  field
	quoted bool   // whether the field stands in quotes, with escapes
	blanks int    // number of blanks in the value, of a time that is not in quotes
	listed bool   // whether the value is a list in the form of nginx, and a blank follows
	needed bool   // whether the value must not be empty: else other texts would be in its place
	end    []byte // text after the field, or nil at the end of the line
	reason string // what a line lacks that has no such field
}

func (t *template) read(line []byte, d *draft) (reason string) {
	if len(t.start) > 0 {
		if !bytes.HasPrefix(line, t.start) {
			return "the line begins otherwise"
		}
		line = line[len(t.start):]
	}
	last := len(t.steps) - 1
	escapes := !d.bare && bytes.IndexByte(line, '\\') >= 0
	for i := 0; i <= last; i++ {
		if t.head != nil && i == t.head.first && !escapes {
			if rest, ok := t.head.read(line, d); ok {
				line, i = rest, t.head.after-1
				continue
			}
		}
		s := &t.steps[i]
		value, rest, ok := s.cut(line, t.open && i == last, escapes)
		if !ok {
			return s.reason
		}
		line = rest
		if s.field == ignored {
			continue
		}
		if s.needed && len(value) == 0 {
			return s.reason
		}
		if escapes && s.quoted && bytes.IndexByte(value, '\\') >= 0 {
			start := len(d.buffer)
			d.buffer = appendUnescaped(d.buffer, value)
			value = d.since(start)
		}
		if !d.set(s.field, value) {
			return s.reason
		}
	}
	if len(line) > 0 {
		if !t.open || line[0] != ' ' {
			return "there is more text after the last field"
		}
		if t.steps[last].field == agent {
			d.setTail(line)
		}
	}
	d.Decoded = t.decoded
	return ""
}

// cut cuts the value of the field from the beginning of a line. Open says that more text may follow
// the last field, and escapes that the line may have some.
func (s *step) cut(line []byte, open, escapes bool) (value, rest []byte, ok bool) {
	i := 0
	switch {
	case s.quoted:
		if escapes {
			i = closingQuote(line)
		} else {
			i = bytes.IndexByte(line, '"')
		}
		if i < 0 || !s.endsAt(line, i) {
			return nil, nil, false
		}
	case s.field == hashedLine:
		// HAProxy cuts lines of more than 1,024 bytes, unless its log has another len.
		if i = bytes.IndexByte(line, '"'); i < 0 {
			return line, nil, true
		}
	case s.listed:
		if i = s.indexListEnd(line); i < 0 {
			return nil, nil, false
		}
	case len(s.end) > 0:
		if i = s.indexEnd(line); i < 0 {
			return nil, nil, false
		}
	case open:
		if i = bytes.IndexByte(line, ' '); i < 0 {
			i = len(line)
		}
	default:
		i = len(line)
	}
	return line[:i], line[i+len(s.end):], true
}

// indexEnd returns the index of the text after the field, or -1. The text is short, and its first
// byte is rarely in the value: bytes.Index is slower.
func (s *step) indexEnd(line []byte) int {
	blanks := s.blanks
	for from := 0; ; from++ {
		i := bytes.IndexByte(line[from:], s.end[0])
		if i < 0 {
			return -1
		}
		if from += i; s.endsAt(line, from) {
			if blanks == 0 {
				return from
			}
			blanks--
		}
	}
}

// indexListEnd returns the index of the text after a list of upstreams, such as "192.0.2.1:80,
// 192.0.2.2:80 : 192.0.2.3:80", or -1. The text begins with a blank, which stands in the list too.
//
// https://nginx.org/en/docs/http/ngx_http_upstream_module.html#var_upstream_addr
func (s *step) indexListEnd(line []byte) int {
	for i := 0; ; {
		n := bytes.IndexByte(line[i:], ' ')
		if n < 0 {
			return -1
		}
		switch i += n; {
		case i > 0 && line[i-1] == ',':
			i++
		case bytes.HasPrefix(line[i:], spacedColon):
			i += len(spacedColon)
		case s.endsAt(line, i):
			return i
		default:
			i++
		}
	}
}

var spacedColon = []byte(" : ")

// endsAt reports whether the text after the field is at an index of a line. Its first byte is
// there.
func (s *step) endsAt(line []byte, i int) bool {
	if len(line)-i < len(s.end) {
		return false
	}
	for k := 1; k < len(s.end); k++ {
		if line[i+k] != s.end[k] {
			return false
		}
	}
	return true
}

// has reports whether the lines have a field.
func (t *template) has(f field) bool {
	for _, s := range t.steps {
		if s.field == f || f == agent && s.field >= captures && s.field <= capture {
			return true
		}
	}
	return false
}

// A variable is a field in the text of a format: its name, its place and its meaning.
type variable struct {
	name       string
	start, end int
	field      field
	blanks     int  // in a value, if it has as many always
	listed     bool // whether a value is a list in the form of nginx
	bare       bool // whether a value is known to have no quotes around it, and to end nevertheless
}

// joinPorts makes one variable of an address and the port behind its colon: the address may have
// colons too.
func joinPorts(text string, variables []variable) (joined []variable) {
	for _, v := range variables {
		if n := len(joined); n > 0 && joined[n-1].field == client && v.field == ignored &&
			text[joined[n-1].end:v.start] == ":" {
			joined[n-1].field, joined[n-1].end = clientPort, v.end
			joined[n-1].name += ":" + v.name
			continue
		}
		joined = append(joined, v)
	}
	return joined
}

// compile makes the template of a text and the variables in it.
func compile(text string, variables []variable) (*template, error) {
	if len(variables) == 0 {
		return nil, fmt.Errorf("format %q has no field", text)
	}
	variables = joinPorts(text, variables)
	t := &template{start: []byte(text[:variables[0].start])}
	before := text[:variables[0].start]
	for i, v := range variables {
		next := len(text)
		if i+1 < len(variables) {
			next = variables[i+1].start
		}
		after := text[v.end:next]
		if after == "" && i+1 < len(variables) {
			return nil, fmt.Errorf("format %q: nothing stands between %s and %s, so the end of %s cannot be found",
				text, v.name, variables[i+1].name, v.name)
		}
		s := step{field: v.field, end: []byte(after), reason: fmt.Sprintf("no %s is where %s should be",
			fieldNames[v.field], v.name)}
		// which has no backslashes
		s.quoted = strings.HasSuffix(before, `"`) && strings.HasPrefix(after, `"`) && v.field != hashedLine
		if strings.HasPrefix(after, " ") {
			s.blanks, s.listed = v.blanks, v.listed
		}
		if after == "" || after[0] == ' ' {
			s.needed = !s.quoted && (v.field > ignored && v.field <= chain || v.field == host || v.field == firstHost)
		}
		if !s.quoted && !v.bare && strings.HasPrefix(after, " ") && (v.field == agent || v.field == requestLine ||
			v.field == referrer) {
			return nil, fmt.Errorf("format %q: %s has blanks, and is not in quotes, so the end of %s cannot be found",
				text, v.name, v.name)
		}
		t.steps = append(t.steps, s)
		before = after
	}
	if !t.has(beginTime) && !t.has(endTime) && !(t.has(date) && t.has(timeOfDay)) {
		return nil, fmt.Errorf("format %q has no time", text)
	}
	if !t.has(requestLine) && !t.has(hashedLine) && !t.has(target) && !t.has(uriArgs) && !t.has(stem) {
		return nil, fmt.Errorf("format %q has no request line and no path", text)
	}
	if t.head = findHead(t.steps); t.head != nil {
		t.head.whole = len(t.start) == 0 && t.head.first == 0 && t.head.after == len(t.steps)
	}
	return t, nil
}
