package download

import (
	"bytes"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"
	"sync"
)

// A Body holds bytes in memory or, if there are many, in a temporary file. The zero
// Body is empty. A Body is immutable and safe for concurrent use until its exchange is
// closed.
type Body struct {
	mem  []byte
	file *os.File // holds all bytes, if not nil
	name string   // of the file, while it must still be removed
	size int64
}

// Size returns the number of bytes.
func (b *Body) Size() int64 { return b.size }

// Reader returns a new reader of all bytes. The reader is an [io.ReadSeeker] and
// [io.ReaderAt] too.
func (b *Body) Reader() io.Reader {
	if b.file != nil {
		return io.NewSectionReader(b.file, 0, b.size)
	}
	return bytes.NewReader(b.mem)
}

// Bytes returns all bytes. Do not modify them. The bytes of a temporary file are read
// into memory. Bytes that were in memory stay valid after the exchange is closed.
func (b *Body) Bytes() ([]byte, error) {
	if b.file == nil {
		return b.mem, nil
	}
	all := make([]byte, b.size)
	if _, err := io.ReadFull(b.Reader(), all); err != nil {
		return nil, fmt.Errorf("download: read a temporary file: %w", err)
	}
	return all, nil
}

// close removes the temporary file.
func (b *Body) close() error {
	if b.file == nil {
		return nil
	}
	err := b.file.Close()
	if b.name != "" {
		if e := os.Remove(b.name); err == nil {
			err = e
		}
	}
	b.file, b.name, b.size = nil, "", 0
	return err
}

// discard removes the temporary files of a failed exchange.
func (v *visit) discard() {
	if v.Body != nil {
		v.Close()
	}
}

// A spool writes a body.
type spool struct {
	*Body
	dir    string
	memory int
}

// spool returns a writer for a body. A size hint, or -1, saves allocations.
func (c *Client) spool(b *Body, hint int64) *spool {
	s := &spool{Body: b, dir: c.Dir, memory: c.Memory}
	if s.memory == 0 {
		s.memory = defaultMemory
	}
	if hint > 0 { // the size is a claim of the server, so it is limited
		b.mem = make([]byte, 0, min(hint, 64<<10, int64(s.memory)))
	}
	return s
}

// A localError means that this machine could not keep a body.
type localError struct{ err error }

// Error returns the cause of the failed write to a temporary file.
func (e *localError) Error() string { return "keep the body in a temporary file: " + e.err.Error() }

// Unwrap returns the cause.
func (e *localError) Unwrap() error { return e.err }

// Write implements [io.Writer].
func (s *spool) Write(p []byte) (int, error) {
	if s.file == nil && len(s.mem)+len(p) > s.memory {
		if err := s.open(); err != nil {
			return 0, &localError{err}
		}
	}
	if s.file == nil {
		s.mem = append(s.mem, p...)
	} else if _, err := s.file.Write(p); err != nil {
		return 0, &localError{err}
	}
	s.size += int64(len(p))
	return len(p), nil
}

// open moves the bytes to a temporary file. If the system allows, the file loses its
// name at once, so nothing is left of it even if the process is killed.
func (s *spool) open() error {
	file, err := os.CreateTemp(s.dir, "download-*.tmp")
	if err != nil {
		return err
	}
	s.file = file
	if os.Remove(file.Name()) != nil {
		s.name = file.Name()
	}
	_, err = file.Write(s.mem)
	s.mem = nil
	return err
}

var buffers = sync.Pool{New: func() any { return new([32 << 10]byte) }}

// copyAll copies a body into a spool and into a hash, which may be nil. It returns nil
// at the end of the body.
func copyAll(into *spool, sum hash.Hash, from io.Reader) error {
	buffer := buffers.Get().(*[32 << 10]byte)
	defer buffers.Put(buffer)
	for idle := 0; idle < 100; idle++ {
		n, err := from.Read(buffer[:])
		if n > 0 {
			idle = 0
			if _, err := into.Write(buffer[:n]); err != nil {
				return err
			}
			if sum != nil {
				sum.Write(buffer[:n])
			}
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
	return io.ErrNoProgress
}

// errLength ends a body at one of the client's limits in bytes.
var errLength = errors.New("it is larger than a limit of the client")

// A limitedReader reads at most a number of bytes, and returns errLength if there are more.
type limitedReader struct {
	src  io.Reader
	left int64
}

// Read implements [io.Reader].
func (l *limitedReader) Read(p []byte) (int, error) {
	if int64(len(p)) > l.left+1 { // one byte more shows whether the body is longer
		p = p[:l.left+1]
	}
	n, err := l.src.Read(p)
	if int64(n) > l.left {
		n, err = int(l.left), errLength
	}
	l.left -= int64(n)
	return n, err
}
