package fetch

import (
	"context"
	"net/netip"
	"time"

	"github.com/robotsexclusion/robots"
)

// Access for the tests to internals of this package.
var (
	Lifetime         = lifetime
	Pause            = pause
	ReadText         = readText
	Resolve          = resolve
	DefaultUserAgent = defaultUserAgent
	Seal             = seal
)

// Cost returns the cost of an entry in a Memory.
func (e *Entry) Cost() int64 { return e.cost() }

// EntryFile returns the path of the file with an origin's entry.
func (d Dir) EntryFile(origin string) string { return d.file("origins", origin, ".json") }

// HistoryFile returns the path of the file with the history of an origin.
func (d Dir) HistoryFile(origin string) string { return d.file("history", origin, ".jsonl") }

// TextFile returns the path of a text.
func (d Dir) TextFile(hash string) string { return d.textFile(hash) }

// A Special is a range of addresses that a DialFilter refuses.
type Special struct{ Prefix, Name, Source string }

// Specials returns the ranges that a DialFilter refuses by name.
func Specials() (list []Special) {
	for _, s := range specials {
		list = append(list, Special{s.prefix.String(), s.name, s.source})
	}
	return list
}

// Waiting returns the number of callers that wait for the flight to an origin.
func (c *Client) Waiting(origin string) int { return c.flights.Waiting(origin) }

// PruneAll is Prune, but it also removes unused texts that were put a moment ago.
func (d Dir) PruneAll(ctx context.Context, before time.Time) (Pruned, error) {
	return d.prune(ctx, before, 0)
}

// Check checks an address as Control does.
func (f DialFilter) Check(addr netip.Addr) error { return f.check(addr) }

// Text returns the text that was in force, or nil if there was none.
func (v Version) Text() ([]byte, error) { return v.text() }

// CloseIdleConnections closes the idle connections of a client.
func (c *Client) CloseIdleConnections() { c.closeIdleConnections() }

// Pauses has the turns at origins.
type Pauses struct{ pauses }

// NewPauses returns pauses that remember so many origins at most.
func NewPauses(most int) *Pauses { return &Pauses{pauses{most: most}} }

// Reserve reserves the next turn at an origin, and returns its time.
func (p *Pauses) Reserve(origin string, at time.Time, pause time.Duration) time.Time {
	turn, _, _ := p.reserve(origin, at, &pace{delay: pause}, 0, time.Time{}, false)
	return turn
}

// PaceOf returns the pause that a group asks for at a time.
func PaceOf(g *robots.Group, t time.Time) time.Duration { return newPace(g).pause(t) }

// Paces returns the number of policies whose pace is remembered.
func (t *Transport) Paces() (n int) {
	t.paces.known.Range(func(any, any) bool { n++; return true })
	return n
}

// Len returns the number of origins that are remembered.
func (p *Pauses) Len() int { return len(p.hosts) }
