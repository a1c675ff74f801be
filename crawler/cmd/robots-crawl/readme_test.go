package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// TestReadme runs the commands of the README's crawler that need no other server, in a folder of
// their own: a crawl of the demo, its status, and a search. The demo ends earlier and with shorter
// pauses, so that the test takes seconds.
func TestReadme(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile("../../../README.md")
	fatal.If(t, err)
	_, block, _ := strings.Cut(string(data), "\n## The crawler\n\n```\n")
	block, _, found := strings.Cut(block, "```\n")
	if !found {
		t.Fatal("the README has no block about the crawler")
	}
	exe, err := os.Executable()
	fatal.If(t, err)
	dir := t.TempDir()
	program := filepath.Join(dir, "robots")
	if err := os.Symlink(exe, program); err != nil {
		t.Skip(err)
	}
	wants := map[string]string{ // a part of the output of each command, by its beginning
		"robots crawl --demo --dir crawl": "no request violated robots.txt",
		"robots crawl status":             "known",
		"robots search garden":            "garden",
	}
	for line := range strings.Lines(block) {
		command, _, _ := strings.Cut(line, "#")
		command = strings.TrimSpace(command)
		want, ok := wants[command]
		if !ok {
			if !strings.Contains(command, "https://example.org/") {
				t.Errorf("the README has another command: %s", command)
			}
			continue
		}
		delete(wants, command)
		args := strings.Fields(command)[1:]
		if strings.Contains(command, "--demo") {
			args = append(args, "--pages", "40", "--delay", "10ms")
		}
		cmd := exec.Command(program, args...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "LC_ALL=C")
		out, err := cmd.CombinedOutput()
		if err != nil || !strings.Contains(string(out), want) {
			t.Errorf("%s: %v, want %q in\n%s", command, err, want, out)
		}
	}
	for command := range wants {
		t.Errorf("the README has no %s", command)
	}
}
