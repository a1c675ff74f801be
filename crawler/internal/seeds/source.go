package seeds

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"io"

	"golang.org/x/net/html/charset"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

// look is the number of bytes of a file that are used to detect its format.
const look = 4 << 10

// unpack returns the contents of a file that may be compressed with gzip, possibly
// several times.
func unpack(r io.Reader) (*bufio.Reader, error) {
	const most = 3
	in := bufio.NewReaderSize(r, look)
	for range most {
		if magic, _ := in.Peek(2); string(magic) != "\x1f\x8b" {
			break
		}
		z, err := gzip.NewReader(in)
		if err != nil {
			return nil, err
		}
		in = bufio.NewReaderSize(z, look)
	}
	return in, nil
}

// decoded returns a text in UTF-8, by its byte order mark. A text without one is
// unchanged: URLs are mostly ASCII, whatever the encoding around them.
func decoded(r io.Reader) io.Reader {
	in := bufio.NewReaderSize(r, look)
	mark, _ := in.Peek(3)
	switch {
	case bytes.HasPrefix(mark, []byte("\xef\xbb\xbf")):
		in.Discard(3)
	case bytes.HasPrefix(mark, []byte("\xff\xfe")):
		return transform.NewReader(in, unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewDecoder())
	case bytes.HasPrefix(mark, []byte("\xfe\xff")):
		return transform.NewReader(in, unicode.UTF16(unicode.BigEndian, unicode.UseBOM).NewDecoder())
	}
	return in
}

// decodedHTML returns a page in UTF-8, by its byte order mark or its declaration.
func decodedHTML(r io.Reader) io.Reader {
	in := bufio.NewReaderSize(decoded(r), look)
	head, _ := in.Peek(1024)
	if bytes.Contains(bytes.ToLower(head), []byte("charset")) {
		if _, name, _ := charset.DetermineEncoding(head, ""); name != "" {
			return converted(in, name)
		}
	}
	return in
}

// converted converts a text from the labelled encoding to UTF-8. It leaves a text in
// UTF-8 or in an unknown encoding unchanged.
func converted(r io.Reader, label string) io.Reader {
	e, name := charset.Lookup(label)
	if e == nil || name == "utf-8" || name == "replacement" {
		return r
	}
	return transform.NewReader(r, e.NewDecoder())
}
