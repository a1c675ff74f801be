package fetch

import (
	"context"
	"errors"
)

// A Cache stores entries by origin. [Memory] and [Dir] are caches. Methods must be safe for
// concurrent use. Entries are immutable: a cache changes neither the entries that it receives
// nor those that it returned.
//
// A cache elsewhere, such as a database, stores the bytes of [EncodeEntry], or both the JSON of an
// entry and its text, which is File.Policy.String(). Get then returns an entry whose File.Policy is
// the text parsed again, in any dialect. The client checks entries and does not use invalid ones.
// Package natscache shares entries through NATS, and the folder oracle/caches of the repository has
// examples for SQL and Redis.
type Cache interface {
	// Get returns the entry of an origin. If there is none, the error wraps
	// [io/fs.ErrNotExist]. After any other error the client fetches robots.txt as well, and
	// reports the error in [Result.CacheErr].
	Get(ctx context.Context, origin string) (*Entry, error)

	// Put stores an entry, and replaces the earlier entry of the same origin.
	Put(ctx context.Context, e *Entry) error
}

// A Leaser is a [Cache] that several processes share, and that lets one of them at a time fetch
// robots.txt of an origin.
type Leaser interface {
	Cache

	// Lease waits until no other process fetches robots.txt of an origin, for a bounded time and
	// at most until ctx ends. Then the client calls Get, uses a fresh entry, or fetches robots.txt
	// and calls Put. After that it calls release, in any case. A cache that does not know whether
	// others fetch lets the client continue.
	Lease(ctx context.Context, origin string) (release func())
}

// ErrCorrupt is wrapped by errors about stored data that was damaged or changed.
var ErrCorrupt = errors.New("corrupt")
