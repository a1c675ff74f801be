package warc_test

import (
	"os"
	"testing"
)

// TestMain lets the tests run this program again as a child process, which writes an
// archive until it is killed or its disk is full.
func TestMain(m *testing.M) {
	if dir := os.Getenv("WARC_TEST_WRITE"); dir != "" {
		writeUntilKilled(dir)
		return
	}
	if dir := os.Getenv("WARC_TEST_FILL"); dir != "" {
		writeUntilFull(dir)
		return
	}
	os.Exit(m.Run())
}
