package userfile_test

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/robotsexclusion/robots/internal/test/fatal"
	"github.com/robotsexclusion/robots/internal/userfile"
)

// A file that could not be written completely leaves what was there before, and nothing beside it.
func TestWrite(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "out")
	failed := errors.New("failed")
	for _, c := range []struct {
		text string
		err  error
		want string
	}{{"one", nil, "one"}, {"two", failed, "one"}, {"three", nil, "three"}} {
		err := userfile.Write(name, 0o600, true, func(w io.Writer) error {
			if _, err := io.WriteString(w, c.text); err != nil {
				return err
			}
			return c.err
		})
		if !errors.Is(err, c.err) {
			t.Errorf("%s: %v", c.text, err)
		}
		if got, err := os.ReadFile(name); err != nil || string(got) != c.want {
			t.Errorf("%s: the file has %q, %v, want %q", c.text, got, err, c.want)
		}
		if entries, err := os.ReadDir(dir); err != nil || len(entries) != 1 {
			t.Errorf("%s: the folder has %v, %v", c.text, entries, err)
		}
	}
}

// TestWriteFolder checks that the name of a folder is refused with a reason for the user, without a
// temporary file.
func TestWriteFolder(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "folder")
	fatal.If(t, os.Mkdir(name, 0o777))
	err := userfile.Replace(name, "text")
	if err == nil || err.Error() != "it is a directory: name a file" {
		t.Errorf("the error is %v", err)
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 1 {
		t.Errorf("the folder has %v, %v", entries, err)
	}
}
