package main

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/robotsexclusion/robots/crawler/internal/feed"
	"github.com/robotsexclusion/robots/crawler/internal/index"
	"github.com/robotsexclusion/robots/internal/cli"
	"github.com/robotsexclusion/robots/internal/printable"
	"github.com/robotsexclusion/robots/internal/userfile"
)

// isURL reports whether a name is the URL of a server, and not a folder.
func isURL(name string) bool {
	return strings.HasPrefix(name, "http://") || strings.HasPrefix(name, "https://")
}

// places returns the folders and URLs of the indexes. The folder of a crawl stands for the index in
// it.
func (s *searcher) places() (places []string) {
	for _, dir := range s.crawls {
		places = append(places, feed.IndexIn(dir))
	}
	for _, name := range s.indexes {
		if !isURL(name) && feed.IsCrawl(name) {
			name = feed.IndexIn(name)
		}
		places = append(places, name)
	}
	switch {
	case len(places) > 0:
		return places
	case !s.put && !isThere(defaultIndex) && feed.IsCrawl(defaultCrawl):
		return []string{feed.IndexIn(defaultCrawl)}
	}
	return []string{defaultIndex}
}

// parts opens the indexes that are searched. One that cannot be opened has its error. The parts
// must be closed also after an error.
func (s *searcher) parts() (parts []index.Part, err error) {
	places := s.places()
	if len(places) > index.MaxParts {
		return nil, cli.Misusef("%d indexes are named: name %d at most", len(places), index.MaxParts)
	}
	var seen []string
	for _, place := range places {
		p := index.Part{Name: place}
		whole, err := filepath.Abs(place)
		switch {
		case isURL(place):
			x, err := index.NewRemote(place)
			if err != nil {
				return parts, cli.Misusef("--index: %w", err)
			}
			p.Name, p.Asked = x.String(), x
			whole = p.Name
		case err != nil:
			return parts, err
		default:
			p.Asked, p.Err = openIndex(place)
		}
		if parts = append(parts, p); slices.Contains(seen, whole) {
			return parts, cli.Misusef(
				"the index %s is named twice: its pages would count twice",
				printable.Shown(p.Name),
			)
		}
		seen = append(seen, whole)
	}
	return parts, nil
}

// openIndex opens the index in a folder for searches.
func openIndex(dir string) (index.Asker, error) {
	x, err := index.Open(dir, index.Options{ReadOnly: true})
	if of := filepath.Dir(dir); errors.Is(err, index.ErrMissing) && feed.HasResults(of) {
		return nil, fmt.Errorf("the crawl in %s has no index: make one with robots search --update %[1]s",
			userfile.Called(of))
	}
	if err != nil {
		return nil, err
	}
	return x, nil
}

func closeParts(parts []index.Part) {
	for _, p := range parts {
		if c, ok := p.Asked.(io.Closer); ok {
			c.Close()
		}
	}
}
