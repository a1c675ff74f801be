package crawl

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/robotsexclusion/robots/crawler/internal/journal"
)

// Back pressure of inboxes. Links go to the inboxes of other workers faster than these take them if
// a worker is slow, or dead until its lease is over. Then all workers that send there ask no host,
// so that no new links come. They still commit what they have fetched, and take their own inboxes:
// nothing that is under way waits for room in an inbox, so no two workers wait for each other.

const (
	// mostInbox is the number of bytes of a stream of inboxes on the servers from which on a worker
	// asks nobody. It asks again when half of them are taken. There are 16 streams.
	mostInbox = 256 << 20
	// inboxEvery is how often a worker looks.
	inboxEvery = time.Second
)

// A sluice is open unless a stream of inboxes is too full.
type sluice struct {
	most   int
	every  time.Duration
	closed atomic.Pointer[chan struct{}] // closed when the sluice opens; nil while it is open
}

// trimAfter returns after how many bytes of batches an inbox is trimmed.
func (g *sluice) trimAfter() int { return min(trimInboxAfter, g.most/256) }

// isFull reports whether the sluice is closed.
func isFull(s *share) bool { return s != nil && s.sluice.closed.Load() != nil }

// passSluice waits while the sluice is closed.
func passSluice(ctx context.Context, s *share) {
	if s == nil {
		return
	}
	for wait := s.sluice.closed.Load(); wait != nil; wait = s.sluice.closed.Load() {
		select {
		case <-*wait:
		case <-ctx.Done():
			return
		}
	}
}

// watchInboxes closes the sluice and opens it.
func watchInboxes(ctx context.Context, s *share) {
	tick := time.NewTicker(s.sluice.every)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
		stream, bytes, err := journal.FullestInbox(ctx, s.shard.journal)
		if err != nil {
			continue // the journal says what is wrong with the servers
		}
		if bytes >= uint64(s.sluice.most)/4 {
			trimInboxes(ctx, s)
		}
		switch wait := s.sluice.closed.Load(); {
		case wait == nil && bytes >= uint64(s.sluice.most):
			s.log.Warn("links for other workers wait on the servers: this one asks no host until they have taken half",
				"stream", stream, "bytes", bytes)
			opens := make(chan struct{})
			s.sluice.closed.Store(&opens)
		case wait != nil && bytes < uint64(s.sluice.most)/2:
			s.log.Info("other workers have taken their links: this one asks hosts again", "stream", stream, "bytes",
				bytes)
			s.sluice.closed.Store(nil)
			close(*wait)
		}
	}
}

// trimInboxes removes from the inboxes of the worker what its log has. A receiver trims only when
// more comes.
func trimInboxes(ctx context.Context, s *share) {
	applying := &s.shard.frontier.applying
	applying.Lock()
	all := make(map[*journal.Partition]uint64)
	s.mu.Lock()
	for n := range s.holdings {
		if h := &s.holdings[n]; h.held && h.received != h.trimmed {
			all[s.shard.owned[n]], h.trimmed = h.received, h.received
		}
	}
	s.mu.Unlock()
	applying.Unlock()
	if err := s.shard.journal.TrimInbox(ctx, all); err != nil && ctx.Err() == nil {
		s.log.Warn("inboxes are not trimmed: they take more room on the servers", "error", err)
	}
}
