//go:build unix

package journal_test

import "syscall"

// processor returns the seconds of processor time that this process has used.
func processor() float64 {
	var u syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
}
