package corpus

import (
	"compress/gzip"
	"io"
	"os"
	"testing"
)

// Gunzip returns the content of a file that is compressed with gzip. For its name see [Path].
func Gunzip(tb testing.TB, name string) []byte {
	tb.Helper()
	f, err := os.Open(name)
	if err != nil {
		tb.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		tb.Fatal(err)
	}
	data, err := io.ReadAll(z)
	if err != nil {
		tb.Fatal(err)
	}
	return data
}
