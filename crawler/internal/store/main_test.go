package store_test

import (
	"os"
	"testing"

	"github.com/robotsexclusion/robots/internal/test/child"
)

func TestMain(m *testing.M) {
	child.Main(child.Tasks{"commit": commitUntilKilled, "fill": commitUntilFull})
	os.Exit(m.Run())
}
