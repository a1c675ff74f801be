package crawl

import (
	"container/heap"
	"context"
	"errors"
	"net/netip"
	"sync"
	"time"
)

// leaseKey is the key of the lease that a request's worker has.
type leaseKey struct{}

// A lease is for the requests that a worker makes to get the robots.txt of a host.
type lease struct {
	host *host
	addr netip.Addr // where there is a place for a request, or none
	// desist ends that, because a redirect leads to a host that may not be asked now:
	// then nothing is known of robots.txt, and nobody has failed.
	desist context.CancelCauseFunc

	asked bool // the place was used for a first request

	mu       sync.Mutex
	over     bool
	requests sync.WaitGroup
}

// leased returns a context for requests for the robots.txt of a host. Its cause is a
// busyError where that has to wait for another host.
func leased(ctx context.Context, h *host, addr netip.Addr) (context.Context, *lease) {
	ctx, cancel := context.WithCancelCause(ctx)
	l := &lease{host: h, addr: addr, desist: cancel}
	return context.WithValue(ctx, leaseKey{}, l), l
}

var errLeaseOver = errors.New("nobody waits for robots.txt any more")

// begin is called before each request, and requests.Done after it.
func (l *lease) begin() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.over {
		return errLeaseOver
	}
	l.requests.Add(1)
	return nil
}

// end waits until no request is under way: who makes them may be at it when the context
// of the worker has ended, and the hosts are the worker's only then.
func (l *lease) end() {
	l.desist(nil)
	l.mu.Lock()
	l.over = true
	l.mu.Unlock()
	l.requests.Wait()
}

// A busyError tells that a host cannot be borrowed now.
type busyError struct {
	origin string
	at     time.Time // when it may be worth a try
}

func (e *busyError) Error() string {
	return "a redirect leads to " + e.origin + ", which may not be asked now"
}

// mostBorrow is how long a worker waits for a host that it is to borrow, with its own, and
// then for a place at its address.
const mostBorrow = 3 * time.Second

// borrow leases a host that is not next, for a redirect of robots.txt that leads to it:
// it waits until the host is free and may be asked. It returns a busyError where that
// takes too long.
func (f *frontier) borrow(ctx context.Context, origin string, partition uint8) (*host, error) {
	for began := time.Now(); ; {
		h, err := f.take(origin, partition)
		if err != nil {
			return nil, err
		}
		if h != nil {
			return h, f.patience(ctx, h)
		}
		if now := time.Now(); now.Sub(began) > mostBorrow {
			return nil, &busyError{origin, now.Add(mostBorrow)}
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// take leases a host, whether it has something to do or not. It returns nil if the host
// is not free.
func (f *frontier) take(origin string, partition uint8) (*host, error) {
	f.settling.Lock()
	defer f.settling.Unlock()
	f.mu.Lock()
	h := f.hosts[origin]
	defer func() { f.unlock(h) }()
	switch {
	case h == nil:
		idle, err := f.idle(origin, partition)
		if err != nil {
			return nil, err
		}
		h = idle
		delete(f.committing, origin)
	case h.state == hostDue:
		heap.Remove(&f.due, h.index)
		defer f.passOffer(h) // enter asks for a place of its own
	case h.state == hostParked && h.called == nil:
		f.unqueue(h)
	default:
		return nil, nil
	}
	f.setLeased(h, time.Now())
	return h, nil
}

// patience waits until a leased host may be asked, or gives it back.
func (f *frontier) patience(ctx context.Context, h *host) error {
	for {
		now := time.Now()
		w := h.pace.Wait(&f.crawler.Manners, now)
		switch wait := w.Until(now); {
		case wait == 0:
			return nil
		case wait > mostBorrow:
			f.release(h, w.At, w)
			return &busyError{h.origin, w.At}
		}
		select {
		case <-ctx.Done():
			f.release(h, w.At, w)
			return ctx.Err()
		case <-time.After(w.Until(now)):
		}
	}
}

// enter takes a place at the address of a borrowed host, as soon as there is one: before
// all hosts that wait for one there, because a worker waits with it. It returns a
// busyError where that takes too long, and the host is given back.
func (f *frontier) enter(ctx context.Context, h *host, addr netip.Addr) error {
	f.mu.Lock()
	if f.occupy(h, addr) {
		f.unlock(h)
		return nil
	}
	called := make(chan struct{})
	h.called = called
	f.setParked(h, addr, true)
	f.callAt(addr)
	f.unlock(h)
	err := error(&busyError{h.origin, time.Now().Add(2 * mostBorrow)})
	select {
	case <-called:
		return nil
	case <-ctx.Done():
		err = ctx.Err()
	case <-time.After(mostBorrow):
	}
	f.mu.Lock()
	waits := h.called != nil
	if waits {
		h.called = nil
		f.unqueue(h)
		f.setLeased(h, time.Now())
	}
	f.unlock(h)
	if !waits {
		f.leave(h) // it was called just now
	}
	w := h.pace.Wait(&f.crawler.Manners, time.Now())
	f.release(h, w.At, w)
	return err
}
