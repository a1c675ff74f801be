package feed

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// positionName is the file in the folder of the index that has the position: who
// removes the index removes it too.
const positionName = "position.json"

// maxPosition is how many bytes of it are read.
const maxPosition = 1 << 20

// A position says up to where results are indexed. The zero position is their start.
type position struct {
	Offset int64  `json:"offset"` // of the end of a line, in bytes
	Before string `json:"before"` // the digest of what stands before it, by which another file is known

	// What else the next Feeder wants to know: Options, where they were not empty.
	Results string   `json:"results,omitempty"`
	Robot   []string `json:"robot,omitempty"`
}

// readPosition reads the position that was kept in a folder. It is the zero one where
// there is none.
func readPosition(dir string) (p position, err error) {
	name := filepath.Join(dir, positionName)
	f, _, err := openRegular(name)
	if errors.Is(err, fs.ErrNotExist) {
		return p, nil
	}
	if err != nil {
		return p, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxPosition))
	if err != nil {
		return p, err
	}
	if err := json.Unmarshal(text, &p); err != nil || p.Offset < 0 {
		return position{}, fmt.Errorf("%s has no position in it", name)
	}
	return p, nil
}

// write keeps the position in a folder: this one or the one before is there, whenever
// the process is killed or the power fails.
func (p position) write(dir string) (err error) {
	text, err := json.Marshal(p)
	if err != nil {
		return err
	}
	name := filepath.Join(dir, positionName)
	f, err := os.Create(name + ".new")
	if err != nil {
		return err
	}
	if _, err = f.Write(append(text, '\n')); err == nil {
		err = f.Sync()
	}
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	if err == nil {
		err = os.Rename(name+".new", name)
	}
	if err != nil {
		os.Remove(name + ".new")
	}
	return err
}

// isIn reports whether this is a position of a file.
func (p position) isIn(in io.ReaderAt, size int64) (bool, error) {
	if p.Offset == 0 || p.Before == "" || p.Offset > size {
		return p.Offset == 0, nil
	}
	sum, err := before(in, p.Offset)
	return sum == p.Before, err
}

// known is how many bytes before a position are looked at.
const known = 4 << 10

// before returns the digest of what stands before an offset. Each line has the time
// of its visit, so that no other file of results has the same there.
func before(in io.ReaderAt, offset int64) (string, error) {
	h := sha256.New()
	from := max(0, offset-known)
	n, err := io.Copy(h, io.NewSectionReader(in, from, offset-from))
	if err == nil && n != offset-from {
		err = io.ErrUnexpectedEOF
	}
	return hex.EncodeToString(h.Sum(nil)), err
}
