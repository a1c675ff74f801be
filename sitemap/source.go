package sitemap

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"strings"

	"golang.org/x/net/html/charset"
	"golang.org/x/text/transform"
)

// look is the number of bytes of a sitemap used to detect its encoding and format.
const look = 1024

// A limitedReader returns an error after a number of bytes.
type limitedReader struct {
	r         io.Reader
	left, max int64
}

// Read implements [io.Reader].
func (l *limitedReader) Read(p []byte) (int, error) {
	if l.left < 0 {
		return 0, fmt.Errorf("it has more than %d bytes: %w", l.max, ErrLimit)
	}
	if int64(len(p)) > l.left {
		p = p[:l.left+1] // one more, to detect the end
	}
	n, err := l.r.Read(p)
	if l.left -= int64(n); l.left < 0 {
		n--
		err = nil
	}
	return n, err
}

// unpack returns the text of a sitemap in UTF-8, limited to a number of bytes after
// decompression. Invalid bytes stay as they are if the text is already UTF-8.
func unpack(r io.Reader, most int64) (io.Reader, error) {
	in := bufio.NewReader(r)
	if magic, _ := in.Peek(2); string(magic) == "\x1f\x8b" {
		z, err := gzip.NewReader(in)
		if err != nil {
			return nil, err
		}
		r = z
	} else {
		r = in
	}
	in = bufio.NewReaderSize(&limitedReader{r: r, left: most, max: most}, 4*look)
	head, _ := in.Peek(look)
	mark, label := encoding(head)
	in.Discard(mark)
	if label == "" {
		return in, nil
	}
	e, name := charset.Lookup(label)
	if e == nil || name == "utf-8" || name == "replacement" {
		return in, nil
	}
	if strings.HasPrefix(name, "utf-16") && bytes.IndexByte(head, 0) < 0 {
		return in, nil // the declaration could be read as bytes, so the text is not UTF-16
	}
	return transform.NewReader(in, e.NewDecoder()), nil
}

// encoding returns the probable encoding of a text, or "" for UTF-8, and the length of
// its byte order mark (XML 1.0, appendix F).
func encoding(head []byte) (mark int, label string) {
	for _, b := range [...]struct {
		begin, label string
		mark         int
	}{
		{"\xef\xbb\xbf", "", 3},
		{"\xfe\xff", "utf-16be", 2},
		{"\xff\xfe", "utf-16le", 2},
		{"\x00<", "utf-16be", 0},
		{"<\x00", "utf-16le", 0},
	} {
		if bytes.HasPrefix(head, []byte(b.begin)) {
			return b.mark, b.label
		}
	}
	head = bytes.TrimLeft(head, " \t\r\n")
	declaration, ok := bytes.CutPrefix(head, []byte("<?xml"))
	if !ok {
		return 0, ""
	}
	declaration, _, _ = bytes.Cut(declaration, []byte("?>"))
	value, _ := attribute(declaration, "encoding")
	return 0, string(value)
}
