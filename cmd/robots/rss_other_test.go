//go:build !unix

package main

import "os"

// maxRSS returns 0: the system does not report the memory of a process.
func maxRSS(*os.ProcessState) int64 { return 0 }
