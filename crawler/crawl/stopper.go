package crawl

import (
	"context"
	"sync"
)

// A stopper stops a crawl that has reached a limit or cannot go on. It is safe for
// concurrent use after begin.
type stopper struct {
	working  context.Context         // while hosts are leased
	visiting context.Context         // while requests may be open
	stop     context.CancelCauseFunc // ends working
	abort    context.CancelCauseFunc // ends visiting

	mu  sync.Mutex
	err error // why the crawl cannot go on
}

// begin starts both contexts. When ctx ends, open requests complete, and no more hosts are
// leased.
func (s *stopper) begin(ctx context.Context) {
	s.working, s.stop = context.WithCancelCause(ctx)
	s.visiting, s.abort = context.WithCancelCause(context.WithoutCancel(ctx))
}

// end ends both contexts.
func (s *stopper) end() {
	s.stop(nil)
	s.abort(nil)
}

// fail stops the crawl because of an error. Only the first error counts.
func (s *stopper) fail(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err == nil {
		s.err = err
	}
	s.stop(err)
	s.abort(err)
}

// failure returns the error of the first fail, or nil.
func (s *stopper) failure() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.err
}
