package feed

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
)

// maxLine limits the length of a line, in bytes. A crawler normally writes less than
// one KiB, but pages can name URLs of any length.
const maxLine = 1 << 20

// results is the results file with the position of the reader. The file is opened again
// each time: the crawl may cut off an unfinished last line, and another file may
// replace it.
type results struct {
	name string
	position
	scanned position // the line at the position has no end up to here; zero if unknown
	buffer  *bufio.Reader
}

// open opens the file.
func (r *results) open() (f *os.File, size int64, err error) { return openRegular(r.name) }

// isContinued reports whether the file is the one read before.
func (r *results) isContinued(in io.ReaderAt, size int64) (bool, error) {
	same, err := r.scanned.isIn(in, size)
	if !same {
		r.scanned = position{} // the unfinished line was cut off
	}
	if err != nil {
		return false, err
	}
	return r.position.isIn(in, size)
}

// mark returns the position with its digest.
func (r *results) mark() (position, error) {
	p := position{Offset: r.Offset}
	in, size, err := r.open()
	if errors.Is(err, fs.ErrNotExist) {
		return p, nil
	}
	if err != nil {
		return p, err
	}
	defer in.Close()
	if p.Offset <= size {
		p.Before, err = before(in, p.Offset)
	}
	return p, err // without a digest, if the bytes before it were cut off since
}

// A lineReader reads lines of results.
type lineReader struct {
	results *results
	file    io.ReaderAt
	in      *bufio.Reader
	end     int64 // offset of the end of the data read
	long    bool  // a part of a line that is too long was read
}

// lines returns a reader of the lines from the position on.
func (r *results) lines(in io.ReaderAt) *lineReader {
	l := &lineReader{results: r, file: in, end: max(r.Offset, r.scanned.Offset), long: r.scanned.Offset > 0}
	rest := io.NewSectionReader(in, l.end, 1<<62-l.end)
	if r.buffer == nil {
		r.buffer = bufio.NewReaderSize(rest, maxLine)
	} else {
		r.buffer.Reset(rest)
	}
	l.in = r.buffer
	return l
}

// next returns the next line without its end; the line is valid until the next call. At
// the end of the file, and at an unfinished last line, the error is [io.EOF]. A line
// that is too long is returned as nil.
func (l *lineReader) next(ctx context.Context) ([]byte, error) {
	for {
		line, err := l.in.ReadSlice('\n')
		switch {
		case err == nil:
			l.end += int64(len(line))
			l.results.scanned = position{}
			if l.long {
				l.long = false
				return nil, nil
			}
			return line[:len(line)-1], nil
		case err == bufio.ErrBufferFull:
			l.end += int64(len(line))
			l.long = true
			if err := ctx.Err(); err != nil {
				return nil, err
			}
		case err == io.EOF && l.long:
			// Later looks at the file must not read these bytes again.
			l.end += int64(len(line))
			sum, sumErr := before(l.file, l.end)
			if sumErr != nil {
				return nil, sumErr
			}
			l.results.scanned = position{Offset: l.end, Before: sum}
			return nil, io.EOF
		default:
			return nil, err
		}
	}
}

// countLines counts the complete lines.
func countLines(in io.Reader) (n int64, err error) {
	buffer := make([]byte, 64<<10)
	for {
		got, err := in.Read(buffer)
		n += int64(bytes.Count(buffer[:got], []byte{'\n'}))
		if err == io.EOF {
			return n, nil
		}
		if err != nil {
			return n, err
		}
	}
}
