package fetch

import (
	"context"
	"net/netip"
	"time"
)

// What the tests of this package see of its inside.
var (
	Lifetime         = lifetime
	Pause            = pause
	ReadText         = readText
	Resolve          = resolve
	DefaultUserAgent = defaultUserAgent
	Seal             = seal
)

// Cost returns what an entry costs in a Memory.
func (e *Entry) Cost() int64 { return e.cost() }

// EntryFile returns the path of the file with what is known of an origin.
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

// Waiting returns how many callers wait for the flight to an origin.
func (c *Client) Waiting(origin string) int { return c.flights.Waiting(origin) }

// PruneAll is Prune that leaves no text because it was put just now.
func (d Dir) PruneAll(ctx context.Context, before time.Time) (Pruned, error) {
	return d.prune(ctx, before, 0)
}

// Check is what Control does with an address.
func (f DialFilter) Check(addr netip.Addr) error { return f.check(addr) }

// Text returns the text that was in force, or nil if there was none.
func (v Version) Text() ([]byte, error) { return v.text() }

// CloseIdleConnections closes the idle connections of a client.
func (c *Client) CloseIdleConnections() { c.closeIdleConnections() }
