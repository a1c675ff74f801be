package filecheck_test

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots/crawler/internal/filecheck"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// TestCheck moves a file away, puts another one in its place, and brings it back.
func TestCheck(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows does not rename files that are in use")
	}
	dir := t.TempDir()
	name, away := filepath.Join(dir, "file"), filepath.Join(dir, "away")
	f, err := os.Create(name)
	fatal.If(t, err)
	defer f.Close()
	of, err := filecheck.Of(f)
	fatal.If(t, err)
	at, err := filecheck.At(name)
	fatal.If(t, err)
	folder, err := filecheck.At(dir)
	fatal.If(t, err)
	check := func(when, want string) {
		t.Helper()
		for _, p := range []filecheck.Place{of, at} {
			switch err := p.Check(); {
			case want == "" && err != nil:
				t.Errorf("%s: %v", when, err)
			case want != "" && (err == nil || !strings.Contains(err.Error(), want) ||
				!strings.Contains(err.Error(), name)):
				t.Errorf("%s: %v, want that %s", when, err, want)
			}
		}
		for _, p := range []filecheck.Place{folder, {}} {
			if err := p.Check(); err != nil {
				t.Errorf("%s: %v", when, err)
			}
		}
	}
	check("at first", "")
	if _, err := f.WriteString("more"); err != nil {
		t.Fatal(err)
	}
	check("after a change", "")
	fatal.If(t, os.Rename(name, away))
	check("when it is gone", "was removed while it was in use")
	fatal.If(t, os.WriteFile(name, nil, 0o666))
	check("when another is there", "there is another in its place")
	fatal.If(t, os.Rename(away, name))
	check("when it is back", "")
	if _, err := filecheck.At(away); err == nil {
		t.Error("what is not there has a place")
	}
}
