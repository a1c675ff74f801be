package seeds

import (
	"bufio"
	"bytes"
	"io"
	"strconv"
	"strings"
)

// archive is the number of bytes of an archive in memory, for the lookahead to the
// declared end of a message.
const archive = 256 << 10

// separator is the lookahead, in bytes, that decides whether a message begins.
const separator = 1 << 10

// An mbox is an archive of mail (RFC 4155), or a single message. It reads one message
// at a time.
//
// A message begins with a line of "From ", the sender and the date. In a message, such
// lines have a > before them (mboxo), and those with > have another one (mboxrd); or
// Content-Length gives the length of the message (mboxcl), and then the > may be
// missing (mboxcl2). Real archives violate all of these forms. So a "From " line counts
// if two of three conditions hold: a blank line before it, a date in it, and a header
// field after it. Content-Length counts if a message begins, or the archive ends, at
// the declared end.
type mbox struct {
	in  *bufio.Reader
	err error // error of the source, except io.EOF

	rest     []byte // unread part of the current line
	midLine  bool   // the next data is not the start of a line
	blank    bool   // the previous line was blank
	inHeader bool   // in the header of the message
	length   int    // Content-Length of the message
	sure     int    // this many bytes are known to belong to the message
	ended    bool   // the message has ended
}

func newMbox(r io.Reader) *mbox {
	return &mbox{in: bufio.NewReaderSize(r, archive), ended: true}
}

// next advances to the next message. It returns false if there is none.
func (m *mbox) next() bool {
	io.Copy(io.Discard, m)
	for m.err == nil {
		head, err := m.in.Peek(separator)
		if len(head) == 0 {
			if err != io.EOF {
				m.err = err
			}
			return false
		}
		from := bytes.HasPrefix(head, []byte("From "))
		if !from && head[0] != '\n' && head[0] != '\r' {
			break
		}
		m.skipLine()
		if from {
			break
		}
	}
	m.midLine, m.blank, m.inHeader, m.length, m.sure, m.ended = false, false, true, 0, 0, false
	return m.err == nil
}

// skipLine advances to the end of the line.
func (m *mbox) skipLine() {
	for {
		_, err := m.in.ReadSlice('\n')
		if err == bufio.ErrBufferFull {
			continue
		}
		if err != nil && err != io.EOF {
			m.err = err
		}
		return
	}
}

// Read implements [io.Reader] for the current message.
func (m *mbox) Read(p []byte) (int, error) {
	for len(m.rest) == 0 {
		if m.ended || !m.midLine && m.sure == 0 && m.begins() {
			m.ended = true
			return 0, io.EOF
		}
		m.take()
	}
	n := copy(p, m.rest)
	m.rest = m.rest[n:]
	return n, nil
}

// take takes the next line, or the part of a long line that is in memory.
func (m *mbox) take() {
	line, err := m.in.ReadSlice('\n')
	m.sure = max(0, m.sure-len(line))
	start := !m.midLine
	m.midLine = err != nil
	switch {
	case err == nil:
		m.blank = start && len(bytes.TrimRight(line, "\r\n")) == 0
	case err != bufio.ErrBufferFull:
		m.ended = true
		if err != io.EOF {
			m.err = err
			return // the end of the line is missing
		}
	}
	m.rest = line
	if !start {
		return
	}
	if m.inHeader {
		m.header(line)
		if !m.inHeader {
			m.rest = []byte("\n") // the lookahead has moved the buffer
		}
	} else if quoted := bytes.TrimLeft(line, ">"); len(quoted) < len(line) && bytes.HasPrefix(quoted, []byte("From ")) {
		m.rest = line[1:]
	}
}

// header handles a line of the header.
func (m *mbox) header(line []byte) {
	const field = "Content-Length:"
	switch {
	case m.blank:
		m.inHeader = false
		if m.length > 0 {
			m.sure = m.surely(m.length)
		}
	case len(line) > len(field) && strings.EqualFold(string(line[:len(field)]), field):
		if n, err := strconv.Atoi(string(bytes.TrimSpace(line[len(field):]))); err == nil && n > 0 {
			m.length = n
		}
	}
}

// surely returns length if another message begins or the archive ends there, and 0
// otherwise.
func (m *mbox) surely(length int) int {
	if length > archive-separator {
		return 0
	}
	next, err := m.in.Peek(length + separator)
	if len(next) < length {
		return 0
	}
	next = bytes.TrimLeft(next[length:], "\r\n")
	if bytes.HasPrefix(next, []byte("From ")) || len(next) == 0 && err == io.EOF {
		return length
	}
	return 0
}

// begins reports whether the next line begins another message.
func (m *mbox) begins() bool {
	if head, _ := m.in.Peek(len("From ")); string(head) != "From " {
		return false
	}
	head, _ := m.in.Peek(separator)
	line, after, _ := bytes.Cut(head, []byte{'\n'})
	signs := 0
	for _, sign := range [...]bool{m.blank, hasDate(line), hasField(after)} {
		if sign {
			signs++
		}
	}
	return signs >= 2
}

// hasDate reports whether a line has a time of day and a year.
func hasDate(line []byte) bool {
	clock, year := false, false
	for i := range line {
		if line[i] == ':' && i > 0 && i+1 < len(line) && isDigit(line[i-1]) && isDigit(line[i+1]) {
			clock = true
		}
	}
	for _, word := range bytes.Fields(line) {
		if len(word) == 4 && (bytes.HasPrefix(word, []byte("19")) || bytes.HasPrefix(word, []byte("20"))) &&
			isDigit(word[2]) && isDigit(word[3]) {
			year = true
		}
	}
	return clock && year
}

// mailFields lists common first fields of mail headers, in lower case.
var mailFields = map[string]bool{
	"arc-seal": true, "authentication-results": true, "bcc": true, "cc": true, "content-transfer-encoding": true,
	"content-type": true,
	"date":         true, "delivered-to": true, "dkim-signature": true, "envelope-to": true, "from": true,
	"in-reply-to": true,
	"list-id":     true,
	"message-id":  true, "mime-version": true, "newsgroups": true, "organization": true, "path": true, "received": true,
	"references": true,
	"reply-to":   true, "return-path": true, "sender": true, "status": true, "subject": true, "to": true, "xref": true,
}

// hasField reports whether a text begins with a field of a mail header.
func hasField(text []byte) bool {
	name, _, ok := bytes.Cut(text[:min(len(text), 64)], []byte{':'})
	lower := strings.ToLower(string(name))
	return ok && (mailFields[lower] || strings.HasPrefix(lower, "x-") && !strings.Contains(lower, " "))
}
