package index

import "slices"

// A Distinct adds pages to an index without copies. Of pages with the same Digest it
// keeps the first one. It leaves out a page that names another page as its Canonical if
// the index has that page, and keeps it otherwise: a copy is better than nothing.
//
// Only one Distinct may write to an index at a time, and nothing else may write
// meanwhile. One goroutine may call its methods.
type Distinct struct {
	index *Index

	// Changes since the last sync, which look-ups in the index may not see yet.
	pages     map[string]*Page    // without their text; nil for removed pages
	digests   map[string][]string // URLs that were put, by digest
	canonical map[string][]string // and by canonical URL
}

// NewDistinct returns a Distinct for an index.
func NewDistinct(x *Index) *Distinct {
	d := &Distinct{index: x}
	d.clear()
	return d
}

// clear forgets the changes after the index was synced.
func (d *Distinct) clear() {
	d.pages = make(map[string]*Page)
	d.digests, d.canonical = make(map[string][]string), make(map[string][]string)
}

// Sync calls [Index.Sync].
func (d *Distinct) Sync() error {
	if err := d.index.Sync(); err != nil {
		return err
	}
	d.clear()
	return nil
}

// Put adds a page, or replaces the page of the same URL, unless another page stands for
// it: then Put returns the URL of that page, and p is not in the index any more. A page
// that says noindex is removed. Put removes the pages that p stands for, and returns
// their URLs.
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
		// There are more copies. The removed pages must be gone before the next
		// look-up.
		if err := d.Sync(); err != nil {
			return "", removed, err
		}
		if copies, err = d.withCanonical(p.URL); err != nil {
			return "", removed, err
		}
	}
}

// instead returns the URL of the page in the index that stands for p, or "". The copies
// are the pages that p stands for.
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

// has reports whether the index has the page of a URL.
func (d *Distinct) has(url string) (bool, error) {
	if p, ok := d.pages[url]; ok {
		return p != nil, nil
	}
	return d.index.Has(url)
}

// put puts a page into the index.
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

// Remove removes the page of a URL, and reports whether the index had it.
func (d *Distinct) Remove(url string) (bool, error) {
	there, err := d.has(url)
	if err != nil || !there {
		return false, err
	}
	d.pages[url] = nil
	return true, d.index.Remove(url)
}

// maxLookedUp limits the pages of one look-up.
const maxLookedUp = 1000

// withDigest returns the URLs of the pages with a digest, which means the same bytes.
func (d *Distinct) withDigest(digest string) ([]string, error) {
	urls, err := d.index.with(digestField, clipped(normal(digest), maxDigest), maxLookedUp)
	return d.merge(urls, d.digests[digest], func(p *Page) bool { return p.Digest == digest }), err
}

// withCanonical returns the URLs of the pages that name a URL as their canonical one.
func (d *Distinct) withCanonical(url string) ([]string, error) {
	urls, err := d.index.with(namedField, clipped(url, maxURL), maxLookedUp)
	return d.merge(urls, d.canonical[url], func(p *Page) bool { return p.Canonical == url }), err
}

// merge returns the URLs from the index that were not put or removed since, and the
// URLs in put for which still holds.
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
