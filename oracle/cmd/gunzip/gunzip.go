// Gunzip decompresses a file with the decompressor that package accesslog uses, and forgets the
// bytes:
//
//	gunzip [-std] FILE
//
// With -std, it is the decompressor of the standard library. Both are bare decompressors of
// oracle/accesslog/workers.
package main

import (
	stdgzip "compress/gzip"
	"flag"
	"fmt"
	"io"
	"os"

	"github.com/klauspost/compress/gzip"
)

func main() {
	std := flag.Bool("std", false, "use the standard library")
	flag.Parse()
	if err := run(flag.Arg(0), *std); err != nil {
		fmt.Fprintln(os.Stderr, "gunzip:", err)
		os.Exit(1)
	}
}

func run(name string, std bool) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	var z io.Reader
	if std {
		z, err = stdgzip.NewReader(f)
	} else {
		z, err = gzip.NewReader(f)
	}
	if err != nil {
		return err
	}
	_, err = io.Copy(io.Discard, z)
	return err
}
