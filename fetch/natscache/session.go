package natscache

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// A session is the time from when the cluster answers until an exchange fails.
type session struct {
	c        *Cache
	ctx      context.Context
	end      context.CancelCauseFunc
	entries  jetstream.KeyValue
	leases   jetstream.KeyValue
	changes  jetstream.KeyWatcher // of entries
	returns  jetstream.KeyWatcher // of leases
	maxValue int                  // of a value in bytes
	ttl      time.Duration        // of a lease that is not renewed
	known    knowledge
	turn     atomic.Uint64 // how often a lease was given, or a wait for one has ended

	mu      sync.Mutex
	waiting map[key][]chan event
}

// probe is the key that a process writes before it begins a session: reads alone succeed in a part of
// a cluster that has no majority.
const probe = "probe"

// run begins sessions until ctx ends.
func (c *Cache) run(ctx context.Context) {
	defer close(c.done)
	together := false // the last message, of those two, said so
	first := true
	for ctx.Err() == nil {
		s, err := c.begin(ctx)
		if err == nil {
			c.session.Store(s)
			if !together {
				c.config.Notice(errors.New("robots.txt is shared through NATS"))
			}
			together, first = true, false
			err = s.stay()
			c.session.Store(nil)
			c.counts.lost.Add(1)
		}
		if ctx.Err() != nil {
			return
		}
		// A cluster that comes and goes is reported once a minute, as lost if it is lost then.
		if (together || first) && c.say("apart", fmt.Errorf("robots.txt is not shared through NATS now: %w", err)) {
			together, first = false, false
		}
		select {
		case <-ctx.Done():
		case <-time.After(c.retry):
		}
	}
}

// begin opens the buckets, stores a value in both, and watches them.
func (c *Cache) begin(ctx context.Context) (s *session, err error) {
	if !c.conn.IsConnected() {
		return nil, errors.New("no NATS server answers")
	}
	js, err := jetstream.New(c.conn)
	if err != nil {
		return nil, err
	}
	s = &session{c: c, waiting: make(map[key][]chan event)}
	s.ctx, s.end = context.WithCancelCause(ctx)
	if err := s.open(js); err != nil {
		s.close()
		return nil, err
	}
	return s, nil
}

func (s *session) open(js jetstream.JetStream) (err error) {
	config := s.c.config
	var info *jetstream.StreamInfo
	if s.entries, info, err = s.bucket(js, jetstream.StreamConfig{
		Name: config.Bucket, Description: "robots.txt that was fetched", Storage: jetstream.FileStorage,
		MaxBytes: config.MaxBytes, MaxAge: entryAge, Compression: jetstream.S2Compression,
	}); err != nil {
		return err
	}
	// The header with the revision that is replaced is a part of a message too.
	s.maxValue = int(s.c.conn.MaxPayload()) - 1024
	if most := info.Config.MaxMsgSize; most >= 0 {
		s.maxValue = min(s.maxValue, int(most)-1024)
	}
	if s.leases, info, err = s.bucket(js, jetstream.StreamConfig{
		// In memory, servers that start one after the other would lose the log by which they agree.
		Name: config.Bucket + "-leases", Description: "leases for fetching robots.txt", Storage: jetstream.FileStorage,
		MaxBytes: 16 << 20, MaxAge: config.Lease,
	}); err != nil {
		return err
	}
	if s.ttl = info.Config.MaxAge; s.ttl == 0 {
		return fmt.Errorf("the bucket %s has no TTL, so the lease of a killed process would stay: give it one, such as %v", s.leases.Bucket(), defaultLease)
	}
	for _, bucket := range []jetstream.KeyValue{s.entries, s.leases} {
		ctx, cancel := context.WithTimeout(s.ctx, config.Bound)
		_, err := bucket.Put(ctx, probe, s.c.holder)
		cancel()
		if err != nil {
			return fmt.Errorf("the bucket %s stores nothing: %w", bucket.Bucket(), err)
		}
	}
	// The context of a watch is that of its whole life, and has no deadline for the beginning.
	late := time.AfterFunc(4*config.Bound, func() { s.fail(context.DeadlineExceeded) })
	defer late.Stop()
	if s.changes, err = s.entries.WatchAll(s.ctx, jetstream.UpdatesOnly(), jetstream.MetaOnly()); err != nil {
		return err
	}
	s.returns, err = s.leases.WatchAll(s.ctx, jetstream.UpdatesOnly(), jetstream.MetaOnly())
	return err
}

// bucket opens a bucket, as the operator has made it, or makes it. Of the config, Name is that of the
// bucket.
func (s *session) bucket(js jetstream.JetStream, c jetstream.StreamConfig) (jetstream.KeyValue, *jetstream.StreamInfo, error) {
	ctx, cancel := context.WithTimeout(s.ctx, 4*s.c.config.Bound) // making a bucket takes elections
	defer cancel()
	name := c.Name
	stream, err := js.Stream(ctx, "KV_"+name)
	if errors.Is(err, jetstream.ErrStreamNotFound) {
		stream, err = makeBucket(ctx, js, c)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("cannot use the bucket %s: %w", name, err)
	}
	bucket, err := js.KeyValue(ctx, name)
	return bucket, stream.CachedInfo(), err
}

// makeBucket makes a bucket with three replicas, or one where the servers are no cluster. It differs from
// those of jetstream.CreateKeyValue by two settings. Only the leader answers reads, because the holder
// of a lease must find the entry that the holder before it has written. And the oldest entries make
// room for others.
func makeBucket(ctx context.Context, js jetstream.JetStream, c jetstream.StreamConfig) (jetstream.Stream, error) {
	c.Subjects = []string{"$KV." + c.Name + ".>"}
	c.Name = "KV_" + c.Name
	c.MaxMsgsPerSubject, c.MaxMsgs, c.MaxConsumers, c.MaxMsgSize = 1, -1, -1, -1
	c.AllowRollup, c.DenyDelete, c.AllowDirect = true, true, false
	c.Discard = jetstream.DiscardOld
	c.Duplicates = min(c.MaxAge, 2*time.Minute)
	c.Replicas = 3
	stream, err := js.CreateStream(ctx, c)
	if no := new(jetstream.APIError); errors.As(err, &no) && no.ErrorCode == replicasNotSupported {
		c.Replicas = 1
		stream, err = js.CreateStream(ctx, c)
	}
	return stream, err
}

// Error codes of nats-server.
const (
	replicasNotSupported = 10074 // by a server without a cluster
	storeFailed          = 10077 // such as that a bucket is full
)

// stay watches the buckets until an exchange fails, and returns the failure.
func (s *session) stay() error {
	defer s.close()
	var sharing sync.WaitGroup
	defer sharing.Wait()
	sharing.Go(func() { s.c.share(s) })
	sharing.Go(s.probe)
	for {
		select {
		case <-s.ctx.Done():
			return context.Cause(s.ctx)
		case value, ok := <-s.changes.Updates():
			if !ok {
				s.fail(errors.New("the watch of entries has ended"))
			} else if k, ok := parseKey(nameOf(value)); ok {
				s.known.learn(k, value.Revision())
				s.tell(k, stored)
			}
		case value, ok := <-s.returns.Updates():
			if !ok {
				s.fail(errors.New("the watch of leases has ended"))
			} else if k, ok := parseKey(nameOf(value)); ok && value.Operation() != jetstream.KeyValuePut {
				s.tell(k, returned)
			}
		}
	}
}

// nameOf returns the key of a value, or "" for the mark after the first values.
func nameOf(value jetstream.KeyValueEntry) string {
	if value == nil {
		return ""
	}
	return value.Key()
}

// probe notices a lost cluster even if nobody asks.
func (s *session) probe() {
	tick := time.NewTicker(s.c.retry)
	defer tick.Stop()
	for {
		select {
		case <-s.ctx.Done():
			return
		case <-tick.C:
		}
		if !s.c.conn.IsConnected() {
			s.fail(errLost)
			return
		}
		s.exchange(s.ctx, func(ctx context.Context) error {
			_, err := s.entries.Get(ctx, probe)
			return err
		})
	}
}

// exchange makes one exchange with the cluster. If the cluster does not answer within Config.Bound, the
// session ends.
func (s *session) exchange(ctx context.Context, do func(context.Context) error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(s.ctx, cancel)()
	bounded, cancelBounded := context.WithTimeout(ctx, s.c.config.Bound)
	defer cancelBounded()
	err := do(bounded)
	if err != nil && !answered(err) && ctx.Err() == nil {
		s.fail(err)
	}
	return err
}

// answered reports whether an error is an answer of a cluster that works.
func answered(err error) bool {
	for _, answer := range []error{jetstream.ErrKeyNotFound, jetstream.ErrKeyExists, jetstream.ErrKeyRevisionMismatch, nats.ErrMaxPayload} {
		if errors.Is(err, answer) {
			return true
		}
	}
	if no := new(jetstream.APIError); errors.As(err, &no) && !errors.Is(err, jetstream.ErrStreamNotFound) {
		return no.Code < 500 || no.ErrorCode == storeFailed
	}
	return false
}

// fail ends the session. Questions are answered without the cluster from now on.
func (s *session) fail(err error) {
	s.c.session.CompareAndSwap(s, nil)
	if errors.Is(err, context.DeadlineExceeded) {
		err = fmt.Errorf("the cluster did not answer within %v", s.c.config.Bound)
	}
	s.end(err)
}

// close ends the watches. It does not wait for a cluster that does not answer.
func (s *session) close() {
	s.end(nil)
	for _, watch := range []jetstream.KeyWatcher{s.changes, s.returns} {
		if watch != nil {
			go watch.Stop()
			go func() { // the watch cannot end while a change waits to be read
				for range watch.Updates() {
				}
			}()
		}
	}
}
