// Package guardshare lets several guards of one site share the pace of robots, through a key-value bucket of NATS JetStream.
//
// A guard decides by what it knows, and no request waits for the network. One goroutine takes turns between two tasks: it writes the
// requests that others do not know about, each tenth of a second, and it reads what others have written. Its states:
//
//	state     requests are decided by               entered when                       left when
//	apart     the guard's own memory                the guard starts, or an exchange   the bucket is open and
//	                                                 with the server fails              all of it has been read
//	together  the memory of all guards, at most      the bucket is open                 an exchange fails, or the
//	          a tenth of a second and one exchange                                      connection is lost
//	          old
//
// Only the goroutine changes the state. A value is written only in place of the one that was read (compare and set), so no requests are
// lost between two writers. If the answer to a write is lost, its requests may be counted or not; they are not written again, because a
// robot must not wait for requests that it did not send.
package guardshare

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/robotsexclusion/robots/guard"
	"github.com/robotsexclusion/robots/internal/natsclient"
	"github.com/robotsexclusion/robots/internal/printable"
)

const (
	// Bucket is the bucket that the guards of all sites use.
	Bucket = "robots-guard"

	attempts = 5 // to write a value that others write too
	// ttl is longer than any pace matters: the longest delay, as often as a guard lets a robot wait for it.
	ttl = 9 * 24 * time.Hour
)

// times are how long a Share waits.
type times struct {
	interval time.Duration // between two writes
	retry    time.Duration // between two attempts to open the bucket
	exchange time.Duration // at most for one exchange with the server
	ping     time.Duration // between two pings. After two without an answer the connection is lost, and another one is opened
}

var usualTimes = times{interval: 100 * time.Millisecond, retry: time.Second, exchange: 2 * time.Second, ping: 5 * time.Second}

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

	identities     atomic.Pointer[jetstream.KeyValue] // nil while the guard is apart
	identityPrefix string

	// Used by the goroutine alone.
	bucket jetstream.KeyValue
	known  map[string]entry
	apart  bool
}

// An entry is a value of the bucket.
type entry struct {
	revision uint64 // 0 if there is none
	pace     guard.Pace
	foreign  bool // a later version of the program wrote it
}

// Start shares paces of a site with the guards that use the same server and name of the site. It returns an error for a wrong URL or name;
// a server that does not answer is asked again and again. Notice gets messages for the operator.
func Start(url, name string, paces *guard.Paces, notice func(error)) (*Share, error) {
	return start(url, name, paces, notice, usualTimes)
}

func start(url, name string, paces *guard.Paces, notice func(error), times times) (*Share, error) {
	if !site.MatchString(name) {
		return nil, fmt.Errorf("the site's name %s has other characters than letters, digits, dots, hyphens and underscores", printable.Quoted(name, 200))
	}
	conn, err := natsclient.Connect(url, "robots guard", nats.ReconnectWait(times.retry), nats.Timeout(times.exchange), nats.PingInterval(times.ping))
	if err != nil {
		return nil, err
	}
	ctx, stop := context.WithCancel(context.Background())
	name = strings.ReplaceAll(name, ".", "=") // a dot separates the parts of a key
	s := &Share{paces: paces, prefix: "pace." + name + ".", identityPrefix: "identity." + name + ".", notice: notice, conn: conn, times: times, stop: stop, done: make(chan struct{})}
	go s.run(ctx)
	return s, nil
}

// Close writes what others do not know about, if the server answers, and ends the connection.
func (s *Share) Close() {
	s.stop()
	<-s.done
	s.conn.Close()
}

// run brings the guards together again and again until ctx ends.
func (s *Share) run(ctx context.Context) {
	defer close(s.done)
	for ctx.Err() == nil {
		err := s.together(ctx)
		if ctx.Err() != nil {
			break
		}
		if !s.apart {
			s.apart = true
			s.notice(fmt.Errorf("pace is not shared with other guards now: %w", err))
		}
		select {
		case <-ctx.Done():
		case <-time.After(s.times.retry):
		}
	}
	if !s.apart && s.bucket != nil {
		last, cancel := context.WithTimeout(context.Background(), s.times.exchange)
		defer cancel()
		s.write(last)
	}
}

// together opens the bucket, reads and writes until an exchange fails.
func (s *Share) together(ctx context.Context) error {
	if !s.conn.IsConnected() {
		return errors.New("the NATS server does not answer")
	}
	defer s.identities.Store(nil)
	if err := s.open(ctx); err != nil {
		return err
	}
	watch, err := s.bucket.Watch(ctx, s.prefix+"*")
	if err != nil {
		return err
	}
	defer func() { go watch.Stop() }() // waits five seconds for a server that does not answer
	s.known = make(map[string]entry)
	tick := time.NewTicker(s.times.interval)
	defer tick.Stop()
	current := false
	for {
		select {
		case <-ctx.Done():
			return nil
		case value, ok := <-watch.Updates():
			if !ok {
				return errors.New("the NATS server ended the watch")
			}
			if value != nil {
				s.learn(value)
				continue
			}
			current = true // all values have been read
			if s.apart {
				s.apart = false
				s.notice(errors.New("pace is shared with other guards again"))
			}
		case <-tick.C:
			if !s.conn.IsConnected() {
				return errors.New("the connection to the NATS server is lost")
			}
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
func (s *Share) open(ctx context.Context) error {
	js, err := jetstream.New(s.conn)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, s.times.exchange)
	defer cancel()
	s.bucket, err = openBucket(ctx, js, jetstream.KeyValueConfig{
		Bucket: Bucket, Description: "the pace of robots, shared by guards", TTL: ttl, MaxValueSize: 1024,
	})
	if err != nil {
		return err
	}
	identities, err := openBucket(ctx, js, jetstream.KeyValueConfig{
		Bucket: IdentityBucket, Description: "the identities of clients, shared by guards", TTL: identityAge, MaxValueSize: 1024, MaxBytes: identitySize,
	})
	if err != nil {
		s.notice(fmt.Errorf("identities are not shared with other guards: %w", err))
		return nil
	}
	s.identities.Store(&identities)
	return nil
}

// openBucket opens a bucket, as the operator has made it, or makes it.
func openBucket(ctx context.Context, js jetstream.JetStream, c jetstream.KeyValueConfig) (jetstream.KeyValue, error) {
	bucket, err := js.KeyValue(ctx, c.Bucket)
	if errors.Is(err, jetstream.ErrBucketNotFound) {
		return js.CreateKeyValue(ctx, c)
	}
	return bucket, err
}

// learn takes a value over.
func (s *Share) learn(value jetstream.KeyValueEntry) {
	e := entry{revision: value.Revision()}
	key := strings.TrimPrefix(value.Key(), s.prefix)
	if value.Operation() == jetstream.KeyValuePut {
		var err error
		if e.pace, err = parse(value.Value()); err != nil {
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

// writeOne writes the pace of a robot in place of the one that was read, or of the one that another guard has just written. Values that
// others write all the time are left for the next turn.
func (s *Share) writeOne(ctx context.Context, key string) error {
	ctx, cancel := context.WithTimeout(ctx, s.times.exchange)
	defer cancel()
	for range attempts {
		var lost error // the answer, and not only the write
		err := s.paces.Share(key, s.known[key].pace, func(p guard.Pace) error {
			revision, err := s.bucket.Update(ctx, s.prefix+key, format(p), s.known[key].revision)
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
		if err = cmp.Or(err, lost); !errors.Is(err, jetstream.ErrKeyRevisionMismatch) {
			return err
		}
		value, err := s.bucket.Get(ctx, s.prefix+key)
		switch {
		case errors.Is(err, jetstream.ErrKeyNotFound):
			delete(s.known, key)
		case err != nil:
			return err
		default:
			s.learn(value)
		}
	}
	return nil
}

// unwritten reports whether an error says that the server wrote nothing.
func unwritten(err error) bool {
	return errors.Is(err, jetstream.ErrKeyRevisionMismatch) || errors.As(err, new(*jetstream.APIError)) ||
		errors.Is(err, jetstream.ErrNoStreamResponse) || errors.Is(err, nats.ErrReconnectBufExceeded)
}
