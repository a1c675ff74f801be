package main

import (
	"io/fs"
	"os"
	"path/filepath"
)

// replaceFile gives a file of the user another text, whole or not at all. Its mode
// stays, and what a link leads to is replaced, not the link.
func replaceFile(name, text string) error {
	if target, err := filepath.EvalSymlinks(name); err == nil {
		name = target
	}
	mode := fs.FileMode(0o644)
	if info, err := os.Stat(name); err == nil {
		mode = info.Mode().Perm()
	}
	return putFile(name, text, mode, true)
}

// putFile puts a file in its place, whole or not at all. If sync is set, its text
// has reached the disk before.
func putFile(name, text string, mode fs.FileMode, sync bool) error {
	f, err := os.CreateTemp(filepath.Dir(name), ".robots-*.tmp")
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
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
