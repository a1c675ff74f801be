package fetch

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/robotsexclusion/robots/internal/http/httpfield"
	"github.com/robotsexclusion/robots/internal/printable"
)

// readText reads the body of an answer, up to limit bytes. A longer text is cut at its last
// whole line. The error is not nil if the body is incomplete or in an unknown coding.
func readText(body io.Reader, h http.Header, limit int) (text []byte, cut bool, err error) {
	codings, odd, err := httpfield.ContentCodings(h)
	if err != nil {
		return nil, false, err
	}
	// The limit is for the text. A compressed body may be a little larger than its text, but a
	// stream of empty gzip members would never end.
	if body, err = decoded(body, codings, 2*int64(limit)+64<<10); err != nil {
		return nil, false, err
	}
	text, err = io.ReadAll(io.LimitReader(body, int64(limit)+1))
	if err == nil && len(odd) > 0 && http.DetectContentType(text) == "application/octet-stream" {
		return nil, false, fmt.Errorf("the body has the unknown encoding %s, and is not a text",
			printable.Quoted(strings.Join(odd, ", "), 60))
	}
	if len(text) > limit {
		return cutLine(text, limit), true, nil
	}
	if err != nil {
		return nil, false, fmt.Errorf("the body broke off after %d bytes: %w", len(text), err)
	}
	return text, false, nil
}

// cutLine cuts a text of more than limit bytes to the whole lines among its first limit bytes.
func cutLine(text []byte, limit int) []byte {
	if c := text[limit]; c == '\n' || c == '\r' {
		return text[:limit] // the last line is whole except for its line end
	}
	return text[:bytes.LastIndexAny(text[:limit], "\r\n")+1]
}

// A gunzip decompresses gzip: one member or more (RFC 1952, section 2.2). Bytes after the last
// member are ignored, because some servers append zeros.
type gunzip struct {
	packed *bufio.Reader
	member *gzip.Reader
}

func (g *gunzip) Read(p []byte) (int, error) {
	if g.member == nil {
		member, err := gzip.NewReader(g.packed)
		if err != nil {
			return 0, err // io.EOF if there are no bytes at all, which is an empty text
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
