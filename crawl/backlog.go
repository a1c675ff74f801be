package crawl

import "sync"

// A backlog is the visits that wait to be committed. The more of them are committed
// together, the less each costs; but all of them are in memory. So whoever has one more
// waits when there are many, or when they have found much.
type backlog struct {
	mu     sync.Mutex
	room   sync.Cond // what waited was taken
	more   sync.Cond // something waits, or nothing more will come
	visits []*outcome
	octets int
	closed bool
}

const (
	mostWaiting  = 2048    // visits of a backlog
	mostLuggage  = 4 << 20 // bytes of memory that they take, about
	linkOverhead = 192     // bytes of a link besides its URL
)

func newBacklog() *backlog {
	b := new(backlog)
	b.room.L, b.more.L = &b.mu, &b.mu
	return b
}

// octets returns how much memory a visit takes, about.
func (o *outcome) octets() int {
	n := len(o.blob) + 1024
	for i := range o.links {
		n += len(o.links[i].item.URL) + linkOverhead
	}
	return n
}

// put adds a visit when there is room for it.
func (b *backlog) put(o *outcome) {
	n := o.octets()
	b.mu.Lock()
	defer b.mu.Unlock()
	for len(b.visits) >= mostWaiting || len(b.visits) > 0 && b.octets+n > mostLuggage {
		b.room.Wait()
	}
	b.visits, b.octets = append(b.visits, o), b.octets+n
	b.more.Signal()
}

// take returns all that waits, when there is something, or nothing when no more will
// come.
func (b *backlog) take() []*outcome {
	b.mu.Lock()
	defer b.mu.Unlock()
	for len(b.visits) == 0 && !b.closed {
		b.more.Wait()
	}
	all := b.visits
	b.visits, b.octets = nil, 0
	b.room.Broadcast()
	return all
}

// close says that no more will come.
func (b *backlog) close() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.closed = true
	b.more.Broadcast()
}
