package natscache

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	cluster "github.com/robotsexclusion/robots/internal/nats"
)

// A session is the time from when the cluster answers until an exchange fails.
type session struct {
	*cluster.Session
	c       *Cache
	entries *cluster.Bucket
	leases  *cluster.Bucket
	changes <-chan cluster.Value // of entries
	known   knowledge
	turn    atomic.Uint64 // how often a lease was given, or a wait for one has ended
}

// probe is the key that a process writes before it begins a session: reads alone succeed in a part
// of a cluster that has no majority.
const probe = "probe"

// session returns the session, or nil while this process is apart.
func (c *Cache) session() *session {
	if s := c.last.Load(); s != nil && s.Context().Err() == nil {
		return s
	}
	return nil
}

// share has a session: it opens the buckets, and watches the entries until an exchange fails.
func (c *Cache) share(ctx context.Context, begun *cluster.Session, joined func()) error {
	s := &session{Session: begun, c: c}
	if err := s.open(); err != nil {
		return err
	}
	c.last.Store(s)
	joined()
	var work sync.WaitGroup
	work.Go(s.catchUp)
	work.Go(s.probe)
	defer func() {
		s.Fail(nil)
		work.Wait()
		c.counts.lost.Add(1)
	}()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-s.Context().Done():
			return context.Cause(s.Context())
		case v := <-s.changes:
			if k, ok := parseKey(v.Key); ok {
				s.known.learn(k, v.Revision)
			}
		}
	}
}

// open opens the buckets, stores a value in both, and watches the entries. Only their leader answers
// reads, because the holder of a lease must find the entry that the holder before it has written.
// The oldest entries make room for others.
func (s *session) open() (err error) {
	config := s.c.config
	if s.entries, err = s.Open(jetstream.StreamConfig{
		Name: config.Bucket, Description: "robots.txt that was fetched", Replicas: 3,
		MaxBytes: config.MaxBytes, MaxAge: entryAge, Compression: jetstream.S2Compression,
	}, config.Bound); err != nil {
		return err
	}
	if s.leases, err = s.Open(jetstream.StreamConfig{
		// In memory, servers that start one after the other would lose the log by which they agree.
		Name: config.Bucket + "-leases", Description: "leases for fetching robots.txt", Replicas: 3,
		MaxBytes: 16 << 20, MaxAge: config.Lease,
	}, config.Bound); err != nil {
		return err
	}
	if s.leases.TTL() == 0 {
		return fmt.Errorf("the bucket %s-leases has no TTL, so the lease of a killed process would stay: "+
			"give it one, such as %v", config.Bucket, defaultLease)
	}
	for _, bucket := range []*cluster.Bucket{s.entries, s.leases} {
		if err := bucket.Set(s.Context(), probe, s.c.holder); err != nil {
			return fmt.Errorf("a bucket stores nothing: %w", err)
		}
	}
	s.changes, err = s.entries.Watch(">", jetstream.UpdatesOnly(), jetstream.MetaOnly())
	return err
}

// probe notices a lost cluster even if nobody asks.
func (s *session) probe() {
	tick := time.NewTicker(s.c.retry)
	defer tick.Stop()
	for {
		select {
		case <-s.Context().Done():
			return
		case <-tick.C:
			_, err := s.entries.Get(s.Context(), probe)
			s.check(s.Context(), err)
		}
	}
}

// check returns the error of an exchange, and ends the session if the cluster did not answer.
func (s *session) check(ctx context.Context, err error) error {
	if err != nil && !answered(err) && ctx.Err() == nil {
		if errors.Is(err, context.DeadlineExceeded) {
			err = fmt.Errorf("the cluster did not answer within %v", s.c.config.Bound)
		}
		s.Fail(err)
	}
	return err
}

// storeFailed is the code of an error of nats-server, such as that a bucket is full.
const storeFailed = 10077

// answered reports whether an error is an answer of a cluster that works.
func answered(err error) bool {
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, cluster.ErrRevision) || errors.Is(err, nats.ErrMaxPayload) {
		return true
	}
	if no := new(jetstream.APIError); errors.As(err, &no) && !errors.Is(err, jetstream.ErrStreamNotFound) {
		return no.Code < 500 || no.ErrorCode == storeFailed
	}
	return false
}
