package feed

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"net/http"
)

// ShortLine limits a line for [Lines], in bytes with its end.
const ShortLine = 64

// Lines reads the lines of a growing file: the file has one size after the other. A
// line that is too long is nil.
func Lines(ctx context.Context, text []byte, sizes []int) (lines [][]byte, err error) {
	r := &results{buffer: bufio.NewReaderSize(nil, ShortLine)}
	for _, size := range sizes {
		in := bytes.NewReader(text[:size])
		if same, err := r.isContinued(in, int64(size)); err != nil || !same {
			return lines, err
		}
		l := r.lines(in)
		for {
			line, err := l.next(ctx)
			if err == io.EOF {
				break
			}
			if err != nil {
				return lines, err
			}
			lines = append(lines, bytes.Clone(line))
			r.Offset = l.end
		}
		if r.Before, err = before(in, r.Offset); err != nil {
			return lines, err
		}
	}
	return lines, nil
}

// Answer reads the answer at the start of an archive.
func Answer(in io.Reader, url string) (http.Header, []byte, error) {
	x, err := new(archive).read(in, url)
	if err != nil {
		return nil, nil, err
	}
	return x.header, x.body, nil
}
