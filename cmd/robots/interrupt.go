package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"
)

var errInterrupted = errors.New("interrupted")

// untilInterrupted returns a context that is done at the first interrupt: Ctrl-C, or SIGTERM,
// which systemd, Docker and Kubernetes send to stop a program. A second interrupt ends the
// program at once. On Windows, Go reports a closed console, a log-off and a shutdown as
// SIGTERM; Windows itself ends the program some seconds later.
func untilInterrupted(ctx context.Context) (interrupted context.Context, stop func()) {
	interrupted, stop = signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(interrupted, stop)
	return interrupted, stop
}

// interruptible returns a context that is done when the user interrupts the program, so that
// the program can end in order. Reads of standard input then stop waiting. A second interrupt
// ends the program at once, whatever it is doing.
func interruptible(cmd *cobra.Command) (ctx context.Context, stop func()) {
	ctx, stop = untilInterrupted(cmd.Context())
	cmd.SetIn(&inputUntil{ctx: ctx, in: cmd.InOrStdin()})
	return ctx, stop
}

// runInterruptible runs a verb until the user interrupts it. The verb then ends with that
// error.
func runInterruptible(cmd *cobra.Command, args []string, run func(ctx context.Context, cmd *cobra.Command, args []string) error) error {
	ctx, stop := interruptible(cmd)
	defer stop()
	err := run(ctx, cmd, args)
	if ctx.Err() != nil {
		return errInterrupted
	}
	return err
}

// An inputUntil wraps a reader until a context is done. Then its error is [errInterrupted].
type inputUntil struct {
	ctx  context.Context
	in   io.Reader
	part []byte       // the last part read
	rest bytes.Reader // the rest of part, not handed out yet
	err  error        // the error after part
}

func (i *inputUntil) Read(p []byte) (int, error) {
	if i.rest.Len() == 0 && i.err == nil {
		i.next()
	}
	if n, _ := i.rest.Read(p); n > 0 {
		return n, nil
	}
	return 0, i.err
}

// next reads the next part. It is not called again after a read that it did not wait for.
func (i *inputUntil) next() {
	if i.part == nil {
		i.part = make([]byte, 64<<10)
	}
	type result struct {
		n   int
		err error
	}
	done := make(chan result, 1)
	go func() {
		n, err := i.in.Read(i.part)
		done <- result{n, err}
	}()
	select {
	case r := <-done:
		i.rest.Reset(i.part[:r.n])
		i.err = r.err
	case <-i.ctx.Done():
		i.err = errInterrupted
	}
}
