package index

import (
	"context"
	"slices"

	"github.com/blevesearch/bleve/v2/index/scorch"
)

// A Distinct adds pages to an index without copies. Of pages with the same Digest it
// keeps the first one. It leaves out a page that names another page as its Canonical if
// the index has that page, and keeps it otherwise: a copy is better than nothing.
//
// Only one Distinct may write to an index at a time, and nothing else may write
// meanwhile. One goroutine may call its methods.
type Distinct struct {
	index *Index

	// Changes since the last sync, which look-ups in the index may not see yet.
	pages map[string][]name // the names of pages that were put, by URL; nil for removed pages
	named map[name][]string // URLs that were put, by each name
}

// A name is what pages may have in common: a term in a field.
type name struct{ field, term string }

// namesOf returns the names of a page.
func namesOf(p *Page) []name {
	return []name{{digestField, clipped(normal(p.Digest), maxDigest)}, {namedField, clipped(p.Canonical, maxURL)}}
}

// NewDistinct returns a Distinct for an index.
func NewDistinct(x *Index) *Distinct {
	return &Distinct{index: x, pages: make(map[string][]name), named: make(map[name][]string)}
}

// Sync calls [Index.Sync].
func (d *Distinct) Sync() error {
	if err := d.index.Sync(); err != nil {
		return err
	}
	clear(d.pages)
	clear(d.named)
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
	copies, err := d.with(name{namedField, p.URL})
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
		if copies, err = d.with(name{namedField, p.URL}); err != nil {
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
	same, err := d.with(namesOf(p)[0])
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
	if names, ok := d.pages[url]; ok {
		return names != nil, nil
	}
	return d.index.Has(url)
}

// put puts a page into the index.
func (d *Distinct) put(p *Page) error {
	if err := d.index.Put(p); err != nil {
		return err
	}
	d.pages[p.URL] = namesOf(p)
	for _, n := range d.pages[p.URL] {
		d.named[n] = append(d.named[n], p.URL)
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

// with returns the URLs of the pages with a name: those of the index that were not put or
// removed since, and those that were put and still have it.
func (d *Distinct) with(n name) (urls []string, err error) {
	if n.term == "" {
		return nil, nil
	}
	there, err := d.index.with(n.field, n.term, maxLookedUp)
	for _, url := range there {
		if _, changed := d.pages[url]; !changed {
			urls = append(urls, url)
		}
	}
	for _, url := range d.named[n] {
		if slices.Contains(d.pages[url], n) {
			urls = append(urls, url)
		}
	}
	slices.Sort(urls)
	return slices.Compact(urls), err
}

// Has reports whether the page of a URL is in the index. Recent changes may not count
// yet; see [Index.Sync].
func (x *Index) Has(url string) (bool, error) {
	urls, err := x.with(idField, url, 1)
	return len(urls) > 0, err
}

// with returns the URLs of the pages with a term in a field, in any order and at most the
// given number. The time does not depend on the size of the index. Recent changes may be
// missing.
func (x *Index) with(field, term string, most int) (urls []string, err error) {
	if term == "" {
		return nil, nil
	}
	err = x.read(func(r *scorch.IndexSnapshot) error {
		found, err := r.TermFieldReader(context.Background(), []byte(term), field, false, false, false)
		if err != nil {
			return err
		}
		defer found.Close()
		for len(urls) < most {
			hit, err := found.Next(nil)
			if err != nil || hit == nil {
				return err
			}
			url, err := r.ExternalID(hit.ID)
			if err != nil {
				return err
			}
			urls = append(urls, url)
		}
		return nil
	})
	if err != nil {
		return nil, x.failed("search", err)
	}
	return urls, nil
}
