package fleet

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/robotsexclusion/robots/crawler/internal/journal"
	cluster "github.com/robotsexclusion/robots/internal/nats"
)

// ErrTwin is the error of a worker whose key another process beats.
var ErrTwin = errors.New("another process runs as this worker: has its folder been copied?")

// Partitions are what a worker does with its partitions. Calls for one partition never overlap;
// calls for different partitions may.
type Partitions interface {
	// Acquire claims a partition behind the tail, by [journal.Journal.ClaimBehind], brings its
	// state up to date, and lets requests begin, not before ready. After an error the partition is
	// forgotten, and Drop is not called.
	Acquire(ctx context.Context, partition int, tail journal.Tail, ready time.Time) error
	// Drain lets no request begin any more, waits until none is open and all is written, releases
	// the partition, by [journal.Partition.Release], and forgets it. After an error Drop is called.
	Drain(ctx context.Context, partition int) error
	// Drop forgets a partition at once, and closes its requests: the session is over, or the log is
	// fenced. It returns when no request of the partition is open.
	Drop(partition int)
}

// Options are the options of [Join].
type Options struct {
	// Journal is the journal of the crawl, on a server. It has to stay open until Run returns.
	Journal *journal.Journal
	// Partitions get the calls.
	Partitions Partitions
	// Worker is the number of this worker, which no other worker of the crawl has. A worker that
	// keeps its number gets its partitions back after a restart. If 0, it is random.
	Worker uint32
	// Times are those of all workers of the crawl. If zero, they are [Standard]. No request may
	// last longer than Request.
	Times Times
	// Beat is the time between two beats, and Answer is how long a beat waits for its answer. If 0,
	// they are 2 and 3 seconds.
	Beat, Answer time.Duration
	// Log gets warnings and messages. It may be nil.
	Log *slog.Logger
}

// A Member is this worker's place in the fleet of a crawl. It decides which partitions the worker
// should have, and when it may claim them. Decision 234 has the protocol.
//
// The goroutine of Run decides, and alone writes the fields below mu.
type Member struct {
	options Options
	rules   Rules
	worker  uint32
	log     *slog.Logger
	conn    *cluster.Conn
	place   place // used only by the goroutine of the sessions with the servers
	started time.Time
	posts   chan func(*loop)
	done    chan struct{} // closed when Run returns
	limits  *Limits       // nil if workers share none
	reads   chan struct{} // limits tails that are read and partitions that are acquired at once

	mu      sync.Mutex
	clock   clock
	session Session
}

// parallel is the number of partitions whose tails are read, or that are acquired, at once.
const parallel = 32

// Join joins the fleet of a crawl. It opens the bucket with the keys of its workers, named by the
// crawl, or creates it with as many replicas as the journal has. The context bounds the wait for a
// server. The caller has to call Run.
func Join(ctx context.Context, o Options) (*Member, error) {
	of := o.Journal.Options()
	if of.URL == "" {
		return nil, errors.New("workers need a journal on a server")
	}
	o.Beat, o.Answer = cmp.Or(o.Beat, 2*time.Second), cmp.Or(o.Answer, 3*time.Second)
	o.Times = cmp.Or(o.Times, Standard)
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	for o.Worker == 0 {
		var b [4]byte
		rand.Read(b[:]) // never fails
		o.Worker = binary.LittleEndian.Uint32(b[:])
	}
	if !o.Times.Valid() {
		return nil, fmt.Errorf("the lease of %v is shorter than the guard of %v and the clock error of %v",
			o.Times.Lease, o.Times.Guard, o.Times.Error)
	}
	if o.Beat+2*o.Answer >= o.Times.Guard {
		return nil, fmt.Errorf("a session would end with one lost answer: beats every %v wait %v, and the guard is %v",
			o.Beat, o.Answer, o.Times.Guard)
	}
	m := &Member{
		options: o, rules: Rules{Times: o.Times}, worker: o.Worker, log: o.Log.With("worker", keyOf(o.Worker)),
		place:   place{bucket: of.Name + "-fleet", replicas: of.Replicas, times: o.Times},
		started: time.Now(), posts: make(chan func(*loop)), done: make(chan struct{}),
		reads: make(chan struct{}, parallel), session: Session{Over: true},
	}
	var err error
	m.conn, err = cluster.Connect(of.URL, "robots "+of.Name+" worker "+keyOf(m.worker), nats.PingInterval(o.Answer),
		nats.ReconnectWait(m.retry()), nats.ReconnectJitter(m.retry(), m.retry()))
	if err != nil {
		return nil, err
	}
	if err := m.first(ctx); err != nil {
		m.conn.Close()
		return nil, fmt.Errorf("join the workers of %s: %w", of.Name, err)
	}
	return m, nil
}

// retry is the time between two attempts.
func (m *Member) retry() time.Duration { return max(m.options.Beat/8, time.Millisecond) }

// sessions returns the sessions with the servers, which are not those of the fleet.
func (m *Member) sessions() *cluster.Sessions {
	return &cluster.Sessions{
		Conn: m.conn, Retry: m.retry(), Quiet: m.rules.Guard,
		Again: "the keys of the workers are back", Apart: "the keys of the workers cannot be used",
		Notice: func(err error) { m.log.Warn(err.Error()) },
	}
}

// first opens the bucket once, so that Join has its errors.
func (m *Member) first(ctx context.Context) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var opened, last error
	done := false
	s := m.sessions()
	s.Quiet, s.Again = 0, ""
	s.Notice = func(err error) { last = err }
	s.Run(ctx, func(_ context.Context, s *cluster.Session, _ func()) error {
		b, err := s.Open(m.place.config(), m.options.Answer)
		refused := (*jetstream.APIError)(nil)
		switch {
		case err == nil:
			done, opened = true, m.place.check(b.Info())
		case errors.As(err, &refused) && refused.Code != 503 && !cluster.IsAway(err): // unavailable
			done, opened = true, m.place.explain(err)
		default:
			m.hung(err)
		}
		if done {
			cancel(nil)
		}
		return err
	})
	if !done {
		return errors.Join(context.Cause(ctx), last)
	}
	return opened
}

// Worker returns the number of the worker.
func (m *Member) Worker() uint32 { return m.worker }

// Alive reports whether a request may begin now. It is asked before each request to a site, and the
// request ends Times.Request after that time: the deadline of its connection counts from here, not
// from its write.
func (m *Member) Alive(now time.Time) bool {
	m.mu.Lock()
	clock, session := m.clock, m.session
	m.mu.Unlock()
	return session.Alive(&m.rules, clock.at(now))
}

// Fenced says that the log of a partition has refused an entry of this worker. Drop is called, and
// the partition may be acquired again.
func (m *Member) Fenced(partition int) {
	m.post(func(l *loop) {
		if p := &l.parts[partition]; p.hold.Phase == Mine {
			p.hold = p.hold.Refused(&m.rules, m.session, Entry{Kind: Owed, Session: m.session.ID})
			p.retry = 0
		}
	})
}

// Run takes part in the fleet until ctx is done. Then it leaves: it drains all partitions, for a
// guard at most, and ends its key, so that others take over at once. Run returns nil then, or
// why the worker cannot be a part of the fleet any more. It is called once.
func (m *Member) Run(ctx context.Context) error {
	servers, stop := context.WithCancel(context.WithoutCancel(ctx))
	var running sync.WaitGroup
	running.Go(func() { m.sessions().Run(servers, m.follow) })
	err := newLoop(m).run(ctx)
	close(m.done)
	stop()
	m.conn.Close()
	running.Wait()
	return err
}

// post has the loop call a function.
func (m *Member) post(do func(*loop)) {
	select {
	case m.posts <- do:
	case <-m.done:
	}
}

// hung goes to another server after an exchange without an answer: the one of the connection may
// hang.
func (m *Member) hung(err error) {
	if errors.Is(err, context.DeadlineExceeded) {
		m.conn.ForceReconnect()
	}
}

// follow is a session with the servers: it follows all keys until the connection is lost.
func (m *Member) follow(ctx context.Context, s *cluster.Session, joined func()) error {
	b, err := s.Open(m.place.config(), m.options.Answer)
	if err != nil {
		m.hung(err)
		return err
	}
	if err := m.place.check(b.Info()); err != nil {
		m.post(func(l *loop) { l.leave(err) })
		return err
	}
	compare(m.log, b.Info().TimeStamp, time.Now())
	m.post(func(l *loop) { l.connected(s, b) })
	defer m.post(func(l *loop) { l.link, l.bucket = nil, nil })
	values, err := b.Watch(">")
	if err != nil {
		m.hung(err)
		return err
	}
	m.post(func(l *loop) { l.watched = l.now() })
	// Keys are followed meanwhile: on slow servers the watch would be late otherwise, the session
	// would end, and so would the next one.
	opened := make(chan error, 1)
	var wishes <-chan cluster.Value
	var limited sync.WaitGroup
	if m.limits == nil {
		opened <- nil
	} else {
		limited.Go(func() {
			w, err := m.limits.follow(s)
			wishes = w
			opened <- err
		})
		defer func() {
			s.Fail(nil)
			limited.Wait()
			m.limits.apart()
		}()
	}
	var heard <-chan cluster.Value // wishes, once they are there
	for {
		select {
		case err := <-opened:
			if err != nil {
				m.hung(err)
				return err
			}
			heard = wishes
			joined()
		case v := <-values:
			m.post(func(l *loop) { l.see(v) })
		case v := <-heard:
			m.limits.hear(v)
		case <-s.Context().Done():
			return context.Cause(s.Context())
		case <-ctx.Done():
			return nil
		}
	}
}
