package page

import (
	"math"
	"slices"

	"github.com/robotsexclusion/robots/internal/html/htmltoken"
)

// A Topic is a question that directives answer.
type Topic uint8

// The topics, with their directives.
const (
	Indexing      Topic = iota // index, noindex, none, all
	Following                  // follow, nofollow, none, all
	Archiving                  // archive, noarchive, cache, nocache
	Snippets                   // snippet, nosnippet, max-snippet
	ImagePreviews              // max-image-preview
	VideoPreviews              // max-video-preview
	Translation                // translate, notranslate
	ImageIndexing              // imageindex, noimageindex
	Training                   // noai, noml, disallowaitraining, allowaitraining, tdm-reservation
	ImageTraining              // noimageai, and those of Training
	Embedding                  // indexifembedded
	Expiry                     // unavailable_after
	directories                // odp, noodp: descriptions of the Open Directory, until 2017
	others                     // known directives without a topic here
	topics
)

// A level is an answer to a topic. Lower levels are more restrictive.
type level int64

const (
	refused   level = 0
	permitted level = 1
	unlimited level = math.MaxInt64 // no limit of length or time
)

// A term is a directive that this package knows.
type term struct {
	name   string
	form   form
	level  level // the level of a flag
	topics []Topic

	common bool // an ordinary word, which has no effect in META tags that are not for robots
	apart  bool // only in a header or META tag of its own, never in a list of directives
}

// A form is the syntax of a directive's value.
type form uint8

const (
	flag  form = iota // no value
	count             // a number, -1 for no limit
	size              // size of a picture: none, standard, large
	date
	reservation // 1: rights are reserved; 0: rights are not reserved
)

// terms has the known directives: those of the Spidering BOF report of 1996, those of search
// engines, those about training, and some obsolete ones.
var terms = [...]term{
	{name: "all", level: permitted, topics: []Topic{Indexing, Following}, common: true},
	{name: "none", level: refused, topics: []Topic{Indexing, Following}, common: true},
	{name: "index", level: permitted, topics: []Topic{Indexing}, common: true},
	{name: "noindex", level: refused, topics: []Topic{Indexing}},
	{name: "follow", level: permitted, topics: []Topic{Following}, common: true},
	{name: "nofollow", level: refused, topics: []Topic{Following}},

	{name: "archive", level: permitted, topics: []Topic{Archiving}, common: true},
	{name: "noarchive", level: refused, topics: []Topic{Archiving}},
	{name: "cache", level: permitted, topics: []Topic{Archiving}, common: true},
	{name: "nocache", level: refused, topics: []Topic{Archiving}},
	{name: "snippet", level: unlimited, topics: []Topic{Snippets}, common: true},
	{name: "nosnippet", level: refused, topics: []Topic{Snippets}},
	{name: "max-snippet", form: count, topics: []Topic{Snippets}},
	{name: "max-image-preview", form: size, topics: []Topic{ImagePreviews}},
	{name: "max-video-preview", form: count, topics: []Topic{VideoPreviews}},
	{name: "translate", level: permitted, topics: []Topic{Translation}, common: true},
	{name: "notranslate", level: refused, topics: []Topic{Translation}},
	{name: "imageindex", level: permitted, topics: []Topic{ImageIndexing}},
	{name: "noimageindex", level: refused, topics: []Topic{ImageIndexing}},
	{name: "indexifembedded", level: permitted, topics: []Topic{Embedding}},
	{name: "unavailable_after", form: date, topics: []Topic{Expiry}},

	{name: "noai", level: refused, topics: []Topic{Training, ImageTraining}},
	{name: "noml", level: refused, topics: []Topic{Training, ImageTraining}},
	{name: "allowaitraining", level: permitted, topics: []Topic{Training, ImageTraining}},
	{name: "disallowaitraining", level: refused, topics: []Topic{Training, ImageTraining}},
	{name: "noimageai", level: refused, topics: []Topic{ImageTraining}},
	{name: tdmReservation, form: reservation, topics: []Topic{Training}, apart: true},

	{name: "odp", level: permitted, topics: []Topic{directories}},
	{name: "noodp", level: refused, topics: []Topic{directories}},
	{name: "noydir", topics: []Topic{others}},
	{name: "noyaca", topics: []Topic{others}},
	{name: "nositelinkssearchbox", topics: []Topic{others}},
	{name: "nopagereadaloud", topics: []Topic{others}},
}

// lookup returns the term with a name, ignoring case, or nil.
func lookup(name string) *term {
	for i := range terms {
		if htmltoken.EqualFold(name, terms[i].name) && !terms[i].apart {
			return &terms[i]
		}
	}
	return nil
}

// tdmTerm is the term of tdm-reservation.
var tdmTerm = &terms[slices.IndexFunc(terms[:], func(t term) bool { return t.form == reservation })]

// index returns the index of t in terms.
func (t *term) index() int {
	return slices.IndexFunc(terms[:], func(other term) bool { return other.name == t.name })
}

// The values of Decision.MaxImagePreview.
const (
	anyImage      = "any"
	noImage       = "none"
	standardImage = "standard"
	largeImage    = "large"
)

// previews has the sizes by level.
var previews = [...]string{1: noImage, standardImage, largeImage}

// previewNamed returns the level of the size with a name, ignoring case.
func previewNamed(name string) (l level, ok bool) {
	// The name may be long. EqualFold looks at a name of another length only for its length.
	i := slices.IndexFunc(previews[1:], func(preview string) bool { return htmltoken.EqualFold(name, preview) })
	return level(i + 1), i >= 0
}

// level returns the level of d.
func (d *Directive) level() level {
	switch d.term.form {
	case count:
		if d.number < 0 {
			return unlimited
		}
		return level(d.number)
	case size:
		l, _ := previewNamed(d.Value)
		return l
	case date:
		return level(d.time.Unix())
	case reservation:
		return permitted - level(d.number)
	}
	return d.term.level
}
