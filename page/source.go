package page

import (
	"bytes"
	"encoding/binary"
	"io"
	"unicode/utf8"

	"golang.org/x/net/html/charset"

	"github.com/robotsexclusion/robots/internal/html/htmltoken"
)

// declared is the number of bytes at the start of a page that are searched for an encoding that
// changes where the tags are (HTML, section 13.2.3.2).
const declared = 1024

// mostAhead is the maximum number of bytes of one read if only the head is wanted.
const mostAhead = 4096

// A source reads the text of a page.
type source struct {
	in  body       // the bytes of the page
	all utf8Reader // reader of in, which checks the bytes if no encoding is declared

	charset Charset   // without regard to META tags
	xml     string    // the encoding of the XML declaration
	first   utf8Check // of the first bytes
}

// A utf8Reader is a reader that checks whether its bytes are UTF-8.
type utf8Reader struct {
	r   io.Reader
	off bool // the check is not needed
	utf8Check
}

func (c *utf8Reader) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	if !c.off {
		c.write(p[:n])
	}
	return n, err
}

// A body reads the bytes of a page, up to the limit.
type body struct {
	r     io.Reader
	size  int64 // bytes read
	limit int64 // negative for no limit
	more  bool  // the page exceeds the limit
	err   error // of r, unless it is io.EOF
}

func (b *body) Read(p []byte) (int, error) {
	switch {
	case b.err != nil:
		return 0, io.EOF
	case b.limit < 0:
	case b.size == b.limit:
		var one [1]byte
		if n, err := io.ReadFull(b.r, one[:]); n > 0 {
			b.more = true
		} else if err != io.EOF {
			b.err = err
		}
		return 0, io.EOF
	case int64(len(p)) > b.limit-b.size:
		p = p[:b.limit-b.size]
	}
	n, err := b.r.Read(p)
	for i := 0; n == 0 && err == nil && len(p) > 0; i++ {
		if i == 100 {
			err = io.ErrNoProgress
			break
		}
		n, err = b.r.Read(p)
	}
	b.size += int64(n)
	if err != nil && err != io.EOF {
		b.err = err
	}
	if err != nil {
		err = io.EOF // even if n > 0: the bytes before an error are a page too
	}
	return n, err
}

// open returns a tokenizer of the text of a page, after its byte order mark. The buffer is for
// the tokens, each of which has at most tokenLimit bytes.
func (s *source) open(r io.Reader, o *Options, buffer []byte, tokenLimit int) htmltoken.Tokenizer {
	limit := o.MaxSize
	if limit == 0 {
		limit = DefaultMaxSize
	}
	s.in = body{r: r, limit: limit}
	room := buffer[:cap(buffer)]
	if o.HeadOnly {
		room = room[:declared]
	}
	n, err := io.ReadAtLeast(&s.in, room, declared)
	start := room[:min(n, declared)]
	s.charset = charsetOfStart(start, o.Header.Get("Content-Type"))
	mark := 0
	switch {
	case s.charset.Found == byBOM && s.charset.Name == utf8Name:
		mark = len(bomUTF8)
	case s.charset.Found == byBOM:
		mark = len(bomUTF16LE)
	}
	s.first.write(start[mark:])
	s.xml = xmlEncoding(start)
	// With HeadOnly, only the first bytes are checked: it depends on the reader how much of the
	// body is read with the head.
	s.all = utf8Reader{r: &s.in, off: s.charset.Found != byDefault || o.HeadOnly, utf8Check: s.first}
	if !s.all.off {
		s.all.write(room[len(start):n])
	}
	var z htmltoken.Tokenizer
	if s.charset.likeASCII() {
		var rest io.Reader
		if err == nil {
			rest = &s.all
		}
		z = htmltoken.NewReader(rest, room[:n], tokenLimit)
		z.Skip(mark)
	} else {
		var text io.Reader = bytes.NewReader(bytes.Clone(room[mark:n]))
		if err == nil {
			text = io.MultiReader(text, &s.all)
		}
		e, _ := charset.Lookup(s.charset.Name)
		z = htmltoken.NewReader(e.NewDecoder().Reader(text), buffer[:0], tokenLimit)
		s.charset.converted = true
	}
	if o.HeadOnly {
		z.ReadAhead(mostAhead)
	}
	return z
}

// sniffed guesses the encoding of a page that declares none. kept is a part of the text of the
// page.
func (s *source) sniffed(kept []byte) Charset {
	c := s.all.utf8Check
	if s.all.off {
		c = s.first
		c.n = 0
		c.write(kept)
	}
	switch {
	case c.invalid:
		return Charset{Name: "windows-1252", Found: byDefault}
	case c.high:
		return Charset{Name: utf8Name, Found: bySniffing}
	}
	return Charset{Name: utf8Name, Found: byDefault}
}

// A utf8Check checks whether a text that comes in pieces is UTF-8.
type utf8Check struct {
	high    bool // there was a byte above 127
	invalid bool
	rest    [utf8.UTFMax]byte // an incomplete character at the end of the last piece
	n       int
}

func (c *utf8Check) write(p []byte) {
	if c.invalid {
		return
	}
	for c.n > 0 && len(p) > 0 {
		c.rest[c.n] = p[0]
		c.n, p = c.n+1, p[1:]
		if utf8.FullRune(c.rest[:c.n]) {
			c.invalid = !utf8.Valid(c.rest[:c.n])
			c.n = 0
		}
	}
	if !c.high && isASCII(p) {
		return
	}
	c.high = true
	// The next piece may complete the last character.
	for i := len(p) - 1; i >= 0 && i >= len(p)-utf8.UTFMax; i-- {
		if utf8.RuneStart(p[i]) {
			if !utf8.FullRune(p[i:]) {
				c.n = copy(c.rest[:], p[i:])
				p = p[:i]
			}
			break
		}
	}
	c.invalid = c.invalid || !utf8.Valid(p)
}

// isASCII reports whether no byte of p is above 127.
func isASCII(p []byte) bool {
	for ; len(p) >= 8; p = p[8:] {
		if binary.LittleEndian.Uint64(p)&0x8080808080808080 != 0 {
			return false
		}
	}
	for _, c := range p {
		if c >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
