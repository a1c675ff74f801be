package store_test

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/robotsexclusion/robots/crawl/store"
)

// A web is made up: the same URL for the same number, on hosts some of which have
// most of the URLs. Numbers that are close are often of one host, like links of one
// page.
type web struct{ hosts int }

// run is how many URLs of one host come one after another.
const run = 20

// item returns a URL of the web.
func (w web) item(n int) store.Item {
	random := rand.New(rand.NewPCG(uint64(n/run), 7))
	// As by Zipf's law: the first tenth of the hosts has most of the URLs.
	host := int(math.Pow(float64(w.hosts), random.Float64())) - 1
	site := host * 31 % 251
	return store.Item{
		Partition: uint8(site),
		URL:       fmt.Sprintf("https://www%d.site-%d.example/archive/%d/%02d/article-%d.html", host, site, 1994+n%32, n%12, n),
		Via:       fmt.Sprintf("https://www%d.site-%d.example/archive/%d/", host, site, 1994+n%32),
		Depth:     uint32(n % 7),
		Priority:  uint8(n % 3),
	}
}

// A reader goes from page to page of a web.
type reader struct {
	web
	random *rand.Rand
	known  int // URLs that it has found
}

// links puts the links of a page into items. Of them 51 % are to one of the 100,000
// URLs that were found last, 25 % to any that was found, and 24 % are new.
func (r *reader) links(items []store.Item) {
	for i := range items {
		n := r.random.IntN(100)
		switch {
		case n < 51 && r.known > 0:
			items[i] = r.item(r.known - 1 - r.random.IntN(min(r.known, 100_000)))
		case n < 76 && r.known > 0:
			items[i] = r.item(r.random.IntN(r.known))
		default:
			items[i] = r.item(r.known)
			r.known++
		}
	}
}
