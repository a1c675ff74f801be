package webserver

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// TestNotBuilt checks that a server without a part that it needs counts as missing, so that its
// tests are skipped.
func TestNotBuilt(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the server of this test is a script of sh")
	}
	how := program{command: "server", built: "Built with Lua"}
	dir := t.TempDir()
	for says, missing := range map[string]bool{"Built with Lua version 5.3": false, "Built without": true} {
		fatal.If(t, os.WriteFile(filepath.Join(dir, "server"), []byte("#!/bin/sh\necho "+says+"\n"), 0o755))
		t.Setenv("PATH", dir+string(filepath.ListSeparator)+os.Getenv("PATH"))
		if _, err := how.find(t.Context()); errors.Is(err, fs.ErrNotExist) != missing || !missing && err != nil {
			t.Errorf("a server that says %q: %v", says, err)
		}
	}
}
