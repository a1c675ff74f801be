package journal_test

import (
	"errors"
	"fmt"
	"net"
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"github.com/robotsexclusion/robots/internal/test/child"
	"github.com/robotsexclusion/robots/internal/test/ports"
)

func TestMain(m *testing.M) {
	child.Main(child.Tasks{
		"write": writeUntilKilled, "serve": serveUntilKilled, "fill": fillDisk, "open": openUntilKilled, "bulk": writeManyUntilKilled,
	})
	os.Exit(m.Run())
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
	child.Check(err)
	s.Start()
	if !s.ReadyForConnections(30 * time.Second) {
		child.Check(errors.New("the server does not start"))
	}
	fmt.Println("ready")
	s.WaitForShutdown()
}

// A sharedServer is a NATS server in another process.
type sharedServer struct {
	dir, address string
	*child.Process
}

// share starts a server, which ends with the test.
func share(t testing.TB) *sharedServer {
	t.Helper()
	s := &sharedServer{dir: t.TempDir(), address: ports.Address(t)}
	s.start(t)
	return s
}

func (s *sharedServer) start(t testing.TB) {
	t.Helper()
	s.Process = child.Start(t, "serve", s.dir, "JOURNAL_TEST_ADDRESS="+s.address)
	s.Line()
}

func (s *sharedServer) url() string { return "nats://" + s.address }
