package htmltoken

import (
	"bytes"
	"io"
)

// A window is the part of a page in memory. It contains the current token.
type window struct {
	src   io.Reader // nil if nothing follows buf
	ahead int       // maximum bytes of one read; 0 means the free space of buf

	buf        []byte
	start, pos int // the token is buf[start:pos]; while its end is not found, buf[:pos] has been searched

	// limit is the maximum number of bytes of one token, at least MinLimit. A longer text or
	// comment is split into pieces, which do not depend on the sizes of src's reads. Of a
	// longer tag, shorten keeps the last part.
	limit int

	err error // of src, unless it is io.EOF

	offset  int64 // of buf[0] in the text
	counted int   // the line ends before buf[counted] are counted
	lines   int
	begun   int64 // offset of the line that contains buf[counted]
	cr      bool  // the byte before buf[counted] is CR
}

// MinLimit is the minimum limit. It exceeds the bytes that must be in memory together: the name
// of an end tag, and the part of a tag that shorten keeps.
const MinLimit = 64

// Raw returns the token as written. The token is valid until the next call of Next.
func (w *window) Raw() []byte { return w.buf[w.start:w.pos] }

// Position returns the offset, the line and the column of the first byte of the token. Offsets
// start at 0, lines and columns at 1. CR, LF and CRLF end a line. Columns count bytes.
func (w *window) Position() (offset int64, line, column int) {
	w.count(w.start)
	offset = w.offset + int64(w.start)
	return offset, 1 + w.lines, int(offset - w.begun + 1)
}

// End returns the offset of the first byte after the token.
func (w *window) End() int64 { return w.offset + int64(w.pos) }

// Err returns the error of the source, or nil for io.EOF.
func (w *window) Err() error {
	if w.err == io.EOF {
		return nil
	}
	return w.err
}

// reach returns the end of the bytes in buf that may belong to the token.
func (w *window) reach() int { return min(len(w.buf), w.start+w.limit) }

// full reports whether the token has reached the limit.
func (w *window) full() bool { return len(w.buf)-w.start >= w.limit }

// more reads more bytes of the token. It returns false if the token is full or the page has
// ended.
func (w *window) more() bool { return !w.full() && w.fill() }

// holds reads until the token has n bytes. It returns false if the page ends first.
func (w *window) holds(n int) bool {
	for len(w.buf)-w.start < n {
		if !w.fill() {
			return false
		}
	}
	return true
}

// fill reads more bytes, and returns false at the end of the page. It may drop the bytes before
// the token.
func (w *window) fill() bool {
	if w.src == nil {
		return false
	}
	if len(w.buf) == cap(w.buf) {
		w.makeRoom()
	}
	room := w.buf[len(w.buf):cap(w.buf)]
	if w.ahead > 0 && len(room) > w.ahead {
		room = room[:w.ahead]
	}
	for range 100 {
		n, err := w.src.Read(room)
		if err != nil {
			w.src, w.err = nil, err // bytes read together with an error are used
		}
		if n > 0 || err != nil {
			w.buf = w.buf[:len(w.buf)+n]
			return n > 0
		}
	}
	w.src, w.err = nil, io.ErrNoProgress
	return false
}

// makeRoom moves the token to the start of buf, or to a longer buffer. Each byte moves a few
// times at most.
func (w *window) makeRoom() {
	w.count(w.start)
	held := w.buf[w.start:]
	if 2*len(held) > cap(w.buf) {
		w.buf = append(make([]byte, 0, 2*cap(w.buf)), held...)
	} else {
		w.buf = w.buf[:copy(w.buf, held)]
	}
	w.offset += int64(w.start)
	w.counted -= w.start
	w.pos -= w.start
	w.start = 0
}

// count counts the line ends before buf[i] that are not counted yet.
func (w *window) count(i int) {
	if i <= w.counted {
		return
	}
	text := w.buf[w.counted:i]
	if last := lastLineEnd(text); last >= 0 {
		w.lines += lineEnds(text[:last+1], w.cr)
		w.begun = w.offset + int64(w.counted+last+1)
	}
	w.cr = text[len(text)-1] == '\r'
	w.counted = i
}

// lastLineEnd returns the index of the last CR or LF in text, or -1.
func lastLineEnd(text []byte) int {
	last := lastIndex(text, '\n')
	return last + 1 + lastIndex(text[last+1:], '\r')
}

// lastIndex returns the index of the last c in text, or -1. It first searches forwards, which
// reads many bytes at a time: most texts have few c or none.
func lastIndex(text []byte, c byte) int {
	last := -1
	for range 4 {
		i := bytes.IndexByte(text[last+1:], c)
		if i < 0 {
			return last
		}
		last += i + 1
	}
	return last + 1 + bytes.LastIndexByte(text[last+1:], c)
}

// lineEnds returns the number of line ends in text: CR, LF or CRLF. After a CR that is already
// counted, an LF at the start of text is not another line end.
func lineEnds(text []byte, afterCR bool) int {
	n := bytes.Count(text, lf)
	if bytes.IndexByte(text, '\r') >= 0 {
		n += bytes.Count(text, cr) - bytes.Count(text, crlf)
	}
	if afterCR && len(text) > 0 && text[0] == '\n' {
		n--
	}
	return n
}

var lf, cr, crlf = []byte("\n"), []byte("\r"), []byte("\r\n")
