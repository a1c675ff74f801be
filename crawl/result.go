package crawl

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"hash/maphash"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/robotsexclusion/robots/crawl/result"
	"github.com/robotsexclusion/robots/crawl/store"
	"github.com/robotsexclusion/robots/crawl/weburl"
	"github.com/robotsexclusion/robots/internal/inplace"
	"github.com/robotsexclusion/robots/internal/printable"
	"github.com/robotsexclusion/robots/page"
)

// truncatedLinks is in Line.Truncated where not all links of a page were read.
const truncatedLinks = "links"

func newResult(it *store.Item) *result.Line {
	return &result.Line{URL: it.URL, Depth: it.Depth, Via: it.Via}
}

// describe adds what a page says of itself to its line.
func describe(r *result.Line, doc *page.Doc, d *page.Decision, u weburl.URL) {
	r.Title, r.Index = printable.Clipped(doc.Title, 300), &d.Index
	if canonical, ok := doc.Canonical(); ok && canonical != u.String() && len(canonical) <= store.MaxURL {
		r.Canonical = canonical
	}
	if doc.Cut&(page.CutLinks|page.CutTags|page.CutTag) != 0 {
		r.Truncated = strings.TrimPrefix(r.Truncated+","+truncatedLinks, ",")
	}
}

// Results is the file of results, or what has them in place of a file. A line is in the
// journal before it is told. What a process that was killed had not told is told when the
// journal is read again, and what it had is not told twice.
type results struct {
	f      *os.File // nil if there is none
	to     io.Writer
	onDisk bool          // f is a regular file
	place  inplace.Place // of that file
	size   int64         // octets that were in it
	buffer bytes.Buffer
	told   map[uint64]bool // last lines of the file, while the journal is read again
}

// mostTold is how many bytes at the end of the file are looked through for what was
// told already: as many as the journal may have that the store has not.
const mostTold = trimAfter

// openResults opens what is to have the results.
func (c *Crawler) openResults() (*results, error) {
	if c.ResultsTo != nil {
		return &results{to: c.ResultsTo}, nil
	}
	return openResults(cmp.Or(c.Results, filepath.Join(c.Dir, "results.jsonl")))
}

// openResults opens a file of results, and cuts off a line that a killed process has
// not finished.
func openResults(name string) (*results, error) {
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, err
	}
	if info, err := f.Stat(); err == nil && !info.Mode().IsRegular() {
		return &results{f: f, to: f}, nil
	}
	size, err := f.Seek(0, io.SeekEnd)
	var last [1 << 16]byte
	for end := size; err == nil && end > 0; {
		n := min(end, int64(len(last)))
		if _, err = f.ReadAt(last[:n], end-n); err != nil {
			break
		}
		if i := bytes.LastIndexByte(last[:n], '\n'); i >= 0 {
			size = end - n + int64(i) + 1
			break
		}
		end -= n
		size = end
	}
	if err == nil {
		if err = f.Truncate(size); err == nil {
			_, err = f.Seek(size, io.SeekStart)
		}
	}
	r := &results{f: f, to: f, onDisk: true, size: size}
	if err == nil {
		r.place, err = inplace.Of(f)
	}
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("open the results: %w", err)
	}
	return r, nil
}

// maxLine is how many octets a line has at most: four URLs, the title and the error are
// all that strangers make long, and each octet of them may be escaped.
const maxLine = 64 << 10

// lineOf returns the line for a result, without its end.
func lineOf(result *result.Line) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false) // "&" is in many URLs
	if err := e.Encode(result); err != nil {
		return nil, err
	}
	return printable.JSON(bytes.TrimSuffix(b.Bytes(), []byte("\n"))), nil
}

// add adds a line, to be told with the next flush.
func (r *results) add(line []byte) {
	r.buffer.Write(line)
	r.buffer.WriteByte('\n')
}

// again adds a line of the journal, unless it is one of the last in the file.
func (r *results) again(line []byte) error {
	if r.told == nil {
		if err := r.readTold(); err != nil {
			return fmt.Errorf("read the results: %w", err)
		}
	}
	if !r.told[maphash.Bytes(seed, line)] {
		r.add(line)
	}
	return nil
}

// readTold reads the last lines of the file.
func (r *results) readTold() error {
	r.told = make(map[uint64]bool)
	start := max(r.size-mostTold, 0)
	lines := bufio.NewReaderSize(io.NewSectionReader(r.f, start, r.size-start), 1<<16)
	for r.size > 0 {
		line, err := lines.ReadBytes('\n')
		if err == io.EOF {
			break // a line that is not whole was cut off
		}
		if err != nil {
			return err
		}
		r.told[maphash.Bytes(seed, line[:len(line)-1])] = true
	}
	return nil
}

// flush writes what was added.
func (r *results) flush() error {
	if _, err := r.buffer.WriteTo(r.to); err != nil {
		return fmt.Errorf("write the results: %w", err)
	}
	return nil
}

// sync writes what was added, and returns when it is on the disk, if it goes there. Where
// somebody has removed the file it fails, as long as the journal has what would be lost.
func (r *results) sync() error {
	if r.buffer.Len() == 0 {
		return nil
	}
	err := r.flush()
	if err == nil && r.onDisk {
		if err = cmp.Or(r.f.Sync(), r.place.Check()); err != nil {
			err = fmt.Errorf("write the results: %w", err)
		}
	}
	return err
}

// close closes the file. What was added and not told stays untold: it may not be in the
// journal.
func (r *results) close() error {
	if r.f == nil {
		return nil
	}
	return r.f.Close()
}
