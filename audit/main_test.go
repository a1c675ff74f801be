package audit_test

import (
	"os"
	"runtime/debug"
	"testing"
)

// TestMain lets the garbage collector run less often: reports of the slow twin, and parts that are
// stored and read again, make much garbage that the tests do not need to be rid of.
func TestMain(m *testing.M) {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400)
	}
	os.Exit(m.Run())
}
