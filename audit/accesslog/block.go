package accesslog

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"sync"
)

// A block is a number of whole lines of a log.
type block struct {
	log     *logInput
	first   int // number of the first line, or 0 if a single worker reads the log and counts its lines
	data    []byte
	form    form   // the form of the log, with a nil format if none was found
	others  []form // the forms that are tried after it
	tooLong bool   // data is the beginning of a line that is too long
	err     error  // in place of data
	buffer  []byte // memory of data, which goes back to the pool
}

// blockSize is small enough for the cache of a processor.
const blockSize = 64 << 10

var blockPool = sync.Pool{New: func() any { return new([blockSize]byte) }}

func (b *block) free() {
	if len(b.buffer) == blockSize {
		blockPool.Put((*[blockSize]byte)(b.buffer))
	}
	b.buffer, b.data = nil, nil
}

// A logInput is a log that is read.
type logInput struct {
	Log
	open func() (io.Reader, func() error, error)

	mu sync.Mutex
}

// add adds the counts of a worker.
func (l *logInput) add(counted *Log) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.Lines += counted.Lines
	l.Requests += counted.Requests
	l.Unreadable += counted.Unreadable
	l.Empty += counted.Empty
	l.Comments += counted.Comments
	l.Forwarded += counted.Forwarded
	for f, n := range counted.Formats {
		if f == nil {
			continue
		}
		if l.Formats == nil {
			l.Formats = map[*Format]int64{}
		}
		l.Formats[f] += n
	}
}

// A queue has the blocks of the logs of a scan, in order. Workers take them concurrently. A worker
// that needs a block reads it from the log itself, while the others parse the lines of their
// blocks. So the block is in the cache of the worker's processor, and no worker waits for a
// goroutine that reads for all.
type queue struct {
	mu      sync.Mutex
	cutters []*cutter // of the logs that are not read to their ends
}

func (s *Scan) queue(workers int) *queue {
	q := &queue{}
	forms := s.reader.forms()
	for _, l := range s.logs {
		q.cutters = append(q.cutters, &cutter{reader: &s.reader, forms: forms, log: l, counts: workers > 1})
	}
	return q
}

// next returns the next block, or nil at the end.
func (q *queue) next() *block {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.cutters) > 0 {
		if b := q.cutters[0].next(); b != nil {
			return b
		}
		q.cutters = q.cutters[1:]
	}
	return nil
}

// stop ends the queue.
func (q *queue) stop() {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.cutters) > 0 {
		q.cutters[0].close() // an error does not matter any more
		q.cutters = nil
	}
}

// A cutter cuts a log into blocks.
type cutter struct {
	reader *Reader
	forms  []form
	log    *logInput
	source *source // nil before the first block
	blocks []*block
	rest   []byte // read after the last block
	begun  bool   // the beginning of the log was looked at
	skip   bool   // skip the rest of an overlong line
	ended  bool

	form       form   // the form of the log
	directives []byte // of the W3C format, or nil if the log has none
	counts     bool   // whether lines are counted here, since several workers get blocks
	line       int    // lines cut, if they are counted
}

// next returns the next block, or nil at the end of the log.
func (c *cutter) next() *block {
	for len(c.blocks) == 0 && !c.ended {
		err := c.read()
		if err == nil {
			continue
		}
		if err == io.EOF {
			err = nil
		}
		if err = errors.Join(err, c.close()); err != nil {
			c.log.Err = err
			c.add(&block{log: c.log, err: fmt.Errorf("cannot read %s: %w", c.log.Name, unnamed(err))})
		}
	}
	if len(c.blocks) == 0 {
		return nil
	}
	b := c.blocks[0]
	c.blocks = c.blocks[1:]
	return b
}

// unnamed returns an error without the name of the file, in words for people.
func unnamed(err error) error {
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return errors.New("its compressed data end too early: copy the file again")
	}
	if e := (*fs.PathError)(nil); errors.As(err, &e) && errors.Is(err, e) {
		return e.Err
	}
	return err
}

func (c *cutter) add(b *block) { c.blocks = append(c.blocks, b) }

// open opens the log.
func (c *cutter) open() error {
	in, done, err := c.log.open()
	if err != nil {
		return err
	}
	c.source, err = newSource(in, c.reader.Progress)
	c.source.done = done
	c.log.Compression = c.source.compression
	return err
}

// close closes the log, which is not read any more.
func (c *cutter) close() error {
	c.ended = true
	if c.source == nil {
		return nil
	}
	c.source.close()
	return c.source.done()
}

// read reads until there is a block. The error is io.EOF at the end of the log, also with the last
// block.
func (c *cutter) read() error {
	if c.source == nil {
		if err := c.open(); err != nil {
			return err
		}
	}
	buffer := newBuffer()
	if len(c.rest) >= len(buffer) {
		buffer = make([]byte, 2*len(c.rest))
	}
	filled := copy(buffer, c.rest)
	c.rest = c.rest[:0]
	for {
		n, err := c.source.fill(buffer[filled:])
		filled += n
		if c.skip {
			filled = c.skipLine(buffer[:filled])
		}
		end := bytes.LastIndexByte(buffer[:filled], '\n') + 1
		if err != nil {
			end = filled // the last line may have no end
		}
		if !c.begun && (end > 0 || filled > c.reader.maxLine()) {
			c.begun = true
			marked, e := checkBeginning(buffer[:filled])
			if e != nil {
				return e
			}
			copy(buffer, buffer[marked:filled])
			filled, end = filled-marked, max(end-marked, 0)
		}
		switch {
		case end > 0:
			c.rest = append(c.rest, buffer[end:filled]...)
			c.cut(buffer, buffer[:end])
			return err
		case err != nil:
			return err
		case filled > c.reader.maxLine():
			start := bytes.Clone(buffer[:min(filled, 1024)])
			c.add(&block{log: c.log, first: c.number(start), data: start, tooLong: true})
			c.skip = true
			return nil
		case filled == len(buffer):
			buffer = append(buffer, make([]byte, len(buffer))...)
		}
	}
}

// skipLine removes the rest of an overlong line from a text. It returns the length of the remaining
// text.
func (c *cutter) skipLine(text []byte) int {
	i := bytes.IndexByte(text, '\n')
	if i < 0 {
		return 0
	}
	c.skip = false
	return copy(text, text[i+1:])
}

func newBuffer() []byte { return blockPool.Get().(*[blockSize]byte)[:] }

// cut makes blocks of whole lines. The buffer is the memory of the lines.
func (c *cutter) cut(buffer, lines []byte) {
	// What arrives first may be comments only.
	if c.log.Format == nil && c.directives == nil {
		if len(c.reader.Formats) == 0 && hasDirective(lines) {
			c.directives = []byte{}
		} else {
			c.form = c.reader.detect(lines, c.forms)
			c.log.Format = c.form.format
			if len(c.reader.Formats) > 0 && c.form.format == nil {
				c.form = c.forms[0]
			}
		}
	}
	if c.directives != nil {
		c.cutDirectives(lines)
		return
	}
	c.addLines(buffer, lines)
}

func (c *cutter) addLines(buffer, lines []byte) {
	c.add(&block{log: c.log, first: c.number(lines), data: lines, buffer: buffer, form: c.form, others: c.forms})
}

// number returns the number of the first of some lines, and counts them.
func (c *cutter) number(lines []byte) (first int) {
	if !c.counts {
		return 0
	}
	first = c.line + 1
	c.line += bytes.Count(lines, newline)
	if lines[len(lines)-1] != '\n' {
		c.line++
	}
	return first
}

// hasDirective reports whether a line is the directive of the W3C format that names fields.
func hasDirective(lines []byte) bool {
	return bytes.HasPrefix(lines, fieldsDirective) || bytes.Contains(lines, fieldsLine)
}

var (
	fieldsDirective = []byte("#Fields:")
	fieldsLine      = []byte("\n#Fields:")
	directiveLine   = []byte("\n#")
)

// cutDirectives makes blocks of the lines between directives of the W3C format. Lines are read with
// the directives before them, which IIS repeats whenever it is started.
func (c *cutter) cutDirectives(lines []byte) {
	for len(lines) > 0 {
		if lines[0] != '#' {
			end := bytes.Index(lines, directiveLine) + 1
			if end == 0 {
				end = len(lines)
			}
			c.addLines(nil, lines[:end:end])
			lines = lines[end:]
			continue
		}
		end := 0
		for end < len(lines) && lines[end] == '#' {
			i := bytes.IndexByte(lines[end:], '\n')
			line := lines[end:]
			if i >= 0 {
				line = line[:i+1]
			}
			c.directive(line)
			end += len(line)
		}
		c.addLines(nil, lines[:end:end]) // they are counted
		lines = lines[end:]
	}
}

// maxDirectives is the maximum size in bytes of the directives of a log that are kept.
const maxDirectives = 64 << 10

// directive takes note of a line that begins with "#". The directive that names fields ends a
// group of them.
func (c *cutter) directive(line []byte) {
	line = bytes.TrimSpace(line)
	if len(c.directives)+len(line) < maxDirectives {
		c.directives = append(append(c.directives, line...), '\n')
	}
	if !bytes.HasPrefix(line, fieldsDirective) {
		return
	}
	if w, ok := formatW3C(c.form.format); !ok || w.text != string(c.directives) {
		c.form = form{}
		if w, err := parseW3C(string(c.directives)); err == nil {
			c.form.format = &Format{name: "w3c", reader: w}
		} else {
			c.form.fault = err.Error()
		}
	}
	if c.log.Format == nil {
		c.log.Format = c.form.format
	}
	c.directives = c.directives[:0]
}

// formatW3C returns the reader of a format that came from directives.
func formatW3C(f *Format) (*w3c, bool) {
	if f == nil {
		return nil, false
	}
	w, ok := f.reader.(*w3c)
	return w, ok
}
