package gitfile

import (
	"bytes"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/robotsexclusion/robots/internal/printable"
)

// A walk collects the history of a file.
type walk struct {
	History
	Reader
	objects  *objects
	elements []string // of the path

	texts map[string][]byte // by the names of their objects
	total int64             // bytes of texts
	last  string            // the name of the object of the last version, "" if it is not a File
}

// read reads the commits from the oldest to head. Two lists are read side by side: all commits, for
// their times, and the commits that changed the path.
func (w *walk) read(g *git, head, path string) error {
	all, err := g.start("rev-list", "--first-parent", "--reverse", "--timestamp", "--end-of-options", head)
	if err != nil {
		return err
	}
	defer all.close()
	changes, err := g.start("rev-list", "--first-parent", "--reverse", "--end-of-options", head, "--", path)
	if err != nil {
		return err
	}
	defer changes.close()

	commits := &commits{lines: all}
	if err := commits.next(); err != nil {
		return unexpected(err)
	}
	oldest := commits.name
	if w.Cut, err = w.objects.hasParent(oldest); err != nil {
		return err
	}
	if err := w.add(commits); err != nil {
		return err
	}
	for {
		change, err := changes.line()
		switch {
		case err == io.EOF:
			err = commits.rest()
			w.Early = commits.early
			return err
		case err != nil:
			return err
		case change == oldest:
			continue
		}
		for commits.name != change {
			if err := commits.next(); err != nil {
				return unexpected(err)
			}
		}
		if err := w.add(commits); err != nil {
			return err
		}
	}
}

// unexpected returns the error of a list of commits that ends too early.
func unexpected(err error) error {
	if err == io.EOF {
		return fmt.Errorf("git rev-list did not list a commit twice: run the command again, and check the repository with git fsck")
	}
	return err
}

// add adds the version at the current commit, unless the file is that of the commit before.
func (w *walk) add(c *commits) error {
	kind, object, err := w.objects.find(c.name, w.elements)
	if err != nil {
		return fmt.Errorf("commit %.12s: %w", c.name, err)
	}
	v := Version{Commit: c.name, Time: time.Unix(c.time, 0).UTC(), Kind: kind}
	n := len(w.Versions)
	if n > 0 && w.Versions[n-1].Kind == kind && w.last == object {
		return nil
	}
	if kind == File {
		if v.Text, err = w.text(object); err != nil {
			return fmt.Errorf("commit %.12s: %w", c.name, err)
		}
	}
	if n > 0 && w.Versions[n-1].Time.Equal(v.Time) {
		w.Versions = w.Versions[:n-1]
		if n--; n > 0 && w.Versions[n-1].same(&v) {
			w.last = object
			return nil
		}
	}
	if n == w.MaxVersions {
		return fmt.Errorf("the file has more than %d versions: cut the history with git clone --shallow-since",
			w.MaxVersions)
	}
	w.Versions, w.last = append(w.Versions, v), object
	return nil
}

// same reports whether both versions have the same file.
func (v *Version) same(other *Version) bool {
	return v.Kind == other.Kind && bytes.Equal(v.Text, other.Text)
}

// text returns the text of a file.
func (w *walk) text(object string) ([]byte, error) {
	if text, ok := w.texts[object]; ok {
		return text, nil
	}
	text, err := w.objects.contents(object, "blob")
	if err != nil {
		return nil, err
	}
	if w.total += int64(len(text)); w.total > w.MaxTotal {
		return nil,
			fmt.Errorf("the versions of the file have more than %d MiB together: cut the history with git clone --shallow-since", w.MaxTotal>>20)
	}
	w.texts[object] = text
	return text, nil
}

// commits reads a list of commits from the oldest on.
type commits struct {
	lines *process
	name  string // of the current commit
	time  int64  // of the current commit, in seconds since 1970, not before those of earlier commits
	early int    // the commits so far that were dated before their parents
}

// maxTime is the start of the year 9998. Times after the year 9999 have no form in JSON, and
// callers may add a delay.
const maxTime = 253339228800

// next reads the next commit. The error is io.EOF after the last one.
func (c *commits) next() error {
	line, err := c.lines.line()
	if err != nil {
		return err
	}
	digits, name, ok := strings.Cut(line, " ")
	seconds, err := strconv.ParseUint(digits, 10, 64)
	if !ok || err != nil {
		return fmt.Errorf("git rev-list wrote a line without a time and a commit: %s", printable.Quoted(line, 80))
	}
	c.name = name
	if at := int64(min(seconds, maxTime)); at >= c.time {
		c.time = at
	} else {
		c.early++
	}
	return nil
}

// rest reads the commits that are left.
func (c *commits) rest() error {
	for {
		if err := c.next(); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
	}
}
