package fetch

import (
	"context"
	"fmt"
	"io"
	"time"
)

// A watchdog ends a request when nothing comes for too long.
type watchdog struct {
	ctx    context.Context // for the request
	cancel context.CancelCauseFunc
	timer  *time.Timer
	limit  time.Duration
}

// watch returns a watchdog that cancels its context after limit, unless it is
// told to watch something else until then. What tells what did not come.
func watch(ctx context.Context, limit time.Duration, what string) *watchdog {
	w := &watchdog{}
	w.ctx, w.cancel = context.WithCancelCause(ctx)
	w.watch(limit, what)
	return w
}

// watch starts anew with another limit.
func (w *watchdog) watch(limit time.Duration, what string) {
	if w.timer != nil {
		w.timer.Stop()
	}
	w.limit = limit
	w.timer = time.AfterFunc(limit, func() { w.cancel(&timeoutError{what, limit}) })
}

// stop ends the watch, and the request if it is still under way.
func (w *watchdog) stop() {
	w.timer.Stop()
	w.cancel(nil)
}

// reason returns why the request failed with err: the end of time, if it was
// that.
func (w *watchdog) reason(err error) error {
	if err != nil && w.ctx.Err() != nil {
		return context.Cause(w.ctx)
	}
	return err
}

// reader returns r, each Read of which has the limit for itself.
func (w *watchdog) reader(r io.Reader) io.Reader { return &watched{r, w} }

type watched struct {
	r io.Reader
	w *watchdog
}

func (r *watched) Read(p []byte) (int, error) {
	r.w.timer.Reset(r.w.limit)
	return r.r.Read(p)
}

// A timeoutError tells what took too long.
type timeoutError struct {
	what  string
	limit time.Duration
}

// Error returns what did not come, and how long it was waited for.
func (e *timeoutError) Error() string { return fmt.Sprintf("timeout: %s within %v", e.what, e.limit) }

// Timeout returns true, as for every [net.Error] that is one.
func (e *timeoutError) Timeout() bool { return true }

// Temporary returns true. It makes a timeoutError a [net.Error].
func (e *timeoutError) Temporary() bool { return true }
