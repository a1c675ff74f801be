//go:build darwin || dragonfly || freebsd || illumos || linux || netbsd || openbsd

package filelock

import (
	"path/filepath"
	"syscall"
	"testing"

	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// TestCopied closes a lock while another process has a copy of its file, like a process
// that this one is just starting: the lock is free nevertheless.
func TestCopied(t *testing.T) {
	name := filepath.Join(t.TempDir(), "lock")
	for _, end := range []func(l *Lock) error{(*Lock).Close, (*Lock).Remove} {
		l, err := Try(name, Exclusive)
		fatal.If(t, err)
		copied, err := syscall.Dup(int(l.file.Fd()))
		fatal.If(t, err)
		defer syscall.Close(copied)
		fatal.If(t, end(l))
		again, err := Try(name, Exclusive)
		if err != nil {
			t.Fatalf("it was given up: %v", err)
		}
		again.Close()
	}
}
