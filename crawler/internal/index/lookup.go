package index

import (
	"context"

	"github.com/blevesearch/bleve/v2/index/scorch"
)

// Has reports whether the page of a URL is in the index. Recent changes may not count
// yet; see [Index.Sync].
func (x *Index) Has(url string) (bool, error) {
	urls, err := x.with(idField, url, 1)
	return len(urls) > 0, err
}

// withDigest returns the URLs of the pages with a value of Page.Digest, in any order
// and at most the given number. The time does not depend on the size of the index.
// Recent changes may be missing.
func (x *Index) withDigest(digest string, most int) ([]string, error) {
	return x.with(digestField, clipped(normal(digest), maxDigest), most)
}

// withCanonical returns the URLs of the pages that name a URL as their canonical one,
// in any order and at most the given number. Recent changes may be missing.
func (x *Index) withCanonical(url string, most int) ([]string, error) {
	return x.with(namedField, clipped(url, maxURL), most)
}

// with returns the URLs of the pages with a term in a field.
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
