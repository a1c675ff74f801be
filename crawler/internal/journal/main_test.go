package journal_test

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"testing"

	"github.com/robotsexclusion/robots/internal/freeport"
	"github.com/robotsexclusion/robots/internal/nats/natstest"
	"github.com/robotsexclusion/robots/internal/reexec"
)

// TestMain lets the tests run this program again as a child process that is killed or
// limited.
func TestMain(m *testing.M) {
	if natstest.Main() {
		return
	}
	for name, run := range map[string]func(string){
		"JOURNAL_TEST_WRITE": writeUntilKilled,
		"JOURNAL_TEST_FILL":  fillDisk,
		"JOURNAL_TEST_OPEN":  openUntilKilled,
		"JOURNAL_TEST_BULK":  writeManyUntilKilled,
	} {
		if dir := os.Getenv(name); dir != "" {
			go func() { // the child does not outlive the tests, even if they are killed
				io.Copy(io.Discard, os.Stdin)
				os.Exit(1)
			}()
			run(dir)
			return
		}
	}
	os.Exit(m.Run())
}

// another returns a command that runs this program with more environment variables. The
// child ends with this process.
func another(t testing.TB, env ...string) *exec.Cmd {
	t.Helper()
	cmd := reexec.Command(t, env...)
	if _, err := cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	return cmd
}

// die ends the child process with an error.
func die(err error) {
	fmt.Fprintln(os.Stderr, "the other process:", err)
	os.Exit(1)
}

// A sharedServer is a NATS server in another process.
type sharedServer struct {
	dir, address string
	kill         func() // as kill -9 does
}

// share starts a server, which ends with the test.
func share(t testing.TB) *sharedServer {
	t.Helper()
	s := &sharedServer{dir: t.TempDir(), address: freeport.Address(t)}
	s.start(t)
	return s
}

func (s *sharedServer) start(t testing.TB) {
	t.Helper()
	_, s.kill = natstest.Process(t, s.dir, s.address)
}

func (s *sharedServer) url() string { return "nats://" + s.address }
