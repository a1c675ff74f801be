package cli

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/robotsexclusion/robots/internal/userfile"
	"github.com/spf13/cobra"
)

// ErrInterrupted is the error of a verb that the user interrupted.
var ErrInterrupted = errors.New("interrupted")

// oneInterrupt is how long further signals belong to the first interrupt: timeout of coreutils
// sends two, one to the process and one to its group.
const oneInterrupt = 500 * time.Millisecond

// UntilInterrupted returns a context that is done at the first interrupt: Ctrl-C, or SIGTERM,
// which systemd, Docker and Kubernetes send to stop a program. A second interrupt, half a second
// later, ends the program at once. On Windows, Go reports a closed console, a log-off and a
// shutdown as SIGTERM; Windows itself ends the program some seconds later.
func UntilInterrupted(ctx context.Context) (interrupted context.Context, stop func()) {
	interrupted, stop = context.WithCancel(ctx)
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		select {
		case <-signals:
			stop()
			time.Sleep(oneInterrupt)
		case <-interrupted.Done():
		}
		signal.Stop(signals) // the next one ends the program
	}()
	return interrupted, stop
}

// Interruptible returns a context that is done when the user interrupts the program, so that
// the program can end in order. Reads of standard input then stop waiting. A second interrupt ends
// the program at once.
func Interruptible(cmd *cobra.Command) (ctx context.Context, stop func()) {
	ctx, stop = UntilInterrupted(cmd.Context())
	cmd.SetIn(userfile.Until(ctx, cmd.InOrStdin(), ErrInterrupted))
	return ctx, stop
}

// RunInterruptible runs a verb until the user interrupts it. The verb then ends with that
// error.
func RunInterruptible(cmd *cobra.Command, args []string, run func(ctx context.Context, cmd *cobra.Command,
	args []string) error) error {
	ctx, stop := Interruptible(cmd)
	defer stop()
	err := run(ctx, cmd, args)
	if ctx.Err() != nil {
		return ErrInterrupted
	}
	return err
}
