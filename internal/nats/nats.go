// Package nats has what the sharings of several processes have in common: the connection to NATS
// servers, sessions, and buckets of JetStream, in which a value is written in place of the one that
// was read. fetch/natscache shares robots.txt, robotsd/internal/guardshare the pace of robots, and
// robotsd/internal/monitor/monitorshare the sites of a watch. Leases are in the two packages that
// need them: one lease is a key that the server removes, the other one is counted by the clock of
// its holder.
//
// # States
//
// A sharing that works without the servers has these states:
//
//	state     entered when                          left when
//	apart     the sharing begins, or its session    a session has opened its buckets, read what
//	          has ended                             it needs, and called joined
//	together  a session has called joined           the session returns: an exchange failed, a
//	                                                watch or the connection ended, or ctx is done
//
// Only the goroutine of [Sessions.Run] enters a session. Every goroutine may end one by
// [Session.Fail].
package nats

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	client "github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

var (
	errNoServer = errors.New("no NATS server answers")
	errLost     = errors.New("the connection to the NATS server is lost")
)

// Sessions are the sessions of a sharing, one after another, and what the operator reads of them: a
// message when a session shares or no session shares any more, and the last message did not say so
// already.
type Sessions struct {
	Conn     *Conn
	Retry    time.Duration // between two sessions
	Outlives bool          // a session goes on when a connection is lost, and another one takes its place

	Notice func(error)   // gets the messages
	First  string        // that a session shares, as the first message; "" means none
	Again  string        // that a session shares, after a message that none does
	Apart  string        // that no session shares; the reason follows
	Quiet  time.Duration // between two messages that no session shares
}

// Run begins sessions until ctx is done. In each it calls do, which calls joined when it shares,
// and returns why the session ended. When ctx is done, do makes its last exchanges and returns.
func (c *Sessions) Run(ctx context.Context, do func(ctx context.Context, s *Session, joined func()) error) {
	var current atomic.Pointer[Session]
	if old := c.Conn.Opts.DisconnectedErrCB; !c.Outlives {
		c.Conn.SetDisconnectErrHandler(func(conn *client.Conn, err error) {
			if s := current.Load(); s != nil {
				s.Fail(errLost) // an exchange would wait for an answer that cannot come
			}
			if old != nil {
				old(conn, err)
			}
		})
	}
	const unsaid, together, apart = 0, 1, 2
	said := unsaid // what the operator knows
	joined := func() {
		text := c.Again
		if said == unsaid {
			text = c.First
		}
		if said != together && text != "" {
			c.Notice(errors.New(text))
		}
		said = together
	}
	select {
	case <-c.Conn.tried: // or the reason is not known yet
	case <-ctx.Done():
	case <-time.After(c.Retry):
	}
	var last time.Time // when the operator read that no session shares
	for ctx.Err() == nil {
		err := c.Conn.apart()
		if c.Conn.IsConnected() {
			err = c.session(ctx, &current, func(s *Session) error { return do(ctx, s, joined) })
		}
		if ctx.Err() != nil {
			return
		}
		if said != apart && (last.IsZero() || time.Since(last) >= c.Quiet) {
			said, last = apart, time.Now()
			c.Notice(fmt.Errorf("%s: %w", c.Apart, err))
		}
		select {
		case <-ctx.Done():
		case <-time.After(c.Retry):
		}
	}
}

// session has one session, and returns why it ended.
func (c *Sessions) session(ctx context.Context, current *atomic.Pointer[Session], do func(*Session) error) error {
	js, err := jetstream.New(c.Conn.Conn)
	if err != nil {
		return err
	}
	s := &Session{conn: c.Conn, js: js}
	s.ctx, s.end = context.WithCancelCause(context.WithoutCancel(ctx))
	defer s.end(nil)
	current.Store(s)
	c.Conn.denied.Store(nil)
	return c.Conn.Why(do(s))
}

// A Session is a time in which the servers answer.
type Session struct {
	conn *Conn
	js   jetstream.JetStream
	ctx  context.Context
	end  context.CancelCauseFunc
}

// Context returns a context that is done when the session has ended, with the cause of Fail.
func (s *Session) Context() context.Context { return s.ctx }

// Fail ends the session and its exchanges, if it has not ended yet.
func (s *Session) Fail(err error) { s.end(err) }
