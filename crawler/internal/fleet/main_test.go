package fleet

import (
	"os"
	"testing"

	"github.com/robotsexclusion/robots/internal/test/child"
)

func TestMain(m *testing.M) {
	child.Main(child.Tasks{"work": workUntilKilled})
	os.Exit(m.Run())
}
