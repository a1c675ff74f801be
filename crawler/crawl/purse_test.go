package crawl_test

import (
	"errors"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/robotsexclusion/robots/crawler/crawl"
)

// A counter is what all workers have drawn.
type counter struct {
	mu     sync.Mutex
	drawn  crawl.Amount
	silent int // so many draws have no answer, and count
}

func (c *counter) draw(most, limit crawl.Amount) (got crawl.Amount, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	portion := func(most, limit, drawn int64) int64 {
		if most < 0 {
			return most
		}
		return max(0, min(most, limit-drawn))
	}
	got.Pages = portion(most.Pages, limit.Pages, c.drawn.Pages)
	got.Bytes = portion(most.Bytes, limit.Bytes, c.drawn.Bytes)
	c.drawn.Pages += got.Pages
	c.drawn.Bytes += got.Bytes
	if c.silent > 0 && got != (crawl.Amount{}) {
		c.silent--
		return crawl.Amount{}, errors.New("no answer")
	}
	return got, nil
}

// TestPurse has three workers fetch pages until the budget is used up. One leaves before, and gives
// its rest back; draws without an answer lose a portion each.
func TestPurse(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const pages, size, portion, silent = 1000, 10, 10, 3
		c := &counter{silent: silent}
		fetched := make([]int, 3)
		var all sync.WaitGroup
		for n := range fetched {
			p := crawl.NewPurse(crawl.Budget{Pages: pages}, c.draw)
			all.Go(func() {
				for fails := 0; ; {
					ok, spent := p.Take()
					switch {
					case ok && fails < 5:
						fails++
						p.GiveBack()
					case ok:
						fetched[n]++
						p.Fetched(size)
					case spent:
						return
					default:
						crawl.AskAgain()
					}
					if n == 0 && fetched[n] == 15 {
						p.Close()
						if ok, _ := p.Take(); ok {
							t.Error("a page after the end")
						}
						return
					}
				}
			})
		}
		all.Wait()
		sum := fetched[0] + fetched[1] + fetched[2]
		if fetched[0] != 15 || sum != pages-silent*portion {
			t.Errorf("%v pages were fetched, want all but %d of %d", fetched, silent*portion, pages)
		}
	})
}

// TestPurseBytes fetches pages of a size that nobody knows before. The last request exceeds the
// budget, and no more than that.
func TestPurseBytes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const budget, size = 10_000, 300
		c := new(counter)
		p := crawl.NewPurse(crawl.Budget{Bytes: budget}, c.draw)
		fetched := 0
		for spent := false; !spent; {
			var ok bool
			if ok, spent = p.Take(); ok {
				fetched += size
				p.Fetched(size)
			} else {
				crawl.AskAgain()
			}
		}
		if fetched < budget || fetched >= budget+size || c.drawn.Bytes != budget {
			t.Errorf("%d bytes fetched and %d drawn of %d", fetched, c.drawn.Bytes, budget)
		}
	})
}
