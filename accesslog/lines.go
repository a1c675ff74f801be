package accesslog

import "bytes"

// A lineCursor goes through the lines of a text.
type lineCursor struct {
	text  []byte
	at    int  // where the next line begins
	slash int  // where the next backslash is, or the length of the text; -1 at the beginning
	bare  bool // whether the line has no backslash

	// marked says that marks are the marks of the text from at on. Then nothing is searched for.
	marked bool
	marks  []uint16
}

// more reports whether there is another line.
func (c *lineCursor) more() bool { return c.at < len(c.text) }

// next returns the next line without its end. There is one.
func (c *lineCursor) next() []byte {
	start, end := c.at, len(c.text)
	if c.marked {
		end = c.passMarks()
	} else {
		if i := bytes.IndexByte(c.text[start:], '\n'); i >= 0 {
			end = start + i
		}
		c.findSlash()
		c.bare = end <= c.slash
	}
	c.at = min(end+1, len(c.text))
	return c.text[start:end]
}

// passMarks passes the marks of the next line and returns the index of its end.
func (c *lineCursor) passMarks() (end int) {
	c.bare = true
	for i, mark := range c.marks {
		switch c.text[mark] {
		case '\n':
			c.marks = c.marks[i+1:]
			return int(mark)
		case '\\':
			c.bare = false
		}
	}
	c.marks = nil
	return len(c.text)
}

// findSlash looks for the next backslash only after the last one that it found, so that one search serves many lines.
func (c *lineCursor) findSlash() {
	if c.slash >= c.at {
		return
	}
	c.slash = len(c.text)
	if i := bytes.IndexByte(c.text[c.at:], '\\'); i >= 0 {
		c.slash = c.at + i
	}
}
