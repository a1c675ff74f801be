//go:build unix

package cli

import (
	"os"
	"syscall"
	"testing"

	"github.com/robotsexclusion/robots/internal/test/child"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// TestMain runs a shell in place of the tests where TestRunProgram asks for one.
func TestMain(m *testing.M) {
	child.Main(child.Tasks{
		"child": func(script string) {
			runChild("/bin/sh", []string{"sh", "-c", script})
			os.Exit(99) // unless the shell ended by a signal
		},
		"replace": func(script string) { execute("/bin/sh", []string{"sh", "-c", script}) },
	})
	os.Exit(m.Run())
}

// A program that is run, as a child or in place of this process, decides about the exit status and
// gets signals.
func TestRunProgram(t *testing.T) {
	for _, how := range []string{"child", "replace"} {
		run := child.Command(how, "echo this; exit 7")
		if out, _ := run.Output(); string(out) != "this\n" || run.ProcessState.ExitCode() != 7 {
			t.Errorf("%s: got %q, status %d", how, out, run.ProcessState.ExitCode())
		}
		stopped := child.Start(t, how, "trap 'exit 5' TERM; echo ready; while :; do sleep 0.02; done")
		if line := stopped.Line(); line != "ready" {
			t.Fatalf("%s: got %q", how, line)
		}
		fatal.If(t, stopped.Process.Signal(syscall.SIGTERM))
		if stopped.Wait(); stopped.ProcessState.ExitCode() != 5 {
			t.Errorf("%s: status %d after SIGTERM", how, stopped.ProcessState.ExitCode())
		}
	}
}
