package index

import "slices"

// A Distinct puts pages into an index so that each is found once. Of pages with the same
// Digest the first one is kept. A page that names another one as its Canonical is left
// out where that one is in the index, and else kept: it is worth more than nothing.
//
// One Distinct at a time writes to an index, and nothing else does meanwhile. Its methods
// are to be called by one goroutine.
type Distinct struct {
	index *Index

	// What was put and removed since the last sync, which look-ups in the index itself
	// may not see yet.
	pages     map[string]*Page    // without what is to be found; nil for those that were removed
	digests   map[string][]string // the URLs that were put with a digest
	canonical map[string][]string // and with a canonical URL
}

// NewDistinct returns a Distinct for an index.
func NewDistinct(x *Index) *Distinct {
	d := &Distinct{index: x}
	d.clear()
	return d
}

// clear forgets, after the index was synced.
func (d *Distinct) clear() {
	d.pages = make(map[string]*Page)
	d.digests, d.canonical = make(map[string][]string), make(map[string][]string)
}

// Sync is [Index.Sync].
func (d *Distinct) Sync() error {
	if err := d.index.Sync(); err != nil {
		return err
	}
	d.clear()
	return nil
}

// Put adds a page or replaces that of the same URL, unless another page stands for it:
// then it returns the URL of that one, and the page is not in the index any more. A page
// that says noindex is removed. Pages that the new one stands for are removed, and their
// URLs returned.
func (d *Distinct) Put(p *Page) (instead string, removed []string, err error) {
	if p.NoIndex {
		_, err := d.Remove(p.URL)
		return "", nil, err
	}
	copies, err := d.withCanonical(p.URL)
	if err != nil {
		return "", nil, err
	}
	if instead, err = d.instead(p, copies); err != nil || instead != "" {
		if err == nil {
			_, err = d.Remove(p.URL)
		}
		return instead, nil, err
	}
	if err := d.put(p); err != nil {
		return "", nil, err
	}
	for {
		for _, url := range copies {
			if _, err := d.Remove(url); err != nil {
				return "", removed, err
			}
		}
		removed = append(removed, copies...)
		if len(copies) < maxLookedUp {
			return "", removed, nil
		}
		// There are more. Those that were removed must be gone before the next look-up.
		if err := d.Sync(); err != nil {
			return "", removed, err
		}
		if copies, err = d.withCanonical(p.URL); err != nil {
			return "", removed, err
		}
	}
}

// instead returns the URL of the page in the index that stands for p, or "". The copies
// are those that p stands fod.
func (d *Distinct) instead(p *Page, copies []string) (string, error) {
	if there, err := d.has(p.Canonical); err != nil || there {
		return p.Canonical, err
	}
	same, err := d.withDigest(p.Digest)
	if err != nil {
		return "", err
	}
	for _, url := range same {
		if url != p.URL && !slices.Contains(copies, url) {
			return url, nil
		}
	}
	return "", nil
}

// has reports whether the page of a URL is there.
func (d *Distinct) has(url string) (bool, error) {
	if p, ok := d.pages[url]; ok {
		return p != nil, nil
	}
	return d.index.Has(url)
}

// put puts a page.
func (d *Distinct) put(p *Page) error {
	if err := d.index.Put(p); err != nil {
		return err
	}
	d.pages[p.URL] = &Page{Digest: p.Digest, Canonical: p.Canonical}
	if p.Digest != "" {
		d.digests[p.Digest] = append(d.digests[p.Digest], p.URL)
	}
	if p.Canonical != "" {
		d.canonical[p.Canonical] = append(d.canonical[p.Canonical], p.URL)
	}
	return nil
}

// Remove removes the page of a URL, and reports whether it was there.
func (d *Distinct) Remove(url string) (bool, error) {
	there, err := d.has(url)
	if err != nil || !there {
		return false, err
	}
	d.pages[url] = nil
	return true, d.index.Remove(url)
}

// maxLookedUp is how many pages are looked up at once.
const maxLookedUp = 1000

// withDigest returns the URLs of pages with a digest: the same bytes.
func (d *Distinct) withDigest(digest string) ([]string, error) {
	urls, err := d.index.withDigest(digest, maxLookedUp)
	return d.merge(urls, d.digests[digest], func(p *Page) bool { return p.Digest == digest }), err
}

// withCanonical returns the URLs of pages that name a URL as their canonical one.
func (d *Distinct) withCanonical(url string) ([]string, error) {
	urls, err := d.index.withCanonical(url, maxLookedUp)
	return d.merge(urls, d.canonical[url], func(p *Page) bool { return p.Canonical == url }), err
}

// merge returns those of the URLs in the index that were not put or removed since, and
// those that were put and still are what they were then.
func (d *Distinct) merge(urls, put []string, still func(*Page) bool) (merged []string) {
	for _, url := range urls {
		if _, ok := d.pages[url]; !ok {
			merged = append(merged, url)
		}
	}
	for _, url := range put {
		if p := d.pages[url]; p != nil && still(p) {
			merged = append(merged, url)
		}
	}
	slices.Sort(merged)
	return slices.Compact(merged)
}
