package userfile_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots/internal/test/fatal"
	"github.com/robotsexclusion/robots/internal/userfile"
)

// TestTexts checks which files a folder stands for, and that no file may be named twice.
func TestTexts(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, name := range []string{"d/20.txt", "d/10.TXT", "d/.hidden.txt", "d/readme.md", "d/out.txt", "d/e.txt/30.txt",
		"other.txt"} {
		fatal.If(t, os.MkdirAll(filepath.Dir(name), 0o777))
		fatal.If(t, os.WriteFile(name, nil, 0o666))
	}
	in := func(name string) string { return filepath.Join("d", name) }
	got, err := userfile.Texts([]string{"other.txt", "d", userfile.Stdin}, filepath.Join("d", "..", "d", "out.txt"), "")
	if want := []string{"other.txt", in("10.TXT"), in("20.txt"), userfile.Stdin}; err != nil ||
		!slices.Equal(got, want) {
		t.Errorf("got %q, %v, want %q", got, err, want)
	}
	for _, args := range [][]string{{"d", in("20.txt")}, {"./other.txt", "other.txt"}, {"-", "-"}} {
		got, err := userfile.Texts(args)
		if twice := (*userfile.TwiceError)(nil); !errors.As(err, &twice) || twice.First != args[0] ||
			twice.Second != args[1] {
			t.Errorf("%q: got %q, %v, want a TwiceError", args, got, err)
		}
	}
	if got, err := userfile.Texts([]string{"d"}, in("10.TXT"), in("20.txt"), in("out.txt")); err == nil ||
		!strings.Contains(err.Error(), "has no fragment") {
		t.Errorf("an empty folder: got %q, %v", got, err)
	}
}
