package index

import (
	"encoding/json"
	"strings"
	"sync"
	"time"

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
	maxCounted     = 1 << 16 // limit of the frequency of a term
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

// A document is a page in the form that Bleve takes.
type document struct {
	id     string
	fields []*field
	bytes  int // of text
}

// document converts a page to a document.
func (a *analyser) document(p *Page, maxText int) (*document, error) {
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
	m := mannerOf(s.Language)
	a.counts.reset()
	a.count(s.Title, Title, m, false)
	path, _ := addressOf(p.URL)
	a.count(path, Address, m, false)
	a.count(description, Description, m, false)
	for phrase := range strings.SplitSeq(keywords, ", ") {
		a.count(phrase, Keywords, m, false)
	}
	size := a.addPassages(s, p, m, maxText)
	value, err := json.Marshal(s)
	if err != nil {
		return nil, err
	}
	d := &document{id: p.URL, bytes: len(p.URL) + len(value) + size}
	d.fields = []*field{
		{name: wordsField, options: bleve.IndexField | bleve.IncludeTermVectors, terms: a.counts.terms(),
			length: a.counts.length},
		newField(siteField, sitesOf(p.URL)...),
		newField(langField, s.Language),
		a.addressField(p.URL, m),
		orderOf(p.URL),
		{name: storedField, options: bleve.StoreField, value: value},
	}
	if links, size := a.linksOf(p, m); links != nil {
		d.fields = append(d.fields, links)
		d.bytes += size
	}
	d.name(digestField, s.Digest)
	d.name(namedField, clipped(p.Canonical, maxURL))
	return d, nil
}

// addPassages counts the words of the passages of a page, and stores the passages that may be
// shown. It stops after maxText bytes, and returns the number of bytes read.
func (a *analyser) addPassages(s *resultData, p *Page, m manner, maxText int) (size int) {
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
		a.count(text, passage.Construct, m, joinable)
		show := !p.NoSnippet && !passage.NoSnippet
		if show {
			s.Passages = append(s.Passages, resultPassage{text, passage.Construct, joinable && showable})
		}
		joinable, showable = true, show
	}
	return size
}

// name adds a field with a single term for look-ups, unless the term is empty.
func (d *document) name(field, term string) {
	if term != "" {
		d.fields = append(d.fields, newField(field, term))
	}
}

// count adds the words of a text to the terms of the page.
func (a *analyser) count(text string, c Construct, m manner, joined bool) {
	if !joined {
		a.counts.position += gap
	}
	if int(c) >= len(constructs) {
		c = Text
	}
	tokens, positions := a.analyse(text, m)
	for i := range tokens {
		// A stop word carries meaning in a title or heading only.
		if !tokens[i].stop || c >= Heading6 {
			a.counts.add(&tokens[i], constructs[c].weight)
		}
	}
	a.counts.position += positions
}

// oneLine returns text in normal form, with each run of white space replaced by one
// blank.
func oneLine(text string) string { return strings.Join(strings.Fields(normal(text)), " ") }

// clipped returns the start of text, at most the given number of bytes, without a
// partial word at its end.
func clipped(text string, size int) string {
	if len(text) <= size {
		return text
	}
	text = strings.ToValidUTF8(text[:max(0, size)], "") // only the last character can be cut
	if i := strings.LastIndexByte(text, ' '); i > len(text)-maxWord && i > 0 {
		text = text[:i]
	}
	return text
}

// counts collects the terms of one page.
type counts struct {
	freqs    bleve.TokenFrequencies
	entries  []bleve.TokenFreq // allocated together, because Bleve takes pointers
	position int
	length   int // in words
}

func (c *counts) reset() { *c = counts{freqs: make(bleve.TokenFrequencies, 256)} }

func (c *counts) add(t *token, weight int) {
	f := c.freqs[t.term]
	if f == nil {
		if len(c.entries) == 0 {
			c.entries = make([]bleve.TokenFreq, 64)
		}
		f, c.entries = &c.entries[0], c.entries[1:]
		// A term must not keep the text of its page in memory.
		name := t.term
		if t.manner >= bySyllable {
			name = strings.Clone(name)
		}
		f.Term = []byte(name)
		c.freqs[name] = f
	}
	f.SetFrequency(min(f.Frequency()+weight, maxCounted))
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

// terms returns the collected terms, and resets the counts.
func (c *counts) terms() bleve.TokenFrequencies {
	freqs := c.freqs
	*c = counts{length: c.length}
	return freqs
}

// termsOf returns texts as terms, without analysis.
func termsOf(texts ...string) bleve.TokenFrequencies {
	freqs := make(bleve.TokenFrequencies, len(texts))
	for _, text := range texts {
		f := &bleve.TokenFreq{Term: []byte(text)}
		f.SetFrequency(1)
		freqs[text] = f
	}
	return freqs
}

// A field is a field of a document whose terms are known.
type field struct {
	name    string
	options bleve.FieldIndexingOptions
	value   []byte
	terms   bleve.TokenFrequencies
	length  int
}

// newField returns a field of unanalysed terms without frequencies.
func newField(name string, terms ...string) *field {
	return &field{name: name, options: bleve.IndexField | bleve.SkipFreqNorm, terms: termsOf(terms...), length: 1}
}

// The following methods implement Bleve's interface for fields.

func (f *field) Name() string                                     { return f.name }
func (f *field) Value() []byte                                    { return f.value }
func (f *field) ArrayPositions() []uint64                         { return nil }
func (f *field) EncodedFieldType() byte                           { return 't' } // text
func (f *field) Analyze()                                         {}
func (f *field) Options() bleve.FieldIndexingOptions              { return f.options }
func (f *field) AnalyzedLength() int                              { return f.length }
func (f *field) AnalyzedTokenFrequencies() bleve.TokenFrequencies { return f.terms }
func (f *field) NumPlainTextBytes() uint64                        { return uint64(len(f.value)) }

// The following methods implement Bleve's interface for documents.

func (d *document) ID() string                                 { return d.id }
func (d *document) Size() int                                  { return d.bytes }
func (d *document) VisitComposite(bleve.CompositeFieldVisitor) {}
func (d *document) HasComposite() bool                         { return false }
func (d *document) NumPlainTextBytes() uint64                  { return uint64(d.bytes) }
func (d *document) StoredFieldsBytes() uint64                  { return 0 }
func (d *document) Indexed() bool                              { return false }

func (d *document) VisitFields(visit bleve.FieldVisitor) {
	for _, f := range d.fields {
		visit(f)
	}
}

// AddIDField adds the field by which Bleve finds a document. Bleve calls it once for
// each batch with the document.
func (d *document) AddIDField() {
	d.fields = append(d.fields, &field{
		name:    idField,
		options: bleve.IndexField | bleve.StoreField,
		value:   []byte(d.id),
		terms:   termsOf(d.id),
		length:  1,
	})
}
