package accesslog

import "bytes"

// A lineCursor goes through the lines of a text.
type lineCursor struct {
	text  []byte
	at    int  // where the next line begins
	slash int  // where the next backslash is, or the length of the text; -1 at the beginning
	bare  bool // whether the line has no backslash
}

// more reports whether there is another line.
func (c *lineCursor) more() bool { return c.at < len(c.text) }

// next returns the next line without its end. There is one.
func (c *lineCursor) next() []byte {
	start, end := c.at, len(c.text)
	if i := bytes.IndexByte(c.text[start:], '\n'); i >= 0 {
		end = start + i
	}
	c.findSlash()
	c.bare = end <= c.slash
	c.at = min(end+1, len(c.text))
	return c.text[start:end]
}

// findSlash looks for the next backslash only after the last one that it found, so that one search
// serves many lines.
func (c *lineCursor) findSlash() {
	if c.slash >= c.at {
		return
	}
	c.slash = len(c.text)
	if i := bytes.IndexByte(c.text[c.at:], '\\'); i >= 0 {
		c.slash = c.at + i
	}
}
