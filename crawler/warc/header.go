package warc

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// A Field is one named field of a record's header, or of a block of the type
// application/warc-fields.
type Field struct {
	Name, Value string
}

// A Header is the named fields of a record, in their order and as they are written,
// except that folded lines are joined by a blank. A line without a colon is the value of
// a field without a name.
type Header []Field

// Get returns the value of the first field of a name, in letters of any case, or "" if
// the field is missing.
func (h Header) Get(name string) string {
	for _, f := range h {
		if strings.EqualFold(f.Name, name) {
			return f.Value
		}
	}
	return ""
}

// values returns the values of all fields of a name: WARC-Concurrent-To may occur more
// than once.
func (h Header) values(name string) (values []string) {
	for _, f := range h {
		if strings.EqualFold(f.Name, name) {
			values = append(values, f.Value)
		}
	}
	return values
}

// parseHeader parses the lines of a header, without their ends.
func parseHeader(lines []string) (h Header) {
	for len(lines) > 0 {
		n := 1 // lines of the field
		for n < len(lines) && (lines[n][0] == ' ' || lines[n][0] == '\t') {
			n++
		}
		name, value, ok := strings.Cut(lines[0], ":")
		if !ok {
			name, value = "", lines[0]
		}
		if n > 1 {
			var b strings.Builder
			b.WriteString(value)
			for _, line := range lines[1:n] {
				b.WriteString(" " + trim(line))
			}
			value = b.String()
		}
		h = append(h, Field{trim(name), trim(value)})
		lines = lines[n:]
	}
	return h
}

// trim removes white space of headers. Other white space of Unicode may be part of a
// value.
func trim(s string) string { return strings.Trim(s, " \t\r") }

// torn reports whether the header was probably cut off in the middle and another record
// follows. The header must contain a line that ends like the first line of a record.
func (h Header) torn() bool {
	for _, f := range h {
		if f.Name == "" {
			return true
		}
	}
	for _, name := range []string{"WARC-Type", "WARC-Record-ID", "WARC-Date", "WARC-Target-URI", "Content-Length"} {
		if len(h.values(name)) > 1 {
			return true
		}
	}
	return false
}

// appendField appends a line of a header. The value may come from a server: it cannot end
// the line.
func appendField(b []byte, name, value string) []byte {
	b = append(b, name...)
	b = append(b, ": "...)
	b = appendText(b, value)
	return append(b, '\r', '\n')
}

// appendText appends the value of a field: UTF-8 on one line. Control characters become
// blanks, and invalid UTF-8 becomes the replacement character.
func appendText(b []byte, value string) []byte {
	begin := len(b)
	for _, r := range value {
		if r < ' ' || r >= 0x7f && r < 0xa0 {
			r = ' '
		}
		if r != ' ' || len(b) > begin {
			b = utf8.AppendRune(b, r)
		}
	}
	for len(b) > begin && b[len(b)-1] == ' ' {
		b = b[:len(b)-1]
	}
	return b
}

// appendURI appends a URI (RFC 3986) and percent-encodes invalid characters, so that
// every reader finds its end.
func appendURI(b []byte, uri string) []byte {
	const hex = "0123456789ABCDEF"
	for _, c := range []byte(strings.TrimSpace(uri)) {
		switch {
		case c <= ' ' || c >= 0x7f || strings.IndexByte("<>\"\\^`{|}", c) >= 0:
			b = append(b, '%', hex[c>>4], hex[c&15])
		default:
			b = append(b, c)
		}
	}
	return b
}

// escapedURI is appendURI for strings.
func escapedURI(uri string) string { return string(appendURI(nil, uri)) }

// checkFields reports the first field whose name is not a token (RFC 2616, section
// 2.2).
func checkFields(fields []Field) error {
	for _, f := range fields {
		token := f.Name != ""
		for _, c := range []byte(f.Name) {
			token = token && c > ' ' && c < 0x7f && strings.IndexByte("()<>@,;:\\\"/[]?={}", c) < 0
		}
		if !token {
			return fmt.Errorf("the name of field %q is not a token such as fetchTimeMs", f.Name)
		}
	}
	return nil
}

// appendFields appends fields as a block of the type application/warc-fields.
func appendFields(b []byte, fields []Field) []byte {
	for _, f := range fields {
		b = appendField(b, f.Name, f.Value)
	}
	return b
}
