package index_test

import (
	"os"
	"testing"

	"github.com/robotsexclusion/robots/internal/test/disk"
)

// TestMain lets the tests run this program again as a child process, which writes an
// index until it is killed or its disk is full.
func TestMain(m *testing.M) {
	if dir := os.Getenv("INDEX_TEST_WRITE"); dir != "" {
		writeUntilKilled(dir)
		return
	}
	if dir := os.Getenv("INDEX_TEST_FILL"); dir != "" {
		writeUntilFull(dir)
		return
	}
	disk.InMemory(1 << 30)
	os.Exit(m.Run())
}
