package store_test

import (
	"math"
	"math/rand/v2"
	"strconv"

	"github.com/robotsexclusion/robots/crawler/internal/store"
)

// A web is a generated set of URLs: the same number always gives the same URL, and some
// hosts have most of the URLs. Close numbers are often of one host, like the links of one
// page.
type web struct{ hosts int }

// run is the number of consecutive URLs of one host.
const run = 20

// item returns a URL of the web.
func (w web) item(n int) store.Item {
	random := rand.NewPCG(uint64(n/run), 7)
	// Following Zipf's law, the first tenth of the hosts has most of the URLs.
	host := int(math.Pow(float64(w.hosts), float64(random.Uint64()>>11)/(1<<53))) - 1
	site := host * 31 % 251
	// Benchmarks measure this function too, so it does not use fmt.
	b := make([]byte, 0, 128)
	b = strconv.AppendInt(append(b, "https://www"...), int64(host), 10)
	b = strconv.AppendInt(append(b, ".site-"...), int64(site), 10)
	b = strconv.AppendInt(append(b, ".example/archive/"...), int64(1994+n%32), 10)
	b = append(b, '/')
	via := len(b)
	b = append(b, byte('0'+n%12/10), byte('0'+n%12%10))
	b = strconv.AppendInt(append(b, "/article-"...), int64(n), 10)
	url := string(append(b, ".html"...))
	return store.Item{
		Partition: uint8(site),
		URL:       url,
		Via:       url[:via],
		Depth:     uint32(n % 7),
		Priority:  uint8(n % 3),
	}
}

// A mix is the targets of a hundred links: so many go to one of the 100,000 URLs that
// were found last, so many to any found URL, and the others are new.
type mix struct{ recent, old int }

// young is the mix of a crawl that finds more than it visits: 14 of 60 links are new.
// Half of the links are to URLs found a moment ago, as measured in the web.
var young = mix{recent: 51, old: 25}

// grown is the mix of a crawl that has found most URLs: 3 of 60 links are new.
var grown = mix{recent: 51, old: 44}

// A reader goes from page to page of a web.
type reader struct {
	web
	mix
	random *rand.Rand
	known  int // URLs found so far
}

// links puts the links of pages into items.
func (r *reader) links(items []store.Item) {
	for i := range items {
		n := r.random.IntN(100)
		switch {
		case n < r.recent && r.known > 0:
			items[i] = r.item(r.known - 1 - r.random.IntN(min(r.known, 100_000)))
		case n < r.recent+r.old && r.known > 0:
			items[i] = r.item(r.random.IntN(r.known))
		default:
			items[i] = r.item(r.known)
			r.known++
		}
	}
}
