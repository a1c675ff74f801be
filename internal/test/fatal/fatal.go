// Package fatal ends a test whose preparation fails.
package fatal

import "testing"

// If ends the test with the error, unless the error is nil.
func If(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
