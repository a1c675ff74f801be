package cli

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// A program is found in absolute folders only, and only if it is a file that can be run.
func TestFindIn(t *testing.T) {
	p := Program{Name: "robots-crawl", Package: "example.com/robots/cmd/robots-crawl"}
	file := p.Name
	if runtime.GOOS == "windows" {
		file += ".exe"
	}
	empty, folder, data, good, other := t.TempDir(), t.TempDir(), t.TempDir(), t.TempDir(), t.TempDir()
	if err := os.Mkdir(filepath.Join(folder, file), 0o777); err != nil {
		t.Fatal(err)
	}
	for dir, mode := range map[string]os.FileMode{data: 0o644, good: 0o755, other: 0o755} {
		if err := os.WriteFile(filepath.Join(dir, file), nil, mode); err != nil {
			t.Fatal(err)
		}
	}
	folders := []string{empty, folder, good, other}
	if runtime.GOOS != "windows" { // where files have no mode
		folders = slices.Insert(folders, 0, data)
	}
	if got, err := p.findIn(folders); got != filepath.Join(good, file) || err != nil {
		t.Errorf("got %q, %v", got, err)
	}
	t.Chdir(filepath.Dir(good))
	for _, folders := range [][]string{nil, {empty}, {"", ".", filepath.Base(good), "./" + filepath.Base(good)}} {
		got, err := p.findIn(folders)
		if err == nil || !strings.HasSuffix(err.Error(), ": install it with go install example.com/robots/cmd/robots-crawl@latest") {
			t.Errorf("in %q: got %q, %v", folders, got, err)
		}
	}
}

func TestCompletions(t *testing.T) {
	for out, want := range map[string]struct {
		words     []string
		directive cobra.ShellCompDirective
	}{
		"--dir\tkeep everything in folder\n--demo\n:4\n": {[]string{"--dir\tkeep everything in folder", "--demo"}, cobra.ShellCompDirectiveNoFileComp},
		":0\n": {nil, cobra.ShellCompDirectiveDefault},
		"":     {nil, cobra.ShellCompDirectiveError},
		"x\n":  {nil, cobra.ShellCompDirectiveError},
		":x\n": {nil, cobra.ShellCompDirectiveError},
	} {
		words, directive := completions(out)
		if !slices.Equal(words, want.words) || directive != want.directive {
			t.Errorf("%q: got %q, %d, want %q, %d", out, words, directive, want.words, want.directive)
		}
	}
}
