package fetch

import (
	"context"
	"errors"
)

// A Cache keeps entries by their origin. [Memory] and [Dir] are caches. Methods
// may be called by several goroutines at once. Entries are immutable: a cache
// neither changes what it is given, nor what it gave.
//
// A cache somewhere else keeps an entry as its JSON, and the text, which is
// File.Policy.String(), beside it. It gives back an entry whose File.Policy is
// the text read again, in any dialect. The client looks at what it gets: an entry
// that makes no sense is not used.
type Cache interface {
	// Get returns the entry of an origin. If there is none, the error wraps
	// [io/fs.ErrNotExist]; any other error makes the client fetch robots.txt
	// too, and say so in [Result.CacheErr].
	Get(ctx context.Context, origin string) (*Entry, error)

	// Put keeps an entry, in place of the one of its origin.
	Put(ctx context.Context, e *Entry) error
}

// ErrCorrupt is wrapped by the errors that tell that something in a cache is
// not what was put there.
var ErrCorrupt = errors.New("corrupt")
