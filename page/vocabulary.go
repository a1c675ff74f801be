package page

import (
	"math"
	"slices"

	"github.com/robotsexclusion/robots/internal/html/htmltoken"
)

// A topic is a question that directives answer.
type topic uint8

// The topics, with their directives.
const (
	indexing      topic = iota // index, noindex, none, all
	following                  // follow, nofollow, none, all
	archiving                  // archive, noarchive, cache, nocache
	snippets                   // snippet, nosnippet, max-snippet
	imagePreviews              // max-image-preview
	videoPreviews              // max-video-preview
	translation                // translate, notranslate
	imageIndexing              // imageindex, noimageindex
	training                   // noai, noml, disallowaitraining, allowaitraining, tdm-reservation
	imageTraining              // noimageai, and those of Training
	embedding                  // indexifembedded
	expiry                     // unavailable_after
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
	topics []topic

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
	{name: "all", level: permitted, topics: []topic{indexing, following}, common: true},
	{name: "none", level: refused, topics: []topic{indexing, following}, common: true},
	{name: "index", level: permitted, topics: []topic{indexing}, common: true},
	{name: "noindex", level: refused, topics: []topic{indexing}},
	{name: "follow", level: permitted, topics: []topic{following}, common: true},
	{name: "nofollow", level: refused, topics: []topic{following}},

	{name: "archive", level: permitted, topics: []topic{archiving}, common: true},
	{name: "noarchive", level: refused, topics: []topic{archiving}},
	{name: "cache", level: permitted, topics: []topic{archiving}, common: true},
	{name: "nocache", level: refused, topics: []topic{archiving}},
	{name: "snippet", level: unlimited, topics: []topic{snippets}, common: true},
	{name: "nosnippet", level: refused, topics: []topic{snippets}},
	{name: "max-snippet", form: count, topics: []topic{snippets}},
	{name: "max-image-preview", form: size, topics: []topic{imagePreviews}},
	{name: "max-video-preview", form: count, topics: []topic{videoPreviews}},
	{name: "translate", level: permitted, topics: []topic{translation}, common: true},
	{name: "notranslate", level: refused, topics: []topic{translation}},
	{name: "imageindex", level: permitted, topics: []topic{imageIndexing}},
	{name: "noimageindex", level: refused, topics: []topic{imageIndexing}},
	{name: "indexifembedded", level: permitted, topics: []topic{embedding}},
	{name: "unavailable_after", form: date, topics: []topic{expiry}},

	{name: "noai", level: refused, topics: []topic{training, imageTraining}},
	{name: "noml", level: refused, topics: []topic{training, imageTraining}},
	{name: "allowaitraining", level: permitted, topics: []topic{training, imageTraining}},
	{name: "disallowaitraining", level: refused, topics: []topic{training, imageTraining}},
	{name: "noimageai", level: refused, topics: []topic{imageTraining}},
	{name: tdmReservation, form: reservation, topics: []topic{training}, apart: true},

	{name: "odp", level: permitted, topics: []topic{directories}},
	{name: "noodp", level: refused, topics: []topic{directories}},
	{name: "noydir", topics: []topic{others}},
	{name: "noyaca", topics: []topic{others}},
	{name: "nositelinkssearchbox", topics: []topic{others}},
	{name: "nopagereadaloud", topics: []topic{others}},
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
