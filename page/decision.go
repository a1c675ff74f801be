package page

import (
	"cmp"
	"slices"
	"time"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/html/htmltoken"
)

// A Decision is the answer of a page for one robot. Do not modify a Decision. It is safe for
// concurrent use.
type Decision struct {
	// Index reports whether the robot may index the page at the time of the question: there is
	// neither noindex nor none, and unavailable_after has not passed.
	Index bool

	// Follow reports whether the robot may follow the links of the page. For a single link see
	// [Decision.Link].
	Follow bool

	// IndexIfEmbedded reports whether the robot may index a page with noindex as a part of
	// pages that embed it.
	IndexIfEmbedded bool

	Archive bool // whether a copy may be kept and shown: neither noarchive nor nocache

	// Snippet reports whether text of the page may be shown. MaxSnippet is the maximum number
	// of characters: 0 for none, -1 for no limit.
	Snippet    bool
	MaxSnippet int

	// MaxImagePreview is the maximum size of an image preview: "none", "standard" for the default
	// size, "large" for up to the size of the view, or "any" if the page sets no limit.
	MaxImagePreview string
	MaxVideoPreview int // in seconds; 0 for a still picture only, -1 for no limit

	Translate  bool // whether a translation may be offered
	ImageIndex bool // whether the pictures of the page may be indexed
	AI         bool // whether the page may be used to train AI: no noai, no noml, and no tdm-reservation with 1
	ImageAI    bool // whether the pictures of the page may be used to train AI: as AI, and no noimageai

	// UnavailableAfter is the time after which the robot must not index the page. It is zero
	// if the page gives none.
	UnavailableAfter time.Time

	// Reading is the way in which contradictions were resolved.
	Reading Reading

	// Err is Doc.Err: the reason why the page was not read. If Err is not nil, the page permits
	// nothing.
	Err error

	now    time.Time
	counts []robotDirective
}

// A robotDirective is a directive for the robot.
type robotDirective struct {
	Directive
	decides uint32 // a bit for each topic that the directive decides; 0 if the directive is overruled
}

// For returns the decision for the robot with these product tokens, such as "Googlebot-News"
// and "Googlebot", in any order. Directives for all robots and for any of the tokens apply. A
// version, and any text after white space, is removed from a token. Without tokens, the
// decision is that for robots that the page does not name.
func (d *Doc) For(tokens ...string) *Decision {
	now := d.now
	if now.IsZero() {
		now = time.Now()
	}
	names := map[string]bool{"": true} // a map, because both the page and the question may have many names
	for _, token := range tokens {
		names[robotNamed(robots.ProductToken(token))] = true
	}
	r := &Decision{Reading: d.reading, Err: d.Err, now: now}
	for _, dir := range d.naming(names) {
		if dir.term != nil && dir.Err == nil {
			r.counts = append(r.counts, robotDirective{Directive: dir})
		}
	}
	r.decide()
	return r
}

// naming returns the directives for robots with these names, in the order of their sources.
func (d *Doc) naming(names map[string]bool) []Directive {
	var found []Directive
	for _, dir := range d.Directives {
		if names[dir.Robot] {
			found = append(found, dir)
		}
	}
	n := len(found)
	for _, m := range d.others { // META tags that are not known to be for robots
		if names[m.name] && !m.isForRobots() {
			v := valueReader{text: m.content, robot: m.name, source: m.source, add: func(dir Directive) bool {
				if names[dir.Robot] {
					found = append(found, dir)
				}
				return len(found)-n < mostDirectives
			}}
			v.read()
		}
	}
	if len(found) > n && n > 0 {
		slices.SortStableFunc(found, func(a, b Directive) int { return a.Source.compare(b.Source) })
	}
	return found
}

// compare orders sources: headers, given META tags, then the page.
func (s Source) compare(other Source) int {
	return cmp.Or(cmp.Compare(s.Line, other.Line), cmp.Compare(s.Offset, other.Offset),
		cmp.Compare(slices.Index(places[:], s.Place), slices.Index(places[:], other.Place)), cmp.Compare(s.Number,
			other.Number))
}

// A ruling is what the directives of a decision say about each topic together.
type ruling struct {
	said   [topics]bool
	levels [topics]level // of topics with a directive
}

// may reports whether a topic is not refused.
func (r *ruling) may(t topic) bool { return !r.said[t] || r.levels[t] != refused }

// most returns the maximum for a topic, or -1 if there is none.
func (r *ruling) most(t topic) int {
	if !r.said[t] || r.levels[t] == unlimited {
		return -1
	}
	return int(r.levels[t])
}

// rule combines the directives of d, and marks those that decide.
func (d *Decision) rule() (r ruling) {
	resets := d.Reading == Reading1996 && slices.ContainsFunc(d.counts,
		func(c robotDirective) bool { return c.Name == "all" })
	for _, c := range d.counts {
		if resets && c.Name != "all" {
			continue
		}
		l := c.level()
		for _, t := range c.term.topics {
			if !r.said[t] || d.Reading.prefers(l, r.levels[t]) {
				r.said[t], r.levels[t] = true, l
			}
		}
	}
	for i := range d.counts {
		c := &d.counts[i]
		if resets && c.Name != "all" {
			continue
		}
		for _, t := range c.term.topics {
			if c.level() == r.levels[t] {
				c.decides |= 1 << t
			}
		}
	}
	if d.Reading == Reading1996 && !r.may(indexing) && !r.said[following] {
		// In the reading of 1996, NOINDEX alone also means NOFOLLOW.
		r.said[following], r.levels[following] = true, refused
		for i := range d.counts {
			if c := &d.counts[i]; c.decides&(1<<indexing) != 0 {
				c.decides |= 1 << following
			}
		}
	}
	return r
}

// decide computes the answers of d from its directives.
func (d *Decision) decide() {
	r := d.rule()
	if r.said[expiry] {
		d.UnavailableAfter = time.Unix(int64(r.levels[expiry]), 0).UTC()
	}
	d.IndexIfEmbedded = r.said[embedding] && !r.may(indexing)
	d.Follow = r.may(following)
	d.Archive = r.may(archiving)
	d.MaxSnippet = r.most(snippets)
	d.Snippet = d.MaxSnippet != 0
	d.MaxImagePreview = anyImage
	if r.said[imagePreviews] {
		d.MaxImagePreview = previews[r.levels[imagePreviews]]
	}
	d.MaxVideoPreview = r.most(videoPreviews)
	d.Translate = r.may(translation)
	d.ImageIndex = r.may(imageIndexing)
	d.AI = r.may(training)
	d.ImageAI = r.may(imageTraining)
	if d.Err != nil {
		d.Follow, d.Archive, d.Snippet, d.MaxSnippet, d.IndexIfEmbedded = false, false, false, 0, false
		d.MaxImagePreview, d.MaxVideoPreview = noImage, 0
		d.Translate, d.ImageIndex, d.AI, d.ImageAI = false, false, false, false
	}
	d.Index = d.indexAt(d.now)
}

// indexAt reports whether the robot may index the page at a time.
func (d *Decision) indexAt(t time.Time) bool {
	return d.Err == nil && !d.refuses(indexing) && !d.expired(t)
}

func (d *Decision) expired(t time.Time) bool {
	return !d.UnavailableAfter.IsZero() && t.After(d.UnavailableAfter)
}

func (d *Decision) refuses(t topic) bool {
	return slices.ContainsFunc(d.counts, func(c robotDirective) bool {
		return c.decides&(1<<t) != 0 &&
			c.level() == refused
	})
}

// Why returns the directives that decide what a directive is about, such as "noindex", or none if
// the page has no such directive. A name also means its opposite: "noindex" and "index" are both
// about indexing, "nofollow" about links, "noarchive" about copies, "nosnippet" about snippets,
// "max-image-preview" and "max-video-preview" about previews, "notranslate" about translations,
// "noimageindex" about pictures, "noai" and "noimageai" about training. A directive about several
// topics, such as "none", counts for its first one. The directives about indexing include an
// unavailable_after that has passed.
func (d *Decision) Why(directive string) []Directive {
	for i := range terms {
		if htmltoken.EqualFold(directive, terms[i].name) {
			return d.why(terms[i].topics[0])
		}
	}
	return nil
}

// why returns the directives that decide a topic.
func (d *Decision) why(t topic) []Directive {
	var by []Directive
	for _, c := range d.counts {
		if c.decides&(1<<t) != 0 || t == indexing && c.decides&(1<<expiry) != 0 && d.expired(d.now) {
			by = append(by, c.Directive)
		}
	}
	if t == indexing && !d.Index {
		by = slices.DeleteFunc(by, func(dir Directive) bool {
			return dir.term.form == flag &&
				dir.term.level != refused
		})
	}
	return by
}

// InForce returns the directives that decide a topic, in the order of their sources.
func (d *Decision) InForce() []Directive { return d.directives(true) }

// overruled returns the directives for the robot that other directives overrule.
func (d *Decision) overruled() []Directive { return d.directives(false) }

func (d *Decision) directives(decide bool) (found []Directive) {
	for _, c := range d.counts {
		if (c.decides != 0) == decide {
			found = append(found, c.Directive)
		}
	}
	return found
}
