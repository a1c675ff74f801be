//go:build unix

package userfile

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// TestReplaceDevice checks that a pipe is written to, and not replaced by a file, as /dev/null
// would be for the superuser.
func TestReplaceDevice(t *testing.T) {
	name := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(name, 0o600); err != nil {
		t.Skip(err)
	}
	for _, write := range []func(string, string) error{
		Replace,
		func(name, text string) error { return Put(name, text, 0o644, false) },
	} {
		got := make(chan string)
		go func() {
			data, _ := os.ReadFile(name)
			got <- string(data)
		}()
		fatal.If(t, write(name, "text"))
		if text := <-got; text != "text" {
			t.Errorf("the reader of the pipe got %q", text)
		}
		if info, err := os.Stat(name); err != nil || info.Mode().IsRegular() {
			t.Errorf("the pipe is replaced: %v, %v", info, err)
		}
	}
}
