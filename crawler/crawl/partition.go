package crawl

import "github.com/robotsexclusion/robots/crawler/internal/weburl"

// partitionOf returns the partition of a URL's site: the registrable domain, or the host if it
// has none. So all hosts of a site, and the state they share, are in one partition. The hash
// (FNV-1a of 64 bits, folded) never changes.
func partitionOf(u weburl.URL) uint8 {
	site := u.Domain()
	h := uint64(0xcbf29ce484222325)
	for i := range len(site) {
		h = (h ^ uint64(site[i])) * 0x100000001b3
	}
	h ^= h >> 32
	h ^= h >> 16
	return uint8(h ^ h>>8)
}
