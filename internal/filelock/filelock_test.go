package filelock_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/internal/filelock"
	"github.com/robotsexclusion/robots/internal/test/child"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

func TestMain(m *testing.M) {
	child.Main(child.Tasks{"lock": lockUntilKilled})
	os.Exit(m.Run())
}

// lockUntilKilled locks a file and reports that.
func lockUntilKilled(name string) {
	_, err := filelock.Try(name, filelock.Exclusive)
	child.Check(err)
	fmt.Println("locked")
	select {}
}

// TestModes checks that an exclusive lock excludes all others, and a shared one only
// exclusive ones.
func TestModes(t *testing.T) {
	const exclusive, shared = filelock.Exclusive, filelock.Shared
	for _, test := range []struct {
		held []filelock.Mode
		want filelock.Mode
		ok   bool
	}{
		{nil, exclusive, true},
		{nil, shared, true},
		{[]filelock.Mode{exclusive}, exclusive, false},
		{[]filelock.Mode{exclusive}, shared, false},
		{[]filelock.Mode{shared}, exclusive, false},
		{[]filelock.Mode{shared, shared}, shared, true},
		{[]filelock.Mode{shared, shared}, exclusive, false},
	} {
		name := filepath.Join(t.TempDir(), "lock")
		var held []*filelock.Lock
		for _, mode := range test.held {
			l, err := filelock.Try(name, mode)
			fatal.If(t, err)
			held = append(held, l)
		}
		l, err := filelock.Try(name, test.want)
		if (err == nil) != test.ok || err != nil && !errors.Is(err, filelock.ErrLocked) {
			t.Errorf("%v beside %v: %v", test.want, test.held, err)
		}
		if err == nil {
			held = append(held, l)
		}
		for _, l := range held {
			if err := l.Close(); err != nil {
				t.Error(err)
			}
		}
		if l, err = filelock.Try(name, exclusive); err != nil {
			t.Errorf("after %v: %v", test.held, err)
		} else {
			l.Close()
		}
	}
	if _, err := filelock.Try(filepath.Join(t.TempDir(), "no", "lock"), exclusive); err == nil ||
		errors.Is(err, filelock.ErrLocked) {
		t.Errorf("in a folder that is not there: %v", err)
	}
}

// TestRead shares the lock of an existing file, and creates none.
func TestRead(t *testing.T) {
	name := filepath.Join(t.TempDir(), "lock")
	if _, err := filelock.TryRead(name); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("there is no file: %v", err)
	}
	fatal.If(t, os.WriteFile(name, nil, 0o444))
	l, err := filelock.TryRead(name)
	fatal.If(t, err)
	other, err := filelock.TryRead(name)
	if err != nil {
		t.Fatalf("beside another reader: %v", err)
	}
	other.Close()
	os.Chmod(name, 0o666)
	if _, err := filelock.Try(name, filelock.Exclusive); !errors.Is(err, filelock.ErrLocked) {
		t.Errorf("a writer beside a reader: %v", err)
	}
	l.Close()
	if l, err = filelock.Try(name, filelock.Exclusive); err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if _, err := filelock.TryRead(name); !errors.Is(err, filelock.ErrLocked) {
		t.Errorf("a reader beside a writer: %v", err)
	}
}

// TestKilled checks that the lock of a killed process is free.
func TestKilled(t *testing.T) {
	name := filepath.Join(t.TempDir(), "lock")
	c := child.Start(t, "lock", name)
	c.Line()
	if _, err := filelock.Try(name, filelock.Shared); !errors.Is(err, filelock.ErrLocked) {
		t.Errorf("while it runs: %v", err)
	}
	if _, err := filelock.Wait(t.Context(), name, filelock.Exclusive, time.Millisecond); !errors.Is(err,
		filelock.ErrLocked) {
		t.Errorf("waited a millisecond: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := filelock.Wait(ctx, name, filelock.Exclusive, time.Hour); !errors.Is(err, context.Canceled) {
		t.Errorf("waited until cancelled: %v", err)
	}
	c.Kill()
	l, err := filelock.Wait(t.Context(), name, filelock.Exclusive, time.Minute)
	fatal.If(t, err)
	l.Close()
}

// TestTurns checks that each of many waiters gets the lock, one at a time, whether they
// remove the file or not.
func TestTurns(t *testing.T) {
	name := filepath.Join(t.TempDir(), "lock")
	count := 0 // without the mutex, the race detector would report its use
	var mu sync.Mutex
	var all sync.WaitGroup
	for i := range 40 {
		all.Go(func() {
			l, err := filelock.Wait(t.Context(), name, filelock.Exclusive, time.Minute)
			if err != nil {
				t.Error(err)
				return
			}
			defer func() {
				end := l.Close
				if i%2 == 0 {
					end = l.Remove
				}
				if err := end(); err != nil {
					t.Error(err)
				}
			}()
			if !mu.TryLock() {
				t.Error("two have the lock")
				return
			}
			count++
			time.Sleep(100 * time.Microsecond)
			mu.Unlock()
		})
	}
	all.Wait()
	if count != 40 {
		t.Errorf("%d had a turn, want 40", count)
	}
}
