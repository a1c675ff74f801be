package fetch

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/robotsexclusion/robots/internal/httpfield"
	"github.com/robotsexclusion/robots/internal/printable"
)

// readText reads the body of an answer up to limit bytes. A text that has more
// is cut at its last whole line. An error means that the text did not come
// whole, or is in a form that cannot be read.
func readText(body io.Reader, h http.Header, limit int) (text []byte, cut bool, err error) {
	codings, odd, err := httpfield.ContentCodings(h)
	if err != nil {
		return nil, false, err
	}
	// The limit is for the text. What it is packed in may be larger than the text, but
	// not much; a stream of empty members never ends.
	if body, err = decoded(body, codings, 2*int64(limit)+64<<10); err != nil {
		return nil, false, err
	}
	text, err = io.ReadAll(io.LimitReader(body, int64(limit)+1))
	if err == nil && len(odd) > 0 && http.DetectContentType(text) == "application/octet-stream" {
		return nil, false, fmt.Errorf("the body comes in encoding %s, which nobody knows, and is no text", printable.Quoted(strings.Join(odd, ", "), 60))
	}
	if len(text) > limit {
		return cutLine(text, limit), true, nil
	}
	if err != nil {
		return nil, false, fmt.Errorf("the body broke off after %d bytes: %w", len(text), err)
	}
	return text, false, nil
}

// cutLine cuts a text to the whole lines of its first limit bytes. It has more
// bytes than that.
func cutLine(text []byte, limit int) []byte {
	if c := text[limit]; c == '\n' || c == '\r' {
		return text[:limit] // all of the last line but its end
	}
	return text[:bytes.LastIndexAny(text[:limit], "\r\n")+1]
}

// A gunzip reads what gzip has packed: one member or more (RFC 1952, section
// 2.2). What follows the members and is none is not read, because some servers
// fill up with zeros.
type gunzip struct {
	packed *bufio.Reader
	member *gzip.Reader
}

func (g *gunzip) Read(p []byte) (int, error) {
	if g.member == nil {
		member, err := gzip.NewReader(g.packed)
		if err != nil {
			return 0, err // io.EOF for no bytes at all, which is an empty text
		}
		g.member = member
		g.member.Multistream(false)
	}
	for {
		n, err := g.member.Read(p)
		if n > 0 && err == io.EOF {
			err = nil
		}
		if n > 0 || err != io.EOF {
			return n, err
		}
		if magic, _ := g.packed.Peek(2); !bytes.Equal(magic, []byte{0x1f, 0x8b}) {
			return 0, io.EOF
		}
		if err := g.member.Reset(g.packed); err != nil {
			return 0, err
		}
		g.member.Multistream(false)
	}
}
