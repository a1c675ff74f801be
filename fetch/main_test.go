package fetch_test

import (
	"os"
	"testing"

	"github.com/robotsexclusion/robots/internal/test/child"
)

func TestMain(m *testing.M) {
	child.Main(child.Tasks{"put": putUntilKilled, "prune": pruneUntilKilled})
	os.Exit(m.Run())
}
