package fleet

import (
	"os"
	"testing"

	"github.com/robotsexclusion/robots/internal/nats/natstest"
	"github.com/robotsexclusion/robots/internal/test/child"
)

func TestMain(m *testing.M) {
	child.Main(child.Tasks{"work": workUntilKilled, natstest.Task: natstest.Serve})
	os.Exit(m.Run())
}
