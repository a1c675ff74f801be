// Package userfile reads and writes the files that a user names. Its errors are for the user:
// they have the name of the file, the reason of the system, and what to do.
package userfile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
)

// Stdin is the name of standard input.
const Stdin = "-"

// Called returns the name of a file for messages.
func Called(name string) string {
	if name == Stdin {
		return "standard input"
	}
	return name
}

// Cause returns the error of the system without the file name, which messages give already, and
// with what to do about it.
func Cause(err error) error {
	if e := (*fs.PathError)(nil); errors.As(err, &e) {
		err = e.Err
	} else if e := (*os.LinkError)(nil); errors.As(err, &e) {
		err = e.Err
	}
	if errors.As(err, new(*advised)) {
		return err
	}
	for _, a := range advice {
		if errors.Is(err, a.about) {
			return &advised{err, a.text}
		}
	}
	return err
}

// advice says what to do about errors of the system.
var advice = []struct {
	about error
	text  string
}{
	{fs.ErrPermission, "change its rights, or run robots as a user who has them"},
	{fs.ErrNotExist, "check the spelling, and make the folder if it is a new one"},
	{syscall.ENOTDIR, "a part of the name before the last slash is a file, not a folder: check the spelling"},
	{syscall.EISDIR, "name a file in it"},
	{syscall.ENOSPC, "make room on the disk, and run the command again"},
	{syscall.EROFS, "name a file on a disk that can be written"},
}

// An advised is an error of the system with advice.
type advised struct {
	error
	text string
}

func (a *advised) Error() string { return a.error.Error() + ": " + a.text }

func (a *advised) Unwrap() error { return a.error }

// Open opens a file or, for [Stdin], standard input, which is in. The errors say what to do.
// If in is that of [Until], Open does not wait for a file longer either, such as for the writer of
// a pipe.
func Open(name string, in io.Reader) (io.ReadCloser, error) {
	if name == Stdin {
		return io.NopCloser(in), nil
	}
	u, _ := in.(*until)
	f, err := u.open(name)
	if u != nil && errors.Is(err, u.ended) {
		return nil, err
	}
	if err == nil {
		info, statErr := f.Stat()
		switch {
		case statErr == nil && u != nil && !info.Mode().IsRegular() && !info.IsDir():
			return struct {
				io.Reader
				io.Closer
			}{Until(u.ctx, f, u.ended), f}, nil
		case statErr == nil && !info.IsDir():
			return f, nil
		}
		f.Close()
		if err = statErr; err == nil {
			err = ErrFolder
		}
	}
	return nil, Unread(name, err)
}

// ErrFolder says that a file is a folder.
var ErrFolder = errors.New("it is a directory: name a file in it")

// Unread returns the error for a file that cannot be read, with the reason or with what to do.
func Unread(name string, err error) error {
	switch {
	case errors.Is(err, ErrFolder):
	case strings.HasPrefix(name, "http://") || strings.HasPrefix(name, "https://"):
		return fmt.Errorf("cannot read %s: a file is needed, not a URL: download it, and name the file", name)
	case strings.HasPrefix(name, "file://"):
		path := strings.TrimPrefix(strings.TrimPrefix(name, "file://"), "localhost")
		return fmt.Errorf("cannot read %s: a path is needed, not a URL: name %s", name, path)
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("cannot read %s: there is no such file: name one, or - for standard input", name)
	}
	return fmt.Errorf("cannot read %s: %w", name, Cause(err))
}

// TooLarge returns the error for a file of more bytes than a limit, with the reason for the limit.
func TooLarge(name string, limit int64, why string) error {
	return fmt.Errorf("%s is larger than %d MiB: %s", Called(name), limit>>20, why)
}

// ReadAtMost returns the content of a file or, for "-", of standard input. Content of more
// bytes than the limit is refused with an error that says why. The size of a file is checked
// before reading.
func ReadAtMost(name string, stdin io.Reader, limit int64, why string) ([]byte, error) {
	in, err := Open(name, stdin)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	if f, ok := in.(*os.File); ok {
		if info, err := f.Stat(); err == nil && info.Mode().IsRegular() && info.Size() > limit {
			return nil, TooLarge(name, limit, why)
		}
	}
	data, err := io.ReadAll(io.LimitReader(in, limit+1))
	if err != nil {
		return nil, fmt.Errorf("cannot read %s: %w", Called(name), Cause(err))
	}
	if int64(len(data)) > limit {
		return nil, TooLarge(name, limit, why)
	}
	return data, nil
}

// IsText reports whether a name ends as those of files of text or HTML do. No name of a host
// ends so.
func IsText(name string) bool {
	return slices.Contains([]string{".txt", ".html", ".htm", ".xhtml"},
		strings.ToLower(path.Ext(filepath.ToSlash(name))))
}

// IsFile reports whether a name ends as those of usual files do: text, logs, data and settings. No
// name of a host ends so; .md, .sh and .zip do not count, because they are top-level domains.
func IsFile(name string) bool {
	return IsText(name) || slices.Contains([]string{
		".text", ".log", ".xml", ".json", ".jsonl", ".ndjson", ".csv", ".tsv", ".gz", ".bz2", ".xz", ".zst", ".tar",
		".yaml", ".yml", ".ini", ".conf", ".cfg", ".toml", ".bak", ".old", ".orig",
		".php", ".asp", ".aspx", ".pdf", ".css", ".js", ".claims",
	},
		strings.ToLower(path.Ext(filepath.ToSlash(name))))
}
