package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots/internal/cli"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// TestLintTooLarge lints a sparse file of a terabyte: the file is refused by its size, and the
// next file is still checked.
func TestLintTooLarge(t *testing.T) {
	dir := t.TempDir()
	large, wrong := filepath.Join(dir, "large.txt"), filepath.Join(dir, "wrong.txt")
	fatal.If(t, os.WriteFile(large, nil, 0o666))
	if err := os.Truncate(large, 1<<40); err != nil {
		t.Skipf("no sparse files here: %v", err)
	}
	fatal.If(t, os.WriteFile(wrong, []byte("Disallow: /x\n"), 0o666))
	cmd := robotsProcess(t, "lint", large, wrong)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	if exit := (*exec.ExitError)(nil); !errors.As(err, &exit) || exit.ExitCode() != cli.StatusFailed {
		t.Errorf("ended with %v, want exit status %d", err, cli.StatusFailed)
	}
	if want := "1 error in 1 file\nrobots: " + large +
		" is larger than 8 MiB: lint looks at no larger file"; !strings.HasPrefix(errs.String(), want) {
		t.Errorf("standard error is %q, want %q first", errs.String(), want)
	}
	if !strings.Contains(out.String(), "wrong.txt:1:1: error: ") {
		t.Errorf("standard output has nothing of the other file: %q", out.String())
	}
}
