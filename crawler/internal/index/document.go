package index

import (
	"encoding/json"
	"strings"
	"sync"
	"time"

	"github.com/blevesearch/bleve/v2/document"
	bleve "github.com/blevesearch/bleve_index_api"
)

// The fields of a page in the index. There are no others: Bleve can create a field for
// any value it finds, and such indexes grow until they fill the disk.
const (
	wordsField   = "w" // terms, with positions and weights
	siteField    = "s" // sitesOf the URL
	langField    = "l" // the language
	digestField  = "g" // digest of the body
	namedField   = "c" // canonical URL that the page names
	addressField = "u" // terms of the URL
	linksField   = "a" // linksOf the page
	orderField   = "o" // a single term, whose frequency is the tie-breaking order of the page
	storedField  = "p" // data for results, in JSON
	idField      = "_id"
)

const (
	maxTitle       = 1 << 10 // bytes
	maxDescription = 4 << 10
	maxKeywords    = 4 << 10
	maxDigest      = 256
	maxPlaces      = 500     // of a term on a page, for phrases; frequencies are counted beyond
	maxCounted     = 1 << 16 // limit of the frequency of a term by its weights
	gap            = 16      // positions between passages that are not joined, so that no phrase spans them
)

// A resultData is the data of a page for results.
type resultData struct {
	Title       string          `json:"t,omitempty"`
	Description string          `json:"d,omitempty"`
	Keywords    string          `json:"k,omitempty"`
	Language    string          `json:"l,omitempty"`
	FetchedAt   time.Time       `json:"f,omitzero"`
	ETag        string          `json:"e,omitempty"`
	Digest      string          `json:"g,omitempty"`
	MaxSnippet  int             `json:"m,omitempty"` // 0: no limit
	Passages    []resultPassage `json:"p,omitempty"` // that may be shown
}

// A resultPassage is a passage that may be shown.
type resultPassage struct {
	Text      string    `json:"t"`
	Construct Construct `json:"c,omitempty"`
	Joined    bool      `json:"j,omitempty"`
}

// document converts a page to a document of Bleve, and returns its size in bytes of text.
func (a *analyser) document(p *Page) (d *document.Document, size int, err error) {
	s := &resultData{
		Title:      clipped(oneLine(p.Title), maxTitle),
		Language:   languageOf(p),
		FetchedAt:  p.FetchedAt.UTC().Truncate(time.Millisecond),
		ETag:       clipped(normal(p.ETag), 256),
		Digest:     clipped(normal(p.Digest), maxDigest),
		MaxSnippet: max(0, p.MaxSnippet),
	}
	description := clipped(oneLine(p.Description), maxDescription)
	keywords := clipped(oneLine(strings.Join(p.Keywords, ", ")), maxKeywords)
	if !p.NoSnippet {
		s.Description, s.Keywords = description, keywords
	}
	c := &counts{analyser: a, manner: mannerOf(s.Language), terms: make(bleve.TokenFrequencies, 256)}
	c.add(s.Title, Title, false)
	path, host := addressOf(p.URL)
	c.add(path, Address, false)
	c.add(description, Description, false)
	for phrase := range strings.SplitSeq(keywords, ", ") {
		c.add(phrase, Keywords, false)
	}
	size = c.addPassages(s, p)
	value, err := json.Marshal(s)
	if err != nil {
		return nil, 0, err
	}
	links, linkSize := a.linksOf(p, c.manner)
	const looked = bleve.IndexField | bleve.SkipFreqNorm
	d = document.NewDocument(p.URL)
	d.AddField(newField(wordsField, bleve.IndexField|bleve.IncludeTermVectors, c.terms, c.length))
	d.AddField(a.addressField(host+" "+path, c.manner))
	d.AddField(orderOf(p.URL))
	if len(links) > 0 {
		d.AddField(newField(linksField, looked, links, 1))
	}
	d.AddField(document.NewTextFieldCustom(storedField, nil, value, bleve.StoreField, nil))
	names := append(namesOf(p), name{langField, s.Language})
	for _, site := range sitesOf(p.URL) {
		names = append(names, name{siteField, site})
	}
	for _, n := range names {
		if n.term != "" {
			d.AddField(document.NewTextFieldCustom(n.field, nil, []byte(n.term), looked, nil))
		}
	}
	return d, len(p.URL) + len(value) + size + linkSize, nil
}

// oneLine returns text in normal form, with each run of white space replaced by one
// blank.
func oneLine(text string) string { return strings.Join(strings.Fields(normal(text)), " ") }

// clipped returns the start of text, at most the given number of bytes, without a
// partial word at its end.
func clipped(text string, size int) string {
	start := prefix(text, size)
	if i := strings.LastIndexByte(start, ' '); len(start) < len(text) && i > len(start)-maxWord && i > 0 {
		return start[:i]
	}
	return start
}

// prefix returns the start of text, without a partial character at its end.
func prefix(text string, size int) string {
	if len(text) <= size {
		return text
	}
	return strings.ToValidUTF8(text[:max(0, size)], "")
}

// counts collects the words of one page.
type counts struct {
	analyser *analyser
	manner   manner
	terms    bleve.TokenFrequencies
	position int
	length   int // in words
}

// addPassages counts the words of the passages of a page, and stores the passages that may be
// shown. It stops after maxText bytes, and returns the number of bytes read.
func (c *counts) addPassages(s *resultData, p *Page) (size int) {
	joinable, showable := false, false // the passage before can be joined, and can be shown
	for _, passage := range p.Passages {
		if size >= maxText {
			break
		}
		joinable = joinable && passage.Joined
		text := clipped(oneLine(passage.Text), maxText-size)
		if text == "" {
			continue
		}
		size += len(text)
		c.add(text, passage.Construct, joinable)
		show := !p.NoSnippet && !passage.NoSnippet
		if show {
			s.Passages = append(s.Passages, resultPassage{text, passage.Construct, joinable && showable})
		}
		joinable, showable = true, show
	}
	return size
}

// add counts the words of a text.
func (c *counts) add(text string, in Construct, joined bool) {
	if !joined {
		c.position += gap
	}
	if int(in) >= len(constructs) {
		in = Text
	}
	tokens, positions := c.analyser.analyse(text, c.manner)
	for i := range tokens {
		// A stop word carries meaning in a title or heading only.
		if !tokens[i].stop || in >= Heading6 {
			c.count(&tokens[i], constructs[in].weight)
		}
	}
	c.position += positions
}

// count counts a word of a weight.
func (c *counts) count(t *token, weight int) {
	f := addTerm(c.terms, t.term, weight)
	if len(f.Locations) < maxPlaces {
		f.Locations = append(f.Locations, location(c.position+t.position))
	}
	c.length++
}

// location returns a position in Bleve's form. Bleve only reads it, and it holds
// nothing else, so all pages share the same locations: otherwise they would take more
// memory than the rest of a page.
func location(position int) *bleve.TokenLocation {
	if shared := locations(); position < len(shared) {
		return &shared[position]
	}
	return &bleve.TokenLocation{Position: position}
}

// locations has the positions that most pages use.
var locations = sync.OnceValue(func() []bleve.TokenLocation {
	list := make([]bleve.TokenLocation, 16<<10)
	for i := range list {
		list[i].Position = i
	}
	return list
})

// addTerm counts a term with a weight, and returns its entry. The term may be a part of a
// long text, which must not stay in memory with it.
func addTerm(terms bleve.TokenFrequencies, term string, weight int) *bleve.TokenFreq {
	f := terms[term]
	if f == nil {
		f = &bleve.TokenFreq{Term: []byte(term)}
		terms[string(f.Term)] = f
	}
	f.SetFrequency(min(f.Frequency()+weight, maxCounted))
	return f
}

// A field is a field of a document whose terms are known.
type field struct {
	*document.TextField
	terms  bleve.TokenFrequencies
	length int
}

func newField(name string, options bleve.FieldIndexingOptions, terms bleve.TokenFrequencies, length int) *field {
	return &field{document.NewTextFieldCustom(name, nil, nil, options, nil), terms, length}
}

// The following methods replace what Bleve finds itself.

func (f *field) Analyze()                                         {}
func (f *field) AnalyzedLength() int                              { return f.length }
func (f *field) AnalyzedTokenFrequencies() bleve.TokenFrequencies { return f.terms }
