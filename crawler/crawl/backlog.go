package crawl

import "sync"

// A backlog is the queue of outcomes to be committed. Larger batches make each commit cheaper,
// but all outcomes in the queue are in memory. So put waits when the backlog has too many
// outcomes or takes too much memory.
type backlog struct {
	mu     sync.Mutex
	room   sync.Cond // the backlog was taken
	more   sync.Cond // there is an outcome, or the backlog is closed
	visits []*outcome
	size   int
	closed bool
}

const (
	mostWaiting  = 2048    // maximum outcomes in a backlog
	mostLuggage  = 4 << 20 // maximum bytes of memory they take, approximately
	mostPortions = 1 << 19 // maximum bytes if the next outcome is a portion of a sitemap
	linkOverhead = 192     // bytes of memory of a link without its URL
	urlCopies    = 4       // of an outcome's URL: in the item, its line, its result and the record
)

func newBacklog() *backlog {
	b := new(backlog)
	b.room.L, b.more.L = &b.mu, &b.mu
	return b
}

// size returns the approximate memory of an outcome in bytes.
func (o *outcome) size() int {
	n := len(o.blob) + 1024 + urlCopies*len(o.item.URL)
	for i := range o.links {
		n += len(o.links[i].item.URL) + linkOverhead
	}
	return n
}

// put adds an outcome. It waits while the backlog is full. For a portion of a sitemap less is full:
// sitemaps have more links than all pages, and nobody waits for them.
func (b *backlog) put(o *outcome) {
	n, most := o.size(), mostLuggage
	if o.portion {
		most = mostPortions
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	for len(b.visits) >= mostWaiting || len(b.visits) > 0 && b.size+n > most {
		b.room.Wait()
	}
	b.visits, b.size = append(b.visits, o), b.size+n
	b.more.Signal()
}

// take waits for outcomes and returns all of them. It returns nil after close, once the
// backlog is empty.
func (b *backlog) take() []*outcome {
	b.mu.Lock()
	defer b.mu.Unlock()
	for len(b.visits) == 0 && !b.closed {
		b.more.Wait()
	}
	all := b.visits
	b.visits, b.size = nil, 0
	b.room.Broadcast()
	return all
}

// close makes take return nil once the backlog is empty. put must not be called afterwards.
func (b *backlog) close() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.closed = true
	b.more.Broadcast()
}
