//go:build !unix

package main

import "os"

// maxRSS returns 0: the system does not say how much memory a process had.
func maxRSS(*os.ProcessState) int64 { return 0 }
