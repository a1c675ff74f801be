//go:build !unix

package cli

// execute runs a program in place of this process, and exits with its status.
func execute(path string, args []string) error { return runChild(path, args) }
