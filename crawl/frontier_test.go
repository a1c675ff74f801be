package crawl

import (
	"container/heap"
	"context"
	"errors"
	"net/netip"
	"testing"
	"testing/synctest"
	"time"

	"github.com/robotsexclusion/robots/crawl/internal/pace"
)

// TestEnter: who has borrowed a host is the next at its address, but never one too many
// there, and does not wait for ever.
func TestEnter(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFrontier(&run{Config: Config{PerAddress: 1, Own: []netip.Prefix{netip.MustParsePrefix("192.0.2.0/24")}}})
		addr := netip.MustParseAddr("192.0.2.1")
		lease := func(name string) *host {
			h := &host{origin: "http://" + name, index: -1}
			f.setLeased(h, time.Now())
			return h
		}
		want := func(open, parked int) {
			t.Helper()
			synctest.Wait()
			f.mu.Lock()
			defer f.mu.Unlock()
			if f.open[addr] != open || len(f.parked[addr]) != parked {
				t.Fatalf("%d requests are open, and %d hosts wait; want %d and %d", f.open[addr], len(f.parked[addr]), open, parked)
			}
		}
		enter := func(ctx context.Context, h *host) chan error {
			done := make(chan error, 1)
			go func() { done <- f.enter(ctx, h, addr) }()
			synctest.Wait()
			return done
		}
		first, second := lease("a"), lease("b")
		if err := <-enter(t.Context(), first); err != nil {
			t.Fatal(err)
		}
		usual, last := lease("usual"), lease("last")
		if !f.park(usual, addr) || !f.park(last, addr) {
			t.Fatal("there was a place")
		}
		borrowed := enter(t.Context(), second)
		want(1, 3)
		f.leave(first)
		if err := <-borrowed; err != nil {
			t.Fatal(err)
		}
		want(1, 2)

		// The place is offered to one who waits, taken by another who comes just then,
		// and passed on by the first one, who does not know.
		f.leave(second)
		want(0, 1)
		if usual.offered != addr || f.park(lease("quick"), addr) {
			t.Fatal("no place")
		}
		borrowed = enter(t.Context(), lease("c"))
		f.mu.Lock()
		heap.Remove(&f.due, usual.index)
		f.setLeased(usual, time.Now())
		f.releaseLocked(usual, time.Now(), pace.Wait{})
		f.mu.Unlock()
		want(1, 2)
		began := time.Now()
		if err := <-borrowed; !errors.As(err, new(*busyError)) || time.Since(began) != mostBorrow {
			t.Errorf("%v after %v", err, time.Since(began))
		}
		want(1, 1)
		if f.hosts["http://c"] != nil || len(f.committing) != 0 {
			t.Error("who waited in vain was not given back")
		}

		ctx, cancel := context.WithCancel(t.Context())
		borrowed = enter(ctx, lease("d"))
		want(1, 2)
		cancel()
		if err := <-borrowed; !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
		want(1, 1)
	})
}

// TestMoved: a host that was offered a place at one address, and turns out to be at
// another one now, passes it on to who waits there.
func TestMoved(t *testing.T) {
	f := newFrontier(&run{Config: Config{PerAddress: 1, Own: []netip.Prefix{netip.MustParsePrefix("192.0.2.0/24")}}})
	old, addr := netip.MustParseAddr("192.0.2.1"), netip.MustParseAddr("192.0.2.2")
	made := func(name string) *host {
		h := &host{origin: "http://" + name, index: -1}
		f.setLeased(h, time.Now())
		return h
	}
	first, moved, last := made("first"), made("moved"), made("last")
	if f.park(first, old) || !f.park(moved, old) || !f.park(last, old) {
		t.Fatal("not the places that there are")
	}
	f.leave(first)
	if moved.offered != old {
		t.Fatal("it was offered nothing")
	}
	heap.Remove(&f.due, moved.index)
	f.setLeased(moved, time.Now())
	if f.park(moved, addr) || last.offered != old || len(f.parked) != 0 {
		t.Errorf("who waits is offered %v", last.offered)
	}
}

// TestRecalled: a memo tells how polite to be, and nothing else.
func TestRecalled(t *testing.T) {
	c := &run{Config: Config{Manners: pace.Manners{MinDelay: time.Hour}}}
	f := newFrontier(c)
	polite, known := &host{origin: "http://a.example"}, &host{origin: "http://a.example", index: -1, logged: 3, counts: counts{pages: 5}}
	f.setLeased(known, time.Now())
	polite.pace.Begin(time.Now())
	polite.pace.End(&c.Manners, time.Now(), pace.Outcome{Status: 429, RetryAfter: 10 * time.Hour})
	state, err := polite.pace.AppendBinary(nil)
	if err != nil {
		t.Fatal(err)
	}
	h, err := f.recalled(&owed{origin: known.origin, pace: state})
	if err != nil || h != known || h.logged != 3 || h.counts.pages != 5 || h.pace.Wait(&c.Manners, time.Now()).Reason != pace.RetryAfter {
		t.Errorf("%+v, %v", h, err)
	}
	if _, err := f.recalled(&owed{origin: known.origin, pace: state[:len(state)-1]}); err == nil {
		t.Error("what is damaged was taken")
	}
}

// TestLeaving: a host that has nothing to do is known until its state is in the store.
func TestLeaving(t *testing.T) {
	c := &run{Config: Config{Manners: pace.Manners{MinDelay: time.Hour}}}
	f := newFrontier(c)
	h := &host{origin: "http://a.example", index: -1}
	f.setLeased(h, time.Now())
	h.pace.Begin(time.Now())
	h.pace.End(&c.Manners, time.Now(), pace.Outcome{Status: 200})
	f.save(h)
	f.save(h)
	f.release(h, time.Now(), pace.Wait{})
	if f.hosts[h.origin] != nil {
		t.Fatal("it still has something to do")
	}
	for range 2 {
		got, err := f.take(h.origin, 0)
		if err != nil || got != h || got.pace.Wait(&c.Manners, time.Now()).Reason != pace.Manner {
			t.Fatalf("%+v, %v", got, err)
		}
		f.release(h, time.Now(), pace.Wait{})
		f.saved([]*visit{{}, {host: h}})
	}
	if len(f.committing) != 0 {
		t.Error("it is known for ever")
	}

	// What is found for it counts from where it was.
	f.save(h)
	if err := f.found(h.origin, 0, 3, true, time.Now()); err != nil {
		t.Fatal(err)
	}
	f.saved([]*visit{{host: h}})
	if f.hosts[h.origin] != h || h.queued != 3 || h.reason.Reason != pace.Manner || len(f.due) != 1 || len(f.committing) != 0 {
		t.Errorf("%+v", h)
	}
}
