package userfile_test

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots/internal/test/fatal"
	"github.com/robotsexclusion/robots/internal/userfile"
)

// TestExposed checks which files everybody may read or change.
func TestExposed(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the mode of a file does not say who may read it")
	}
	folder := t.TempDir()
	name, link := filepath.Join(folder, "tokens"), filepath.Join(folder, "link")
	fatal.If(t, os.WriteFile(name, nil, 0o600))
	fatal.If(t, os.Symlink(name, link))
	for mode, want := range map[os.FileMode]bool{
		0o600: false, 0o400: false, 0o640: false, 0o660: false, 0o644: true, 0o604: true, 0o602: true, 0o666: true,
	} {
		fatal.If(t, os.Chmod(name, mode))
		for _, file := range []string{name, link} {
			got := userfile.Exposed(file, "tokens")
			if (got != "") != want || want && !strings.Contains(got, "chmod 640") {
				t.Errorf("%s, %04o: got %q", file, mode, got)
			}
		}
	}
	for _, name := range []string{"-", folder, os.DevNull, filepath.Join(folder, "missing")} {
		if got := userfile.Exposed(name, "tokens"); got != "" {
			t.Errorf("%s: got %q", name, got)
		}
	}
}
