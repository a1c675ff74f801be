package warc

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/klauspost/compress/gzip"

	"github.com/robotsexclusion/robots/internal/printable"
)

// A Reader reads the records of a file, one after the other, in bounded memory. It reads
// WARC and ARC of all versions, plain or compressed, with one gzip member a record or one
// for all.
//
// A Reader is lenient: it accepts lines that end with LF only, missing or additional
// empty lines between records, and header fields of any form.
type Reader struct {
	src  source
	raw  *bufio.Reader // bytes of the file
	in   *bufio.Reader // bytes of records: raw, or the contents of a gzip member
	gzip gzip.Reader
	zin  *bufio.Reader // over gzip

	member  bool  // in is zin, within a gzip member
	start   int64 // offset of the member in the file
	records int   // records that began in the member
	arc     bool  // the file is ARC
	begun   bool  // the first record has been looked for
	strict  bool  // no search for records after damage
	again   int64 // bytes read more than once

	record *Record
	ended  error // all later calls of Next return this error
	buf    []byte
}

// NewReader returns a Reader of a file. If the source is an [io.Seeker], such as an
// [os.File], the Reader also finds records inside a damaged one.
func NewReader(r io.Reader) *Reader {
	rd := &Reader{src: source{r: r}}
	if s, ok := r.(io.Seeker); ok {
		if at, err := s.Seek(0, io.SeekCurrent); err == nil {
			rd.src.seeker, rd.src.base = s, at
		}
	}
	rd.raw = bufio.NewReaderSize(&rd.src, maxHeader)
	rd.in = rd.raw
	return rd
}

// A source counts the bytes read from a file.
type source struct {
	r      io.Reader
	seeker io.Seeker // nil if the source cannot seek
	base   int64     // position at which the file began
	n      int64     // bytes read from base on
	err    error     // read error other than io.EOF
}

// Read implements [io.Reader].
func (s *source) Read(p []byte) (int, error) {
	n, err := s.r.Read(p)
	s.n += int64(n)
	if err != nil && err != io.EOF {
		s.err = err
	}
	return n, err
}

// offset returns the current offset in the file.
func (r *Reader) offset() int64 { return r.src.n - int64(r.raw.Buffered()) }

// sourceErr returns the read error of the source, or nil. It is not damage of the file.
func (r *Reader) sourceErr() error {
	if r.src.err != nil {
		return fmt.Errorf("read at offset %d: %w", r.src.n, r.src.err)
	}
	return nil
}

// scratch returns a buffer to read into.
func (r *Reader) scratch() []byte {
	if r.buf == nil {
		r.buf = make([]byte, 32<<10)
	}
	return r.buf
}

// Next moves to the next record. At the end of the file it returns [io.EOF].
//
// If the error is a [*Damage], the file is damaged there, and the error says how much was
// skipped. Next can be called again: it continues after the damage. A record found there
// may have been part of the damaged record: an archive may contain archives.
func (r *Reader) Next() (*Record, error) {
	if r.ended != nil {
		return nil, r.ended
	}
	if last := r.record; last != nil {
		if _, err := last.Length(); err != nil {
			r.record = nil
			return nil, r.resync(err)
		}
		r.record = nil
	}
	record, err := r.next()
	switch {
	case err == io.EOF:
		r.ended = io.EOF
		return nil, io.EOF
	case err != nil:
		return nil, r.resync(err)
	}
	r.record = record
	return record, nil
}

// next reads the header of the next record. Its error is io.EOF, a Damage or an error of
// the source.
func (r *Reader) next() (*Record, error) {
	for {
		_, err := r.skipEmpty()
		if err == nil && (r.member || !r.atMember()) {
			break
		}
		switch {
		case err == nil:
			err = r.enter()
		case err == io.EOF && r.member:
			err = nil
			r.leave()
		}
		if err != nil {
			return nil, r.broken(err)
		}
	}
	rec := &Record{r: r, Offset: r.start, first: r.member && r.records == 0}
	if !r.member {
		rec.Offset = r.offset()
	}
	r.records++
	if !r.begun {
		r.begun = true
		name, _ := r.in.Peek(len("filedesc:"))
		r.arc = string(name) == "filedesc:"
	}
	var err error
	if r.arc {
		err = r.arcHeader(rec)
	} else {
		err = r.header(rec)
	}
	if err != nil {
		if err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		if e := r.sourceErr(); e != nil {
			return nil, e
		}
		return nil, &Damage{Offset: rec.Offset, Err: err}
	}
	rec.rest = rec.Size
	return rec, nil
}

// broken returns a Damage for an error between records, other than the end of the file.
func (r *Reader) broken(err error) error {
	if e := r.sourceErr(); e != nil {
		return e
	}
	if err == io.EOF {
		return err
	}
	at := r.offset()
	if r.member {
		at = r.start
	}
	return &Damage{Offset: at, Err: err}
}

var gzipMagic = []byte{0x1f, 0x8b}

// atMember reports whether a gzip member begins here.
func (r *Reader) atMember() bool {
	magic, _ := r.raw.Peek(len(gzipMagic))
	return bytes.Equal(magic, gzipMagic)
}

// enter enters the gzip member that begins here.
func (r *Reader) enter() (err error) {
	r.start, r.records, r.member = r.offset(), 0, true
	if err = r.gzip.Reset(r.raw); err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	if err != nil {
		return err
	}
	r.gzip.Multistream(false)
	if r.zin == nil {
		r.zin = bufio.NewReaderSize(&r.gzip, maxHeader)
	} else {
		r.zin.Reset(&r.gzip)
	}
	r.in = r.zin
	return nil
}

// follow enters the next gzip member, if the current one ends within a record: some
// writers begin a new member for the block. It reports whether the record continues
// there.
func (r *Reader) follow() bool {
	if !r.member || !r.atMember() {
		return false
	}
	begin, _ := r.raw.Peek(probe)
	if r.isMember(begin) {
		return false // the next record: this one is incomplete
	}
	start, records := r.start, r.records
	err := r.enter()
	r.start, r.records = start, records
	return err == nil
}

// leave leaves the gzip member.
func (r *Reader) leave() { r.in, r.member = r.raw, false }

// skipEmpty skips line ends, and returns their number.
func (r *Reader) skipEmpty() (lines int, err error) {
	for {
		b, err := r.in.Peek(1)
		switch {
		case len(b) == 0:
			return lines, err
		case b[0] == '\n':
			lines++
		case b[0] != '\r':
			return lines, nil
		}
		r.in.Discard(1)
	}
}

// header reads the version and the header of a record of WARC.
func (r *Reader) header(rec *Record) error {
	left := maxHeader
	line, err := r.line(&left)
	if err != nil && (err != io.EOF || strings.HasPrefix("WARC/1.1", line)) {
		return err
	}
	rec.Version = strings.TrimSpace(line)
	if !isVersion(rec.Version) {
		return fmt.Errorf("it begins with %s and not with a version such as WARC/1.1",
			printable.Quoted(rec.Version, 40))
	}
	var lines []string
	another := false
	for {
		if line, err = r.line(&left); err != nil {
			return err
		}
		if line = strings.TrimRight(line, "\r\n"); line == "" {
			break
		}
		if i := strings.LastIndex(line, "WARC/"); i >= 0 && isVersion(line[i:]) {
			another = true
		}
		lines = append(lines, line)
	}
	rec.Header = parseHeader(lines)
	if another && rec.Header.torn() {
		return errors.New("another record begins in its header")
	}
	length := rec.Header.Get("Content-Length")
	size, err := strconv.ParseUint(length, 10, 63)
	if err != nil {
		return fmt.Errorf("its Content-Length is %s and not a number of bytes", printable.Quoted(length, 40))
	}
	rec.Size = int64(size)
	return nil
}

var errLongHeader = fmt.Errorf("its header has more than %d bytes", maxHeader)

// line reads one line of a header.
func (r *Reader) line(left *int) (string, error) {
	line, err := r.in.ReadSlice('\n')
	if *left -= len(line); *left < 0 || err == bufio.ErrBufferFull {
		return "", errLongHeader
	}
	return string(line), err
}

// isVersion reports whether a line is the version line of a record.
func isVersion(line string) bool {
	version, ok := strings.CutPrefix(line, "WARC/")
	major, minor, dotted := strings.Cut(version, ".")
	for _, c := range []byte(major + minor) {
		ok = ok && '0' <= c && c <= '9'
	}
	return ok && dotted && len(major) == 1 && len(minor) >= 1 && len(minor) <= 2
}

// end reads the bytes between a block and the next record, and sets the length of the
// record.
func (r *Reader) end(rec *Record) error {
	lines, err := r.skipEmpty()
	switch {
	case r.src.err != nil:
		return r.src.err
	case err != nil && err != io.EOF:
		return err // the checksum of the gzip member does not match
	case r.member && err == io.EOF:
		r.leave()
		if rec.first {
			rec.length = r.offset() - rec.Offset
		}
		return nil
	case r.member: // the member has other records too
	case err == nil, err == io.EOF:
		rec.length = r.offset() - rec.Offset
		if err == io.EOF {
			return nil
		}
	}
	if next, _ := r.in.Peek(5); lines < 2 && !r.begins(next) {
		return errors.New("no record begins after it: its Content-Length is wrong, or it was not written to its end")
	}
	return nil
}

// begins reports whether a record may begin with these bytes.
func (r *Reader) begins(next []byte) bool {
	if r.arc {
		return true // ARC begins with a URL: any bytes are possible
	}
	if !r.member && bytes.HasPrefix(next, gzipMagic) {
		return true
	}
	return bytes.HasPrefix(next, []byte("WARC/"))
}
