package journal_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"strconv"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"github.com/robotsexclusion/robots/internal/reexec"
	"github.com/robotsexclusion/robots/internal/test/ports"
)

// TestMain lets the tests run this program again as a child process that is killed or
// limited.
func TestMain(m *testing.M) {
	for name, run := range map[string]func(string){
		"JOURNAL_TEST_WRITE": writeUntilKilled,
		"JOURNAL_TEST_SERVE": serveUntilKilled,
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

// serveUntilKilled runs a NATS server in the child process, like the one that crawlers
// share.
func serveUntilKilled(dir string) {
	host, text, _ := net.SplitHostPort(os.Getenv("JOURNAL_TEST_ADDRESS"))
	port, _ := strconv.Atoi(text)
	s, err := server.NewServer(&server.Options{
		ServerName: "shared", Host: host, Port: port, NoSigs: true, NoLog: true,
		JetStream: true, StoreDir: dir, SyncAlways: true,
	})
	if err != nil {
		die(err)
	}
	s.Start()
	if !s.ReadyForConnections(30 * time.Second) {
		die(fmt.Errorf("the server does not start"))
	}
	fmt.Println("ready")
	s.WaitForShutdown()
}

// A sharedServer is a NATS server in another process.
type sharedServer struct {
	dir, address string
	cmd          *exec.Cmd
}

// share starts a server, which ends with the test.
func share(t testing.TB) *sharedServer {
	t.Helper()
	s := &sharedServer{dir: t.TempDir(), address: ports.Address(t)}
	s.start(t)
	t.Cleanup(s.kill)
	return s
}

func (s *sharedServer) start(t testing.TB) {
	t.Helper()
	s.cmd = another(t, "JOURNAL_TEST_SERVE="+s.dir, "JOURNAL_TEST_ADDRESS="+s.address)
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(out).ReadString('\n'); err != nil {
		t.Fatalf("the server said %q: %v", line, err)
	}
}

// kill ends the server as kill -9 does.
func (s *sharedServer) kill() {
	s.cmd.Process.Kill()
	s.cmd.Wait()
}

func (s *sharedServer) url() string { return "nats://" + s.address }
