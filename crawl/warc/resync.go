package warc

import (
	"bytes"
	"errors"
	"io"
)

// maxAgain is how many bytes are read more than once for nothing in return. A file
// that is made to break over and over costs no more than that and its length.
const maxAgain = 64 << 20

// resync looks for the next record after an error, and returns it with what was
// skipped.
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

// back goes back in the file, if it can.
func (r *Reader) back(to int64) error {
	far := r.src.n - to // what has been read ahead is read again too
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

// find goes on to where a record begins, as far as can be seen, and reports whether
// there is one.
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
		// What begins at the end of the window is looked at once more.
		r.in.Discard(len(window) - probe)
	}
}

// probe is how many bytes are looked at to tell whether a record begins there.
const probe = 1 << 10

// look returns where in the window a record begins, or its length.
func (r *Reader) look(window []byte, members bool) int {
	for i, c := range window {
		switch {
		case c == 'W' && !r.arc:
			if line, _, ok := bytes.Cut(window[i:min(i+12, len(window))], []byte("\n")); ok && isVersion(string(bytes.TrimRight(line, "\r"))) {
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

// isMember reports whether a gzip member begins here in which a record begins.
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

// isARCLine reports whether a line is one before a record of ARC.
func isARCLine(line []byte) bool {
	words := bytes.Split(bytes.TrimRight(line, "\r"), []byte(" "))
	n := len(words)
	return n >= 5 && isARCStart(words[0]) && (isStamp(string(words[n-3])) || n >= 10 && isStamp(string(words[n-8])))
}
