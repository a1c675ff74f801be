package sitemap

import (
	"bytes"
	"io"
)

// A token is a part of a document.
type token uint8

const (
	theEnd   token = iota // end of the document, or of its readable part
	someText              // scanner.text, all or a part of it
	startTag              // scanner.name and attributes
	endTag                // scanner.name
)

// window is the number of bytes of a document in memory. It is larger than any token that
// the reader uses.
const window = 64 << 10

// maxName is the number of bytes of an element name that count.
const maxName = 64

// A scanner splits a document into tags and text. It accepts any input: parts that XML
// does not allow are text, or end where the next tag begins.
type scanner struct {
	src  io.Reader
	buf  []byte // the window
	pos  int    // position in buf of the next byte
	end  int    // end of the bytes read into buf
	line int    // of pos
	err  error  // error of src, including io.EOF

	text       []byte // valid until the next call of next, like name and attributes
	literal    bool   // the text is in a CDATA section: & means itself
	cdata      bool   // the next bytes are in a CDATA section
	name       []byte // with its prefix
	attributes []byte // as written; empty if they are longer than the window
	empty      bool   // the tag is an empty-element tag
	unfinished bool   // the document ends within a tag, a comment or the like
	broken     bool   // the tag, or the text, is not valid XML
	long       [maxName]byte
}

// fill reads more into the window. It returns false at the end of the input, and if the
// window is full.
func (s *scanner) fill() bool {
	if s.pos > 0 {
		s.end = copy(s.buf, s.buf[s.pos:s.end])
		s.pos = 0
	}
	if s.buf == nil {
		s.buf = make([]byte, window)
	}
	for tries := 0; s.err == nil && s.end < len(s.buf); tries++ {
		n, err := s.src.Read(s.buf[s.end:])
		s.end += n
		s.err = err
		if n > 0 {
			return true
		}
		if err == nil && tries >= 100 {
			s.err = io.ErrNoProgress
		}
	}
	return false
}

// ahead returns the bytes in the window, at least n unless the input ends.
func (s *scanner) ahead(n int) []byte {
	for s.end-s.pos < n && s.fill() {
	}
	return s.buf[s.pos:s.end]
}

// find returns the distance to sep, searching at distance from or more, or -1 if sep is
// not in the window.
func (s *scanner) find(sep string, from int) int {
	for {
		if i := bytes.Index(s.buf[s.pos+from:s.end], []byte(sep)); i >= 0 {
			return from + i
		}
		from = max(from, s.end-s.pos-len(sep)+1)
		if !s.fill() {
			return -1
		}
	}
}

// take returns the next n bytes, and moves past them.
func (s *scanner) take(n int) []byte {
	b := s.buf[s.pos : s.pos+n]
	s.pos += n
	s.line += bytes.Count(b, []byte{'\n'})
	return b
}

// skipThrough moves past sep.
func (s *scanner) skipThrough(sep string) {
	for {
		if i := s.find(sep, 0); i >= 0 {
			s.take(i + len(sep))
			return
		}
		if s.err != nil {
			s.take(s.end - s.pos)
			s.unfinished = true
			return
		}
		s.take(s.end - s.pos - (len(sep) - 1)) // the window is full
	}
}

// next finds the next token.
func (s *scanner) next() token {
	s.broken = false
	for {
		if s.cdata {
			return s.section()
		}
		head := s.ahead(len("<![CDATA["))
		switch {
		case len(head) == 0:
			return theEnd
		case head[0] != '<':
			return s.someText()
		case len(head) == 1:
			s.take(1)
			s.unfinished = true
			return theEnd
		case bytes.HasPrefix(head, []byte("<!--")):
			s.take(len("<!--"))
			s.skipThrough("-->")
		case bytes.HasPrefix(head, []byte("<![CDATA[")):
			s.take(len("<![CDATA["))
			s.cdata = true
		case head[1] == '!':
			s.take(len("<!"))
			s.skipDeclaration()
		case head[1] == '?':
			s.take(len("<?"))
			s.skipThrough("?>")
		case head[1] == '/' || isName(head[1]):
			return s.tag()
		default:
			s.broken = true
			return s.someText()
		}
	}
}

// isName reports whether a name may begin with c.
func isName(c byte) bool {
	return 'a' <= c|0x20 && c|0x20 <= 'z' || c == '_' || c == ':' || c >= 0x80
}

// someText returns the text up to the next tag, or the part of it in the window.
func (s *scanner) someText() token {
	i := s.find("<", 1)
	if i < 0 {
		i = s.end - s.pos
	}
	s.text, s.literal = s.take(i), false
	return someText
}

// section returns the next text of a CDATA section.
func (s *scanner) section() token {
	s.literal = true
	switch i := s.find("]]>", 0); {
	case i >= 0:
		s.text = s.take(i)
		s.take(len("]]>"))
		s.cdata = false
	case s.err != nil:
		s.text = s.take(s.end - s.pos)
		s.cdata, s.unfinished = false, true
	default: // the window is full
		s.text = s.take(s.end - s.pos - (len("]]>") - 1))
	}
	return someText
}

// tag returns the tag that begins here. It ends at the next < at the latest, which XML
// does not allow in a tag.
func (s *scanner) tag() token {
	var quote, last byte // last is the previous byte that is not white space
	long := false
	for i := 1; ; {
		for b := s.buf[s.pos:s.end]; i < len(b); i++ {
			switch c := b[i]; {
			case c == '<':
				s.broken = true
				return s.cutTag(b[:i], long, false)
			case quote != 0:
				if c == quote {
					quote = 0
				}
			case c == '>':
				t := s.cutTag(b[:i], long, last == '/')
				s.take(1)
				return t
			case (c == '"' || c == '\'') && last == '=':
				quote = c
			}
			if b[i] > ' ' {
				last = b[i]
			}
		}
		if s.fill() {
			continue
		}
		if s.err != nil {
			s.take(s.end - s.pos)
			s.unfinished = true
			return theEnd
		}
		if !long {
			long = true
			s.name = append(s.long[:0], s.buf[s.pos:s.pos+maxName]...)
		}
		s.take(s.end - s.pos) // the window is full
		i = 0
	}
}

// cutTag splits a tag, without its end, into the name and the attributes.
func (s *scanner) cutTag(tag []byte, long, empty bool) token {
	s.take(len(tag))
	if long {
		tag = s.name
	}
	tag = tag[1:]
	t := startTag
	if tag[0] == '/' {
		t, tag = endTag, tag[1:]
	}
	end := 0
	for end < len(tag) && tag[end] > ' ' && tag[end] != '/' {
		end++
	}
	s.name, s.attributes, s.empty = tag[:end], tag[end:], empty && t == startTag
	if long {
		s.attributes = nil
	}
	return t
}

// skipDeclaration skips a declaration such as DOCTYPE, including nested declarations.
func (s *scanner) skipDeclaration() {
	subset := false
	for {
		head := s.ahead(len("<!--"))
		if len(head) == 0 {
			s.unfinished = true
			return
		}
		i := bytes.IndexAny(head, `"'<[]>`)
		if i != 0 {
			if i < 0 {
				i = len(head)
			}
			s.take(i)
			continue
		}
		switch c := head[0]; {
		case c == '"' || c == '\'':
			s.take(1)
			s.skipThrough(string(c))
			continue
		case bytes.HasPrefix(head, []byte("<!--")):
			s.skipThrough("-->")
			continue
		case bytes.HasPrefix(head, []byte("<?")):
			s.skipThrough("?>")
			continue
		case c == '[':
			subset = true
		case c == ']':
			subset = false
		case c == '>' && !subset:
			s.take(1)
			return
		}
		s.take(1)
	}
}
