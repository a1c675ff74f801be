package child

import (
	"fmt"
	"os"
	"strings"
)

// Memory returns the memory in bytes that a running process has now, and the most that it had. Both
// are 0 where the system has no /proc.
func Memory(pid int) (now, most int64) {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0, 0
	}
	return kilobytes(string(status), "\nVmRSS:"), kilobytes(string(status), "\nVmHWM:")
}

// kilobytes returns the bytes of a line of /proc/PID/status.
func kilobytes(status, name string) (size int64) {
	_, rest, _ := strings.Cut(status, name)
	fmt.Sscan(rest, &size)
	return size << 10
}
