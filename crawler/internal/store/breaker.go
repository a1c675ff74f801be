package store

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/cockroachdb/pebble/v2"
)

// ErrStopped is the error of all methods after a failed write.
var ErrStopped = errors.New("the store has stopped")

// A breaker keeps the first failure of a disk. Nothing is written after that failure.
type breaker struct {
	dir  string // the folder of the store, for messages
	wake func() // called after a failure

	failed  atomic.Pointer[error]
	broken  chan struct{} // closed after the first failure
	parking atomic.Bool
	closing chan struct{}
	once    sync.Once
}

func newBreaker(dir string, wake func()) *breaker {
	return &breaker{dir: dir, wake: wake, broken: make(chan struct{}), closing: make(chan struct{})}
}

// fail stops the disk after a failed write. Only the first failure counts.
func (b *breaker) fail(err error) {
	if pebble.IsCorruptionError(err) {
		b.damaged(err)
		return
	}
	b.stop(fmt.Errorf("%s: %w: %w (its data is whole; open it again after the repair)", b.dir, ErrStopped, err))
}

// damaged stops the disk after it read other bytes than were written.
func (b *breaker) damaged(err error) {
	b.stop(fmt.Errorf("%s: %w, and has stopped: %w", b.dir, ErrDamaged, err))
}

func (b *breaker) stop(err error) {
	if b.failed.CompareAndSwap(nil, &err) {
		close(b.broken)
	}
	b.wake()
}

// failure returns the first failure, or nil.
func (b *breaker) failure() error {
	if err := b.failed.Load(); err != nil {
		return *err
	}
	return nil
}

func (b *breaker) stopped() bool { return b.failed.Load() != nil }

// park makes writers of tables wait after a failure, until release: Pebble would retry at
// once, over and over. It is called when the database is open.
func (b *breaker) park() { b.parking.Store(true) }

// release wakes the waiting writers.
func (b *breaker) release() { b.once.Do(func() { close(b.closing) }) }
