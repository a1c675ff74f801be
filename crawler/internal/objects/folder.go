package objects

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// A folder keeps each object in a file, and beside it the SHA-256 in a file of the form of
// sha256sum. Symbolic links do not lead out of the folder.
type folder struct {
	root *os.Root
	dir  string
}

const (
	sumSuffix     = ".sha256"
	partialPrefix = ".partial-"
	// staleAfter is the age of a partial file whose process must have ended.
	staleAfter = 24 * time.Hour
)

func openFolder(dir string) (*folder, error) {
	root, err := os.OpenRoot(filepath.FromSlash(dir))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		// An empty folder in place of a bucket that is not mounted would take everything.
		return nil, errors.New("there is no such folder: create it, or mount it")
	case err != nil:
		return nil, fmt.Errorf("the folder cannot be opened: %w", err)
	}
	f := &folder{root, dir}
	entries, err := fs.ReadDir(root.FS(), ".")
	if err != nil {
		root.Close()
		return nil, fmt.Errorf("the folder cannot be read: %w", err)
	}
	for _, e := range entries {
		info, err := e.Info()
		if err == nil && strings.HasPrefix(e.Name(), partialPrefix) && time.Since(info.ModTime()) > staleAfter {
			root.Remove(e.Name())
		}
	}
	return f, nil
}

// explain says what to do about an error.
func (f *folder) explain(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT):
		return permanent{fmt.Errorf("the folder is full: make room there: %w", err)}
	case errors.Is(err, fs.ErrPermission):
		return permanent{fmt.Errorf("this user may not use the folder: change its rights: %w", err)}
	}
	return err
}

func (f *folder) put(_ context.Context, info Info, content io.Reader) error {
	return f.explain(f.putFile(info, content))
}

func (f *folder) putFile(info Info, content io.Reader) error {
	if has, err := f.stat(info.Name); err == nil {
		return same(has, info)
	} else if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := f.root.MkdirAll(path.Dir(info.Name), 0o777); err != nil {
		return err
	}
	// The sum comes first: an object is there when it has one.
	line := strings.NewReader(info.Sum + "  " + path.Base(info.Name) + "\n")
	if err := f.write(info.Name+sumSuffix, line); err != nil {
		return err
	}
	return f.write(info.Name, content)
}

// write writes a file under another name, and renames it when it is on the disk.
func (f *folder) write(name string, content io.Reader) error {
	partial := partialPrefix + rand.Text()
	to, err := f.root.OpenFile(partial, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	_, err = io.Copy(to, content)
	if err == nil {
		err = to.Sync()
	}
	if closed := to.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = f.root.Rename(partial, name)
	}
	if err != nil {
		f.root.Remove(partial)
		return err
	}
	if d, err := f.root.Open(path.Dir(name)); err == nil {
		d.Sync() // where a folder can be synced
		d.Close()
	}
	return nil
}

// stat returns what is known of an object.
func (f *folder) stat(name string) (info Info, err error) {
	file, err := f.root.Stat(name)
	if err != nil {
		return info, err
	}
	if !file.Mode().IsRegular() {
		return info, permanent{errors.New("it is not a file")}
	}
	line, err := f.root.ReadFile(name + sumSuffix)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return info, err
	}
	sum, _, _ := strings.Cut(string(line), " ")
	return Info{name, file.Size(), sum}, nil
}

func (f *folder) get(_ context.Context, name string) (io.ReadCloser, Info, error) {
	info, err := f.stat(name)
	if err != nil {
		return nil, info, f.explain(err)
	}
	file, err := f.root.Open(name)
	return file, info, f.explain(err)
}

func (f *folder) list(ctx context.Context, prefix string, fn func(Info) error) error {
	from := "."
	if prefix != "" {
		from = strings.TrimSuffix(prefix, "/")
	}
	return f.explain(fs.WalkDir(f.root.FS(), from, func(name string, e fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrNotExist): // it was deleted meanwhile, or there is nothing
			return nil
		case err != nil:
			return err
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case !e.Type().IsRegular():
			return nil
		}
		info, err := e.Info()
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			return err
		}
		return fn(Info{Name: name, Size: info.Size()})
	}))
}

func (f *folder) delete(_ context.Context, name string) error {
	for _, name := range []string{name, name + sumSuffix} {
		if err := f.root.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return f.explain(err)
		}
	}
	return nil
}

func (f *folder) close() error { return f.root.Close() }
