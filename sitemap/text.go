package sitemap

import (
	"bytes"
	"fmt"
	"io"
)

// hopeless is the number of lines without a URL at the start of a text after which it is
// not a sitemap.
const hopeless = 20

// readText reads a sitemap with one URL a line (protocol, "Other Sitemap formats").
func (r *reader) readText() error {
	found := false
	for !r.stopped && !r.tooMany && len(r.ahead(1)) > 0 {
		line := r.line
		url := trim(r.textLine())
		if len(url) == 0 {
			continue
		}
		if err := urlError(url); err != nil {
			r.giveBad(line, url, err)
		} else {
			r.give(Entry{URL: string(url), Kind: Page, Priority: defaultPriority, Line: line})
			found = true
		}
		if !found && r.count >= hopeless {
			break
		}
	}
	if !found && (r.count >= hopeless || r.err == io.EOF) {
		return fmt.Errorf("it is neither XML nor a list of URLs: %w", ErrNotSitemap)
	}
	return nil
}

// textLine returns the next line, or the part in the window of a longer one, and moves
// past the line. Lines end with LF, CR LF or CR.
func (r *reader) textLine() []byte {
	i := r.findLineEnd(0)
	if i >= 0 {
		return r.take(i + 1)
	}
	line := bytes.Clone(r.take(r.end - r.pos))
	for r.err == nil {
		if i := r.findLineEnd(0); i >= 0 {
			r.take(i + 1)
			break
		}
		r.take(r.end - r.pos)
	}
	return line
}

// findLineEnd returns the distance to the next line end, or -1 if it is not in the
// window.
func (r *reader) findLineEnd(from int) int {
	for {
		b := r.buf[r.pos:r.end]
		if i := bytes.IndexAny(b[from:], "\r\n"); i >= 0 {
			return from + i
		}
		from = len(b)
		if !r.fill() {
			return -1
		}
	}
}
