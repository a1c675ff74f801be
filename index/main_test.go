package index_test

import (
	"os"
	"os/exec"
	"testing"
)

// TestMain lets the tests run this program again as another process, which writes
// an index until it is killed or its disk is full.
func TestMain(m *testing.M) {
	if dir := os.Getenv("INDEX_TEST_WRITE"); dir != "" {
		writeUntilKilled(dir)
		return
	}
	if dir := os.Getenv("INDEX_TEST_FILL"); dir != "" {
		writeUntilFull(dir)
		return
	}
	os.Exit(m.Run())
}

// again returns a command that runs this program with more in its environment.
func again(t *testing.T, env ...string) *exec.Cmd {
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
