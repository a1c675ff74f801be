package warc

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// A repair describes the repair of a file that another process had left open.
type repair struct {
	File    string // base name after the repair; "" if the file had no record
	Size    int64  // bytes of the file
	Cut     int64  // bytes of an unfinished record cut off the end
	Indexed int    // entries added to its index
}

// repairFolder repairs the files of a folder that were left open.
func repairFolder(dir string) (repairs []repair, err error) {
	left, err := filepath.Glob(filepath.Join(globQuote(dir), "*"+openSuffix))
	if err != nil {
		return nil, err
	}
	for _, path := range left {
		r, err := repairFile(dir, strings.TrimSuffix(filepath.Base(path), ".open"))
		if err != nil {
			return repairs, fmt.Errorf("repair %s: %w", path, err)
		}
		repairs = append(repairs, r)
	}
	return repairs, nil
}

// repairFile cuts off an incomplete record, indexes the rest, and gives the file its
// final name. If the process is killed during the repair, the repair can be repeated.
func repairFile(dir, name string) (r repair, err error) {
	f := &file{dir: dir, name: name}
	defer func() { f.close() }()
	if info, err := os.Lstat(f.path()); err != nil {
		return r, err
	} else if !info.Mode().IsRegular() {
		return r, errors.New("it is not a file: move it away")
	}
	if _, err := os.Lstat(filepath.Join(dir, name)); err == nil {
		return r, fmt.Errorf("there is also a file %s: move one of them away", name)
	}
	if f.f, err = os.OpenFile(f.path(), os.O_RDWR, 0); err != nil {
		return r, err
	}
	if f.journal, err = os.OpenFile(f.journalPath(), os.O_RDWR|os.O_CREATE, 0o666); err != nil {
		return r, err
	}
	info, err := f.f.Stat()
	if err != nil {
		return r, err
	}
	// A record must be on the disk before its line is in the journal.
	if err := f.f.Sync(); err != nil {
		return r, err
	}
	if r.Indexed, err = f.measure(info.Size()); err != nil {
		return r, err
	}
	r.Size, r.Cut = f.size, info.Size()-f.size
	f.dirty = r.Cut > 0
	if f.records {
		r.File = name
	}
	return r, cmp.Or(f.journal.Truncate(f.journalSize), f.finish())
}

// measure finds out how much of the file is complete, and queues the missing lines of its
// journal.
func (f *file) measure(size int64) (indexed int, err error) {
	from, err := f.known(size)
	if err != nil {
		return 0, err
	}
	return f.scan(from, size)
}

// known returns the offset up to which the file is complete and indexed, according to the
// journal, or 0 if the journal has no valid line.
func (f *file) known(size int64) (int64, error) {
	info, err := f.journal.Stat()
	if err != nil {
		return 0, err
	}
	tail := make([]byte, min(info.Size(), 2*maxLine))
	if _, err := f.journal.ReadAt(tail, info.Size()-int64(len(tail))); err != nil && err != io.EOF {
		return 0, err
	}
	whole := bytes.LastIndexByte(tail, '\n') + 1
	torn := int64(len(tail) - whole)
	if tail = tail[:whole]; whole == 0 {
		return 0, nil
	}
	_, c, err := ParseCDXJ(tail[bytes.LastIndexByte(tail[:whole-1], '\n')+1:])
	if err != nil || c.File != f.name || c.Length == 0 || c.Offset > size-c.Length {
		return 0, nil
	}
	// The journal is right if the record can be read at that place.
	if ok, err := f.holds(c); !ok {
		return 0, err
	}
	f.records = true
	f.journalSize = info.Size() - torn
	return c.Offset + c.Length, nil
}

// holds reports whether the file has the record of a capture at its offset.
func (f *file) holds(c Capture) (bool, error) {
	rd := f.reader(c.Offset, c.Offset+c.Length)
	rec, err := rd.Next()
	if err != nil {
		return false, rd.src.err
	}
	length, err := rec.Length()
	return err == nil && length == c.Length && escapedURI(rec.URL()) == c.URL, rd.src.err
}

// scan reads the file from an offset to the last complete record, and queues the index
// lines of the records. It sets the size of the file to the end of that record.
func (f *file) scan(from, size int64) (indexed int, err error) {
	f.size = from
	rd := f.reader(from, size)
	for {
		var c Capture
		var ok bool
		rec, err := rd.Next()
		if err == nil {
			c, ok, err = rec.Capture(f.name)
		}
		var broken *Damage
		switch {
		case err == io.EOF, errors.As(err, &broken), err == nil && rec.length == 0:
			return indexed, nil
		case err != nil:
			return indexed, err
		}
		f.size = rec.Offset + rec.length
		f.records = f.records || rec.Type() != typeWarcinfo
		if !ok {
			continue
		}
		indexed++
		f.pending = append(c.appendCDXJ(f.pending), '\n')
		if len(f.pending) > maxLine {
			if err := f.log(len(f.pending)); err != nil {
				return indexed, err
			}
		}
	}
}

// reader returns a strict reader of a part of the file, with offsets of the whole file.
func (f *file) reader(from, to int64) *Reader {
	rd := NewReader(io.NewSectionReader(f.f, from, to-from))
	rd.strict, rd.src.n = true, from
	return rd
}
