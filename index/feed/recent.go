package feed

import (
	"slices"

	"github.com/robotsexclusion/robots/index"
)

// recent is an index with what was put and removed since its last sync, which
// look-ups in the index itself may not see yet.
type recent struct {
	index     *index.Index
	pages     map[string]*index.Page // without what is to be found; nil for those that were removed
	digests   map[string][]string    // the URLs that were put with a digest
	canonical map[string][]string    // and with a canonical URL
}

func newRecent(x *index.Index) *recent {
	r := &recent{index: x}
	r.clear()
	return r
}

// clear forgets, after the index was synced.
func (r *recent) clear() {
	r.pages = make(map[string]*index.Page)
	r.digests, r.canonical = make(map[string][]string), make(map[string][]string)
}

// has reports whether the page of a URL is there.
func (r *recent) has(url string) (bool, error) {
	if p, ok := r.pages[url]; ok {
		return p != nil, nil
	}
	return r.index.Has(url)
}

// put puts a page.
func (r *recent) put(p *index.Page) error {
	if err := r.index.Put(p); err != nil {
		return err
	}
	r.pages[p.URL] = &index.Page{Digest: p.Digest, Canonical: p.Canonical}
	r.digests[p.Digest] = append(r.digests[p.Digest], p.URL)
	if p.Canonical != "" {
		r.canonical[p.Canonical] = append(r.canonical[p.Canonical], p.URL)
	}
	return nil
}

// remove removes the page of a URL, and reports whether it was there.
func (r *recent) remove(url string) (bool, error) {
	there, err := r.has(url)
	if err != nil || !there {
		return false, err
	}
	r.pages[url] = nil
	return true, r.index.Remove(url)
}

// most is how many pages are looked up at once.
const most = 1000

// withDigest returns the URLs of pages with the same octets.
func (r *recent) withDigest(digest string) ([]string, error) {
	urls, err := r.index.WithDigest(digest, most)
	return r.merge(urls, r.digests[digest], func(p *index.Page) bool { return p.Digest == digest }), err
}

// withCanonical returns the URLs of pages that name a URL as their canonical one.
func (r *recent) withCanonical(url string) ([]string, error) {
	urls, err := r.index.WithCanonical(url, most)
	return r.merge(urls, r.canonical[url], func(p *index.Page) bool { return p.Canonical == url }), err
}

// merge returns those of the URLs in the index that were not put or removed since, and
// those that were put and still are what they were then.
func (r *recent) merge(urls, put []string, still func(*index.Page) bool) (merged []string) {
	for _, url := range urls {
		if _, ok := r.pages[url]; !ok {
			merged = append(merged, url)
		}
	}
	for _, url := range put {
		if p := r.pages[url]; p != nil && still(p) {
			merged = append(merged, url)
		}
	}
	slices.Sort(merged)
	return slices.Compact(merged)
}
