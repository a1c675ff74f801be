package feed

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"

	"github.com/robotsexclusion/robots/crawler/warc"
	"github.com/robotsexclusion/robots/internal/http/download"
	"github.com/robotsexclusion/robots/internal/http/http1"
	"github.com/robotsexclusion/robots/internal/printable"
	"github.com/robotsexclusion/robots/page"
)

const (
	openEnd    = ".open"             // suffix of a file while it is being written
	maxOfPage  = page.DefaultMaxSize // bytes of a page that are read
	maxOfFile  = maxOfPage + 1<<20   // bytes of the archive that are read for a page
	keptBuffer = 1 << 20             // bytes of memory that are reused for the next page
)

// An archive is a folder of WARC files.
type archive struct {
	dir  string
	body bytes.Buffer // of the last answer
}

// An answer is the answer of a server. It is valid until the next one is read.
type answer struct {
	header http.Header
	body   []byte // decoded, as far as it is intact
}

// answer reads the answer at a position in the archive.
func (a *archive) answer(file string, offset int64, url string) (*answer, error) {
	if file != filepath.Base(file) || file == "." || file == ".." || offset < 0 {
		return nil, fmt.Errorf("%s is not a place in an archive", printable.Quoted(fmt.Sprint(file, ":", offset), 100))
	}
	in, err := a.open(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("the archive %s is missing", file)
	}
	if err != nil {
		return nil, err
	}
	defer in.Close()
	x, err := a.read(io.NewSectionReader(in, offset, maxOfFile), url)
	if err != nil {
		return nil, fmt.Errorf("%s at offset %d: %w", file, offset, err)
	}
	return x, nil
}

// open opens a file. The crawler may still be writing the file, and may rename it at
// this very moment.
func (a *archive) open(file string) (in *os.File, err error) {
	for _, end := range []string{"", openEnd, ""} {
		if in, _, err = openRegular(filepath.Join(a.dir, file+end)); !errors.Is(err, fs.ErrNotExist) {
			break
		}
	}
	return in, err
}

// read reads the answer in the first record.
func (a *archive) read(in io.Reader, url string) (*answer, error) {
	// Hide all methods but Read: after a broken record the reader must not search for
	// the next one.
	record, err := warc.NewReader(struct{ io.Reader }{in}).Next()
	switch {
	case err == io.EOF:
		return nil, errors.New("the file ends before")
	case err != nil:
		return nil, err
	case record.Type() != warc.TypeResponse || record.URL() != url:
		return nil, fmt.Errorf("another record is there: %s", record)
	}
	block := bufio.NewReader(record)
	// The body is everything after the head, whatever length the head declares.
	head, err := http1.ReadResponse(block)
	if err != nil {
		return nil, fmt.Errorf("the head of the answer cannot be read: %w", err)
	}
	if a.body.Cap() > keptBuffer {
		a.body = bytes.Buffer{}
	}
	a.body.Reset()
	body, err := download.Decoded(head.Header, block, maxOfPage)
	if err == nil {
		_, err = a.body.ReadFrom(body)
		body.Close()
	}
	// The readable part of a body is worth indexing: the crawler used it too.
	if err != nil && a.body.Len() == 0 {
		return nil, err
	}
	return &answer{head.Header, a.body.Bytes()}, nil
}
