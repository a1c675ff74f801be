package fetch_test

import (
	"os"
	"os/exec"
	"testing"
)

// TestMain lets the tests run this program again as another process: for one test, or to put entries
// into a folder or prune it until the process is killed.
func TestMain(m *testing.M) {
	if dir := os.Getenv("FETCH_TEST_PUT"); dir != "" {
		putUntilKilled(dir)
		return
	}
	if dir := os.Getenv("FETCH_TEST_PRUNE"); dir != "" {
		pruneUntilKilled(dir)
		return
	}
	os.Exit(m.Run())
}

// again returns a command that runs this program with one test and additional environment variables.
func again(t *testing.T, test string, env ...string) *exec.Cmd {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program, "-test.run="+test)
	cmd.Env = append(os.Environ(), env...)
	return cmd
}
