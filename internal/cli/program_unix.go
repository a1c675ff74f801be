//go:build unix

package cli

import (
	"os"
	"syscall"
)

// execute replaces this process by a program, which then has its signals, files and exit status.
func execute(path string, args []string) error { return syscall.Exec(path, args, os.Environ()) }
