// Package reexec runs the program of a test again, as another process that may be killed,
// or limited. What it is to do there its TestMain takes from the environment.
package reexec

import (
	"os"
	"os/exec"
	"testing"
)

// Command returns a command that runs this program with more in its environment, in the
// form "KEY=value". It runs no test there, and its errors go where those of the test go.
func Command(t testing.TB, env ...string) *exec.Cmd {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program, "-test.run=^$")
	cmd.Env = append(os.Environ(), env...)
	cmd.Stderr = os.Stderr
	return cmd
}
