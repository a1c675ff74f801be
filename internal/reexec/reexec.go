// Package reexec runs the test program again as a child process that may be killed or
// limited. The child's TestMain reads its task from the environment.
package reexec

import (
	"os"
	"os/exec"
	"testing"
)

// Command returns a command that runs this program with additional environment
// variables, in the form "KEY=value". The child runs no tests, and its errors go to the
// output of the test.
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
