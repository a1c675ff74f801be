package crawl

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"net/netip"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/robotsexclusion/robots/crawler/internal/fleet"
	"github.com/robotsexclusion/robots/crawler/internal/journal"
	"github.com/robotsexclusion/robots/crawler/internal/pace"
	"github.com/robotsexclusion/robots/crawler/internal/store"
)

// fleetTimes are the times of the workers of a crawl. No pause follows a death: the requests of a
// worker that lapses are closed before its lease is over.
var fleetTimes = fleet.Standard

// times returns the times of the workers.
func (c *Crawl) times() fleet.Times {
	if c != nil && c.testTimes != nil {
		return *c.testTimes
	}
	return fleetTimes
}

// boundRequests bounds the exchanges of a worker, so that a host fails which is too slow for its
// deadline.
func boundRequests(c *run) {
	if !c.Shared {
		return
	}
	request, l := c.handle.times().Request, &c.Limits
	l.Timeout = min(cmp.Or(l.Timeout, 2*time.Minute), request*5/6)
	l.HeaderTimeout = min(cmp.Or(l.HeaderTimeout, 30*time.Second), request*2/3)
}

// electing is how long a worker waits at its start for servers that are not ready, such as those of
// a cluster that elects leaders.
const electing = time.Minute

// patiently retries do until the servers are ready.
func patiently(ctx context.Context, c *run, do func(ctx context.Context) error) error {
	if !c.Shared {
		return do(ctx)
	}
	told := false
	for end := time.Now().Add(electing); ; {
		err := do(ctx)
		if err == nil || ctx.Err() != nil || !journal.IsUnready(err) || !time.Now().Before(end) {
			return err
		}
		if !told {
			told = true
			c.log.Warn("the NATS servers are not ready: the worker waits", "error", err)
		}
		select {
		case <-time.After(500 * time.Millisecond):
		case <-ctx.Done():
		}
	}
}

// checkShared returns an error if a worker cannot find its crawl: nothing is created then.
func (j *joiner) checkShared(ctx context.Context, seeds []string) error {
	c := j.c
	switch {
	case !c.Shared || !j.isNew:
		return nil
	case c.Name == "":
		return errors.New("name the crawl that the workers share with --name")
	case len(seeds) > 0:
		return nil
	}
	var names []string
	err := patiently(ctx, c, func(ctx context.Context) (err error) {
		names, err = journal.Names(ctx, c.NATS)
		return err
	})
	if err == nil && !slices.Contains(names, c.Name) {
		return fmt.Errorf("the NATS server has no crawl %s to join: "+
			"begin it with URLs, or name another one with --name", c.Name)
	}
	return err
}

// worker returns the number of the worker of a folder, which the id of the folder decides.
func (h *home) worker() uint32 {
	sum := sha256.Sum256([]byte("worker " + h.Owner))
	return max(binary.LittleEndian.Uint32(sum[:]), 1)
}

// A crew is this worker's part in a shared crawl.
type crew struct {
	*share
	member *fleet.Member
	worker uint32
	purse  *purse
	every  time.Duration // between two looks at what is left to do

	known     uint64          // the last sum that was found to be the end of what this worker has to do
	confirmed map[uint64]bool // sums of all workers
}

// joinFleet makes the worker one of the fleet of its crawl.
func joinFleet(ctx context.Context, c *run) (*crew, error) {
	s, times := c.shard.share, c.handle.times()
	w := &crew{share: s, worker: c.joiner.home.worker(),
		every: max(times.Lease/60, 20*time.Millisecond), confirmed: make(map[uint64]bool)}
	o := fleet.Options{Journal: c.shard.journal, Partitions: w, Worker: w.worker, Times: times, Log: c.Log}
	if times.Lease != fleetTimes.Lease { // in tests
		o.Beat, o.Answer = times.Guard/8, times.Guard/3
	}
	joining, cancel := context.WithTimeout(ctx, electing)
	defer cancel()
	m, err := fleet.Join(joining, o)
	if err != nil {
		return nil, err
	}
	w.member = m
	w.limit(m, c)
	s.alive, s.request, s.lost = m.Alive, times.Request, m.Fenced
	c.crew.Store(w)
	return w, nil
}

// limit shares the limits of addresses and the budget of the crawl with the other workers.
func (w *crew) limit(m *fleet.Member, c *run) {
	f := w.shard.frontier
	gap, budget := c.pauses().OfAddress()
	limits := m.Limit(fleet.LimitOptions{
		Open: f.addresses.maxOpen(), Gap: gap, Budget: budget, Period: pace.Period, Free: f.addresses.isOwn,
		Changed: func(place netip.Addr) {
			f.mu.Lock()
			f.addresses.callPlace(place)
			f.unlock(nil)
			f.due.wakeOne()
		},
	})
	f.mu.Lock()
	f.addresses.shared = limits
	f.unlock(nil)
	w.purse = newPurse(&c.Budget, c.log, limits.Draw)
	c.visitor.purse = w.purse
}

// run takes part in the crawl until ctx ends, and until the end of the whole crawl.
func (w *crew) run(ctx context.Context) error {
	ending, cancel := context.WithCancel(ctx)
	var watching sync.WaitGroup
	watching.Go(func() { w.watch(ending) })
	leaving, leave := context.WithCancel(context.WithoutCancel(ctx))
	defer context.AfterFunc(ctx, func() {
		w.purse.close(leaving)
		leave()
	})()
	err := w.member.Run(leaving)
	leave()
	cancel()
	watching.Wait()
	w.stop(err) // if the worker was thrown out
	return err
}

// status returns what is known of all workers.
func (w *crew) status() (all []fleet.Row) {
	for _, other := range w.member.Workers() {
		row := other.Row()
		row.This = other.Number == w.worker
		all = append(all, row)
	}
	return all
}

// reportEvery is how many looks at what is left to do are between two reports.
const reportEvery = 8

// report returns what the worker says of its part.
func (w *crew) report() fleet.Report {
	r := fleet.Report{At: time.Now().UTC().Truncate(time.Millisecond), Held: make([]byte, partitions/8),
		Counts: fleet.Counts(w.counts())}
	for p := range partitions {
		if w.holds(uint8(p)) {
			r.Held[p/8] |= 0x80 >> (p % 8)
		}
	}
	r.Machine, _ = os.Hostname() // "" is left out
	for _, m := range w.searcher.left() {
		r.Missing = append(r.Missing, fleet.Missing{Worker: m.Worker, Pages: m.Pages})
	}
	return r
}

// Acquire implements [fleet.Partitions]. If the store of the worker has stopped, the worker ends: it
// would claim its part of the partitions again and again, and nobody would visit their hosts.
func (w *crew) Acquire(ctx context.Context, partition int, tail journal.Tail, ready time.Time) error {
	lost := tail.Session != 0 && !tail.Released && uint32(tail.Session>>32) != w.worker
	err := w.acquire(ctx, partition, func(ctx context.Context) (*journal.Partition, error) {
		return w.shard.journal.ClaimBehind(ctx, partition, tail)
	}, lost, ready)
	if errors.Is(err, store.ErrStopped) || errors.Is(err, store.ErrDamaged) {
		w.fail(err)
	}
	if err != nil {
		return err
	}
	if lost {
		w.searcher.note(uint32(tail.Session>>32), true)
	}
	w.searcher.search(w.shard.owned[partition])
	return nil
}

// mourn has all partitions searched when another worker has died.
func (w *crew) mourn(workers []fleet.Worker) {
	died := false
	for _, other := range workers {
		if other.Number != w.worker && w.searcher.note(other.Number, other.State == "dead") {
			died = true
		}
	}
	if !died {
		return
	}
	applying := &w.shard.frontier.applying
	applying.Lock()
	defer applying.Unlock()
	for p, owned := range w.shard.owned {
		if w.holds(uint8(p)) {
			w.searcher.search(owned)
		}
	}
}

// Drain implements [fleet.Partitions].
func (w *crew) Drain(ctx context.Context, partition int) error {
	if err := w.drain(ctx, partition); err != nil {
		return err
	}
	return w.shard.owned[partition].Release(ctx)
}

// Drop implements [fleet.Partitions].
func (w *crew) Drop(partition int) { w.drop(partition) }
