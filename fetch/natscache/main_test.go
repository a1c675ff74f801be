package natscache

import (
	"os"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/internal/nats/natstest"
	"github.com/robotsexclusion/robots/internal/test/child"
)

func TestMain(m *testing.M) {
	child.Main(child.Tasks{natstest.Task: natstest.Serve})
	os.Exit(m.Run())
}

// until waits until do reports true.
func until(t testing.TB, why string, do func() bool) {
	t.Helper()
	for end := time.Now().Add(time.Minute); !do(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("not in a minute: %s", why)
		}
	}
}
