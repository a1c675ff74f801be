package warc

import (
	"cmp"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/robotsexclusion/robots/crawler/internal/filecheck"
)

const (
	suffix        = ".warc.gz"
	openSuffix    = ".warc.gz.open" // of a file that is being written
	journalSuffix = ".cdxj.part"    // the index of one file, in record order
	indexName     = "index.cdxj"    // the sorted index of all files
)

// A file is an archive file that is being written, with its journal: the index lines of
// this file. A line is written to the journal after its record has reached the disk. So
// the journal also tells how much of the file is complete after a crash.
type file struct {
	dir, name   string // the final name
	f, journal  *os.File
	place       filecheck.Place // of f
	size        int64           // bytes of complete members
	sum         uint32          // CRC-32C of these bytes
	synced      int64           // bytes of complete members that have reached the disk
	syncedSum   uint32          // CRC-32C of the synced bytes
	modified    time.Time       // modification time of a finished file, from the file system
	begun       time.Time
	dirty       bool // a partial member may follow the complete ones
	records     bool // the file has records besides warcinfo
	pending     []byte
	journalSize int64 // bytes of complete lines
}

// create creates a file with a warcinfo record. It fails with [fs.ErrExist] if the name
// is taken.
func create(dir, name string, warcinfo []byte) (*file, error) {
	if _, err := os.Lstat(filepath.Join(dir, name)); err == nil {
		return nil, fs.ErrExist
	}
	f := &file{dir: dir, name: name, begun: time.Now()}
	var err error
	if f.f, err = os.OpenFile(f.path(), os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o666); err != nil {
		return nil, err
	}
	if f.place, err = filecheck.Of(f.f); err == nil {
		f.journal, err = os.OpenFile(f.journalPath(), os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o666)
	}
	if err == nil {
		err = f.append(func(w io.Writer) error { _, err := w.Write(warcinfo); return err }, int64(len(warcinfo)))
	}
	if err != nil {
		f.close()
		f.remove()
		return nil, err
	}
	syncFolder(dir)
	return f, nil
}

// path returns the path of the file while it is being written.
func (f *file) path() string { return filepath.Join(f.dir, f.name+".open") }

func (f *file) journalPath() string {
	return filepath.Join(f.dir, strings.TrimSuffix(f.name, suffix)+journalSuffix)
}

// append calls write to add bytes to the end of the file. If it fails, the file is
// unchanged.
func (f *file) append(write func(io.Writer) error, size int64) error {
	if err := f.cut(); err != nil {
		return err
	}
	out := &checksumWriter{to: io.NewOffsetWriter(f.f, f.size), sum: f.sum}
	if err := write(out); err != nil {
		f.dirty = true
		return errors.Join(err, f.cut())
	}
	f.size, f.sum = f.size+size, out.sum
	return nil
}

// A checksumWriter continues a CRC-32C over the bytes that it passes on.
type checksumWriter struct {
	to  io.Writer
	sum uint32
}

func (s *checksumWriter) Write(p []byte) (int, error) {
	n, err := s.to.Write(p)
	s.sum = crc32.Update(s.sum, castagnoli, p[:n])
	return n, err
}

// cut removes the rest of a failed write after the last member.
func (f *file) cut() error {
	if f.dirty {
		if err := f.f.Truncate(f.size); err != nil {
			return err
		}
		f.dirty = false
	}
	return nil
}

// log writes the first n bytes of the pending lines to the journal.
func (f *file) log(n int) error {
	if n == 0 {
		return nil
	}
	if _, err := f.journal.WriteAt(f.pending[:n], f.journalSize); err != nil {
		return errors.Join(fmt.Errorf("write the index: %w", err), f.journal.Truncate(f.journalSize))
	}
	f.journalSize += int64(n)
	f.pending = append(f.pending[:0], f.pending[n:]...)
	return nil
}

// finish syncs the file, and gives it its final name. A file without records is removed.
// The file is closed in any case.
func (f *file) finish() error {
	if !f.records {
		return errors.Join(f.close(), f.remove())
	}
	err := cmp.Or(f.cut(), f.place.Check(), f.f.Sync())
	if err == nil {
		f.synced, f.syncedSum = f.size, f.sum
		err = cmp.Or(f.log(len(f.pending)), f.journal.Sync())
	}
	if info, statErr := f.f.Stat(); err == nil && statErr == nil {
		f.modified = info.ModTime()
	}
	if closed := f.close(); err == nil {
		err = closed
	}
	if err != nil {
		return err
	}
	if err := os.Rename(f.path(), filepath.Join(f.dir, f.name)); err != nil {
		return err
	}
	syncFolder(f.dir)
	return nil
}

// close closes the open files.
func (f *file) close() error {
	var errs []error
	for _, file := range []*os.File{f.f, f.journal} {
		if file != nil {
			errs = append(errs, file.Close())
		}
	}
	return errors.Join(errs...)
}

// remove removes the file and its journal.
func (f *file) remove() error {
	err := os.Remove(f.path())
	if gone := os.Remove(f.journalPath()); err == nil && !errors.Is(gone, fs.ErrNotExist) {
		err = gone
	}
	return err
}

// syncFolder makes new names reach the disk. Where a folder cannot be synced, as on
// Windows, the system decides how durable the names are.
func syncFolder(name string) {
	if f, err := os.Open(name); err == nil {
		f.Sync()
		f.Close()
	}
}
