package accesslog

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/robotsexclusion/robots/internal/marks"
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

// blockSize is small enough for the cache of a processor, and for marks.
const blockSize = marks.MaxText

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

// add adds what a worker counted.
func (l *logInput) add(counted *Log) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.Lines += counted.Lines
	l.Requests += counted.Requests
	l.Unreadable += counted.Unreadable
	l.Empty += counted.Empty
	l.Comments += counted.Comments
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

// start reads the logs in a goroutine of its own, which also decompresses. The blocks are to be
// received until the channel is closed, or until stop is called.
func (s *Scan) start(workers int) (blocks <-chan *block, stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	out := make(chan *block, 2*workers)
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer close(out)
		forms := s.reader.forms()
		for _, l := range s.logs {
			c := cutter{ctx: ctx, reader: &s.reader, forms: forms, log: l, out: out, counts: workers > 1}
			if err := c.run(); err != nil && ctx.Err() == nil {
				l.Err = err
				c.send(&block{log: l, err: fmt.Errorf("read %s: %w", l.Name, err)})
			}
		}
	}()
	return out, func() {
		cancel()
		<-done
	}
}

// A cutter cuts a log into blocks.
type cutter struct {
	ctx    context.Context
	reader *Reader
	forms  []form
	log    *logInput
	out    chan<- *block

	form       form   // the form of the log
	directives []byte // of the W3C format, or nil if the log has none
	counts     bool   // whether lines are counted here, since several workers get blocks
	line       int    // lines cut, if they are counted
}

var errStopped = errors.New("the scan was stopped")

// send sends a block to the workers, and reports whether they want more.
func (c *cutter) send(b *block) bool {
	select {
	case c.out <- b:
		return true
	case <-c.ctx.Done():
		return false
	}
}

// run reads the log to its end.
func (c *cutter) run() (err error) {
	in, done, err := c.log.open()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, done()) }()
	source, err := decompress(in)
	c.log.Compression = source.compression
	if err != nil {
		return err
	}
	defer source.close()
	buffer, filled := newBuffer(), 0
	skip := false // whether the line at the beginning of the buffer is too long
	for {
		n, err := source.fill(buffer[filled:])
		filled += n
		if skip {
			i := bytes.IndexByte(buffer[:filled], '\n')
			skip = i < 0
			if i < 0 {
				i = filled - 1
			}
			filled = copy(buffer, buffer[i+1:filled])
		}
		end := bytes.LastIndexByte(buffer[:filled], '\n') + 1
		if err != nil {
			end = filled // the last line may have no end
		}
		switch {
		case end > 0:
			next := newBuffer()
			if rest := filled - end; rest >= len(next) {
				next = make([]byte, 2*rest)
			}
			rest := copy(next, buffer[end:filled])
			if !c.cut(buffer, buffer[:end]) {
				return errStopped
			}
			buffer, filled = next, rest
		case err == nil && filled > c.reader.maxLine():
			start := bytes.Clone(buffer[:min(filled, 1024)])
			if !c.send(&block{log: c.log, first: c.number(start), data: start, tooLong: true}) {
				return errStopped
			}
			skip, filled = true, 0
		case err == nil && filled == len(buffer):
			buffer = append(buffer, make([]byte, len(buffer))...)
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

func newBuffer() []byte { return blockPool.Get().(*[blockSize]byte)[:] }

// cut sends whole lines to the workers, and reports whether they want more. The buffer is the
// memory of the lines.
func (c *cutter) cut(buffer, lines []byte) bool {
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
		return c.cutDirectives(lines)
	}
	return c.sendLines(buffer, lines)
}

func (c *cutter) sendLines(buffer, lines []byte) bool {
	return c.send(&block{log: c.log, first: c.number(lines), data: lines, buffer: buffer, form: c.form, others: c.forms})
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

// cutDirectives sends the lines between directives of the W3C format. Lines are read with the
// directives before them, which IIS repeats whenever it is started.
func (c *cutter) cutDirectives(lines []byte) bool {
	for len(lines) > 0 {
		if lines[0] != '#' {
			end := bytes.Index(lines, directiveLine) + 1
			if end == 0 {
				end = len(lines)
			}
			if !c.sendLines(nil, lines[:end:end]) {
				return false
			}
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
		if !c.sendLines(nil, lines[:end:end]) { // they are counted
			return false
		}
		lines = lines[end:]
	}
	return true
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
