package logtail

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// A tail follows logs in a folder and collects their lines.
type tail struct {
	t      *testing.T
	folder string

	mu      sync.Mutex
	lines   []string // "NAME text", with "old" before old ones
	notices []string
}

const soon = 2 * time.Millisecond

// start follows logs, whose files linger for a time.
func start(t *testing.T, linger time.Duration, names ...string) *tail {
	w := &tail{t: t, folder: t.TempDir()}
	w.follow(linger, names...)
	w.wantNotice(names[0] + " does not exist") // following has begun
	return w
}

func (w *tail) follow(linger time.Duration, names ...string) {
	f := Follower{Read: w.read, Poll: soon, Linger: linger, Notice: func(err error) {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.notices = append(w.notices, strings.ReplaceAll(err.Error(), w.folder+string(filepath.Separator), ""))
	}}
	for _, name := range names {
		f.Names = append(f.Names, w.path(name))
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- f.Follow(ctx) }()
	w.t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			w.t.Error(err)
		}
	})
}

func (w *tail) path(name string) string { return filepath.Join(w.folder, name) }

func (w *tail) read(f *File) {
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 4<<20)
	for n := f.Skipped + 1; lines.Scan(); n++ {
		line := fmt.Sprintf("%s:%d %s", filepath.Base(f.Name), n, lines.Text())
		if f.Old(n) {
			line = "old " + line
		}
		w.mu.Lock()
		w.lines = append(w.lines, line)
		w.mu.Unlock()
	}
}

// write appends to a file.
func (w *tail) write(name, text string) {
	f, err := os.OpenFile(w.path(name), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err == nil {
		_, err = f.WriteString(text)
		f.Close()
	}
	w.must(err)
}

func (w *tail) rename(from, to string) { w.must(os.Rename(w.path(from), w.path(to))) }

func (w *tail) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

// want waits until all lines are there, and no others.
func (w *tail) want(want ...string) {
	w.t.Helper()
	slices.Sort(want)
	for began := time.Now(); ; time.Sleep(soon) {
		w.mu.Lock()
		got := slices.Sorted(slices.Values(w.lines))
		w.mu.Unlock()
		if slices.Equal(got, want) {
			return
		}
		if time.Since(began) > time.Minute || len(got) > len(want) {
			w.t.Fatalf("got lines\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
}

// wantNotice waits until a notice has a text.
func (w *tail) wantNotice(text string) {
	w.t.Helper()
	for began := time.Now(); ; time.Sleep(soon) {
		w.mu.Lock()
		got := strings.Join(w.notices, "\n")
		w.mu.Unlock()
		if strings.Contains(got, text) {
			return
		}
		if time.Since(began) > time.Minute {
			w.t.Fatalf("got notices\n%s\nwant %q", got, text)
		}
	}
}

func TestOldLinesAreTold(t *testing.T) {
	w := &tail{t: t, folder: t.TempDir()}
	w.write("log", "a\nb\nhal")
	w.follow(time.Hour, "log")
	w.want("old log:1 a", "old log:2 b")
	w.write("log", "f\nc\n")
	w.want("old log:1 a", "old log:2 b", "log:3 half", "log:4 c")
}

func TestLogThatDoesNotExistYet(t *testing.T) {
	w := start(t, time.Hour, "log")
	w.wantNotice("it is read from its beginning as soon as it does")
	w.write("log", "a\n")
	w.want("log:1 a")
}

// Servers write to the old file until they are told to open the log again.
func TestRenamedFileIsReadOn(t *testing.T) {
	w := start(t, time.Hour, "log")
	w.write("log", "a\n")
	w.want("log:1 a")
	w.rename("log", "log.1")
	w.write("log.1", "b\n")
	w.write("log", "new\n")
	w.want("log:1 a", "log:2 b", "log:1 new")
	w.write("log.1", "c\n")
	w.want("log:1 a", "log:2 b", "log:1 new", "log:3 c")
}

func TestOldFileIsClosed(t *testing.T) {
	w := start(t, soon, "log")
	w.write("log", "a\nhalf")
	w.want("log:1 a")
	w.rename("log", "log.1")
	w.want("log:1 a", "log:2 half") // there will be no more
	w.write("log", "new\n")
	w.want("log:1 a", "log:2 half", "log:1 new")
}

// A file that was read and has a name again is read from where its reading ended.
func TestFileThatReturns(t *testing.T) {
	w := start(t, soon, "log")
	w.write("log", "a\n")
	w.want("log:1 a")
	w.rename("log", "away")
	w.write("log", "b\n")
	w.want("log:1 a", "log:1 b")
	time.Sleep(20 * soon) // the file away may or may not be closed; the lines are the same
	w.rename("away", "log")
	w.write("log", "c\n")
	w.want("log:1 a", "log:1 b", "log:2 c")
}

func TestRemovedLog(t *testing.T) {
	w := start(t, time.Hour, "log")
	w.write("log", "a\n")
	w.want("log:1 a")
	w.must(os.Remove(w.path("log")))
	time.Sleep(20 * soon)
	w.write("log", "b\n")
	w.want("log:1 a", "log:1 b")
}

func TestTruncation(t *testing.T) {
	w := start(t, time.Hour, "log")
	w.write("log", "a\nb\nhalf")
	w.want("log:1 a", "log:2 b")
	time.Sleep(20 * soon)
	w.must(os.Truncate(w.path("log"), 0))
	w.wantNotice("log was truncated after")
	w.write("log", "c\n")
	w.want("log:1 a", "log:2 b", "log:1 c")
}

// A file that grows again between two looks, beyond its old size, has other bytes there.
func TestTruncationThatNoSizeShows(t *testing.T) {
	w := start(t, time.Hour, "log")
	w.write("log", strings.Repeat("a", 99)+"\n")
	w.want("log:1 " + strings.Repeat("a", 99))
	w.must(os.WriteFile(w.path("log"), []byte(strings.Repeat("b\n", 100)), 0o600))
	want := []string{"log:1 " + strings.Repeat("a", 99)}
	for i := range 100 {
		want = append(want, fmt.Sprintf("log:%d b", i+1))
	}
	w.want(want...)
}

// A server that does not append writes behind a hole after a truncation.
func TestHoleAfterTruncation(t *testing.T) {
	w := start(t, time.Hour, "log")
	w.write("log", "first\n")
	w.want("log:1 first")
	w.must(os.WriteFile(w.path("log"), append(make([]byte, 6), "second\n"...), 0o600))
	w.want("log:1 first", "log:1 second")
}

func TestSymbolicLinkThatMoves(t *testing.T) {
	w := &tail{t: t, folder: t.TempDir()}
	w.write("monday", "a\n")
	if err := os.Symlink("monday", w.path("log")); err != nil {
		t.Skip(err)
	}
	w.follow(time.Hour, "log")
	w.want("old log:1 a")
	w.write("tuesday", "b\n")
	w.must(os.Symlink("tuesday", w.path("next")))
	w.rename("next", "log")
	w.want("old log:1 a", "log:1 b")
	w.write("monday", "c\n")
	w.want("old log:1 a", "log:1 b", "log:2 c")
}

// All of access.log* may be named: a file that gets another of the names is the same file.
func TestNamesOfOneFile(t *testing.T) {
	w := &tail{t: t, folder: t.TempDir()}
	w.write("log", "a\n")
	w.follow(time.Hour, "log", "log.1")
	w.want("old log:1 a")
	w.rename("log", "log.1")
	w.write("log", "b\n")
	w.want("old log:1 a", "log:1 b")
	w.write("log.1", "c\n")
	w.want("old log:1 a", "log:1 b", "log:2 c")
}

func TestLongLine(t *testing.T) {
	w := start(t, time.Hour, "log")
	long := strings.Repeat("x", 3*maxHalf/2)
	w.write("log", long)
	w.write("log", long+"\nb\n")
	w.want("log:1 "+long+long, "log:2 b")
}
