package index

import (
	"context"

	"github.com/blevesearch/bleve/v2/index/scorch"
)

// Has reports whether the page of a URL is in the index. What was put or removed a
// moment ago may not count yet; see [Index.Sync].
func (x *Index) Has(url string) (bool, error) {
	urls, err := x.with(idField, url, 1)
	return len(urls) > 0, err
}

// withDigest returns the URLs of pages with a digest, of which Page.Digest is, in any
// order and so many at most. It takes no longer where the index is large. What was put
// a moment ago may be missing.
func (x *Index) withDigest(digest string, most int) ([]string, error) {
	return x.with(digestField, clipped(normal(digest), maxDigest), most)
}

// withCanonical returns the URLs of pages that name a URL as their canonical one, in
// any order and so many at most. What was put a moment ago may be missing.
func (x *Index) withCanonical(url string, most int) ([]string, error) {
	return x.with(namedField, clipped(url, maxURL), most)
}

// with returns the URLs of pages that have a term in a field.
func (x *Index) with(name, term string, most int) (urls []string, err error) {
	if term == "" {
		return nil, nil
	}
	err = x.read(func(r *scorch.IndexSnapshot) error {
		found, err := r.TermFieldReader(context.Background(), []byte(term), name, false, false, false)
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
		return nil, x.failed("look up", err)
	}
	return urls, nil
}
