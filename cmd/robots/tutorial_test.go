package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// TestTutorial runs the commands of the "console" blocks of a document in order, in a copy of the
// site of examples/books with the log of examples, and compares their output.
func TestTutorial(t *testing.T) {
	for _, name := range []string{"../../README.md", "../../doc/tutorial.md", "../../doc/check.md",
		"../../doc/block-ai.md"} {
		t.Run(filepath.Base(name), func(t *testing.T) { testTutorial(t, name) })
	}
}

func testTutorial(t *testing.T, name string) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("there is no bash to run the commands with")
	}
	data, err := os.ReadFile(name)
	fatal.If(t, err)
	dir := t.TempDir()
	fatal.If(t, os.CopyFS(dir, os.DirFS("../../examples/books")))
	for _, name := range []string{"shop.robots.txt", "shop.access.log"} {
		data, err := os.ReadFile("../../examples/" + name)
		fatal.If(t, err)
		fatal.If(t, os.WriteFile(filepath.Join(dir, name), data, 0o666))
	}
	bin := t.TempDir()
	exe, err := os.Executable()
	fatal.If(t, err)
	if err := os.Symlink(exe, filepath.Join(bin, "robots")); err != nil {
		t.Skip(err)
	}
	run := func(command string) string {
		cmd := exec.Command(bash, "-c", command)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"), "LC_ALL=C")
		out, _ := cmd.CombinedOutput() // some of the commands are expected to fail
		return string(out)
	}
	const open, shut = "```console\n", "```\n"
	var is strings.Builder // the document with the current output
	rest := string(data)
	commands := 0
	for {
		before, block, found := strings.Cut(rest, open)
		is.WriteString(before)
		if !found {
			break
		}
		block, rest, found = strings.Cut(block, shut)
		if !found {
			t.Fatal("a block has no end")
		}
		is.WriteString(open)
		for _, part := range strings.Split("\n"+block, "\n$ ")[1:] {
			command, _, _ := strings.Cut(part, "\n")
			for lines := strings.SplitAfter(part, "\n")[1:]; strings.HasSuffix(command, "\\"); lines = lines[1:] {
				command += "\n" + strings.TrimSuffix(lines[0], "\n")
			}
			commands++
			is.WriteString("$ " + command + "\n" + run(command))
		}
		is.WriteString(shut)
	}
	if commands == 0 {
		t.Fatal("the document has no commands to run")
	}
	if is.String() == string(data) {
		return
	}
	if *update {
		fatal.If(t, os.WriteFile(name, []byte(is.String()), 0o644))
		return
	}
	want, got := strings.Split(string(data), "\n"), strings.Split(is.String(), "\n")
	for i := range min(len(want), len(got)) {
		if want[i] != got[i] {
			t.Fatalf("%s:%d: says\n%s\nand the command prints\n%s\n(run the test with -update)", name, i+1, want[i],
				got[i])
		}
	}
	t.Fatal("the document ends sooner or later than what its commands print")
}
