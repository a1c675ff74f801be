package store_test

import (
	"os"
	"testing"
)

// TestMain lets the tests run this program again as a child process, which uses a store
// until it is killed or its disk is full.
func TestMain(m *testing.M) {
	if dir := os.Getenv("STORE_TEST_COMMIT"); dir != "" {
		commitUntilKilled(dir)
		return
	}
	if dir := os.Getenv("STORE_TEST_FILL"); dir != "" {
		commitUntilFull(dir)
		return
	}
	if dir := os.Getenv("STORE_TEST_SCALE"); dir != "" {
		scale(dir, os.Getenv("STORE_TEST_URLS"))
		return
	}
	os.Exit(m.Run())
}
