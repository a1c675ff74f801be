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

// Replace replaces the text of a user's file, completely or not at all. The mode stays, and so does
// the owner where the process may give a file away. For a link, Replace replaces the target and
// keeps the link. It writes to a device or a pipe.
func Replace(name, text string) error {
	if target, err := filepath.EvalSymlinks(name); err == nil {
		name = target
	}
	info, err := os.Stat(name)
	if err != nil {
		return Put(name, text, 0o644, true)
	}
	return writeAs(name, info, info.Mode().Perm(), true, func(w io.Writer) error {
		_, err := io.WriteString(w, text)
		return err
	})
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
	info, _ := os.Stat(name)
	return writeAs(name, info, mode, sync, write)
}

// writeAs is Write for the name of a file with the given description, or of none. A device and a
// pipe, such as /dev/null, are not replaced by a file.
func writeAs(name string, info fs.FileInfo, mode fs.FileMode, sync bool, write func(io.Writer) error) error {
	switch {
	case info == nil:
	case info.IsDir():
		return errFolder
	case !info.Mode().IsRegular():
		f, err := os.OpenFile(name, os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		return errors.Join(write(f), f.Close())
	}
	f, err := os.CreateTemp(filepath.Dir(name), ".robots-*.tmp")
	if err != nil {
		return err
	}
	err = write(f)
	if err == nil {
		err = f.Chmod(mode)
	}
	if err == nil && info != nil {
		keepOwner(f, info)
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
