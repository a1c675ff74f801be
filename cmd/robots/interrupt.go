package main

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"syscall"

	"github.com/robotsexclusion/robots/internal/userfile"
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
	cmd.SetIn(userfile.Until(ctx, cmd.InOrStdin(), errInterrupted))
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
