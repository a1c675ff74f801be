package accesslog

import (
	"bytes"
	"io"
	"iter"
	"slices"
	"sync"
	"time"
)

// A Reader has the options for reading logs. The zero value finds the format of each log.
type Reader struct {
	// Formats are the formats that lines may have; the first that reads a line counts. If
	// there are none, the format is found from the first lines of each log, and lines
	// that are in another format are tried in all of [Formats].
	Formats []*Format

	// Zone is the zone of times that do not state one. If it is nil, they are read as
	// UTC, and Request.Zoned is false.
	Zone *time.Location

	// Forwarded says which address counts if the log has X-Forwarded-For.
	Forwarded Forwarded

	// MaxLine is the maximum length of a line in bytes. A longer line is a SyntaxError. If
	// MaxLine is 0, it is 1 MiB.
	MaxLine int

	// Progress, if it is not nil, is called with the number of bytes that were just read from a
	// log, as stored, also while other goroutines call it.
	Progress func(bytes int)
}

func (r *Reader) maxLine() int {
	if r.MaxLine > 0 {
		return r.MaxLine
	}
	return 1 << 20
}

// Open returns a scan of files, which are opened when they are read. The name "-" is the
// standard input. Files compressed with gzip, zstd, bzip2 or xz are decompressed; their names do
// not matter. Archives (zip, tar) and UTF-16 are errors.
func (r *Reader) Open(names ...string) *Scan {
	s := &Scan{reader: *r}
	for _, name := range names {
		s.logs = append(s.logs, &logInput{Log: Log{Name: name}, open: fileOpener(name)})
	}
	return s
}

// From returns a scan of one log. The name is used in messages only.
func (r *Reader) From(name string, in io.Reader) *Scan {
	open := func() (io.Reader, func() error, error) { return in, func() error { return nil }, nil }
	return &Scan{reader: *r, logs: []*logInput{{Log: Log{Name: name}, open: open}}}
}

// A Scan reads the requests of some logs, once: either Requests or Parallel may be called.
type Scan struct {
	reader Reader
	logs   []*logInput
}

// A Log describes the contents of a log.
type Log struct {
	Name string
	// Compression is "gzip", "zstd", "bzip2" or "xz", or "".
	Compression string
	// Format is the format that most of the first lines have, or nil if they have none.
	Format *Format
	// Lines = Requests + Unreadable + Empty + Comments. Comments are lines that begin with
	// "#", among them the directives of the W3C format.
	Lines, Requests, Unreadable, Empty, Comments int64
	// Forwarded counts the requests whose lines have the field X-Forwarded-For, also if it is "-".
	Forwarded int64
	// Formats counts the requests by format.
	Formats map[*Format]int64
	// Err is the error that ended the log early, or nil.
	Err error
}

// Logs describes the logs that were read. Call it after Requests or Parallel.
func (s *Scan) Logs() []Log {
	var logs []Log
	for _, l := range s.logs {
		logs = append(logs, l.Log)
	}
	return logs
}

// Requests yields the requests of the logs, in order. The error is a *[SyntaxError] for a line
// that cannot be read, and any other error if a log cannot be opened or read to its end;
// Requests then continues with the next line or the next log. A Request and its fields are valid
// until the next one.
func (s *Scan) Requests() iter.Seq2[*Request, error] {
	return func(yield func(*Request, error) bool) {
		blocks := s.queue(1)
		defer blocks.stop()
		w := newWorker(&s.reader)
		defer w.addTo()
		w.readAll(blocks, yield)
	}
}

// Parallel divides the logs among n workers at the ends of lines and calls work for each of them,
// concurrently. Each call has a part of the requests, as [Scan.Requests] yields them: together they
// have each request and each error once. Which worker has which differs from run to run. Parallel
// returns the first error that work returns, after all calls have ended.
func (s *Scan) Parallel(n int, work func(requests iter.Seq2[*Request, error]) error) error {
	blocks := s.queue(n)
	defer blocks.stop()
	errs := make([]error, n)
	workers := make([]*worker, n)
	var group sync.WaitGroup
	for i := range n {
		workers[i] = newWorker(&s.reader)
		group.Go(func() {
			errs[i] = work(func(yield func(*Request, error) bool) { workers[i].readAll(blocks, yield) })
			if errs[i] != nil {
				blocks.stop()
			}
		})
	}
	group.Wait()
	for _, w := range workers {
		w.addTo()
	}
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// A worker reads blocks. It is used by one goroutine.
type worker struct {
	reader  *Reader
	maxLine int
	request Request
	draft   draft
	failure SyntaxError
	counts  map[*logInput]*Log
}

func newWorker(r *Reader) *worker {
	w := &worker{reader: r, maxLine: r.maxLine(), counts: map[*logInput]*Log{}}
	w.draft.Request = &w.request
	return w
}

// addTo adds the worker's counts to the logs.
func (w *worker) addTo() {
	for l, counted := range w.counts {
		l.add(counted)
	}
	clear(w.counts)
}

// readAll yields the requests and errors of the blocks that it takes from a queue.
func (w *worker) readAll(blocks *queue, yield func(*Request, error) bool) {
	for b := blocks.next(); b != nil; b = blocks.next() {
		if !w.readBlock(b, yield) {
			return
		}
	}
}

// readBlock yields the requests and errors of a block. It reports whether the loop continues.
func (w *worker) readBlock(b *block, yield func(*Request, error) bool) bool {
	defer b.free()
	counts := w.counts[b.log]
	if counts == nil {
		counts = &Log{Formats: map[*Format]int64{}}
		w.counts[b.log] = counts
	}
	if b.err != nil {
		return yield(nil, b.err)
	}
	var found *Format
	var run int64 // requests in a row in the format found
	defer func() { counts.Formats[found] += run }()
	w.request.Log = b.log.Name
	lines := lineCursor{text: b.data, slash: -1}
	usual := usualHead(b.form)
	number := b.first
	if number == 0 {
		number = int(counts.Lines) + 1
	}
	for ; lines.more(); number++ {
		counts.Lines++
		w.request.Line = number
		f := b.form.format
		line := lines.next()
		if usual == nil || !lines.bare || !w.readUsual(usual, line) {
			var ok bool
			w.draft.bare = lines.bare
			if f, ok = w.readOther(line, b, counts); !ok {
				continue
			}
		}
		if f == nil {
			counts.Unreadable++
			if !yield(nil, &w.failure) {
				return false
			}
			continue
		}
		counts.Requests++
		if f != found {
			if found != nil {
				counts.Formats[found] += run
			}
			found, run = f, 0
		}
		run++
		if !yield(&w.request, nil) {
			return false
		}
	}
	return true
}

// readOther reads a line in any form. It returns its format, or nil if it cannot be read;
// w.failure then says why. It counts lines that are empty or comments, and returns false.
func (w *worker) readOther(line []byte, b *block, counts *Log) (f *Format, ok bool) {
	number := w.request.Line
	tooLong := b.tooLong || len(line) > w.maxLine
	if n := len(line); n > 0 && line[n-1] == '\r' {
		line = line[:n-1]
	}
	if len(line) == 0 || line[0] <= ' ' && len(bytes.TrimSpace(line)) == 0 {
		counts.Empty++
		return nil, false
	}
	if line[0] == '#' {
		counts.Comments++
		return nil, false
	}
	reason := "the line is longer than the maximum"
	if !tooLong {
		f, reason = w.readLine(line, b)
		if f != nil && w.draft.lists {
			counts.Forwarded++
		}
	}
	if f == nil {
		w.failure = SyntaxError{b.log.Name, number, line[:min(len(line), 1024)], reason}
	}
	return f, true
}

var (
	newline       = []byte("\n")
	byteOrderMark = []byte("\ufeff")
)

// usualHead returns the head of a format whose usual lines are nothing but a head, without an
// envelope. It returns nil for any other format.
func usualHead(f form) *head {
	if f.format == nil || f.envelope != nil {
		return nil
	}
	if t, ok := f.format.reader.(*template); ok && t.head != nil && t.head.whole {
		return t.head
	}
	return nil
}

// readUsual reads a line without a backslash into w.request if it is in the usual form, without the
// steps that only other lines need. If readUsual returns false, the line is for readOther.
func (w *worker) readUsual(h *head, line []byte) bool {
	if len(line) > w.maxLine {
		return false
	}
	var u usualLine
	end, ok := h.parse(line, &w.draft.times, &u)
	if !ok || end != len(line) && (end+1 != len(line) || line[end] != '\r') {
		return false
	}
	w.request.reset()
	u.store(&w.request)
	w.request.Time, w.request.Zoned = time.Unix(u.second, 0).UTC(), true
	w.request.Text = line[:end]
	return true
}

// readLine reads a line in the first format that can read it, and returns this format. If
// there is none, it returns the reason why the line is not in the format of its log.
func (w *worker) readLine(line []byte, b *block) (f *Format, reason string) {
	if b.form.format != nil {
		if reason = w.try(b.form, line); reason == "" {
			return b.form.format, ""
		}
		reason = b.form.format.name + ": " + reason
	}
	var inner []byte
	for i, f := range b.others {
		if i == 0 || f.envelope != b.others[i-1].envelope {
			inner = w.open(f.envelope, line)
		}
		if inner != nil && w.read(f.format, inner) == "" {
			return f.format, ""
		}
	}
	if reason == "" {
		reason = b.form.fault
	}
	if reason == "" || isPart(line) {
		reason = unknown(line)
	}
	return nil, reason
}

// A form is a format with the envelope of its lines, or nil.
type form struct {
	envelope *envelope
	format   *Format
	fault    string // why the directives of the log make no format
}

// try reads a line into w.request. It returns why it cannot, or "".
func (w *worker) try(f form, line []byte) (reason string) {
	inner := w.open(f.envelope, line)
	if inner == nil {
		return "the line has no envelope (" + f.envelope.name + ")"
	}
	return w.read(f.format, inner)
}

// open returns the line in an envelope, or nil if it has none. Without an envelope it
// returns the line.
func (w *worker) open(e *envelope, line []byte) []byte {
	w.draft.buffer, w.draft.opened, w.draft.stamped = w.draft.buffer[:0], 0, false
	if e != nil {
		line = e.open(line, &w.draft)
		w.draft.opened = len(w.draft.buffer)
	}
	return line
}

// read reads a line without an envelope into w.request. It returns why it cannot, or "".
func (w *worker) read(f *Format, line []byte) (reason string) {
	w.draft.reset()
	if reason = f.reader.read(line, &w.draft); reason == "" {
		w.request.Text = line
		reason = w.draft.finish(w.reader.Zone, w.reader.Forwarded)
	}
	return reason
}

// forms returns the forms in which lines of any log are tried: formats that say by their places or
// names what their fields are, then those that guess it, each in all envelopes.
func (r *Reader) forms() (list []form) {
	add := func(envelopes []*envelope, choose func(*Format) bool) {
		for _, e := range slices.Concat([]*envelope{nil}, envelopes) {
			for _, f := range named {
				if choose(f) {
					list = append(list, form{envelope: e, format: f})
				}
			}
		}
	}
	if len(r.Formats) > 0 {
		for _, e := range slices.Concat([]*envelope{nil}, envelopes) {
			for _, f := range r.Formats {
				list = append(list, form{envelope: e, format: f})
			}
		}
		return list
	}
	isGeneral := func(f *Format) bool { _, ok := f.reader.(general); return ok }
	add(envelopes, func(f *Format) bool { return !isGeneral(f) && f.doubt == "" })
	add(envelopes, isGeneral)
	// What stands before a name may be a part of an envelope, so these come last.
	add(envelopes, func(f *Format) bool { return f.doubt != "" })
	return list
}

// detect returns the form that reads most of the first lines of a log, the first of several. Its
// format is nil if no form reads any.
func (r *Reader) detect(text []byte, forms []form) form {
	const most = 100
	w := newWorker(r)
	var lines [][]byte
	for line := range bytes.Lines(text) {
		line = bytes.TrimRight(line, "\r\n")
		if len(line) > 0 && line[0] != '#' && len(lines) < most {
			lines = append(lines, line)
		}
	}
	best, read := form{}, 0
	for _, f := range forms {
		n := 0
		for i, line := range lines {
			if n+len(lines)-i <= read {
				break
			}
			if w.try(f, line) == "" {
				n++
			}
		}
		if n > read {
			best, read = f, n
		}
	}
	return best
}
