package monitor

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
)

// Parts is the number of parts into which the sites of a watch are divided, numbered from 0.
// Stored: never change it.
const Parts = 256

// ErrRevision is the error of a [Sharing] that has another revision of a value than the one to be
// replaced.
var ErrRevision = errors.New("another instance has written the state of the site")

// A Sharing divides the sites of a watch among instances, each of which runs a [Monitor] of the
// same sites and receivers. Each part of the sites is one instance's at a time. The values are what
// the instances share; those of a part have keys of letters and digits.
type Sharing interface {
	// Run takes part until ctx is done. It calls take when a part becomes this instance's, and
	// leave before it becomes another's, or when it may be another's already: then the context of
	// take is done. If take fails, it is called again. Calls for one part follow one another; a
	// call of leave follows each of take that succeeded.
	Run(ctx context.Context, take func(ctx context.Context, part int) error, leave func(part int))

	// Holds reports whether a part is this instance's at this time.
	Holds(part int) bool

	// Instance returns the name of this instance, which is another one each time that it may have
	// lost its parts.
	Instance() string

	// Read calls f with each value of a part, until f returns an error.
	Read(ctx context.Context, part int, f func(key string, value []byte, revision uint64) error) error

	// Get returns a value, perhaps one that was replaced a moment ago. If there is none, the error
	// wraps [io/fs.ErrNotExist].
	Get(ctx context.Context, part int, key string) (value []byte, revision uint64, err error)

	// Put stores a value in place of the revision, or the first value if revision is 0, and returns
	// its revision. The error wraps [ErrRevision] if there is another revision. After any other
	// error the value may be stored or not.
	Put(ctx context.Context, part int, key string, value []byte, revision uint64) (uint64, error)
}

// placeOf returns the part of a site, and the key of its value. Stored: never change it.
func placeOf(origin string) (part int, key string) {
	sum := sha256.Sum256([]byte(origin))
	return int(sum[0]), hex.EncodeToString(sum[:16])
}
