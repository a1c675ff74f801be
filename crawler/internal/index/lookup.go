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
		return nil, x.failed("look up", err)
	}
	return urls, nil
}
