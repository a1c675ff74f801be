package nats

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// ErrRevision is the error of a Put in place of a revision, where the bucket has another one.
var ErrRevision = errors.New("another process has written the value")

var errLate = errors.New("the NATS server does not answer in time")

const (
	askTime  = 2 * time.Second // to open a bucket: a cluster that has just started gives no answer
	makeTime = 5 * time.Second // to create a bucket, which takes elections, or to begin a watch

	awayTime = 250 * time.Millisecond // between two attempts to create a bucket while a server is away

	// codes of errors of nats-server
	replicasNotSupported = 10074 // there is no cluster
	noSuitablePeers      = 10005
)

// IsAway reports whether a stream was refused because a server of the cluster cannot be reached
// now. A leader that has just been elected refuses streams until it has heard of all servers.
func IsAway(err error) bool {
	refusal, ok := errors.AsType[*jetstream.APIError](err)
	return ok && refusal.ErrorCode == noSuitablePeers && strings.Contains(refusal.Description, "peer offline")
}

// A Bucket is a key-value bucket of JetStream, while its session lasts. A server that does not
// answer an exchange in time is an error, which says nothing about a write.
type Bucket struct {
	session *Session
	values  jetstream.KeyValue
	info    *jetstream.StreamInfo // when the bucket was opened
	bound   time.Duration
}

// A Value is a value of a bucket, or the mark that it was deleted.
type Value struct {
	Key      string
	Data     []byte
	Revision uint64
	Deleted  bool
	At       time.Time // when it was written, by the clock of the servers; zero for a Value without a key
}

// Open opens a bucket as the operator has made it, or creates it: on disk, with one value a key. Of
// the config, Name is the name of the bucket, and 0 stands for no limit; servers without a cluster
// keep one replica. An exchange with the bucket takes at most the given time.
func (s *Session) Open(c jetstream.StreamConfig, bound time.Duration) (*Bucket, error) {
	name := c.Name
	ctx, cancel := context.WithTimeout(s.ctx, askTime)
	defer cancel()
	stream, err := s.js.Stream(ctx, "KV_"+name)
	if errors.Is(err, jetstream.ErrStreamNotFound) {
		ctx, cancel = context.WithTimeout(s.ctx, makeTime)
		defer cancel()
		stream, err = s.create(ctx, c)
	}
	var values jetstream.KeyValue
	if err == nil {
		values, err = s.js.KeyValue(ctx, name)
	}
	if err != nil {
		return nil, fmt.Errorf("cannot use the bucket %s: %w", name, err)
	}
	return &Bucket{s, values, stream.CachedInfo(), bound}, nil
}

// create creates the stream of a bucket, as nats.go does: it has no option for reads by the leader
// alone, and for old values that make room for others.
func (s *Session) create(ctx context.Context, c jetstream.StreamConfig) (jetstream.Stream, error) {
	name := "KV_" + c.Name
	c.Subjects = []string{"$KV." + c.Name + ".>"}
	c.Name = name
	c.MaxMsgSize, c.MaxBytes = cmp.Or(c.MaxMsgSize, -1), cmp.Or(c.MaxBytes, -1)
	c.MaxMsgsPerSubject, c.MaxMsgs, c.MaxConsumers = 1, -1, -1
	c.AllowRollup, c.DenyDelete = true, true
	c.Duplicates = 2 * time.Minute
	if c.MaxAge > 0 {
		c.Duplicates = min(c.MaxAge, c.Duplicates)
	}
	stream, err := s.js.CreateStream(ctx, c)
	for next := time.Tick(awayTime); IsAway(err) && ctx.Err() == nil; {
		select {
		case <-next:
			stream, err = s.js.CreateStream(ctx, c)
		case <-ctx.Done():
		}
	}
	if no := new(jetstream.APIError); errors.As(err, &no) && no.ErrorCode == replicasNotSupported {
		c.Replicas = 1
		stream, err = s.js.CreateStream(ctx, c)
	}
	if errors.Is(err, jetstream.ErrStreamNameAlreadyInUse) { // another process was faster, with another config
		return s.js.Stream(ctx, name)
	}
	return stream, err
}

// TTL returns the time after which a value is removed that was not written again, or 0.
func (b *Bucket) TTL() time.Duration { return b.info.Config.MaxAge }

// Info returns the config of the bucket's stream, and when it was created, as they were when the
// bucket was opened.
func (b *Bucket) Info() *jetstream.StreamInfo { return b.info }

// MaxValue returns the size of the largest value in bytes.
func (b *Bucket) MaxValue() int {
	most := int(b.session.conn.MaxPayload())
	if limit := int(b.info.Config.MaxMsgSize); limit >= 0 {
		most = min(most, limit)
	}
	return most - 1024 // the header with the revision that is replaced is a part of a message too
}

// exchange makes one exchange. It ends with the session.
func (b *Bucket) exchange(ctx context.Context, do func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(ctx, b.bound)
	defer cancel()
	defer context.AfterFunc(b.session.ctx, cancel)()
	return do(ctx)
}

// Get returns the value of a key. If there is none, the error wraps [fs.ErrNotExist].
func (b *Bucket) Get(ctx context.Context, key string) (v Value, err error) {
	var e jetstream.KeyValueEntry
	err = b.exchange(ctx, func(ctx context.Context) (err error) {
		e, err = b.values.Get(ctx, key)
		return err
	})
	switch {
	case err == nil:
		return valueOf(e), nil
	case errors.Is(err, jetstream.ErrKeyNotFound):
		err = fmt.Errorf("%w: %w", fs.ErrNotExist, err)
	}
	return Value{}, err
}

func valueOf(e jetstream.KeyValueEntry) Value {
	return Value{e.Key(), e.Value(), e.Revision(), e.Operation() != jetstream.KeyValuePut, e.Created().UTC()}
}

// Put stores a value in place of a revision, or if that is 0 where there is no value, and returns
// the new revision. The error wraps [ErrRevision] if the bucket has another one.
func (b *Bucket) Put(ctx context.Context, key string, data []byte, revision uint64) (next uint64, err error) {
	err = b.exchange(ctx, func(ctx context.Context) (err error) {
		if revision == 0 {
			next, err = b.values.Create(ctx, key, data) // also in place of the mark of a deleted value
		} else {
			next, err = b.values.Update(ctx, key, data, revision)
		}
		return err
	})
	if errors.Is(err, jetstream.ErrKeyExists) || errors.Is(err, jetstream.ErrKeyRevisionMismatch) {
		err = fmt.Errorf("%w: %w", ErrRevision, err)
	}
	return next, err
}

// Set stores a value, whatever the bucket has.
func (b *Bucket) Set(ctx context.Context, key string, data []byte) error {
	return b.exchange(ctx, func(ctx context.Context) error {
		_, err := b.values.Put(ctx, key, data)
		return err
	})
}

// Delete deletes a value if it has the revision, or any value if that is 0. The session may have
// ended. No answer is not an error: the caller is about to end, and leaves nothing that others
// would wait for for ever.
func (b *Bucket) Delete(key string, revision uint64) {
	ctx, cancel := context.WithTimeout(context.Background(), b.bound)
	defer cancel()
	var options []jetstream.KVDeleteOpt
	if revision > 0 {
		options = append(options, jetstream.LastRevision(revision))
	}
	b.values.Delete(ctx, key, options...)
}

// Purge removes a value, and all that was before it, without a mark. A value that is later than the
// revision stays. A watch does not see it.
func (b *Bucket) Purge(ctx context.Context, key string, revision uint64) error {
	return b.exchange(ctx, func(ctx context.Context) error {
		s, err := b.session.js.Stream(ctx, "KV_"+b.values.Bucket())
		if err != nil {
			return err
		}
		return s.Purge(ctx, jetstream.WithPurgeSubject("$KV."+b.values.Bucket()+"."+key),
			jetstream.WithPurgeSequence(revision+1))
	})
}

// Watch returns the values whose keys match a pattern, then a Value without a key, and then all
// changes, until the session ends. A watch that the server ends, ends the session.
func (b *Bucket) Watch(pattern string, options ...jetstream.WatchOpt) (<-chan Value, error) {
	return b.watch(b.session.ctx, b.session.Fail, pattern, options...)
}

func (b *Bucket) watch(
	ctx context.Context, end func(error), pattern string, options ...jetstream.WatchOpt,
) (<-chan Value, error) {
	// The context of a watch is that of its whole life, and has no deadline for the beginning.
	late := time.AfterFunc(makeTime, func() { end(errLate) })
	defer late.Stop()
	w, err := b.values.Watch(ctx, pattern, options...)
	if err != nil {
		return nil, err
	}
	values := make(chan Value)
	go func() {
		for {
			select {
			case e, ok := <-w.Updates():
				if !ok {
					end(fmt.Errorf("the NATS server ended the watch of the bucket %s", b.values.Bucket()))
					return
				}
				var v Value
				if e != nil {
					v = valueOf(e)
				}
				select {
				case values <- v:
				case <-ctx.Done():
				}
			case <-ctx.Done():
				go w.Stop()             // waits five seconds for a server that does not answer
				for range w.Updates() { // the watch cannot end while a change waits to be read
				}
				return
			}
		}
	}()
	return values, nil
}

// Each calls f with each value whose key matches a pattern, until f returns an error. Each waits
// for the next value, and f may take, twice the time of an exchange.
func (b *Bucket) Each(ctx context.Context, pattern string, f func(Value) error) error {
	ctx, end := context.WithCancelCause(ctx)
	defer end(nil)
	defer context.AfterFunc(b.session.ctx, func() { end(context.Cause(b.session.ctx)) })()
	values, err := b.watch(ctx, end, pattern, jetstream.IgnoreDeletes())
	if err != nil {
		return err
	}
	late := time.AfterFunc(2*b.bound, func() { end(errLate) })
	defer late.Stop()
	for {
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case v := <-values:
			if v.Key == "" {
				return nil
			}
			if err := f(v); err != nil {
				return err
			}
			late.Reset(2 * b.bound)
		}
	}
}
