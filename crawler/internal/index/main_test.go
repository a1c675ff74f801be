package index_test

import (
	"os"
	"testing"

	"github.com/robotsexclusion/robots/internal/test/child"
	"github.com/robotsexclusion/robots/internal/test/disk"
)

// TestMain puts the folders of the tests in memory, so that they do not wait for the disk.
func TestMain(m *testing.M) {
	child.Main(child.Tasks{"write": writeUntilKilled, "fill": writeUntilFull})
	disk.InMemory(1 << 30)
	os.Exit(m.Run())
}
