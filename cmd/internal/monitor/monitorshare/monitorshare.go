// Package monitorshare divides the sites of a watch among several instances, through key-value buckets of NATS JetStream. It is the
// Sharing of package monitor.
//
// An instance is a member while its heartbeats are stored in time. A member has one lease for all its parts, so the number of sites does
// not change the number of renewals:
//
//	bucket                   key                        value
//	robots-monitor-members   GROUP.NAME                 a heartbeat: its number, and how long the lease is
//	robots-monitor           GROUP.part.N               the member that owns part N, and how long its lease is
//	robots-monitor           GROUP.site.N.KEY           what package monitor stores
//
// The lease of a member ends, by its own clock, a lease after the last heartbeat that was stored was sent, unless the answer to another
// one came before. A member whose lease ended is never a member again: it takes a new name.
//
// Another member takes a part of a dead one in place of the revision that it has read. It decides that a member is dead by the stream of
// heartbeats alone: if one of its own, sent a lease and a quarter after the last of the other member came, comes back without
// another one of that member before. Clocks of machines are not compared; they only must run at the same speed. An instance that is cut off sees no heartbeat of
// its own, and decides nothing.
//
// Which member should own a part follows from the names of the members that live (rendezvous hashing), so most parts stay where they are when a member
// comes or goes. An owner that should not own a part ends its work, and writes the name of the next owner.
package monitorshare

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/robotsexclusion/robots/cmd/internal/monitor"
	"github.com/robotsexclusion/robots/internal/natsclient"
	"github.com/robotsexclusion/robots/internal/printable"
)

const (
	// Bucket is the bucket with the owners of parts, and the states of sites.
	Bucket = "robots-monitor"
	// MemberBucket is the bucket of heartbeats.
	MemberBucket = "robots-monitor-members"

	memberAge = time.Hour // until the last heartbeat of a dead member is removed
	replicas  = 3         // of a bucket that is made on a cluster
)

// groups matches names of groups.
var groups = regexp.MustCompile(`^[A-Za-z0-9_-]{1,100}$`)

// A Share is a [monitor.Sharing]. Close it when it is no longer needed.
type Share struct {
	group  string
	lease  time.Duration
	notice func(error)
	conn   *nats.Conn

	mu      sync.Mutex
	bucket  jetstream.KeyValue // nil before the server has answered once
	members jetstream.KeyValue
	now     *member // nil while this instance is no member
	name    string  // of the last member
}

var _ monitor.Sharing = (*Share)(nil)

// New shares the sites of a watch with instances that use the same server and name of the group. An instance that dies is replaced after
// the lease and a quarter of it. New returns an error for a wrong URL or name; a server that does not answer is asked again and again. Notice gets messages for
// the operator, and may be called by several goroutines at once.
func New(server, group string, lease time.Duration, notice func(error)) (*Share, error) {
	if !groups.MatchString(group) {
		return nil, fmt.Errorf("the group's name %s has other characters than letters, digits, hyphens and underscores", printable.Quoted(group, 200))
	}
	s := &Share{group: group, lease: lease, notice: notice}
	var err error
	s.conn, err = natsclient.Connect(server, "robots monitor", nats.ReconnectWait(s.retry()), nats.Timeout(s.exchange()), nats.PingInterval(s.exchange()))
	if err != nil {
		return nil, err
	}
	return s, nil
}

// Close ends the connection.
func (s *Share) Close() { s.conn.Close() }

// retry is the time between two attempts to become a member, and between two looks at what is to be done.
func (s *Share) retry() time.Duration { return min(s.lease/10, time.Second) }

// exchange is the time that one exchange with the server may take.
func (s *Share) exchange() time.Duration { return min(s.lease/3, 5*time.Second) }

// Run implements [monitor.Sharing].
func (s *Share) Run(ctx context.Context, take func(context.Context, int) error, leave func(int)) {
	apart := false
	for ctx.Err() == nil {
		m := &member{Share: s, take: take, leave: leave, joined: func() {
			if apart {
				apart = false
				s.notice(errors.New("the NATS server answers again: this instance takes its share of the sites"))
			}
		}}
		err := m.run(ctx)
		if ctx.Err() != nil {
			return
		}
		if !apart {
			apart = true
			s.notice(fmt.Errorf("this instance watches no site until the NATS server answers in time: %w", err))
		}
		select {
		case <-ctx.Done():
		case <-time.After(s.retry()):
		}
	}
}

// Holds implements [monitor.Sharing].
func (s *Share) Holds(part int) bool {
	s.mu.Lock()
	m := s.now
	s.mu.Unlock()
	return m != nil && m.holds(part)
}

// Instance implements [monitor.Sharing].
func (s *Share) Instance() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.name
}

// Read implements [monitor.Sharing].
func (s *Share) Read(ctx context.Context, part int, f func(key string, value []byte, revision uint64) error) error {
	bucket, err := s.states()
	if err != nil {
		return err
	}
	prefix := s.siteKey(part, "")
	watch, err := bucket.Watch(ctx, prefix+"*", jetstream.IgnoreDeletes())
	if err != nil {
		return err
	}
	defer func() { go watch.Stop() }() // waits five seconds for a server that does not answer
	for {
		late := time.NewTimer(2 * s.exchange())
		select {
		case <-ctx.Done():
			late.Stop()
			return context.Cause(ctx)
		case <-late.C:
			return errors.New("the NATS server does not answer in time")
		case value, ok := <-watch.Updates():
			late.Stop()
			if !ok {
				return errors.New("the NATS server ended the list of sites")
			}
			if value == nil {
				return nil
			}
			if err := f(strings.TrimPrefix(value.Key(), prefix), value.Value(), value.Revision()); err != nil {
				return err
			}
		}
	}
}

// Get implements [monitor.Sharing].
func (s *Share) Get(ctx context.Context, part int, key string) (value []byte, revision uint64, err error) {
	bucket, err := s.states()
	if err != nil {
		return nil, 0, err
	}
	e, err := bucket.Get(ctx, s.siteKey(part, key))
	if errors.Is(err, jetstream.ErrKeyNotFound) {
		return nil, 0, fmt.Errorf("%w: %w", fs.ErrNotExist, err)
	}
	if err != nil {
		return nil, 0, err
	}
	return e.Value(), e.Revision(), nil
}

// Put implements [monitor.Sharing].
func (s *Share) Put(ctx context.Context, part int, key string, value []byte, revision uint64) (uint64, error) {
	bucket, err := s.states()
	if err != nil {
		return 0, err
	}
	return put(ctx, bucket, s.siteKey(part, key), value, revision)
}

// put stores a value in place of a revision, or the first if it is 0.
func put(ctx context.Context, bucket jetstream.KeyValue, key string, value []byte, revision uint64) (uint64, error) {
	var err error
	if revision == 0 {
		revision, err = bucket.Create(ctx, key, value) // also in place of a mark that the value was deleted
	} else {
		revision, err = bucket.Update(ctx, key, value, revision)
	}
	if errors.Is(err, jetstream.ErrKeyExists) || errors.Is(err, jetstream.ErrKeyRevisionMismatch) {
		return 0, monitor.ErrRevision
	}
	return revision, err
}

func (s *Share) siteKey(part int, key string) string {
	return s.group + ".site." + strconv.Itoa(part) + "." + key
}

func (s *Share) partKey(part int) string { return s.group + ".part." + strconv.Itoa(part) }

// states returns the bucket with the states of sites.
func (s *Share) states() (jetstream.KeyValue, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.bucket == nil {
		return nil, errors.New("the NATS server has not answered yet")
	}
	return s.bucket, nil
}

// open opens the buckets, as the operator has made them, or makes them: on a cluster, each value is on three servers.
func (s *Share) open(ctx context.Context) error {
	if !s.conn.IsConnected() {
		return errors.New("the NATS server does not answer")
	}
	js, err := jetstream.New(s.conn)
	if err != nil {
		return err
	}
	copies := 1
	if s.conn.ConnectedClusterName() != "" {
		copies = replicas
	}
	states, err := openBucket(ctx, js, jetstream.KeyValueConfig{Bucket: Bucket, Description: "what instances of a watch of sites share", Replicas: copies})
	if err != nil {
		return err
	}
	members, err := openBucket(ctx, js, jetstream.KeyValueConfig{Bucket: MemberBucket, Description: "heartbeats of instances of a watch of sites", Replicas: copies, TTL: memberAge, MaxValueSize: 1024})
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.bucket, s.members = states, members
	return nil
}

// openBucket opens a bucket, or makes it if there is none.
func openBucket(ctx context.Context, js jetstream.JetStream, c jetstream.KeyValueConfig) (jetstream.KeyValue, error) {
	asking, cancel := context.WithTimeout(ctx, time.Second) // a cluster that has just started gives no answer
	defer cancel()
	bucket, err := js.KeyValue(asking, c.Bucket)
	if !errors.Is(err, jetstream.ErrBucketNotFound) {
		return bucket, err
	}
	making, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	if bucket, err = js.CreateKeyValue(making, c); errors.Is(err, jetstream.ErrBucketExists) {
		return js.KeyValue(making, c.Bucket) // another instance was faster
	}
	return bucket, err
}
