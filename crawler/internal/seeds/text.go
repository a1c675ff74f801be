package seeds

import (
	"bufio"
	"bytes"
	"io"
	"iter"
)

// Text returns the URLs in a text as a person sees them: http://example.com/, and
// www.example.com too. A URL ends at white space, at a quote, at a bracket that was not
// opened inside, at the end of a sentence, and at punctuation of scripts without
// blanks. A URL in angle brackets may be broken over lines (RFC 3986, appendix C), even
// in a quotation of mail.
func Text(r io.Reader) iter.Seq2[string, error] {
	return collect(func(c *collector) error { return c.text(decoded(r), false) })
}

// List returns the URLs of a list: one a line, with blank lines and comments, which
// begin with # at the start of the line or after white space. It adds https:// to URLs
// without a scheme, like [Address]. For a line that is not a URL it returns the URLs
// that [Text] would find, or an error that is an [ErrNoURL], and continues.
func List(r io.Reader) iter.Seq2[string, error] {
	return collect(func(c *collector) error { return c.list(decoded(r)) })
}

// lines calls do for each line of a text, without its end. It splits a line that is
// longer than the window into several, at white space if possible.
func (c *collector) lines(r io.Reader, do func(line []byte)) error {
	in, ok := r.(*bufio.Reader)
	if !ok || in.Size() < window {
		in = c.buffered(r)
		defer c.release(in)
	}
	var rest []byte // of a long line: the part not taken yet
	for !c.stopped {
		text, err := in.ReadSlice('\n')
		if len(rest) > 0 {
			rest = append(rest, text...)
			text = rest
		}
		if err == bufio.ErrBufferFull {
			end := bytes.LastIndexAny(text, " \t<>\"'") + 1
			if len(text)-end > maxURL {
				end = len(text)
			}
			do(text[:end])
			rest = append(rest[:0], text[end:]...)
			continue
		}
		if len(text) > 0 && (err == nil || err == io.EOF || c.mail) { // otherwise the end of the line is missing
			do(bytes.TrimRight(text, "\r\n"))
		}
		rest = rest[:0]
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		c.line++
	}
	return nil
}

// text finds the URLs in a text. In mail, a soft line break may be within a URL: if the
// text is flowed and the blanks at the ends of its lines must be deleted (RFC 3676).
func (c *collector) text(r io.Reader, deleteBlanks bool) error {
	f := c.finder()
	f.softened = deleteBlanks
	err := c.lines(r, f.take)
	f.end()
	return err
}

// finder returns a finder of URLs for the collector.
func (c *collector) finder() *flow {
	return &flow{finder: finder{found: func(url []byte) {
		if hasScheme(string(url[:min(len(url), len(scheme))])) == 0 {
			url = append([]byte(scheme), url...)
		}
		c.found(url)
	}}}
}

// list handles the lines of a list.
func (c *collector) list(r io.Reader) error {
	f := c.finder()
	return c.lines(r, func(line []byte) {
		line = bytes.TrimFunc(withoutComment(line), isWhite)
		if len(line) == 0 {
			return
		}
		url, err := Address(string(line))
		if err == nil {
			c.found([]byte(url))
			return
		}
		some := false
		found := f.found
		f.found = func(url []byte) {
			some = true
			found(url)
		}
		f.line(line)
		f.finish()
		f.found = found
		if !some {
			c.bad(err)
		}
	})
}

// withoutComment removes a comment.
func withoutComment(line []byte) []byte {
	for i, c := range line {
		if c == '#' && (i == 0 || line[i-1] == ' ' || line[i-1] == '\t') {
			return line[:i]
		}
	}
	return line
}
