// Package process runs servers that a comparison measures, each in a process of its own.
package process

import (
	"bytes"
	"fmt"
	"net"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A Server is a process that listens at an address.
type Server struct {
	Name, Address string
	cmd           *exec.Cmd
}

// Start starts a program with the arguments for a free address of loopback, and returns when it
// accepts connections. env is added to the environment.
func Start(name, program string, args func(address string) []string, env ...string) (*Server, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	s := &Server{Name: name, Address: l.Addr().String()}
	l.Close()
	s.cmd = exec.Command(program, args(s.Address)...)
	s.cmd.Env = append(os.Environ(), env...)
	if err := s.cmd.Start(); err != nil {
		return nil, err
	}
	for end := time.Now().Add(30 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		c, err := net.Dial("tcp", s.Address)
		if err == nil {
			return s, c.Close()
		}
		if time.Now().After(end) {
			s.Stop()
			return nil, fmt.Errorf("%s does not start: %w", name, err)
		}
	}
}

// Stop kills the process.
func (s *Server) Stop() {
	s.cmd.Process.Kill()
	s.cmd.Wait()
}

// CPU returns the processor time that the process has used. It reads /proc, so it needs Linux.
func (s *Server) CPU() (time.Duration, error) {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", s.cmd.Process.Pid))
	if err != nil {
		return 0, err
	}
	fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
	user, _ := strconv.Atoi(fields[11])
	system, _ := strconv.Atoi(fields[12])
	return time.Duration(user+system) * 10 * time.Millisecond, nil // of a clock with 100 ticks a second
}

// Memory returns the memory of the process now, and the largest it has had, in bytes.
func (s *Server) Memory() (now, most int64, err error) {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.cmd.Process.Pid))
	if err != nil {
		return 0, 0, err
	}
	for line := range strings.Lines(string(status)) {
		name, value, _ := strings.Cut(line, ":")
		n, _ := strconv.ParseInt(strings.TrimSuffix(strings.TrimSpace(value), " kB"), 10, 64)
		switch name {
		case "VmRSS":
			now = n << 10
		case "VmHWM":
			most = n << 10
		}
	}
	return now, most, nil
}

// Median returns the median of numbers, which it sorts.
func Median(list []float64) float64 {
	slices.Sort(list)
	return list[len(list)/2]
}
