package monitor

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"
)

// A Receiver gets messages. Send may be called again with a message that it has got already, if the
// process was killed in between: the message has the same ID. Send is never called twice at a time
// for one receiver.
//
// After an error the message is sent again later. If the error has a method RetryAfter()
// time.Duration, not before that time.
//
// If instances share the sites of a watch, the next instance may send the events of a message again
// in other messages: each event has the same ID.
type Receiver interface {
	Send(ctx context.Context, m *Message) error
}

// A Subscription is a receiver and the events that it gets.
type Subscription struct {
	Name     string // identifies the receiver in the journal: another name is another receiver
	Receiver Receiver
	Least    Severity // less severe events are not sent; 0 means all events

	// Quiet are hours in which only critical events are sent. Others are sent afterwards. Nil means
	// that there are none.
	Quiet *Quiet
}

// Quiet are hours of each day. They go on over midnight if To is before From.
type Quiet struct {
	From, To time.Duration // since midnight
	Location *time.Location
}

// until returns the end of the quiet hours that a time is in, or the time itself.
func (q *Quiet) until(t time.Time) time.Time {
	if q == nil {
		return t
	}
	local := t.In(q.Location)
	for day := -1; day <= 0; day++ {
		// Clock times, because a day may have 23 or 25 hours.
		from, to := q.clock(local, day, q.From), q.clock(local, day, q.To)
		if q.To <= q.From {
			to = q.clock(local, day+1, q.To)
		}
		if !t.Before(from) && t.Before(to) {
			return to
		}
	}
	return t
}

// clock returns a time of the day some days after t.
func (q *Quiet) clock(t time.Time, days int, sinceMidnight time.Duration) time.Time {
	minutes := int(sinceMidnight / time.Minute)
	return time.Date(t.Year(), t.Month(), t.Day()+days, minutes/60, minutes%60, 0, 0, q.Location)
}

const (
	firstRetry  = 5 * time.Second
	lastRetry   = time.Hour
	sendTimeout = time.Minute
)

// A sender sends the events in the queue of one receiver. Those of one site are sent in their
// order.
type sender struct {
	Subscription
	grouper
	store  store
	report func(error)
	wake   chan struct{} // has an element if there may be a new event
}

func newSender(s Subscription, st store, wait time.Duration, report func(error)) *sender {
	return &sender{Subscription: s, grouper: grouper{wait, make(map[news]time.Time)}, store: st, report: report,
		wake: make(chan struct{}, 1)}
}

// run sends messages until ctx is done. A receiver that fails gets the message again after a pause,
// which doubles up to an hour.
func (s *sender) run(ctx context.Context) {
	failures := 0
	for ctx.Err() == nil {
		wait, err := s.sendNext(ctx)
		switch {
		case err != nil && ctx.Err() != nil:
			return
		case err != nil:
			s.report(err)
			wait = max(wait, retryPause(failures))
			failures++
			sleep(ctx, wait, nil) // a new event does not help a receiver that fails
		case wait > 0:
			failures = 0
			sleep(ctx, wait, s.wake)
		default:
			failures = 0
		}
	}
}

// flush sends messages until none may be sent now, or one fails. No event waits for others.
func (s *sender) flush(ctx context.Context) error {
	now := *s
	now.wait = 0
	for {
		if wait, err := now.sendNext(ctx); err != nil || wait > 0 {
			return err
		}
	}
}

// never is a wait for an event.
const never = 24 * time.Hour

// sendNext sends a message. If there is none, wait is positive: the time until it is worth to look
// again. With an error, wait is what the receiver asks for.
func (s *sender) sendNext(ctx context.Context) (wait time.Duration, err error) {
	now := time.Now()
	quiet := s.Quiet.until(now).Sub(now)
	may := func(e *owedEvent) bool { return quiet <= 0 || e.news.severity == Critical }
	next, wait, err := s.store.toSend(s.Name, may, func(waiting []*owedEvent) ([]uint64, time.Duration) {
		return s.choose(waiting, now)
	})
	switch {
	case err != nil:
		return 0, fmt.Errorf("a message to %s cannot be stored, and is not sent: %w", s.Name, err)
	case next == nil && quiet > 0:
		return min(wait, quiet), nil
	case next == nil:
		return wait, nil
	}
	m := &next.message
	work, release, held := holdAll(ctx, s.store, m)
	defer release()
	if !held {
		return time.Second, nil
	}
	sending, cancel := context.WithTimeout(work, sendTimeout)
	defer cancel()
	if err := s.Receiver.Send(sending, m); err != nil {
		if later, ok := errors.AsType[interface {
			error
			RetryAfter() time.Duration
		}](err); ok {
			wait = min(later.RetryAfter(), never)
		}
		return wait, &DeliveryError{s.Name, m.ID, err}
	}
	s.sent(m, time.Now())
	if err := s.store.got(s.Name, next); err != nil {
		return 0, fmt.Errorf("message %s to %s was sent, and may be sent again: %w", m.ID, s.Name, err)
	}
	return 0, nil
}

// holdAll begins work on all sites of a message, which release ends. It reports false if one of
// them is another instance's.
func holdAll(ctx context.Context, s store, m *Message) (work context.Context, release func(), ok bool) {
	var releases []func()
	release = func() {
		for _, r := range slices.Backward(releases) {
			r()
		}
	}
	held := make(map[int]bool)
	for i := range m.Events {
		part, _ := placeOf(m.Events[i].Origin)
		if held[part] {
			continue
		}
		held[part] = true
		var r func()
		if ctx, r, ok = s.hold(ctx, m.Events[i].Origin); !ok {
			return ctx, release, false
		}
		releases = append(releases, r)
	}
	return ctx, release, true
}

// retryPause returns the pause after a number of failures before, with some chance, so that
// receivers that failed together are not asked together.
func retryPause(failures int) time.Duration {
	pause := min(firstRetry<<min(failures, 20), lastRetry)
	return pause - rand.N(pause/4)
}

// sleep waits for some time, or until ctx is done or there is an element in wake.
func sleep(ctx context.Context, d time.Duration, wake <-chan struct{}) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-wake:
	case <-ctx.Done():
	}
}

// A DeliveryError says that a receiver did not get a message. The message is sent again later.
type DeliveryError struct {
	Receiver string
	Message  string // its ID
	Err      error
}

// Error returns the receiver and the reason.
func (e *DeliveryError) Error() string {
	return "message " + e.Message + " to " + e.Receiver + ": " + e.Err.Error()
}

// Unwrap returns the error of the receiver.
func (e *DeliveryError) Unwrap() error { return e.Err }
