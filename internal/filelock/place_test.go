package filelock

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// TestInPlace checks that a file is no longer a lock after its name was removed or
// replaced.
func TestInPlace(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows removes no file that is open")
	}
	name := filepath.Join(t.TempDir(), "lock")
	l, err := Try(name, Exclusive)
	fatal.If(t, err)
	if !inPlace(l.file) {
		t.Error("it is not where it was made")
	}
	for range 2 {
		fatal.If(t, os.Remove(name))
		if inPlace(l.file) {
			t.Error("it is taken for one that was removed")
		}
		other, err := Try(name, Exclusive)
		fatal.If(t, err)
		if inPlace(l.file) {
			t.Error("it is taken for another of its name")
		}
		other.Close()
	}
	l.Close()
}
