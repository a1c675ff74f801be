package disk_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots/internal/test/disk"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

func TestLimit(t *testing.T) {
	name := filepath.Join(t.TempDir(), "file")
	err := disk.Limit(1000)
	if errors.Is(err, errors.ErrUnsupported) {
		t.Skip(err)
	}
	fatal.If(t, err)
	full := os.WriteFile(name, make([]byte, 1500), 0o666)
	fatal.If(t, disk.Limit(1<<40))
	if full == nil || !strings.Contains(full.Error(), "file too large") {
		t.Errorf("the file is too long, and the error %v", full)
	}
	if err := os.WriteFile(name, make([]byte, 1500), 0o666); err != nil {
		t.Errorf("there is room again: %v", err)
	}
}

func TestMount(t *testing.T) {
	dir := t.TempDir()
	if err := disk.Mount(dir, 1<<20); err != nil {
		t.Skip(err)
	}
	defer disk.Unmount(dir)
	name := filepath.Join(dir, "file")
	if err := os.WriteFile(name, make([]byte, 3<<20), 0o666); err == nil ||
		!strings.Contains(err.Error(), "no space left on device") {
		t.Errorf("the disk is full, and the error %v", err)
	}
	fatal.If(t, disk.Resize(dir, 8<<20))
	if err := os.WriteFile(name, make([]byte, 3<<20), 0o666); err != nil {
		t.Errorf("there is room again: %v", err)
	}
}

func TestInMemory(t *testing.T) {
	t.Setenv("TMPDIR", "")
	if disk.InMemory(1<<62) || os.Getenv("TMPDIR") != "" {
		t.Errorf("there is not so much memory, and temporary folders are in %q", os.Getenv("TMPDIR"))
	}
	if !disk.InMemory(1 << 20) {
		t.Skip("there is no file system in memory")
	}
	if dir := os.Getenv("TMPDIR"); !strings.HasPrefix(os.TempDir(), dir) || dir == "" {
		t.Errorf("temporary folders are in %q", dir)
	}
	if disk.InMemory(1 << 20) {
		t.Error("TMPDIR says where temporary folders are, and is not obeyed")
	}
}
