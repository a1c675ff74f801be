// Package scripttest is shared by the script tests of the programs: programs as processes, servers
// of sites, and commands of scripts.
package scripttest

import (
	"errors"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// Main is the TestMain of a program with scripts: it runs the tests, or the program if the test
// binary has its name.
func Main(m *testing.M, program string, main func()) {
	if os.Getenv("GORACE") == "" {
		// Without this, each process of the race detector sleeps a second at its end.
		os.Setenv("GORACE", "atexit_sleep_ms=0")
	}
	if filepath.Base(os.Args[0]) != program {
		overlap()
	}
	testscript.Main(m, map[string]func(){program: main})
}

// overlap runs more tests in parallel than there are processors, unless -parallel is set: many
// tests mostly wait for processes, pauses between requests, and new lines in logs.
func overlap() {
	flag.Parse()
	asked := false
	flag.Visit(func(f *flag.Flag) { asked = asked || f.Name == "test.parallel" })
	if !asked {
		flag.Set("test.parallel", strconv.Itoa(max(6, runtime.GOMAXPROCS(0))))
	}
}

// Process returns the program of Main as a separate process.
func Process(t *testing.T, program string, args ...string) *exec.Cmd {
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), exe, args...)
	cmd.Args[0] = program // Main runs the program under this name
	return cmd
}

// ExpandFiles expands each file whose name ends in ".env" to a file without that ending, and
// replaces $NAME by the variable.
func ExpandFiles(env *testscript.Env) error {
	files, err := filepath.Glob(filepath.Join(env.WorkDir, "*.env"))
	if err != nil {
		return err
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		if err := os.WriteFile(strings.TrimSuffix(file, ".env"), []byte(os.Expand(string(text), env.Getenv)),
			0o666); err != nil {
			return err
		}
	}
	return nil
}

// Exits implements the script command exits STATUS PROGRAM [ARGUMENT…]: exec with a check of the
// exit status.
func Exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits STATUS PROGRAM [ARGUMENT…]")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		ended, ok := errors.AsType[*exec.ExitError](err)
		if !ok {
			ts.Fatalf("%v", err)
		}
		got = ended.ExitCode()
	}
	if got != want {
		ts.Fatalf("the exit status is %d, want %d", got, want)
	}
}
