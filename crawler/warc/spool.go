package warc

import (
	"io"
	"os"
)

// tempPattern is the name of temporary files in the folder of a Writer.
const tempPattern = "spool-*.tmp"

// A spool stores bytes: up to a limit in memory, and beyond it all of them in a temporary
// file. It is read after all bytes have been written.
type spool struct {
	dir   string // folder of the temporary file
	limit int    // maximum bytes in memory
	mem   []byte
	file  *os.File // nil while memory suffices
	size  int64
}

// reset empties the spool for reuse.
func (s *spool) reset(dir string, limit int) {
	s.discard()
	s.dir, s.limit = dir, limit
}

// discard removes the temporary file and allows reuse of the memory.
func (s *spool) discard() {
	if s.file != nil {
		s.file.Close()
		os.Remove(s.file.Name())
	}
	s.file, s.mem, s.size = nil, s.mem[:0], 0
}

// Write implements [io.Writer].
func (s *spool) Write(p []byte) (n int, err error) {
	if s.file == nil && len(s.mem)+len(p) > s.limit {
		if s.file, err = os.CreateTemp(s.dir, tempPattern); err != nil {
			return 0, err
		}
		if _, err := s.file.Write(s.mem); err != nil {
			return 0, err
		}
		s.mem = s.mem[:0]
	}
	if s.file == nil {
		s.mem = append(s.mem, p...)
		n = len(p)
	} else {
		n, err = s.file.Write(p)
	}
	s.size += int64(n)
	return n, err
}

// copyTo writes the contents of the spool to w.
func (s *spool) copyTo(w io.Writer) error {
	if s.file == nil {
		_, err := w.Write(s.mem)
		return err
	}
	if _, err := s.file.Seek(0, io.SeekStart); err != nil {
		return err
	}
	n, err := io.Copy(w, s.file)
	if err == nil && n != s.size {
		err = io.ErrUnexpectedEOF // the temporary file was truncated
	}
	return err
}
