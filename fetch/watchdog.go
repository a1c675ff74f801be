package fetch

import (
	"context"
	"fmt"
	"io"
	"time"
)

// A watchdog cancels a request when nothing arrives for too long.
type watchdog struct {
	ctx    context.Context // of the request
	cancel context.CancelCauseFunc
	timer  *time.Timer
	limit  time.Duration
}

// watch returns a watchdog that cancels its context after limit, unless watch is called again
// before. what describes the missing event.
func watch(ctx context.Context, limit time.Duration, what string) *watchdog {
	w := &watchdog{}
	w.ctx, w.cancel = context.WithCancelCause(ctx)
	w.watch(limit, what)
	return w
}

// watch restarts the watchdog with another limit.
func (w *watchdog) watch(limit time.Duration, what string) {
	if w.timer != nil {
		w.timer.Stop()
	}
	w.limit = limit
	w.timer = time.AfterFunc(limit, func() { w.cancel(&timeoutError{what, limit}) })
}

// stop stops the watchdog, and cancels the request if it is still open.
func (w *watchdog) stop() {
	w.timer.Stop()
	w.cancel(nil)
}

// reason returns the reason for err: the timeout, if the watchdog caused err.
func (w *watchdog) reason(err error) error {
	if err != nil && w.ctx.Err() != nil {
		return context.Cause(w.ctx)
	}
	return err
}

// reader returns r with the limit applied to each Read.
func (w *watchdog) reader(r io.Reader) io.Reader { return &watchedReader{r, w} }

type watchedReader struct {
	r io.Reader
	w *watchdog
}

func (r *watchedReader) Read(p []byte) (int, error) {
	r.w.timer.Reset(r.w.limit)
	return r.r.Read(p)
}

// A timeoutError says which event did not happen in time.
type timeoutError struct {
	what  string
	limit time.Duration
}

// Error returns the missing event and the limit.
func (e *timeoutError) Error() string { return fmt.Sprintf("timeout: %s within %v", e.what, e.limit) }

// Timeout returns true, which makes a timeoutError a timeout for [net.Error].
func (e *timeoutError) Timeout() bool { return true }

// Temporary returns true. It makes a timeoutError a [net.Error].
func (e *timeoutError) Temporary() bool { return true }
