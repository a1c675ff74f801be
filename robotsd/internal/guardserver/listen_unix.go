//go:build unix

package guardserver

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"syscall"
	"time"
)

// The environment by which a process hands its listener to its successor: the listener is the file
// 3, and the file 4 is a pipe to which the successor writes a byte when it serves.
const (
	inheritedVariable = "ROBOTS_GUARD_LISTENER"
	listenerFile      = 3
	readyFile         = 4
	startLimit        = 30 * time.Second
)

// Listen listens at a TCP address, or takes the listener of the process before. The function ready
// is called when the server serves.
func Listen(address string) (l net.Listener, ready func(), err error) {
	if os.Getenv(inheritedVariable) == "" {
		l, err = net.Listen("tcp", address)
		return l, func() {}, err
	}
	os.Unsetenv(inheritedVariable)
	f := os.NewFile(listenerFile, "listener")
	defer f.Close()
	l, err = net.FileListener(f)
	pipe := os.NewFile(readyFile, "ready")
	return l, func() { pipe.Write([]byte{1}); pipe.Close() }, err
}

// Successor starts this program again with its arguments, hands the listener on, and returns the
// number of the new process when it serves. Both accept connections then, so none is refused when
// the caller stops.
func Successor(l net.Listener) (pid int, err error) {
	tcp, ok := l.(*net.TCPListener)
	if !ok {
		return 0, errors.New("the listener cannot be handed on")
	}
	f, err := listenerFileOf(tcp)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	program, err := os.Executable()
	if err != nil {
		return 0, err
	}
	r, w, err := os.Pipe()
	if err != nil {
		return 0, err
	}
	defer r.Close()
	cmd := exec.Command(program, os.Args[1:]...)
	cmd.Args[0] = os.Args[0]
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	cmd.Env = append(os.Environ(), inheritedVariable+"=1")
	cmd.ExtraFiles = []*os.File{f, w}
	err = cmd.Start()
	w.Close()
	if err != nil {
		return 0, err
	}
	go cmd.Wait() // this process may go on if the other one fails
	r.SetReadDeadline(time.Now().Add(startLimit))
	if n, err := r.Read(make([]byte, 1)); n == 0 {
		cmd.Process.Kill()
		if errors.Is(err, io.EOF) {
			return 0, errors.New("the new process has ended, and this one goes on")
		}
		return 0, fmt.Errorf("the new process does not serve, and this one goes on: %w", err)
	}
	return cmd.Process.Pid, nil
}

// listenerFileOf returns a file of a listener. [net.TCPListener.File] would make the listener
// blocking when the file is handed on, also for this process: then Accept does not end when the
// listener is closed.
func listenerFileOf(l *net.TCPListener) (*os.File, error) {
	raw, err := l.SyscallConn()
	if err != nil {
		return nil, err
	}
	copied, dupErr := -1, error(nil)
	err = raw.Control(func(fd uintptr) {
		syscall.ForkLock.RLock()
		defer syscall.ForkLock.RUnlock()
		if copied, dupErr = syscall.Dup(int(fd)); dupErr == nil {
			syscall.CloseOnExec(copied)
		}
	})
	if err = errors.Join(err, dupErr); err != nil {
		return nil, err
	}
	return os.NewFile(uintptr(copied), "listener"), nil
}

// Signals returns channels with the signals that ask for another reading of robots.txt (SIGHUP) and
// for a restart (SIGUSR2), until ctx ends.
func Signals(ctx context.Context) (reload, restart <-chan os.Signal) {
	hup, usr2 := make(chan os.Signal, 1), make(chan os.Signal, 1)
	signal.Notify(hup, syscall.SIGHUP)
	signal.Notify(usr2, syscall.SIGUSR2)
	context.AfterFunc(ctx, func() { signal.Stop(hup); signal.Stop(usr2) })
	return hup, usr2
}
