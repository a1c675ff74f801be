package accesslog

import "bytes"

// A lineCursor goes through the lines of a text.
type lineCursor struct {
	text  []byte
	at    int  // where the next line begins
	slash int  // where the next backslash is, or the length of the text; -1 at the beginning
	bare  bool // whether the line has no backslash
}

// next returns the next line without its end, or nil after the last. It looks for the next
// backslash only after the last one that it found, so that one search serves many lines.
func (c *lineCursor) next() []byte {
	line := c.text[c.at:]
	if len(line) == 0 {
		return nil
	}
	if c.slash < c.at {
		c.slash = len(c.text)
		if i := bytes.IndexByte(line, '\\'); i >= 0 {
			c.slash = c.at + i
		}
	}
	end := len(c.text)
	if i := bytes.IndexByte(line, '\n'); i >= 0 {
		end = c.at + i
		line = line[:i]
	}
	c.bare = end <= c.slash
	c.at = min(end+1, len(c.text))
	return line
}
