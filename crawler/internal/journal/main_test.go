package journal_test

import (
	"os"
	"testing"

	"github.com/robotsexclusion/robots/internal/nats/natstest"
	"github.com/robotsexclusion/robots/internal/test/child"
	"github.com/robotsexclusion/robots/internal/test/ports"
)

func TestMain(m *testing.M) {
	child.Main(child.Tasks{
		"write": writeUntilKilled, natstest.Task: natstest.Serve, "fill": fillDisk, "open": openUntilKilled,
		"bulk": writeManyUntilKilled, "release": releaseUntilKilled,
	})
	os.Exit(m.Run())
}

// A sharedServer is a NATS server in another process.
type sharedServer struct {
	dir, address string
	Kill         func()
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
	_, s.Kill = natstest.Process(t, s.dir, s.address)
}

func (s *sharedServer) url() string { return "nats://" + s.address }
