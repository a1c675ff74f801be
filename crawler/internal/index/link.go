package index

import (
	"crypto/sha256"
	"encoding/binary"
	"net/url"
	"slices"
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

// linksOf returns the terms of the links of a page and their size: for each target, the
// target, and the target with each word of the texts.
func (a *analyser) linksOf(p *Page, m manner) (terms bleve.TokenFrequencies, size int) {
	terms = make(bleve.TokenFrequencies)
	for _, l := range p.Links[:min(len(p.Links), maxLinks)] {
		to, _, _ := strings.Cut(l.URL, "#")
		if to == p.URL || len(to) > maxURL {
			continue
		}
		target := targetOf(to)
		addTerm(terms, target, 1)
		tokens, _ := a.analyse(clipped(oneLine(l.Text), maxLinkText), m)
		tokens = slices.DeleteFunc(tokens, func(t token) bool { return t.stop })
		for _, t := range tokens[:min(len(tokens), maxLinkWords)] {
			addTerm(terms, target+t.term, 1)
		}
	}
	for term := range terms {
		size += 2 * len(term)
	}
	return terms, size
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
	return newField(orderField, bleve.IndexField, bleve.TokenFrequencies{orderTerm: f}, 1)
}

// addressOf returns the words of a URL: those of its path, by which searches find the
// page, and the labels of its host except the last one.
func addressOf(text string) (path, host string) {
	u, err := url.Parse(text)
	if err != nil {
		return "", ""
	}
	labels := strings.Split(u.Hostname(), ".")
	return oneLine(clipped(u.Path, maxTitle)), strings.Join(labels[:len(labels)-1], " ")
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
func (a *analyser) addressField(address string, m manner) *field {
	tokens, _ := a.analyse(address, m)
	terms := make(bleve.TokenFrequencies, len(tokens))
	for _, t := range tokens {
		addTerm(terms, t.term, 1)
	}
	return newField(addressField, bleve.IndexField, terms, max(1, len(tokens)))
}
