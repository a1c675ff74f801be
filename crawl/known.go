package crawl

import (
	"hash/maphash"
	"sync/atomic"

	"github.com/robotsexclusion/robots/crawl/weburl"
)

// A known is a table of URLs that are in the store, by their fingerprints: most links
// lead to one that many pages lead to, and need not be looked up. It is of fixed size;
// of those that fall on one place the last stays. Two URLs have the same fingerprint
// once in 2^64 times, by a hash that is another in each process.
type known [1 << 20]atomic.Uint64

func fingerprint(u weburl.URL) uint64 { return maphash.String(seed, u.String()) }

func (k *known) has(print uint64) bool { return print != 0 && k[print%uint64(len(k))].Load() == print }

func (k *known) add(print uint64) {
	if print != 0 {
		k[print%uint64(len(k))].Store(print)
	}
}
