// Package logtail follows logs while they are written, through rotations. A log may be renamed or
// removed and replaced by another file, it may be truncated, also after it was copied, it may be a
// symbolic link that changes, and it need not exist yet.
//
// Files are polled. No event of the system says more than their sizes do, and polling works on
// every file system.
package logtail

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/robotsexclusion/robots/internal/printable"
)

// A Follower follows logs. Its fields are not changed while it does.
type Follower struct {
	Names []string // of the logs; a log need not exist yet

	// Read reads a file to its end, which is reached only when the log was rotated or truncated, or
	// when the context ends. It is called for each file that a name refers to, in a goroutine of
	// its own: the file before a rotation may still grow.
	Read func(*File)

	// Notice is called, concurrently, with notices for the user: that a log cannot be read, or was
	// truncated.
	Notice func(error)

	// Poll is the time between two looks at a file: a second if it is 0.
	Poll time.Duration

	// Linger is how long a file that no name refers to may stay unchanged before it is closed: 10
	// minutes if it is 0. Servers write to the old file until they open the log again.
	Linger time.Duration
}

// maxFiles is the maximum number of open files that no name refers to, and maxEnded that of closed
// files that are remembered.
const (
	maxFiles = 8
	maxEnded = 32
)

// A watcher has the files of a Follower.
type watcher struct {
	Follower
	ctx    context.Context
	group  sync.WaitGroup
	open   []*File // in the order in which they were found
	ended  []*File // those that could be read to their ends: only their places count
	wake   chan struct{}
	faults map[string]string // what Notice reported about a name
}

// Follow follows the logs until the context ends, and all calls of Read have returned. It returns
// an error at once if a name refers to something that is not a file.
func (f *Follower) Follow(ctx context.Context) error {
	w := &watcher{Follower: *f, ctx: ctx, wake: make(chan struct{}, 1), faults: map[string]string{}}
	if w.Poll == 0 {
		w.Poll = time.Second
	}
	if w.Linger == 0 {
		w.Linger = 10 * time.Minute
	}
	for _, name := range w.Names {
		if info, err := os.Stat(name); err == nil && !info.Mode().IsRegular() {
			return errNotFile(name)
		}
	}
	defer w.group.Wait()
	tick := time.NewTicker(w.Poll)
	defer tick.Stop()
	for first := true; ; first = false {
		w.look(first)
		select {
		case <-ctx.Done():
			return nil
		case <-w.wake:
		case <-tick.C:
		}
	}
}

func errNotFile(name string) error {
	return fmt.Errorf("%s cannot be followed, because it is not a regular file: name a file, or pipe it to standard input", printable.Shown(name))
}

// look finds the files that the names refer to now.
func (w *watcher) look(first bool) {
	w.open = slices.DeleteFunc(w.open, func(f *File) bool {
		switch f.state() {
		case following:
			return false
		case finished:
			w.ended = append(w.ended, f)
			w.ended = w.ended[max(0, len(w.ended)-maxEnded):]
		}
		return true
	})
	named := map[*File]bool{}
	for _, name := range w.Names {
		f, err := w.find(name, first)
		if err != nil {
			w.fault(name, err, first)
			continue
		}
		w.faults[name] = ""
		named[f] = true
	}
	left := 0
	for _, f := range slices.Backward(w.open) {
		if !named[f] {
			left++
		}
		f.setNamed(named[f], left > maxFiles)
	}
}

// fault reports once that a log cannot be read. During a rotation a log is missing for a moment, so
// a missing log is reported only at the second look.
func (w *watcher) fault(name string, err error, first bool) {
	said := w.faults[name]
	if said == err.Error() {
		return
	}
	missing := errors.Is(err, fs.ErrNotExist)
	if missing && !first && said == "" {
		w.faults[name] = "missing"
		return
	}
	w.faults[name] = err.Error()
	if missing {
		err = fmt.Errorf("%s does not exist: it is read from its beginning as soon as it does", printable.Shown(name))
	}
	w.Notice(err)
}

// find returns the file that a name refers to, and has it read if it is new.
func (w *watcher) find(name string, first bool) (*File, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, cause(name, err)
	}
	same := func(f *File) bool { return os.SameFile(f.info, info) }
	if i := slices.IndexFunc(w.open, same); i >= 0 {
		return w.open[i], nil
	}
	if !info.Mode().IsRegular() {
		return nil, errNotFile(name)
	}
	in, err := os.Open(name)
	if err != nil {
		return nil, cause(name, err)
	}
	if info, err = in.Stat(); err != nil || !info.Mode().IsRegular() {
		in.Close()
		return nil, errNotFile(name)
	}
	f := &File{Name: name, watcher: w, in: in, info: info, named: true}
	if first {
		f.oldSize = info.Size()
	}
	if i := slices.IndexFunc(w.ended, same); i >= 0 {
		f.resume(w.ended[i])
		w.ended = slices.Delete(w.ended, i, i+1)
	}
	w.open = append(w.open, f)
	w.group.Go(func() {
		defer f.close()
		w.Read(f)
	})
	return f, nil
}

// cause returns the error of opening a log, with its name once.
func cause(name string, err error) error {
	if e := (*fs.PathError)(nil); errors.As(err, &e) {
		err = e.Err
	}
	return fmt.Errorf("cannot read %s: %w", printable.Shown(name), err)
}

// wakeUp has look called at once.
func (w *watcher) wakeUp() {
	select {
	case w.wake <- struct{}{}:
	default:
	}
}
