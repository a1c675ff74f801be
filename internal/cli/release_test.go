package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// TestRelease builds a program with the flags of a release, in a folder of git, and with a GOFLAGS
// that leaves out what git knows. The program must tell its version, commit and date nonetheless.
func TestRelease(t *testing.T) {
	for _, program := range []string{"go", "git"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skipf("%s is not installed", program)
		}
	}
	config := readFile(t, "../../.goreleaser.yaml")
	flags := regexp.MustCompile(`(?m)^ +flags: \[(.+?)\]`).FindAllStringSubmatch(config, -1)
	if len(flags) != 1 {
		t.Fatalf("%d lists of flags in .goreleaser.yaml, want 1", len(flags))
	}

	// The program is this file with a function main.
	dir := t.TempDir()
	source := strings.Replace(readFile(t, "buildversion.go"), "package cli\n", "package main\n", 1)
	writeFile(t, filepath.Join(dir, "buildversion.go"), source)
	writeFile(t, filepath.Join(dir, "main.go"),
		"package main\n\nfunc main() {\n\tv, _ := ReadVersion()\n\tprint(v.String())\n}\n")
	writeFile(t, filepath.Join(dir, "go.mod"), "module example.com/program\n\ngo 1.26.0\n")
	run := func(name string, args ...string) string {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), name, args...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GOFLAGS=-buildvcs=false", "CGO_ENABLED=0", "GIT_CONFIG_GLOBAL="+os.DevNull,
			"GIT_CONFIG_SYSTEM="+os.DevNull,
			"GIT_AUTHOR_NAME=Ada", "GIT_AUTHOR_EMAIL=ada@example.com", "GIT_AUTHOR_DATE=2026-03-01T00:00:00Z",
			"GIT_COMMITTER_NAME=Ada", "GIT_COMMITTER_EMAIL=ada@example.com", "GIT_COMMITTER_DATE=2026-03-02T23:59:59Z")
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%s %v: %v\n%s", name, args, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	run("git", "init", "--quiet")
	run("git", "add", ".")
	run("git", "commit", "--quiet", "--message", "all")
	run("git", "tag", "v1.2.3")
	program := filepath.Join(t.TempDir(), "program.exe")
	run("go", append([]string{"build", "-o", program}, regexp.MustCompile(`, *`).Split(flags[0][1], -1)...)...)

	want := "robots v1.2.3, revision " + run("git", "rev-parse", "HEAD") + ", 2026-03-02, built with go"
	if got := run(program); !strings.HasPrefix(got, want) {
		t.Errorf("got %q, want %q and a number", got, want)
	}
}

func readFile(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(name)
	fatal.If(t, err)
	return strings.ReplaceAll(string(data), "\r\n", "\n")
}

func writeFile(t *testing.T, name, text string) {
	t.Helper()
	fatal.If(t, os.WriteFile(name, []byte(text), 0o666))
}
