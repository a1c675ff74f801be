package userfile

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// errFolder is the error for writing to the name of a folder.
var errFolder = errors.New("it is a directory: name a file")

// Replace replaces the text of a user's file, completely or not at all. The mode stays.
// For a link, Replace replaces the target and keeps the link.
func Replace(name, text string) error {
	if target, err := filepath.EvalSymlinks(name); err == nil {
		name = target
	}
	mode := fs.FileMode(0o644)
	if info, err := os.Stat(name); err == nil {
		mode = info.Mode().Perm()
	}
	return Put(name, text, mode, true)
}

// Put writes a file, completely or not at all. If sync is set, the text is on the disk
// before the file gets its name.
func Put(name, text string, mode fs.FileMode, sync bool) error {
	return Write(name, mode, sync, func(w io.Writer) error {
		_, err := io.WriteString(w, text)
		return err
	})
}

// Write writes a file as Put does, with what a function writes. If the function returns an error,
// there is no file.
func Write(name string, mode fs.FileMode, sync bool, write func(io.Writer) error) error {
	if info, err := os.Stat(name); err == nil && info.IsDir() {
		return errFolder
	}
	f, err := os.CreateTemp(filepath.Dir(name), ".robots-*.tmp")
	if err != nil {
		return err
	}
	err = write(f)
	if err == nil {
		err = f.Chmod(mode)
	}
	if err == nil && sync {
		err = f.Sync()
	}
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	if err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return err
}
