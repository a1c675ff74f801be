// Package filecheck tells whether a file or a folder that is in use is still where it was.
// Where somebody has removed it, or put another one in its place, the system goes on
// writing to what has no name any more, and says nothing.
package filecheck

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// A Place is where something was. The zero Place is that of nothing.
type Place struct {
	name string
	info fs.FileInfo
}

// Of returns the place of an open file, which has the name by which it was opened.
func Of(f *os.File) (Place, error) {
	info, err := f.Stat()
	return Place{f.Name(), info}, err
}

// At returns the place of what a name stands for now.
func At(name string) (Place, error) {
	info, err := os.Stat(name)
	return Place{name, info}, err
}

// Check returns an error that names the place if what was there is not there any more.
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
