//go:build unix

package cli

import (
	"bufio"
	"os"
	"syscall"
	"testing"

	"github.com/robotsexclusion/robots/internal/reexec"
)

// TestMain runs a shell in place of the tests where TestRunProgram asks for one.
func TestMain(m *testing.M) {
	if script := os.Getenv("COMMAND_TEST_CHILD"); script != "" {
		runChild("/bin/sh", []string{"sh", "-c", script})
		os.Exit(99) // unless the shell ended by a signal
	}
	if script := os.Getenv("COMMAND_TEST_REPLACE"); script != "" {
		execute("/bin/sh", []string{"sh", "-c", script})
	}
	os.Exit(m.Run())
}

// A program that is run, as a child or in place of this process, decides about the exit status and
// gets signals.
func TestRunProgram(t *testing.T) {
	for _, how := range []string{"CHILD", "REPLACE"} {
		run := reexec.Command(t, "COMMAND_TEST_"+how+"=echo this; exit 7")
		if out, _ := run.Output(); string(out) != "this\n" || run.ProcessState.ExitCode() != 7 {
			t.Errorf("%s: got %q, status %d", how, out, run.ProcessState.ExitCode())
		}
		stopped := reexec.Command(t, "COMMAND_TEST_"+how+"=trap 'exit 5' TERM; echo ready; while :; do sleep 0.02; done")
		out, err := stopped.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := stopped.Start(); err != nil {
			t.Fatal(err)
		}
		if line, err := bufio.NewReader(out).ReadString('\n'); line != "ready\n" {
			t.Fatalf("%s: got %q, %v", how, line, err)
		}
		if err := stopped.Process.Signal(syscall.SIGTERM); err != nil {
			t.Fatal(err)
		}
		if stopped.Wait(); stopped.ProcessState.ExitCode() != 5 {
			t.Errorf("%s: status %d after SIGTERM", how, stopped.ProcessState.ExitCode())
		}
	}
}
