package crawl

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"hash/maphash"
	"io"
	"os"
	"strings"

	"github.com/robotsexclusion/robots/crawler/internal/filecheck"
	"github.com/robotsexclusion/robots/crawler/internal/store"
	"github.com/robotsexclusion/robots/crawler/internal/weburl"
	"github.com/robotsexclusion/robots/crawler/result"
	"github.com/robotsexclusion/robots/internal/printable"
	"github.com/robotsexclusion/robots/page"
)

// truncatedLinks is in Line.Truncated if some links of a page were not read.
const truncatedLinks = "links"

func newResult(it *store.Item) *result.Line {
	return &result.Line{URL: it.URL, Depth: it.Depth, Via: it.Via}
}

// describe adds the title, the index decision and the canonical URL of a page to its line.
func describe(r *result.Line, doc *page.Doc, d *page.Decision, u weburl.URL) {
	r.Title, r.Index = printable.Clipped(doc.Title, 300), &d.Index
	if canonical, ok := doc.Canonical(); ok && canonical != u.String() && len(canonical) <= store.MaxURL {
		r.Canonical = canonical
	}
	if doc.Cut&(page.CutLinks|page.CutTags|page.CutTag) != 0 {
		cut(r, truncatedLinks)
	}
}

// cut adds a reason why a body was not read whole.
func cut(r *result.Line, why string) {
	r.Truncated = strings.TrimPrefix(r.Truncated+","+why, ",")
}

// results writes the results to a file or another writer. A line is in the journal before it
// is written. After a kill the replay of the journal writes the missing lines, and no line
// twice.
type results struct {
	f         *os.File // nil if there is none
	to        io.Writer
	onDisk    bool            // f is a regular file
	place     filecheck.Place // of f
	size      int64           // of the file, in bytes
	sum       uint32          // CRC-32C of the file
	lines     int64           // in the file
	tail      []byte          // the last bytes of the file, tailSize of them at most
	from      int64           // offset of the first line the store may not know, at opening
	known     int64           // the same offset now
	buffer    bytes.Buffer
	lastLines map[uint64]bool // hashes of the last lines of the file, during a replay of the journal
}

// maxLastLines is how many bytes at the end of the file are searched for lines that are written
// already: as many as the journal may be ahead of the store.
const maxLastLines = trimAfter

// openResults opens the file of results, or takes the writer of the options.
func (c *run) openResults() (err error) {
	if c.ResultsTo != nil {
		c.marker.results = &results{to: c.ResultsTo}
		return nil
	}
	name, marked := c.resultsName()
	m, ok := c.marker.marks.files[markResults]
	if !ok || m.Name != marked {
		m = fileMark{}
	}
	c.marker.results, err = openResults(name, m)
	return err
}

// openResults opens a file of results, and cuts off the unfinished line of a killed process. The
// mark says which part of the file the store knows.
func openResults(name string, m fileMark) (*results, error) {
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
		r.place, err = filecheck.Of(f)
	}
	if err == nil {
		err = r.measure(m)
	}
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("open the results: %w", err)
	}
	return r, nil
}

// measure computes the digests of the file, and the offset of the first line that the store may
// not know.
func (r *results) measure(m fileMark) error {
	if m.Size == 0 || m.Size > r.size {
		m = fileMark{}
		r.from = max(r.size-maxLastLines, 0)
	} else {
		r.from = m.known()
	}
	r.known = r.from
	h := newSum(m.Sum)
	if _, err := io.Copy(h, bufio.NewReaderSize(io.NewSectionReader(r.f, m.Size, r.size-m.Size), 1<<18)); err != nil {
		return err
	}
	r.sum, r.lines = h.sum, m.Lines+h.lines
	r.tail = make([]byte, min(r.size, tailSize))
	_, err := r.f.ReadAt(r.tail, r.size-int64(len(r.tail)))
	return err
}

// wrote adds written bytes to the size and the digests of the file.
func (r *results) wrote(p []byte) {
	r.size += int64(len(p))
	r.sum = crc32.Update(r.sum, castagnoli, p)
	r.lines += int64(bytes.Count(p, []byte("\n")))
	if len(p) >= tailSize {
		r.tail = append(r.tail[:0], p[len(p)-tailSize:]...)
		return
	}
	r.tail = append(r.tail, p...)
	if n := len(r.tail) - tailSize; n > 0 {
		r.tail = append(r.tail[:0], r.tail[n:]...)
	}
}

// add queues a line for the next flush.
func (r *results) add(line []byte) {
	r.buffer.Write(line)
	r.buffer.WriteByte('\n')
}

// addReplayed adds a line from the replay of the journal, unless the line is one of the last in the
// file.
func (r *results) addReplayed(line []byte) error {
	if r.lastLines == nil {
		if err := r.readLastLines(); err != nil {
			return fmt.Errorf("read the results: %w", err)
		}
	}
	if !r.lastLines[lineHash(line)] {
		r.add(line)
	}
	return nil
}

// lineHash returns the hash of a line in lastLines.
func lineHash(line []byte) uint64 { return maphash.Bytes(seed, line) }

// readLastLines reads the last lines of the file.
func (r *results) readLastLines() error {
	r.lastLines = make(map[uint64]bool)
	start := r.from
	lines := bufio.NewReaderSize(io.NewSectionReader(r.f, start, r.size-start), 1<<16)
	for r.size > 0 {
		line, err := lines.ReadBytes('\n')
		if err == io.EOF {
			break // openResults has cut off an unfinished line
		}
		if err != nil {
			return err
		}
		if !json.Valid(line) {
			return fmt.Errorf("%w: 1 line", errAltered) // a valid line must not be added beside the damaged one
		}
		r.lastLines[maphash.Bytes(seed, line[:len(line)-1])] = true
	}
	return nil
}

// flush writes the queued lines.
func (r *results) flush() error {
	text := r.buffer.Bytes()
	if _, err := r.buffer.WriteTo(r.to); err != nil {
		return fmt.Errorf("write the results: %w", err)
	}
	if r.onDisk {
		r.wrote(text)
	}
	return nil
}

// sync writes the queued lines, and syncs a file to the disk. If the file was removed, sync
// fails, while the journal still has the lines that would be lost.
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

// close closes the file. It drops the queued lines, which may not be in the journal.
func (r *results) close() error {
	if r.f == nil {
		return nil
	}
	return r.f.Close()
}
