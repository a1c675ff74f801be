package warc

import (
	"bytes"
	"errors"
	"io"
)

// maxAgain is the maximum number of bytes that are read again without finding a record.
// It bounds the cost of a file made to break over and over: its length plus this limit.
const maxAgain = 64 << 20

// resync searches for the next record after an error, and returns the error as damage
// with the skipped bytes.
func (r *Reader) resync(err error) error {
	var d *Damage
	if !errors.As(err, &d) || r.strict {
		r.ended = err
		return err
	}
	// The gzip member may have more records.
	if r.member && r.in == r.zin {
		if r.find(false) {
			return d
		}
		if r.src.err != nil {
			r.ended = r.sourceErr()
			return r.ended
		}
	}
	r.leave()
	if e := r.back(d.Offset + 1); e != nil {
		r.ended = e
		return e
	}
	r.find(true)
	if r.ended = r.sourceErr(); r.ended != nil {
		return r.ended
	}
	d.Skipped = r.offset() - d.Offset
	return d
}

// back seeks back in the file, if the source can seek.
func (r *Reader) back(to int64) error {
	far := r.src.n - to // includes the bytes read ahead
	if r.src.seeker == nil || to >= r.offset() || r.again+far > maxAgain+r.src.n {
		return nil
	}
	if _, err := r.src.seeker.Seek(r.src.base+to, io.SeekStart); err != nil {
		return err
	}
	r.again += far
	r.src.n = to
	r.raw.Reset(&r.src)
	return nil
}

// find moves to the probable start of a record, and reports whether it found one.
func (r *Reader) find(members bool) bool {
	for {
		window, err := r.in.Peek(maxHeader)
		if len(window) == 0 {
			return false
		}
		at := r.look(window, members)
		if at < len(window) {
			r.in.Discard(at)
			return true
		}
		if err != nil {
			r.in.Discard(len(window))
			return false
		}
		// A record may begin at the end of the window, so the end is searched again.
		r.in.Discard(len(window) - probe)
	}
}

// probe is the number of bytes needed to recognise the start of a record.
const probe = 1 << 10

// look returns the offset in the window at which a record begins, or the length of the
// window.
func (r *Reader) look(window []byte, members bool) int {
	for i, c := range window {
		switch {
		case c == 'W' && !r.arc:
			if line, _, ok := bytes.Cut(window[i:min(i+12, len(window))], []byte("\n")); ok &&
				isVersion(string(bytes.TrimRight(line, "\r"))) {
				return i
			}
		case c == gzipMagic[0] && members:
			if r.isMember(window[i:min(i+probe, len(window))]) {
				return i
			}
		case c == '\n' && r.arc:
			if line, _, ok := bytes.Cut(window[i+1:min(i+1+probe, len(window))], []byte("\n")); ok && isARCLine(line) {
				return i + 1
			}
		}
	}
	return len(window)
}

// isMember reports whether b begins with a gzip member that begins with a record.
func (r *Reader) isMember(b []byte) bool {
	if len(b) < 18 || b[1] != gzipMagic[1] || b[2] != 8 || b[3]&0xe0 != 0 {
		return false
	}
	if r.gzip.Reset(bytes.NewReader(b)) != nil {
		return false
	}
	var begin [9]byte
	n, _ := io.ReadFull(&r.gzip, begin[:])
	if r.arc {
		return n == len(begin) && isARCStart(begin[:])
	}
	return n == len(begin) && bytes.HasPrefix(begin[:], []byte("WARC/"))
}

// isARCStart reports whether a record of ARC may begin with these bytes.
func isARCStart(b []byte) bool {
	i := bytes.IndexByte(b, ':')
	return i > 1 && bytes.IndexByte(b[:i], ' ') < 0
}

// isARCLine reports whether a line is the header line of an ARC record.
func isARCLine(line []byte) bool {
	words := bytes.Split(bytes.TrimRight(line, "\r"), []byte(" "))
	n := len(words)
	return n >= 5 && isARCStart(words[0]) && (isStamp(string(words[n-3])) || n >= 10 && isStamp(string(words[n-8])))
}
