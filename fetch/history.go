package fetch

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"time"

	"github.com/robotsexclusion/robots/internal/printable"
)

// A change is a line of a history: the state from a time on. The folder's README explains the
// members; for members of the same name see [Version].
type change struct {
	Origin string    `json:"origin"`
	Time   time.Time `json:"time"`
	State  State     `json:"state"`
	Status int       `json:"status,omitempty"`
	Cause  string    `json:"cause,omitempty"`
	URL    string    `json:"url,omitempty"`
	SHA256 string    `json:"sha256,omitempty"` // of the text in force
	Size   int       `json:"size,omitempty"`
	Cut    bool      `json:"cut,omitempty"`
	Since  time.Time `json:"unreachable_since,omitzero"`
	// Seen is when the state of the previous line was last seen.
	Seen time.Time `json:"previous_seen,omitzero"`

	start int64 // offset of the line in its file
}

// changeOf returns the change that an entry describes.
func changeOf(e *Entry) change {
	c := change{
		Origin: e.Origin,
		Time:   e.CheckedAt,
		State:  e.State,
		Status: e.Status,
		Cause:  e.Cause,
		URL:    e.URL,
		Since:  e.UnreachableSince,
	}
	if f := e.File; f != nil && e.State != Unavailable {
		c.SHA256, c.Size, c.Cut = f.SHA256, f.Size, f.Cut
	}
	return c
}

// same reports whether c and other have the same effect. The servers' reasons may differ.
func (c *change) same(other *change) bool {
	return c.State == other.State && c.SHA256 == other.SHA256 && c.Cut == other.Cut && c.Since.Equal(other.Since) &&
		(c.State != Unavailable || c.Status == other.Status)
}

// addHistory appends a line if the entry differs from the last line.
func (d Dir) addHistory(e *Entry) error {
	name := d.file("history", e.Origin, ".jsonl")
	c := changeOf(e)
	tail, err := readTail(name)
	if errors.Is(err, fs.ErrNotExist) {
		err = os.MkdirAll(filepath.Dir(name), 0o777)
	}
	if err != nil {
		return err
	}
	if last := lastChange(tail, e.Origin); last != nil {
		// A line with a time in the future comes from a wrong clock and is corrected.
		if last.same(&c) && !last.Time.After(c.Time) {
			return nil
		}
		if before, err := d.entry(e.Origin); err == nil {
			if was := changeOf(before); was.same(last) {
				c.Seen = before.CheckedAt
			}
		}
	}
	line, err := seal(c)
	if err != nil {
		return err
	}
	if len(tail) > 0 && tail[len(tail)-1] != '\n' {
		// A process was killed while writing. The line break turns its incomplete line into one
		// that is ignored.
		line = append([]byte{'\n'}, line...)
	}
	if err := writeFile(name, os.O_WRONLY|os.O_APPEND|os.O_CREATE, line); err != nil {
		return err
	}
	if len(tail) == 0 {
		syncFolder(filepath.Dir(name))
	}
	return nil
}

// maxLine is the maximum length of a line of a history in bytes. A longer line was not written
// here.
const maxLine = 64 << 10

// readTail returns the end of a file, enough for its last line.
func readTail(name string) ([]byte, error) {
	f, err := openRegular(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	size, err := f.Seek(0, io.SeekEnd)
	if err != nil {
		return nil, err
	}
	tail := make([]byte, min(size, 2*maxLine))
	n, err := f.ReadAt(tail, size-int64(len(tail)))
	if err != nil && err != io.EOF {
		return nil, err
	}
	return tail[:n], nil
}

// lastChange returns the last valid line of a history, or nil.
func lastChange(tail []byte, origin string) *change {
	for len(tail) > 0 {
		i := bytes.LastIndexByte(bytes.TrimSuffix(tail, []byte{'\n'}), '\n') + 1
		if c := parseChange(tail[i:], origin); c != nil {
			return c
		}
		tail = tail[:i]
	}
	return nil
}

// parseChange parses a line. It returns nil if the line is invalid.
func parseChange(line []byte, origin string) *change {
	c := new(change)
	if unseal(line, c) != nil || c.Origin != origin || c.Time.IsZero() || !printable.IsText(c.Cause) ||
		!printable.IsText(c.URL) {
		return nil
	}
	switch {
	case c.SHA256 != "" && (!isHash(c.SHA256) || c.Size < 0),
		c.State == OK && c.SHA256 == "",
		c.State == Unavailable && c.SHA256 != "",
		c.State == Unreachable && c.Since.IsZero(),
		c.State == Forbidden:
		return nil
	}
	return c
}

// History returns the versions of the origin of a URL, in order of time, without gaps after the
// first. An origin that was never put has none. The error is a [*URLError], an error of the
// file system, or that of ctx. Damaged lines are ignored.
//
// An origin becomes unavailable after it was unreachable for 30 days: this is a version of its
// own, even if no robot asked at that time. History takes time and memory in proportion to the
// size of the history's file.
func (d Dir) History(ctx context.Context, url string) ([]Version, error) {
	origin, err := Origin(url)
	if err != nil {
		return nil, err
	}
	changes, err := d.changes(ctx, origin)
	if err != nil {
		return nil, fmt.Errorf("fetch: no history of %s: %w", origin, err)
	}
	var seen time.Time
	if e, err := d.entry(origin); err == nil && len(changes) > 0 {
		if c := changeOf(e); c.same(&changes[len(changes)-1]) {
			seen = e.CheckedAt
		}
	}
	return d.versions(changes, seen, now()), nil
}

// At returns the version of the origin of a URL at a time. ok is false if the time is before
// the first version. Errors and cost are those of [Dir.History]; call History to ask about many
// times.
func (d Dir) At(ctx context.Context, url string, t time.Time) (v Version, ok bool, err error) {
	versions, err := d.History(ctx, url)
	if err != nil {
		return Version{}, false, err
	}
	after := sort.Search(len(versions), func(i int) bool { return versions[i].From.After(t) })
	if after == 0 {
		return Version{}, false, nil
	}
	return versions[after-1], true, nil
}

// Origins returns the origins that have a history, sorted. Files that are damaged from start to end
// are ignored. The error is an error of the file system, or that of ctx. Origins reads the start of
// each history's file.
func (d Dir) Origins(ctx context.Context) ([]string, error) {
	var origins []string
	err := eachFile(ctx, d, "history", ".jsonl", func(name string) error {
		f, err := openRegular(name)
		if err != nil {
			return ignore(err, fs.ErrNotExist)
		}
		defer f.Close()
		origin, err := d.originOf(f)
		if err == nil && origin != "" {
			origins = append(origins, origin)
		}
		return err
	})
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return nil, fmt.Errorf("fetch: cannot list the origins in %q: %w", string(d), err)
	}
	slices.Sort(origins)
	return origins, nil
}

// changes reads the history of an origin.
func (d Dir) changes(ctx context.Context, origin string) (changes []change, err error) {
	f, err := openRegular(d.file("history", origin, ".jsonl"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, ctx.Err()
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	changes, _, err = readChanges(ctx, f, origin)
	return changes, err
}

// readChanges reads the history of an origin from a file, and returns the size of the file.
func readChanges(ctx context.Context, f *os.File, origin string) (changes []change, size int64, err error) {
	for r := bufio.NewReaderSize(f, maxLine); ; {
		line, err := r.ReadSlice('\n')
		if c := parseChange(line, origin); c != nil {
			c.start = size
			changes = appendChange(changes, c)
		}
		size += int64(len(line))
		switch {
		case ctx.Err() != nil:
			return nil, 0, ctx.Err()
		case err == io.EOF:
			return changes, size, nil
		case err != nil && err != bufio.ErrBufferFull: // bufio.ErrBufferFull means that the line is too long
			return nil, 0, err
		}
	}
}

// appendChange appends a line of the file to the changes before it. If clocks disagreed and
// earlier lines have later times, the line replaces them.
func appendChange(changes []change, c *change) []change {
	for len(changes) > 0 && !changes[len(changes)-1].Time.Before(c.Time) {
		changes = changes[:len(changes)-1]
	}
	if len(changes) > 0 && changes[len(changes)-1].same(c) {
		return changes // two processes saw the same change at once
	}
	return append(changes, *c)
}

// versions converts changes to versions. seen is when the state of the last change was last
// seen, which no line records.
func (d Dir) versions(changes []change, seen, now time.Time) (versions []Version) {
	for i := range changes {
		c := &changes[i]
		v := Version{
			Origin: c.Origin, From: c.Time, Seen: seen, State: c.State, Status: c.Status, Cause: c.Cause,
			URL: c.URL, SHA256: c.SHA256, Size: c.Size, Cut: c.Cut, dir: d,
		}
		late := c.Since.Add(patience)
		expires := !late.After(now)
		if i+1 < len(changes) {
			v.Until, v.Seen = changes[i+1].Time, changes[i+1].Seen
			expires = late.Before(v.Until)
		}
		if c.State == Unreachable && expires {
			first, rest := v.split(late)
			if first.Until.After(first.From) {
				versions = append(versions, first.bounded())
			}
			v = rest
			v.State, v.SHA256, v.Size, v.Cut = Unavailable, "", 0, false
		}
		versions = append(versions, v.bounded())
	}
	return versions
}
