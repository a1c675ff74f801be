package accesslog

import (
	"bytes"
	"encoding/binary"
	"math/bits"
)

// A lineCursor goes through the lines of a text.
type lineCursor struct {
	text  []byte
	at    int  // where the next line begins
	slash int  // where the next backslash is, or the length of the text; -1 at the beginning
	bare  bool // whether the line has no backslash

	quotes [headQuotes]int // found by usualQuotes
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

// usualQuotes returns the quotes of the next line if it may be a usual one, with its end, and nil
// otherwise. It searches for four of them: in such a line the third is behind the status and the
// size, and the fifth behind the fourth. parse looks whether they are there.
func (c *lineCursor) usualQuotes() (quotes *[headQuotes]int, end int) {
	end = bytes.IndexByte(c.text[c.at:], '\n') + c.at
	if end < c.at {
		return nil, 0
	}
	if c.findSlash(); c.slash < end {
		return nil, 0
	}
	line := c.text[:end]
	opening, ok := quoteFrom(line, c.at)
	if !ok {
		return nil, 0
	}
	closing, ok := quoteFrom(line, opening+1)
	size := closing + len(`" 200 `)
	if !ok || size+8 > end {
		return nil, 0
	}
	digits := bits.TrailingZeros32(othersThanDigits(binary.LittleEndian.Uint64(line[size:])) | 1<<8)
	referrer := size + max(1, digits) + 1 // a hyphen is one byte
	if referrer >= end {
		return nil, 0
	}
	referrerEnd, ok := quoteFrom(line, referrer+1)
	agent := referrerEnd + 2
	if !ok || agent >= end {
		return nil, 0
	}
	agentEnd, ok := quoteFrom(line, agent+1)
	c.quotes = [headQuotes]int{opening, closing, referrer, referrerEnd, agent, agentEnd}
	if !ok {
		return nil, 0
	}
	return &c.quotes, end
}

// quoteFrom returns the index of the first quote in a line from an index on.
func quoteFrom(line []byte, from int) (int, bool) {
	i := bytes.IndexByte(line[from:], '"')
	return from + i, i >= 0
}

// passUsual passes a usual line.
func (c *lineCursor) passUsual(end int) { c.at = end + 1 }

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
