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

// positionName is the position file in the folder of the index. Removing the index also
// removes this file.
const positionName = "position.json"

// maxPosition limits the bytes read from the position file.
const maxPosition = 1 << 20

// A position is the end of the indexed results. The zero position is the start of the
// results.
type position struct {
	Offset int64  `json:"offset"` // offset of the end of a line, in bytes
	Before string `json:"before"` // digest of the bytes before the offset, which identifies the file

	// Further data for the next Feeder: the non-empty Options.
	Results string   `json:"results,omitempty"`
	Robot   []string `json:"robot,omitempty"`
}

// readPosition reads the position from a folder. It returns the zero position if there
// is none.
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

// write saves the position in a folder atomically: after a kill or a power failure the
// folder has this position or the one before.
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

// isIn reports whether the position is from this file.
func (p position) isIn(in io.ReaderAt, size int64) (bool, error) {
	if p.Offset == 0 || p.Before == "" || p.Offset > size {
		return p.Offset == 0, nil
	}
	sum, err := before(in, p.Offset)
	return sum == p.Before, err
}

// known limits the bytes before a position that the digest covers.
const known = 4 << 10

// before returns the digest of the bytes before an offset. Each line has the time of
// its visit, so no other results file has the same bytes there.
func before(in io.ReaderAt, offset int64) (string, error) {
	h := sha256.New()
	from := max(0, offset-known)
	n, err := io.Copy(h, io.NewSectionReader(in, from, offset-from))
	if err == nil && n != offset-from {
		err = io.ErrUnexpectedEOF
	}
	return hex.EncodeToString(h.Sum(nil)), err
}
