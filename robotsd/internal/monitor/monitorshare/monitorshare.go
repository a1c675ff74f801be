// Package monitorshare divides the sites of a watch among several instances, through key-value
// buckets of NATS JetStream. It is the Sharing of package monitor.
//
// An instance is a member while its heartbeats are stored in time. A member has one lease for all
// its parts, so the number of sites does not change the number of renewals:
//
//	bucket                   key                        value
//	robots-monitor-members   GROUP.NAME                 a heartbeat: its number, and how long the lease is
//	robots-monitor           GROUP.part.N               the member that owns part N, and how long its lease is
//	robots-monitor           GROUP.site.N.KEY           what package monitor stores
//
// The lease of a member ends, by its own clock, a lease after the last heartbeat that was stored
// was sent, unless the answer to another one came before. A member whose lease ended is never a
// member again: it takes a new name.
//
// Another member takes a part of a dead one in place of the revision that it has read. It decides
// that a member is dead by the stream of heartbeats alone: if one of its own, sent a lease and a
// quarter after the last of the other member came, comes back without another one of that member
// before. Clocks of machines are not compared; they only must run at the same speed. An instance
// that is cut off sees no heartbeat of its own, and decides nothing.
//
// Which member should own a part follows from the names of the members that live (rendezvous
// hashing), so most parts stay where they are when a member comes or goes. An owner that should not
// own a part ends its work, and writes the name of the next owner.
//
// A member is a session of internal/nats. It outlives a lost connection, but not its lease.
package monitorshare

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	client "github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/robotsexclusion/robots/internal/nats"
	"github.com/robotsexclusion/robots/internal/printable"
	"github.com/robotsexclusion/robots/robotsd/internal/monitor"
)

const (
	// Bucket is the bucket with the owners of parts, and the states of sites.
	Bucket = "robots-monitor"
	// MemberBucket is the bucket of heartbeats.
	MemberBucket = "robots-monitor-members"

	memberAge = time.Hour       // until the last heartbeat of a dead member is removed
	siteTime  = 5 * time.Second // for a read or a write of the state of a site
)

// groups matches names of groups.
var groups = regexp.MustCompile(`^[A-Za-z0-9_-]{1,100}$`)

// A Share is a [monitor.Sharing]. Close it when it is no longer needed.
type Share struct {
	group  string
	lease  time.Duration
	notice func(error)
	conn   *nats.Conn

	// member is the last one that this instance was: it holds no part after its end. Package monitor
	// reads and writes only what it took, so there is one then.
	member atomic.Pointer[member]
}

var _ monitor.Sharing = (*Share)(nil)

// New shares the sites of a watch with instances that use the same server and name of the group. An
// instance that dies is replaced after the lease and a quarter of it. New returns an error for a
// wrong URL or name; a server that does not answer is asked again and again. Notice gets messages
// for the operator, and may be called by several goroutines at once.
func New(server, group string, lease time.Duration, notice func(error)) (*Share, error) {
	if !groups.MatchString(group) {
		return nil, fmt.Errorf("the group's name %s has other characters than letters, digits, hyphens and underscores",
			printable.Quoted(group, 200))
	}
	s := &Share{group: group, lease: lease, notice: notice}
	var err error
	s.conn, err = nats.Connect(server, "robots monitor",
		client.ReconnectWait(s.retry()), client.Timeout(s.exchange()), client.PingInterval(s.exchange()))
	if err != nil {
		return nil, err
	}
	return s, nil
}

// Close ends the connection.
func (s *Share) Close() { s.conn.Close() }

// retry is the time between two attempts to become a member, and between two looks at what is to be
// done.
func (s *Share) retry() time.Duration { return min(s.lease/10, time.Second) }

// exchange is the time that an exchange about members and owners may take.
func (s *Share) exchange() time.Duration { return min(s.lease/3, 5*time.Second) }

// Run implements [monitor.Sharing].
func (s *Share) Run(ctx context.Context, take func(context.Context, int) error, leave func(int)) {
	sessions := &nats.Sessions{
		Conn: s.conn, Retry: s.retry(), Outlives: true, Notice: s.notice,
		Apart: "this instance watches no site until the NATS server answers in time",
		Again: "the NATS server answers again: this instance takes its share of the sites",
	}
	sessions.Run(ctx, func(ctx context.Context, session *nats.Session, joined func()) error {
		m := &member{Share: s, take: take, leave: leave, joined: joined, ctx: session.Context(), lapse: session.Fail}
		if err := m.open(session); err != nil {
			return err
		}
		return m.run(ctx)
	})
}

// Holds implements [monitor.Sharing].
func (s *Share) Holds(part int) bool {
	m := s.member.Load()
	return m != nil && m.holds(part)
}

// Instance implements [monitor.Sharing].
func (s *Share) Instance() string { return s.member.Load().id }

// Read implements [monitor.Sharing].
func (s *Share) Read(ctx context.Context, part int, f func(key string, value []byte, revision uint64) error) error {
	prefix := s.siteKey(part, "")
	return s.member.Load().sites.Each(ctx, prefix+"*", func(v nats.Value) error {
		return f(strings.TrimPrefix(v.Key, prefix), v.Data, v.Revision)
	})
}

// Get implements [monitor.Sharing].
func (s *Share) Get(ctx context.Context, part int, key string) (value []byte, revision uint64, err error) {
	v, err := s.member.Load().sites.Get(ctx, s.siteKey(part, key))
	return v.Data, v.Revision, err
}

// Put implements [monitor.Sharing].
func (s *Share) Put(ctx context.Context, part int, key string, value []byte, revision uint64) (uint64, error) {
	revision, err := s.member.Load().sites.Put(ctx, s.siteKey(part, key), value, revision)
	if errors.Is(err, nats.ErrRevision) {
		return 0, monitor.ErrRevision
	}
	return revision, err
}

func (s *Share) siteKey(part int, key string) string {
	return s.group + ".site." + strconv.Itoa(part) + "." + key
}

func (s *Share) partKey(part int) string { return s.group + ".part." + strconv.Itoa(part) }

// open opens the buckets: on a cluster, each value is on three servers.
func (m *member) open(session *nats.Session) (err error) {
	if m.sites, err = session.Open(jetstream.StreamConfig{
		Name: Bucket, Description: "what instances of a watch of sites share", Replicas: 3,
		AllowDirect: true, Discard: jetstream.DiscardNew,
	}, siteTime); err != nil {
		return err
	}
	m.members, err = session.Open(jetstream.StreamConfig{
		Name: MemberBucket, Description: "heartbeats of instances of a watch of sites", Replicas: 3,
		MaxAge: memberAge, MaxMsgSize: 1024, AllowDirect: true, Discard: jetstream.DiscardNew,
	}, m.exchange())
	return err
}
