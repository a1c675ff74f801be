package fetch

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"time"
)

// openRegular opens a regular file. Reading anything else, such as a pipe, might never end.
func openRegular(name string) (*os.File, error) {
	info, err := os.Lstat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is %w: it is not a file", name, ErrCorrupt)
	}
	return os.Open(name)
}

// readFile reads a file of at most max bytes.
func readFile(name string, max int64) ([]byte, error) {
	f, err := openRegular(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if info.Size() > max {
		return nil, fmt.Errorf("%s is %w: it has more than %d bytes", name, ErrCorrupt, max)
	}
	data := make([]byte, info.Size())
	_, err = io.ReadFull(f, data)
	return data, err
}

// path returns the path of a file or a folder in d, such as "tmp", the folder of files that are
// being written.
func (d Dir) path(name string) string { return filepath.Join(string(d), name) }

// replace writes a file and renames it over any existing one, atomically: a reader sees either the
// whole old file or the whole new one, also after a crash.
func (d Dir) replace(name string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		return err
	}
	temp, err := d.writeTemp(data)
	if err != nil {
		return err
	}
	if err := rename(temp, name); err != nil {
		os.Remove(temp)
		return err
	}
	return nil
}

// writeTemp writes a temporary file, to be renamed, and returns its path.
func (d Dir) writeTemp(data []byte) (name string, err error) {
	name = filepath.Join(d.path("tmp"), rand.Text())
	if err := writeFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, data); err != nil {
		os.Remove(name)
		return "", err
	}
	return name, nil
}

// writeFile writes data with one write and syncs the file.
func writeFile(name string, flag int, data []byte) error {
	f, err := os.OpenFile(name, flag, 0o666)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err == nil {
		err = f.Sync()
	}
	if closed := f.Close(); err == nil {
		err = closed
	}
	return err
}

// rename is os.Rename. Windows cannot replace a file that is open for reading, so there rename
// retries for half a second.
func rename(from, to string) error {
	err := os.Rename(from, to)
	for tries := 0; err != nil && runtime.GOOS == "windows" && errors.Is(err, fs.ErrPermission) && tries < 50; tries++ {
		time.Sleep(10 * time.Millisecond)
		err = os.Rename(from, to)
	}
	return err
}

// syncFolder syncs a folder, so that a rename survives a crash. Where folders cannot be synced,
// as on Windows, the rename is as safe as the system makes it.
func syncFolder(name string) {
	if f, err := os.Open(name); err == nil {
		f.Sync()
		f.Close()
	}
}

// sweep removes leftovers of killed processes that are older than an hour. Errors are ignored:
// a later call tries again.
func (d Dir) sweep() {
	left, err := os.ReadDir(d.path("tmp"))
	if err != nil {
		return
	}
	for _, file := range left {
		if info, err := file.Info(); err == nil && time.Since(info.ModTime()) > time.Hour {
			os.Remove(filepath.Join(d.path("tmp"), file.Name()))
		}
	}
}
