package userfile

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// A TwiceError is the error for a file that two arguments name.
type TwiceError struct{ Name, First, Second string }

// Error says which arguments name the file.
func (e *TwiceError) Error() string {
	return fmt.Sprintf("%s is named twice: as %s and as %s", Called(e.Name), Called(e.First), Called(e.Second))
}

// Texts returns the names of the text files that arguments name. For a folder it returns the files
// *.txt, in the order of their names, without hidden files and without the files in except. A
// folder without such files is an error, and so is a file that is named twice: a [*TwiceError].
func Texts(args []string, except ...string) (names []string, err error) {
	seen := make(map[string]string) // the argument that names a file
	for _, arg := range args {
		files := []string{arg}
		if info, err := os.Stat(arg); arg != Stdin && err == nil && info.IsDir() {
			if files, err = textsIn(arg, except); err != nil {
				return nil, err
			}
		}
		for _, name := range files {
			if first, ok := seen[filepath.Clean(name)]; ok {
				return nil, &TwiceError{name, first, arg}
			}
			seen[filepath.Clean(name)] = arg
		}
		names = append(names, files...)
	}
	return names, nil
}

// textsIn returns the names of the text files in a folder.
func textsIn(dir string, except []string) (names []string, err error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, fmt.Errorf("cannot read %s: %w", dir, Cause(err))
	}
	for _, e := range entries {
		name := filepath.Join(dir, e.Name())
		if e.IsDir() || strings.HasPrefix(e.Name(), ".") || !strings.EqualFold(filepath.Ext(name), ".txt") ||
			IsOneOf(name, except) {
			continue
		}
		names = append(names, name)
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("%s has no fragment: their names end in .txt", cmp.Or(dir, "."))
	}
	return names, nil
}

// IsOneOf reports whether a file is the same file as one of others, also under another name.
func IsOneOf(name string, others []string) bool {
	info, err := os.Stat(name)
	if err != nil {
		return false
	}
	for _, other := range others {
		if o, err := os.Stat(other); err == nil && os.SameFile(info, o) {
			return true
		}
	}
	return false
}
