package warc_test

import (
	"os"
	"testing"

	"github.com/robotsexclusion/robots/internal/test/child"
)

func TestMain(m *testing.M) {
	child.Main(child.Tasks{"write": writeUntilKilled, "fill": writeUntilFull})
	os.Exit(m.Run())
}
