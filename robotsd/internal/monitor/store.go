package monitor

import (
	"context"
	"time"
)

// A store has the states of sites, and the events that receivers have not got yet. It is a journal,
// or records that instances share. A store is safe for concurrent use.
type store interface {
	// hold begins work on a site, a look or the sending of an event, which release ends. It reports
	// false if the site is another instance's. The work must end when the context is done.
	hold(ctx context.Context, origin string) (work context.Context, release func(), ok bool)

	// state returns a copy of the state of a site, to be changed and committed.
	state(origin string) *site

	// failing returns since when a site fails, or zero. It reports false if the history of the
	// Looker knows that.
	failing(origin string) (since time.Time, known bool)

	// complete gives the baseline of a site its policy, if a look needs it. A baseline without its
	// text is given up: the look becomes the baseline.
	complete(ctx context.Context, s *site, o *Observation) error

	// commit stores the state of a site, and an event if there are updates, for the receivers that
	// to names. It stores nothing if nothing changed. After an error nothing has changed; after
	// errReloaded the state is another one.
	commit(ctx context.Context, s *site, o *Observation, updates []Update, to func(*Event) []string) error

	// toSend returns a message to a receiver: a message already begun, or a new one of the unsent
	// events that choose selects. It considers only events that may be sent. Without a message,
	// wait is the time until there can be one. With an error, the message must not be sent.
	toSend(name string, may func(*owedEvent) bool, choose chooser) (s *dispatch, wait time.Duration, err error)

	// got stores that a receiver has a message.
	got(name string, s *dispatch) error

	// log returns the last events.
	log() *eventLog

	close() error
}

// A chooser returns the numbers of the events of the next message, or how long there will be none.
type chooser func(waiting []*owedEvent) (numbers []uint64, wait time.Duration)
