package crawl

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/robotsexclusion/robots/crawler/internal/journal"
	"github.com/robotsexclusion/robots/crawler/internal/store"
)

// A share is the part of the partitions that a worker of a shared crawl owns. It changes while the
// crawl runs: acquire, drain and drop. A crawl that is alone owns all partitions and has no share:
// the methods that the other parts of a run call take a nil share for that.
//
// # Who does what
//
// The owner of a partition makes all requests to its hosts, writes all records of its log, and
// receives its inbox. A link to a URL of another worker goes into the inbox of its partition,
// before the visit that found it counts as done. The owner writes the links that are new into its
// log, together with the position in the inbox, so that a link is neither lost nor there twice.
//
// # Results
//
// The folder that writes a record writes its results. Records are signed with the folder and with a
// group: when a folder appends a group, the results of its earlier groups are on its disk. So after
// a kill only the results of the last group are in doubt, and the next owner writes these too.
//
// # Limits
//
// The limits of addresses and the budget of the crawl hold over all workers: see addresses and
// purse. The limits of a host are its owner's, and its counts are in the log.
type share struct {
	*stopper
	shard     *shard
	marker    *marker
	committer *committer
	post      *post
	log       *reporter
	folder    uint64 // hash of the id of the folder
	hadAlone  bool   // the folder had this crawl alone, and nobody else had it since
	sites     *sites
	saver     *checkpointer // or nil
	searcher  *searcher     // or nil
	copies    *journal.Values

	// alive reports whether a request may begin now. Nil means always. The request is cancelled
	// when the time in request has passed since then. Zero means that it has no such deadline. A
	// request that should fail before, so that its host counts as slow, needs a Timeout in Limits.
	alive   func(now time.Time) bool
	request time.Duration
	// lost is called when the log says that another worker has claimed a partition. It must not
	// wait for anything. Nil means that nobody wants to know.
	lost func(partition int)

	sluice   sluice
	patience atomic.Int64 // set by tests, instead of remotePatience

	group uint64 // of the last signature; for the committer
	owed  map[uint8][]*memoHost

	mu       sync.Mutex
	holdings [partitions]holding
	changed  chan struct{} // closed when a request ends
}

// A holding is the part of a share for one partition.
type holding struct {
	held     bool   // outcomes of the tenure are committed
	tenure   uint64 // the same as in the frontier
	dropped  bool   // outcomes of the last tenure were thrown away
	last     bool   // the worker gave it up at its end
	requests int    // open ones

	visiting  context.Context // while requests may be open
	cancel    context.CancelCauseFunc
	receiving context.CancelFunc // ends receiver
	receiver  sync.WaitGroup
	trouble   error // why the inbox is not received, or nil

	sent     uint64 // position of the last batch that this worker has sent to the inbox
	received uint64 // position up to which this worker has received the inbox durably
	trimmed  uint64 // position up to which it was trimmed
}

func newShare(c *run) *share {
	s := &share{stopper: c.stopper, shard: c.shard, marker: c.marker, log: c.log, changed: make(chan struct{}),
		hadAlone: c.joiner.wasAlone, sites: &c.sites, group: uint64(time.Now().UnixMilli()),
		owed: make(map[uint8][]*memoHost)}
	s.post = &post{share: s}
	s.sluice.most, s.sluice.every = mostInbox, inboxEvery
	if c.handle.testInbox > 0 {
		s.sluice.most, s.sluice.every = c.handle.testInbox, 5*time.Millisecond
	}
	sum := sha256.Sum256([]byte(c.shard.home.Owner))
	s.folder = binary.LittleEndian.Uint64(sum[:])
	return s
}

// acquire makes the worker the owner of a partition: it claims it, brings the store up to date, and
// loads its hosts. No request begins before a time. lost says that another folder had the partition
// last, and has not released it; what the log says about that counts too. After an error the worker
// does not have the partition. Calls of acquire, drain and drop for one partition must not overlap.
func (s *share) acquire(ctx context.Context, partition int, claim func(ctx context.Context) (*journal.Partition, error),
	lost bool, ready time.Time) error {
	n := uint8(partition)
	s.holdings[n].receiver.Wait()
	if err := wait(ctx, s.shard.frontier.tenures.unload(n)); err != nil { // of the last tenure
		return err
	}
	if s.tenureOf(n) > 0 { // outcomes that were dropped may still have items of the queues
		if err := s.committer.sendAndWait(ctx, &outcome{}); err != nil {
			return err
		}
	}
	p, err := claim(ctx)
	if err != nil {
		return err
	}
	// If this attempt fails, the log names this worker as the last owner.
	s.mu.Lock()
	s.holdings[n].dropped = s.holdings[n].dropped || lost
	s.mu.Unlock()
	select {
	case <-time.After(time.Until(ready)):
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	again, unreleased, err := s.replay(ctx, p)
	if err != nil {
		s.mu.Lock()
		s.holdings[n].dropped = true // what the store has now is not replayed again
		s.mu.Unlock()
		return fmt.Errorf("replay partition %d: %w", partition, err)
	}
	outcomes, err := s.load(p, again, lost || unreleased)
	if err != nil {
		s.abandon(n, err)
		return fmt.Errorf("load partition %d: %w", partition, err)
	}
	for _, o := range outcomes {
		s.committer.sendSaved(o)
	}
	s.receive(p)
	return nil
}

// load begins a tenure of a partition and loads its hosts into the frontier. The hosts get what the
// memo of a killed process says if nobody had the partition since. load returns the outcomes that
// are to be sent for that. If the last answers of the hosts are lost, all get a first pause.
func (s *share) load(p *journal.Partition, again, lost bool) (outcomes []*outcome, err error) {
	n := uint8(p.Number())
	f := s.shard.frontier
	f.applying.Lock() // the batch before may be of the last tenure
	defer f.applying.Unlock()
	now := time.Now()
	s.shard.owned[n] = p
	s.mu.Lock()
	h := &s.holdings[n]
	tenure := f.tenures.open(n, now, lost || h.dropped)
	h.held, h.tenure, h.trouble, h.dropped = true, tenure, nil, false
	h.visiting, h.cancel = context.WithCancelCause(s.visiting)
	s.mu.Unlock()
	owed := make(map[string]*memoHost)
	if again {
		for _, o := range s.owed[n] {
			owed[o.origin] = o
		}
	}
	delete(s.owed, n)
	for _, o := range owed {
		h, err := f.recalled(o)
		if err != nil {
			return nil, err
		}
		if o.open {
			h.pace.Interrupt(&f.limits.pauses, now)
		} else {
			h.pace.Resume(now)
		}
		outcomes = append(outcomes, s.committer.saved(h))
	}
	from := &hostReader{s.shard.store, s.sites}
	return outcomes, s.shard.store.HostsOf(n, func(stored store.Host) error {
		if stored.Queued == 0 {
			return nil
		}
		h, err := from.host(stored)
		if err != nil {
			return err
		}
		if o := f.load(h, stored.FirstDue, now); o != nil {
			outcomes = append(outcomes, o)
		}
		return nil
	})
}

// drain gives up a partition: no more of its hosts are leased, and when all outcomes are committed,
// the log says that the results are complete. After an error the caller has to call drop.
func (s *share) drain(ctx context.Context, partition int) error {
	n := uint8(partition)
	s.stopReceiving(n)
	s.holdings[n].receiver.Wait()
	if err := wait(ctx, s.shard.frontier.tenures.unload(n)); err != nil {
		return err
	}
	if err := s.committer.sendAndWait(ctx, &outcome{}); err != nil {
		return err
	}
	applying := &s.shard.frontier.applying
	applying.Lock()
	held, by := s.holds(n), s.sign()
	s.end(n, errDrained)
	s.mu.Lock()
	s.holdings[n].last = held && s.working.Err() != nil
	s.mu.Unlock()
	applying.Unlock()
	if !held {
		return fmt.Errorf("drain partition %d: %w", partition, journal.ErrFenced)
	}
	return errors.Join(s.release(ctx, n, by), s.trimInbox(ctx, n))
}

// release writes the last record of a tenure. Nothing is appended for the partition after it.
func (s *share) release(ctx context.Context, partition uint8, by *signature) error {
	r := newRecord(partition, by)
	r.settled()
	at, err := s.shard.owned[partition].Append(ctx, r.bytes).Wait(ctx)
	if err != nil {
		return err
	}
	if err := s.shard.apply(partition, at, r.bytes); err != nil {
		return err
	}
	s.saver.grew(partition, tip{at, s.folder, true}, len(r.bytes))
	return nil
}

// drop gives up a partition at once. Open requests are cancelled, and nothing is committed any
// more; the journal decides about what is on its way there. drop returns when no request is open.
func (s *share) drop(partition int) {
	n := uint8(partition)
	s.abandon(n, errDropped)
	for {
		s.mu.Lock()
		open, changed := s.holdings[n].requests, s.changed
		s.mu.Unlock()
		if open == 0 {
			return
		}
		select {
		case <-changed:
		case <-s.visiting.Done(): // the crawl has failed, and a request may have no end
			return
		}
	}
}

var (
	errDropped = errors.New("the partition was given up")
	errDrained = errors.New("the partition was released")
)

// abandon is drop without waiting.
func (s *share) abandon(partition uint8, why error) {
	s.stopReceiving(partition)
	s.mu.Lock()
	s.holdings[partition].dropped = true
	s.mu.Unlock()
	s.end(partition, why)
	s.shard.frontier.tenures.unload(partition)
}

// end ends the tenure of a partition.
func (s *share) end(partition uint8, why error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	h := &s.holdings[partition]
	if h.held = false; h.cancel != nil {
		h.cancel(why)
	}
}

// close gives up all partitions, after the last request. The committer must still run.
func (s *share) close() error {
	errs := make([]error, partitions)
	var all sync.WaitGroup
	for p := range partitions {
		if !s.holds(uint8(p)) {
			continue
		}
		all.Go(func() {
			err := s.failure()
			if err == nil {
				err = s.drain(context.Background(), p)
			}
			if err != nil {
				s.drop(p)
			}
			if s.failure() == nil && !errors.Is(err, journal.ErrFenced) {
				errs[p] = err
			}
		})
	}
	all.Wait()
	for p := range partitions {
		h := &s.holdings[p]
		h.receiver.Wait()
		errs = append(errs, h.trouble)
	}
	return errors.Join(errs...)
}

// counts returns the counts of the partitions that the worker owns, or owned when it ended.
func (s *share) counts() store.Counts {
	held := []uint8{}
	s.mu.Lock()
	for p := range s.holdings {
		if h := &s.holdings[p]; h.held || h.last {
			held = append(held, uint8(p))
		}
	}
	s.mu.Unlock()
	return store.CountsOf(s.shard.store, held)
}

// counts returns the counts of the partitions that the run owns.
func (s *shard) counts() Counts {
	if s.share != nil {
		return Counts(s.share.counts())
	}
	return Counts(s.store.Counts())
}

// wait waits until a channel is closed.
func wait(ctx context.Context, closed <-chan struct{}) error {
	select {
	case <-closed:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// tenureOf returns how often the worker has acquired a partition.
func (s *share) tenureOf(partition uint8) uint64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.holdings[partition].tenure
}

// holds reports whether the worker owns a partition. A crawl that is alone owns all.
func (s *share) holds(partition uint8) bool {
	if s == nil {
		return true
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.holdings[partition].held
}

// current returns the outcomes of a batch that are to be committed, and ends the leases of the
// items of the others.
func (s *share) current(batch []*outcome) []*outcome {
	if s == nil {
		return batch
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	current := make([]*outcome, 0, len(batch))
	for _, o := range batch {
		partition, tenure, any := o.tenureOf()
		if h := &s.holdings[partition]; !any || h.held && h.tenure == tenure {
			current = append(current, o)
		} else if o.what != 0 {
			s.shard.store.Release(o.item)
		}
	}
	return current
}

// tenureOf returns the partition and the tenure that an outcome belongs to, if it belongs to one.
func (o *outcome) tenureOf() (partition uint8, tenure uint64, any bool) {
	switch {
	case o.host != nil:
		return o.host.partition, o.host.tenure, true
	case o.inbox > 0:
		return o.inboxOf, o.tenure, true
	}
	return 0, 0, false
}

// sign returns the signature of the next group of records.
func (s *share) sign() *signature {
	if s == nil {
		return nil
	}
	s.group++
	return &signature{s.folder, s.group}
}

// fenced reports whether an error of the journal says that another worker has claimed a partition.
// Then the partition is lost. A crawl that is alone ends with such an error.
func (s *share) fenced(p *journal.Partition, err error) bool {
	if s == nil || !errors.Is(err, journal.ErrFenced) {
		return false
	}
	if n := uint8(p.Number()); s.shard.owned[n] == p && s.holds(n) {
		s.log.Warn("another worker has a partition of this one", "partition", n)
		s.abandon(n, err)
		if s.lost != nil {
			s.lost(p.Number())
		}
	}
	return true
}

// context returns the context of the requests to a leased host.
func (s *share) context(h *host, visiting context.Context) context.Context {
	if s == nil {
		return visiting
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.holdings[h.partition].visiting
}

// mayAsk reports whether a request may begin.
func (s *share) mayAsk(now time.Time) bool { return s == nil || s.alive == nil || s.alive(now) }

// until returns a context that ends at the deadline of a request for which mayAsk was asked.
func (s *share) until(ctx context.Context, asked time.Time) (context.Context, context.CancelFunc) {
	if s == nil || s.request == 0 {
		return ctx, func() {}
	}
	return context.WithDeadline(ctx, asked.Add(s.request))
}

// requestBegins and requestEnds count the open requests of a partition.
func (s *share) requestBegins(h *host) {
	if s != nil {
		s.mu.Lock()
		s.holdings[h.partition].requests++
		s.mu.Unlock()
	}
}

func (s *share) requestEnds(h *host) {
	if s != nil {
		s.mu.Lock()
		s.holdings[h.partition].requests--
		close(s.changed)
		s.changed = make(chan struct{})
		s.mu.Unlock()
	}
}

// Remains say what a worker has left to do. The whole crawl is finished if no worker is busy, and
// each inbox was received up to its end; what a worker has sent since may not be there yet, so all
// must be so twice, with the same Sent and Received.
type remains struct {
	busy     bool // hosts have something to do, or outcomes are not committed
	sent     [partitions]uint64
	received [partitions]uint64 // 0 for partitions of other workers
}

// left returns what is left to do.
func (s *share) left() (r remains) {
	f := s.shard.frontier
	f.mu.Lock()
	r.busy = len(f.hosts) > 0 || f.uncommitted > 0
	f.mu.Unlock()
	s.mu.Lock()
	defer s.mu.Unlock()
	for p := range s.holdings {
		h := &s.holdings[p]
		r.sent[p] = h.sent
		if h.held {
			r.received[p] = h.received
			r.busy = r.busy || h.trouble != nil
		}
	}
	return r
}

// inboxMark returns the name of the mark of the cursor of an inbox.
func inboxMark(partition uint8) string { return "inbox/" + strconv.Itoa(int(partition)) }
