// Package gitfile reads the versions of one file from the history of a git repository, with the
// git program.
//
// The repository may be hostile: its configuration, hooks and objects make no other program run,
// nothing is fetched, and no file is written. Git itself refuses a repository of another user,
// unless the user's own configuration names it in safe.directory.
package gitfile

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/robotsexclusion/robots/internal/printable"
)

// A Kind is the kind of object that a commit has at the path of the file.
type Kind uint8

// The kinds.
const (
	Absent Kind = iota // nothing
	File               // a file
	Other              // a symbolic link, a folder, or a submodule
)

// A Version is the file from a commit on, until the next version.
type Version struct {
	Commit string    // its full name
	Time   time.Time // of the committer, in seconds, and not before the time of the parent
	Kind   Kind
	Text   []byte // if Kind is File; equal texts share memory
}

// A History is the history of a file on the first-parent line of HEAD: the line of the commits that
// were made on, or merged into, the branch.
type History struct {
	// Versions are in order of time. The first is that of the oldest commit of the line, and each
	// other differs from the one before it. Of commits at one time, the last counts.
	Versions []Version

	// Cut reports whether the oldest commit has a parent, which the repository lacks, because it is
	// a shallow clone.
	Cut bool

	// Early is the number of commits dated before their parents. They count at the time of their
	// parents.
	Early int
}

// A Reader reads histories. The zero Reader has the default limits.
type Reader struct {
	MaxText     int64         // maximum size of a text, a folder or a commit in bytes: 64 MiB if 0
	MaxTotal    int64         // maximum size of all distinct texts of a file in bytes: 256 MiB if 0
	MaxVersions int           // maximum number of versions of a file: 131,072 if 0
	Timeout     time.Duration // for one file: 10 minutes if 0
}

// withDefaults returns r with the default limits.
func (r Reader) withDefaults() Reader {
	setDefault(&r.MaxText, 64<<20)
	setDefault(&r.MaxTotal, 256<<20)
	setDefault(&r.MaxVersions, 1<<17)
	setDefault(&r.Timeout, 10*time.Minute)
	return r
}

func setDefault[T comparable](v *T, value T) {
	if zero := *new(T); *v == zero {
		*v = value
	}
}

// CheckPath returns an error if a path is not that of a file from the root of a repository.
func CheckPath(path string) error {
	switch {
	case path == "":
		return errors.New("the path is empty: write the path of robots.txt from the root of the repository")
	case strings.ContainsAny(path, "\n\x00"):
		return fmt.Errorf("the path %s has a line break or a null byte: name a file without one",
			printable.Quoted(path, 80))
	}
	for element := range strings.SplitSeq(path, "/") {
		if element == "" || element == "." || element == ".." {
			return fmt.Errorf("the path %s is not that of a file from the root of the repository: write it like public/robots.txt", printable.Quoted(path, 80))
		}
	}
	return nil
}

// Read returns the history of the file at a path, which starts at the root of the repository and
// has slashes, in the repository in a folder: the root of its working tree, or a bare repository.
// It is an error if no commit has a file at the path. Renames are not followed.
func (r Reader) Read(ctx context.Context, folder, path string) (*History, error) {
	if err := CheckPath(path); err != nil {
		return nil, err
	}
	r = r.withDefaults()
	ctx, cancel := context.WithTimeoutCause(ctx, r.Timeout, fmt.Errorf("git took longer than %v", r.Timeout))
	defer cancel()
	g, err := open(ctx, folder, r.MaxText)
	if err != nil {
		return nil, err
	}
	head, err := g.head()
	if err != nil {
		return nil, err
	}
	objects, err := g.objects(r.MaxText)
	if err != nil {
		return nil, err
	}
	defer objects.close()
	w := &walk{Reader: r, objects: objects, elements: strings.Split(path, "/"), texts: make(map[string][]byte)}
	if err := w.read(g, head, path); err != nil {
		return nil, err
	}
	if !slices.ContainsFunc(w.Versions, func(v Version) bool { return v.Kind == File }) {
		return nil,
			fmt.Errorf("no commit of HEAD in %s has a file %s: write the path from the root of the repository, as git ls-files prints it there",
				printable.Text(folder), printable.Quoted(path, 80))
	}
	return &w.History, nil
}
