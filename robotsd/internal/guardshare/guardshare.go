// Package guardshare lets several guards of one site share the pace of robots, through a key-value
// bucket of NATS JetStream.
//
// A guard decides by what it knows, and no request waits for the network. One goroutine takes turns
// between two tasks: it writes the requests that others do not know about, each tenth of a second,
// and it reads what others have written. In the states of internal/nats:
//
//	state     requests are decided by
//	apart     the guard's own memory
//	together  the memory of all guards, at most a tenth of a second and one exchange old
//
// A value is written only in place of the one that was read, so no requests are lost between two
// writers. If the answer to a write is lost, its requests may be counted or not; they are not
// written again, because a robot must not wait for requests that it did not send.
package guardshare

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"strings"
	"sync/atomic"
	"time"

	client "github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/robotsexclusion/robots/guard"
	"github.com/robotsexclusion/robots/internal/nats"
	"github.com/robotsexclusion/robots/internal/printable"
)

const (
	// Bucket is the bucket that the guards of all sites use.
	Bucket = "robots-guard"

	attempts = 5 // to write a value that others write too
	// ttl is longer than any pace matters: the longest delay, as often as a guard lets a robot wait
	// for it.
	ttl = 9 * 24 * time.Hour
)

// times are how long a Share waits.
type times struct {
	interval time.Duration // between two writes
	retry    time.Duration // between two attempts to open the bucket
	exchange time.Duration // at most for one exchange with the server
	// between two pings. After two without an answer the connection is lost, and another one is
	// opened
	ping time.Duration
}

var usualTimes = times{interval: 100 * time.Millisecond, retry: time.Second, exchange: 2 * time.Second,
	ping: 5 * time.Second}

// site matches names of sites.
var site = regexp.MustCompile(`^[A-Za-z0-9._-]{1,200}$`)

// A Share shares the pace of robots until it is closed.
type Share struct {
	paces  *guard.Paces
	prefix string // of the keys
	notice func(error)
	conn   *nats.Conn
	times  times
	stop   context.CancelFunc
	done   chan struct{}

	identities     atomic.Pointer[nats.Bucket] // nil while the guard is apart
	identityPrefix string

	// Used by the goroutine alone.
	bucket *nats.Bucket
	known  map[string]entry
}

// An entry is a value of the bucket.
type entry struct {
	revision uint64 // 0 if there is none
	pace     guard.Pace
	foreign  bool // a later version of the program wrote it
}

// Start shares paces of a site with the guards that use the same server and name of the site. It
// returns an error for a wrong URL or name; a server that does not answer is asked again and again.
// Notice gets messages for the operator.
func Start(url, name string, paces *guard.Paces, notice func(error)) (*Share, error) {
	return start(url, name, paces, notice, usualTimes)
}

func start(url, name string, paces *guard.Paces, notice func(error), times times) (*Share, error) {
	if !site.MatchString(name) {
		return nil,
			fmt.Errorf("the site's name %s has other characters than letters, digits, dots, hyphens and underscores",
				printable.Quoted(name, 200))
	}
	conn, err := nats.Connect(url, "robots guard",
		client.ReconnectWait(times.retry), client.Timeout(times.exchange), client.PingInterval(times.ping))
	if err != nil {
		return nil, err
	}
	ctx, stop := context.WithCancel(context.Background())
	name = strings.ReplaceAll(name, ".", "=") // a dot separates the parts of a key
	s := &Share{
		paces: paces, prefix: "pace." + name + ".", identityPrefix: "identity." + name + ".",
		notice: notice, conn: conn, times: times, stop: stop, done: make(chan struct{}),
	}
	sessions := &nats.Sessions{
		Conn: conn, Retry: times.retry, Notice: notice,
		Apart: "pace is not shared with other guards now", Again: "pace is shared with other guards again",
	}
	go func() {
		defer close(s.done)
		sessions.Run(ctx, s.together)
	}()
	return s, nil
}

// Close writes what others do not know about, if the server answers, and ends the connection.
func (s *Share) Close() {
	s.stop()
	<-s.done
	s.conn.Close()
}

// together reads and writes until the session ends.
func (s *Share) together(ctx context.Context, session *nats.Session, joined func()) error {
	defer s.identities.Store(nil)
	if err := s.open(session); err != nil {
		return err
	}
	values, err := s.bucket.Watch(s.prefix + "*")
	if err != nil {
		return err
	}
	s.known = make(map[string]entry)
	tick := time.NewTicker(s.times.interval)
	defer tick.Stop()
	current := false // all values have been read
	for {
		select {
		case <-ctx.Done():
			if current {
				last, cancel := context.WithTimeout(session.Context(), s.times.exchange)
				defer cancel()
				s.write(last)
			}
			return nil
		case <-session.Context().Done():
			return context.Cause(session.Context())
		case v := <-values:
			if v.Key != "" {
				s.learn(v)
				continue
			}
			current = true
			joined()
		case <-tick.C:
			if !current {
				continue
			}
			if err := s.write(ctx); err != nil {
				return err
			}
		}
	}
}

// open opens the buckets.
func (s *Share) open(session *nats.Session) (err error) {
	if s.bucket, err = session.Open(jetstream.StreamConfig{
		Name: Bucket, Description: "the pace of robots, shared by guards", MaxAge: ttl, MaxMsgSize: 1024,
		Replicas: 1, AllowDirect: true, Discard: jetstream.DiscardNew,
	}, s.times.exchange); err != nil {
		return err
	}
	identities, err := session.Open(jetstream.StreamConfig{
		Name: IdentityBucket, Description: "the identities of clients, shared by guards", MaxAge: identityAge,
		MaxMsgSize: 1024,
		MaxBytes:   identitySize, Replicas: 1, AllowDirect: true, Discard: jetstream.DiscardNew,
	}, identityWait)
	if err != nil {
		s.notice(fmt.Errorf("identities are not shared with other guards: %w", err))
		return nil
	}
	s.identities.Store(identities)
	return nil
}

// learn takes a value over.
func (s *Share) learn(v nats.Value) {
	e := entry{revision: v.Revision}
	key := strings.TrimPrefix(v.Key, s.prefix)
	if !v.Deleted {
		var err error
		if e.pace, err = parse(v.Data); err != nil {
			e.foreign = true
		} else {
			s.paces.Learn(key, e.pace)
		}
	}
	s.known[key] = e
}

// write writes what others do not know about.
func (s *Share) write(ctx context.Context) error {
	for _, key := range s.paces.Unshared() {
		if s.known[key].foreign {
			continue
		}
		if err := s.writeOne(ctx, key); err != nil {
			return err
		}
	}
	return nil
}

// writeOne writes the pace of a robot in place of the one that was read, or of the one that another
// guard has just written. Values that others write all the time are left for the next turn.
func (s *Share) writeOne(ctx context.Context, key string) error {
	ctx, cancel := context.WithTimeout(ctx, s.times.exchange)
	defer cancel()
	for range attempts {
		var lost error // the answer, and not only the write
		err := s.paces.Share(key, s.known[key].pace, func(p guard.Pace) error {
			revision, err := s.bucket.Put(ctx, s.prefix+key, format(p), s.known[key].revision)
			switch {
			case err == nil:
				s.known[key] = entry{revision: revision, pace: p}
			case !unwritten(err):
				lost = err
			default:
				return err
			}
			return nil
		})
		if err = cmp.Or(err, lost); !errors.Is(err, nats.ErrRevision) {
			return err
		}
		v, err := s.bucket.Get(ctx, s.prefix+key)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			delete(s.known, key)
		case err != nil:
			return err
		default:
			s.learn(v)
		}
	}
	return nil
}

// unwritten reports whether an error says that the server wrote nothing.
func unwritten(err error) bool {
	return errors.Is(err, nats.ErrRevision) || errors.As(err, new(*jetstream.APIError)) ||
		errors.Is(err, jetstream.ErrNoStreamResponse) || errors.Is(err, client.ErrReconnectBufExceeded)
}
