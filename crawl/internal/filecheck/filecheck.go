// Package filecheck reports whether an open file or folder is still in its place. After
// a file is removed or replaced, the system silently goes on writing to the file
// without a name.
package filecheck

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// A Place identifies a file or folder by its name and identity. The zero Place
// identifies nothing.
type Place struct {
	name string
	info fs.FileInfo
}

// Of returns the place of an open file, under the name by which it was opened.
func Of(f *os.File) (Place, error) {
	info, err := f.Stat()
	return Place{f.Name(), info}, err
}

// At returns the place that a name currently refers to.
func At(name string) (Place, error) {
	info, err := os.Stat(name)
	return Place{name, info}, err
}

// Check returns an error that names the place if the name no longer refers to the same
// file.
func (p Place) Check() error {
	if p.info == nil {
		return nil
	}
	info, err := os.Stat(p.name)
	if err == nil && !os.SameFile(info, p.info) {
		err = errors.New("there is another in its place")
	}
	if err != nil {
		return fmt.Errorf("%s was removed while it was in use (put it back, and start again): %w", p.name, err)
	}
	return nil
}
