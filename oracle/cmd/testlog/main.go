// Testlog writes an access log to the standard output:
//
//	testlog few|many|fresh|wide LINES
package main

import (
	"fmt"
	"os"
	"strconv"

	"github.com/robotsexclusion/robots/internal/test/logs"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "testlog:", err)
		os.Exit(2)
	}
}

func run(args []string) error {
	if len(args) != 2 {
		return fmt.Errorf("usage: testlog few|many|fresh|wide LINES")
	}
	lines, err := strconv.Atoi(args[1])
	if err != nil {
		return err
	}
	l, err := logs.Named(args[0], lines)
	if err != nil {
		return err
	}
	_, err = l.WriteTo(os.Stdout)
	return err
}
