package monitor

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"
)

// A Receiver gets messages. Send may be called again with a message that it has got already, if the process was killed in
// between: the message has the same ID. Send is never called twice at a time for one receiver.
//
// After an error the message is sent again later. If the error has a method RetryAfter() time.Duration, not before that time.
type Receiver interface {
	Send(ctx context.Context, m *Message) error
}

// A Subscription is a receiver and the events that it gets.
type Subscription struct {
	Name     string // identifies the receiver in the journal: another name is another receiver
	Receiver Receiver
	Least    Severity // less severe events are not sent; 0 means all events

	// Quiet are hours in which only critical events are sent. Others are sent afterwards. Nil means that there are none.
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

// A sender sends the events in the queue of one receiver, the oldest first.
type sender struct {
	Subscription
	store  store
	report func(error)
	wake   chan struct{} // has an element if there may be a new event
}

// run sends events until ctx is done. A receiver that fails gets the event again after a pause, which doubles up to an hour.
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

// flush sends events until none may be sent now, or one fails.
func (s *sender) flush(ctx context.Context) error {
	for {
		if wait, err := s.sendNext(ctx); err != nil || wait > 0 {
			return err
		}
	}
}

// never is a wait for an event.
const never = 24 * time.Hour

// sendNext sends an event. If there is none, wait is positive: the time until it is worth to look again. With an error, wait is what
// the receiver asks for.
func (s *sender) sendNext(ctx context.Context) (wait time.Duration, err error) {
	now := time.Now()
	quiet := s.Quiet.until(now).Sub(now)
	e, number, ok := s.store.first(s.Name, func(e *Event) bool { return quiet <= 0 || e.Severity() == Critical })
	if !ok {
		if quiet > 0 {
			return quiet, nil
		}
		return never, nil
	}
	work, release, held := s.store.hold(ctx, e.Origin)
	if !held {
		return time.Second, nil
	}
	defer release()
	sending, cancel := context.WithTimeout(work, sendTimeout)
	defer cancel()
	if err := s.Receiver.Send(sending, &Message{e.ID, []Event{e}}); err != nil {
		if later, ok := errors.AsType[interface {
			error
			RetryAfter() time.Duration
		}](err); ok {
			wait = min(later.RetryAfter(), never)
		}
		return wait, &DeliveryError{s.Name, e.ID, err}
	}
	if err := s.store.got(s.Name, number); err != nil {
		return 0, fmt.Errorf("event %s to %s was sent, and may be sent again: %w", e.ID, s.Name, err)
	}
	return 0, nil
}

// retryPause returns the pause after a number of failures before, with some chance, so that receivers that failed together are
// not asked together.
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

// A DeliveryError says that a receiver did not get an event. The event is sent again later.
type DeliveryError struct {
	Receiver string
	Event    string // its ID
	Err      error
}

// Error returns the receiver and the reason.
func (e *DeliveryError) Error() string {
	return "event " + e.Event + " to " + e.Receiver + ": " + e.Err.Error()
}

// Unwrap returns the error of the receiver.
func (e *DeliveryError) Unwrap() error { return e.Err }
