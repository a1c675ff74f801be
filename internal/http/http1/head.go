// Package http1 reads the heads of answers of HTTP/1 that curl, wget and Python read although they
// are malformed, and that net/http refuses: a line without a colon, a name with parentheses,
// a control octet, "Transfer-Encoding: identity", "HTTP/1.1 200OK".
//
// It does so by writing such a head as net/http reads it ([Strict]), so there is one parser. What
// nobody reads this way is dropped, as RFC 9112 suggests. A head that leaves open where its body
// ends, such as one with two different lengths, stays as it is: net/http refuses it.
package http1

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
)

// ErrTooLarge says that a head is larger than the limit.
var ErrTooLarge = errors.New("the head is too large")

// ReadHead appends the head of the next answer to b: its lines up to the empty one, as they came.
// Empty lines before the head are skipped. If the first line is not a status line, it is all that
// ReadHead reads. After an error b has the part that was read.
func ReadHead(b []byte, r *bufio.Reader, most int) ([]byte, error) {
	begin, line, skipped := len(b), len(b), 0
	for {
		part, err := r.ReadSlice('\n')
		b = append(b, part...)
		switch {
		case len(b)-begin+skipped > most:
			return b, ErrTooLarge
		case err == bufio.ErrBufferFull:
			continue
		case err == io.EOF:
			return b, io.ErrUnexpectedEOF
		case err != nil:
			return b, err
		}
		switch empty := len(bytes.TrimRight(b[line:], "\r\n")) == 0; {
		case empty && line > begin:
			return b, nil
		case empty:
			skipped += len(b) - begin
			b = b[:begin]
		case line == begin:
			if _, ok := parseStatusLine(b[line:]); !ok {
				return b, nil
			}
		}
		line = len(b)
	}
}

// ReadResponse reads the head of an archived answer, and leaves r at the body. Ignore the Body of
// the answer.
func ReadResponse(r *bufio.Reader) (*http.Response, error) {
	head, err := ReadHead(nil, r, 1<<20)
	if err != nil {
		return nil, err
	}
	return http.ReadResponse(bufio.NewReader(bytes.NewReader(Strict(head))), nil)
}

// A statusLine is the first line of an answer.
type statusLine struct {
	minor  byte   // of the version: '0' or '1'
	code   []byte // three digits
	reason []byte
	exact  bool // net/http reads the line as it is
}

// parseStatusLine parses a line such as "HTTP/1.1 200 OK". The case of the name does not matter,
// nor a blank before the reason. Some servers claim HTTP/2 here, and mean HTTP/1.
func parseStatusLine(line []byte) (s statusLine, ok bool) {
	line = bytes.TrimRight(line, "\r\n")
	const name = "HTTP/"
	if len(line) < len(name) || !bytes.EqualFold(line[:len(name)], []byte(name)) {
		return s, false
	}
	version := line[len(name):]
	rest := bytes.TrimLeft(version, "0123456789.")
	version = version[:len(version)-len(rest)]
	whole, part, dot := bytes.Cut(version, []byte("."))
	code := bytes.TrimLeft(rest, " \t")
	if len(whole) == 0 || dot && len(part) == 0 || bytes.Contains(part, []byte(".")) || len(code) == len(rest) ||
		len(code) < 3 || digits(code) != 3 {
		return s, false
	}
	s = statusLine{'1', code[:3], bytes.TrimLeft(code[3:], " \t"), false}
	if string(version) == "1.0" || string(whole) == "0" {
		s.minor = '0'
	}
	canonical := string(line[:len(name)]) == name && (string(version) == "1.0" || string(version) == "1.1")
	s.exact = canonical && rest[0] == ' ' && len(rest) == len(code)+1 && (len(code) == 3 || code[3] == ' ')
	return s, true
}

// isInterim reports whether an answer is followed by another one to the same request.
func (s statusLine) isInterim() bool { return s.code[0] == '1' && string(s.code) != "101" }

// digits returns the number of digits at the start of b.
func digits(b []byte) int { return len(b) - len(bytes.TrimLeft(b, "0123456789")) }

// Strict returns a head as net/http reads it. A head whose first line is not a status line is
// returned as it is.
func Strict(head []byte) []byte {
	first, fields, _ := bytes.Cut(head, []byte("\n"))
	status, ok := parseStatusLine(first)
	if !ok {
		return head
	}
	w := writer{out: make([]byte, 0, len(head)+64), mended: !status.exact}
	w.out = fmt.Appendf(w.out, "HTTP/1.%c %s %s", status.minor, status.code, status.reason)
	w.out = append(bytes.TrimRight(w.out, " \t\r"), "\r\n"...)
	for line := range bytes.Lines(fields) {
		w.line(bytes.TrimRight(line, "\r\n"))
	}
	if chunked, known := transferCoding(w.codings); chunked && known && status.minor == '0' {
		w.out[len("HTTP/1.")] = '1' // or net/http takes the chunks for the text
		w.mended = true
	}
	w.framing()
	return append(w.out, "\r\n"...)
}

// A writer writes a head line by line.
type writer struct {
	out     []byte
	lengths values // of Content-Length
	codings values // of Transfer-Encoding
	mended  bool   // the head does not say by the rules where the answer ends

	// The field whose lines are being read.
	escape bool    // control octets are percent-encoded
	into   *values // lengths, codings, or nil
	kept   bool
}

// values are the values of the fields of one name.
type values []string

// fold adds a folded line to the last value. Thousands of lines must not cost the square of their
// number, so a value that is long already ends: no length or coding is so long.
func (v *values) fold(line string) {
	if last := &(*v)[len(*v)-1]; len(*last) < 100 {
		*last = strings.TrimSpace(*last + " " + line)
	} else {
		*v = append(*v, line)
	}
}

// line adds a line. A line that begins with a blank continues the line before (RFC 9112, section
// 5.2), and one directly below the status line belongs to none (section 2.2).
func (w *writer) line(line []byte) {
	if len(line) == 0 {
		return
	}
	if line[0] == ' ' || line[0] == '\t' {
		switch {
		case !w.kept:
		case w.into != nil:
			w.into.fold(strings.TrimSpace(string(line)))
		default:
			w.add(line)
		}
		return
	}
	name, value, ok := bytes.Cut(line, []byte(":"))
	if plain := bytes.TrimRight(name, " \t"); len(plain) < len(name) && !isFraming(plain) {
		line = slices.Concat(plain, line[len(name):]) // RFC 9112, section 5.1
		name = plain
	}
	w.kept, w.into, w.escape = ok && isName(name), nil, bytes.EqualFold(name, []byte("Location"))
	switch {
	case bytes.EqualFold(name, []byte("Content-Length")):
		w.into = &w.lengths
	case bytes.EqualFold(name, []byte("Transfer-Encoding")):
		w.into = &w.codings
	case bytes.EqualFold(bytes.TrimRight(name, " "), []byte("Transfer-Encoding")):
		w.kept = false
		w.out = append(w.out, "Transfer-Encoding\t: \r\n"...) // net/http would read chunks as text
	case w.kept:
		w.add(line)
	case ok && isFraming(name):
		w.out = append(append(w.out, line...), "\r\n"...) // net/http refuses it
	}
	if w.into != nil && ok {
		*w.into = append(*w.into, strings.TrimSpace(string(value)))
	}
}

// isName reports whether net/http accepts the name of a field, which may have blanks.
func isName(name []byte) bool {
	for _, c := range name {
		if !isNameByte(c) && c != ' ' {
			return false
		}
	}
	return len(name) > 0
}

func isNameByte(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z' || strings.IndexByte("!#$%&'*+-.^_`|~", c) >= 0
}

// isFraming reports whether a name looks like one of a field that says where the body ends.
func isFraming(name []byte) bool {
	letters := make([]byte, 0, 20)
	for _, c := range name {
		if isNameByte(c) && len(letters) < cap(letters) {
			letters = append(letters, c|0x20)
		}
	}
	return string(letters) == "content-length" || string(letters) == "transfer-encoding"
}

// add writes a line of a field with the control octets that net/http accepts. RFC 9110, section
// 5.5, has a blank for the others. A URL would be another one with the blank.
func (w *writer) add(line []byte) {
	for _, c := range line {
		switch {
		case c >= ' ' && c != 0x7f || c == '\t':
			w.out = append(w.out, c)
		case w.escape:
			w.out = fmt.Appendf(w.out, "%%%02X", c)
		default:
			w.out = append(w.out, ' ')
		}
	}
	w.out = append(w.out, "\r\n"...)
}

// framing writes the fields that say where the body ends, once and plainly if they agree. If they
// do not, it writes them as they came, and net/http refuses them.
func (w *writer) framing() {
	if len(w.codings) > 0 {
		chunked, known := transferCoding(w.codings)
		switch {
		case !known:
			w.fields("Transfer-Encoding", w.codings)
		case chunked:
			w.fields("Transfer-Encoding", []string{"chunked"})
		}
		w.mended = w.mended || len(w.codings) > 1 || !strings.EqualFold(w.codings[0], "chunked")
	}
	if len(w.lengths) > 0 {
		length, known := contentLength(w.lengths)
		switch {
		case !known:
			w.fields("Content-Length", w.lengths)
		case length != "":
			w.fields("Content-Length", []string{length})
		}
		w.mended = w.mended || len(w.lengths) > 1 || w.lengths[0] != length
	}
	if w.mended { // this server is careless: its next answer might begin elsewhere
		w.fields("Connection", []string{"close"})
	}
}

func (w *writer) fields(name string, values []string) {
	for _, value := range values {
		w.out = fmt.Appendf(w.out, "%s: ", name)
		w.add([]byte(value))
	}
}

// transferCoding reports whether a body is chunked, and whether chunks are all that was done to it.
// "identity" was the name for nothing (RFC 2616, section 3.6). Some programs mean
// Content-Transfer-Encoding, which says nothing about the length, or the charset.
func transferCoding(values []string) (chunked, known bool) {
	for _, value := range values {
		for coding := range strings.SplitSeq(value, ",") {
			switch strings.ToLower(strings.TrimSpace(coding)) {
			case "", "identity", "none", "binary", "7bit", "8bit", "utf-8":
			case "chunked":
				chunked = true
			default:
				return false, false
			}
		}
	}
	return chunked, true
}

// contentLength returns the length that all values agree on. It is empty if they are negative,
// which some programs write for a length that they do not know.
func contentLength(values []string) (length string, known bool) {
	first := true
	for _, value := range values {
		for one := range strings.SplitSeq(value, ",") {
			one = strings.TrimSpace(one)
			if one == "" && len(values) == 1 && value != "" {
				continue // RFC 9110, section 5.6.1
			}
			one = withoutUnit(one)
			number := strings.TrimLeft(one, "+-")
			if number == "" || len(one)-len(number) > 1 || digits([]byte(number)) != len(number) {
				return "", false
			}
			number = strings.TrimLeft(number[:len(number)-1], "0") + number[len(number)-1:]
			if one[0] == '-' {
				number = ""
			}
			if !first && number != length {
				return "", false
			}
			length, first = number, false
		}
	}
	return length, !first
}

// withoutUnit returns a length without what some programs write after it: " bytes", ".0",
// "; charset=x". A value that may mean another number, such as "2 KB" or "2.000", stays as it is.
func withoutUnit(value string) string {
	rest := strings.TrimLeft(value, "+-")
	rest = rest[digits([]byte(rest)):]
	length := value[:len(value)-len(rest)]
	unit := strings.TrimSpace(rest)
	if unit == "." || unit == ".0" || unit == ".00" {
		unit = ""
	}
	parameter, ok := strings.CutPrefix(unit, ";")
	isParameter := ok && (strings.Contains(parameter, "=") || !strings.ContainsAny(parameter, "0123456789"))
	if unit == "" || strings.EqualFold(unit, "bytes") || isParameter {
		return length
	}
	return value
}
