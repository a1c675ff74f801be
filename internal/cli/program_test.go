package cli

import (
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// A program is found in absolute folders only, and only if it is a file that can be run.
func TestFindProgram(t *testing.T) {
	const program = "crawler/cmd/robots-crawl"
	file := path.Base(program)
	if runtime.GOOS == "windows" {
		file += ".exe"
	}
	empty, folder, data, good, other := t.TempDir(), t.TempDir(), t.TempDir(), t.TempDir(), t.TempDir()
	fatal.If(t, os.Mkdir(filepath.Join(folder, file), 0o777))
	for dir, mode := range map[string]os.FileMode{data: 0o644, good: 0o755, other: 0o755} {
		fatal.If(t, os.WriteFile(filepath.Join(dir, file), nil, mode))
	}
	folders := []string{empty, folder, good, other}
	if runtime.GOOS != "windows" { // where files have no mode
		folders = slices.Insert(folders, 0, data)
	}
	if got, err := findProgram(program, folders); got != filepath.Join(good, file) || err != nil {
		t.Errorf("got %q, %v", got, err)
	}
	t.Chdir(filepath.Dir(good))
	for _, folders := range [][]string{nil, {empty}, {"", ".", filepath.Base(good), "./" + filepath.Base(good)}} {
		got, err := findProgram(program, folders)
		if err == nil || !strings.HasSuffix(err.Error(),
			": install it with go install github.com/robotsexclusion/robots/crawler/cmd/robots-crawl@latest") {
			t.Errorf("in %q: got %q, %v", folders, got, err)
		}
	}
}
