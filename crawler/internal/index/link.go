package index

import (
	"crypto/sha256"
	"encoding/binary"
	"net/url"
	"strings"

	bleve "github.com/blevesearch/bleve_index_api"
)

// The text of links belongs to the target pages, which may be indexed earlier or later
// or never. So the linking page keeps it, as terms that begin with a digest of the
// target: the number of pages with the term is the number of pages that link to the
// target with a word. Adding or removing a page therefore changes no other page.

// targetSize is the length of the URL digest at the start of a link term, in bytes.
const targetSize = 8

// maxLinkWords limits the words of a link's text that count.
const maxLinkWords = 16

// targetOf returns the prefix of the terms for links to a page.
func targetOf(url string) string {
	sum := sha256.Sum256([]byte(url))
	return string(sum[:targetSize])
}

// linksOf returns the field of the links of a page: for each target, the target, and
// the target with each word of the texts. It returns nil if there are none.
func (a *analyser) linksOf(p *Page, m manner) (f *field, size int) {
	terms := make(bleve.TokenFrequencies)
	add := func(term string) {
		if terms[term] == nil {
			t := &bleve.TokenFreq{Term: []byte(term)}
			t.SetFrequency(1)
			terms[term] = t
			size += 2 * len(term)
		}
	}
	for _, l := range p.Links[:min(len(p.Links), maxLinks)] {
		to, _, _ := strings.Cut(l.URL, "#")
		if to == p.URL || len(to) > maxURL {
			continue
		}
		target := targetOf(to)
		add(target)
		tokens, _ := a.analyse(clipped(oneLine(l.Text), maxLinkText), m)
		words := 0
		for _, t := range tokens {
			if t.stop || words == maxLinkWords {
				continue
			}
			add(target + t.term)
			words++
		}
	}
	if len(terms) == 0 {
		return nil, 0
	}
	return &field{name: linksField, options: bleve.IndexField | bleve.SkipFreqNorm, terms: terms, length: 1}, size
}

// orderTerm is the term of every page in its order field.
const orderTerm = "o"

// orderOf returns the field that orders pages of the same score until their URLs are
// looked up: a number that is the same in each copy of the index. Bleve's page numbers
// change whenever it merges files.
func orderOf(url string) *field {
	sum := sha256.Sum256([]byte(url))
	f := &bleve.TokenFreq{Term: []byte(orderTerm)}
	f.SetFrequency(2 + int(binary.BigEndian.Uint32(sum[:4])>>2))
	return &field{name: orderField, options: bleve.IndexField, terms: bleve.TokenFrequencies{orderTerm: f}, length: 1}
}

// addressOf returns the words of a URL: the words of its path, by which searches find
// the page, and the same with the labels of its host except the last one.
func addressOf(text string) (path, whole string) {
	u, err := url.Parse(text)
	if err != nil {
		return "", ""
	}
	path = oneLine(clipped(u.Path, maxTitle))
	labels := strings.Split(u.Hostname(), ".")
	return path, strings.Join(labels[:len(labels)-1], " ") + " " + path
}

// lastSegment returns the last segment of a URL's path, folded and without its
// extension. If that is empty or "index", it returns the segment before.
func lastSegment(text string) string {
	path, _ := addressOf(text)
	segments := strings.Split(strings.Trim(path, "/"), "/")
	last := segments[len(segments)-1]
	if i := strings.LastIndexByte(last, '.'); i > 0 {
		last = last[:i]
	}
	if strings.EqualFold(last, "index") && len(segments) > 1 {
		last = segments[len(segments)-2]
	}
	return fold(last)
}

// addressField returns the field of the words of an address.
func (a *analyser) addressField(text string, m manner) *field {
	_, whole := addressOf(text)
	tokens, _ := a.analyse(whole, m)
	f := &field{name: addressField, options: bleve.IndexField, terms: make(bleve.TokenFrequencies, len(tokens))}
	for _, t := range tokens {
		if f.terms[t.term] == nil {
			f.terms[t.term] = &bleve.TokenFreq{Term: []byte(t.term)}
		}
		f.terms[t.term].SetFrequency(f.terms[t.term].Frequency() + 1)
	}
	f.length = max(1, len(tokens))
	return f
}
