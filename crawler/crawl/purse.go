package crawl

import (
	"context"
	"sync"
	"time"

	"github.com/robotsexclusion/robots/crawler/internal/fleet"
)

// A purse is what a worker of a shared crawl has drawn of the budget of the crawl. All workers draw
// portions from one counter on the servers, so together they never fetch more pages than Pages of
// the budget. A page counts before its request; one that was not fetched is given back. A worker
// that is killed loses the rest of its portion: the crawl ends with as many pages less.
//
// Bytes are known after a request only. The worker that exceeds its portion draws the difference
// with the next one, so the crawl may fetch more bytes than the budget by the bodies of the
// requests that are open at its end, as a crawl does that is alone.
type purse struct {
	draw    func(ctx context.Context, most, limit fleet.Amount) (fleet.Amount, error)
	limit   fleet.Amount // of all workers; 0 means no limit
	portion fleet.Amount
	retry   time.Duration
	log     *reporter

	mu      sync.Mutex
	rest    fleet.Amount // drawn and not used; less than nothing for bytes that were not drawn
	drawing bool
	dry     bool // nothing was left at the last draw
	empty   bool // nor when the worker had nothing left
	closed  bool
	told    bool
}

// The largest portions of a worker. They are a hundredth of the budget at most.
const (
	mostPages = 1000
	mostBytes = 256 << 20
)

func newPurse(b *Budget, log *reporter, draw func(ctx context.Context, most, limit fleet.Amount) (fleet.Amount,
	error)) *purse {
	return &purse{draw: draw, log: log, limit: fleet.Amount{Pages: b.Pages, Bytes: b.Bytes}, retry: askAgain,
		portion: fleet.Amount{Pages: max(1, min(b.Pages/100, mostPages)), Bytes: max(1, min(b.Bytes/100, mostBytes))}}
}

// take takes a page for a request. If it cannot, spent says whether the budget is used up;
// otherwise the worker may take one in a moment.
func (p *purse) take() (ok, spent bool) {
	if p == nil || p.limit == (fleet.Amount{}) {
		return true, false
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	lacks := p.lacks()
	low := p.limit.Pages > 0 && p.rest.Pages <= p.portion.Pages/4 ||
		p.limit.Bytes > 0 && p.rest.Bytes <= p.portion.Bytes/4
	if low && (lacks || !p.dry) && !p.drawing && !p.empty && !p.closed {
		p.drawing = true
		go p.fill()
	}
	if lacks || p.closed {
		return false, p.empty
	}
	p.rest.Pages--
	return true, false
}

// fill draws a portion.
func (p *purse) fill() {
	p.mu.Lock()
	var most fleet.Amount
	if p.limit.Pages > 0 {
		most.Pages = max(0, p.portion.Pages-p.rest.Pages)
	}
	if p.limit.Bytes > 0 {
		most.Bytes = max(0, p.portion.Bytes-p.rest.Bytes)
	}
	lacks := p.lacks()
	p.mu.Unlock()
	got, err := p.draw(context.Background(), most, p.limit)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.rest.Pages += got.Pages
	p.rest.Bytes += got.Bytes
	if err != nil {
		if !p.told {
			p.told = true
			p.log.Warn("the budget of the crawl cannot be read: requests wait", "error", err)
		}
		time.AfterFunc(p.retry, func() {
			p.mu.Lock()
			p.drawing = false
			p.mu.Unlock()
		})
		return
	}
	p.drawing = false
	p.dry = most.Pages > 0 && got.Pages == 0 || most.Bytes > 0 && got.Bytes == 0
	p.empty = lacks && p.lacks() && p.dry
}

// lacks reports whether the worker has nothing left.
func (p *purse) lacks() bool {
	return p.limit.Pages > 0 && p.rest.Pages <= 0 || p.limit.Bytes > 0 && p.rest.Bytes <= 0
}

// fetched counts the bytes of a page, and giveBack takes a page back that was not fetched.
func (p *purse) fetched(bytes int64) {
	if p != nil {
		p.mu.Lock()
		p.rest.Bytes -= bytes
		p.mu.Unlock()
	}
}

func (p *purse) giveBack() {
	if p != nil {
		p.mu.Lock()
		p.rest.Pages++
		p.mu.Unlock()
	}
}

// close gives the rest back to the other workers.
func (p *purse) close(ctx context.Context) {
	if p.limit == (fleet.Amount{}) {
		return
	}
	p.mu.Lock()
	var back fleet.Amount
	if p.closed = true; p.limit.Pages > 0 {
		back.Pages, p.rest.Pages = -max(0, p.rest.Pages), min(0, p.rest.Pages)
	}
	if p.limit.Bytes > 0 {
		back.Bytes, p.rest.Bytes = -p.rest.Bytes, 0 // or what is still to be counted
	}
	p.mu.Unlock()
	if back != (fleet.Amount{}) {
		p.draw(ctx, back, p.limit)
	}
}
