package audit

import (
	"cmp"
	"math"
	"slices"
)

// The thresholds of evidence. They were chosen on one half of the clients of the logs that
// doc/audit-suspicion.md names, and measured on the other.
const (
	// minRequests is the least number of requests of a suspect: with fewer, a person who opens
	// links from elsewhere looks the same.
	minRequests = 10
	// minPages and minPaths: a person's browser has the parts of one page in its cache, so reloads
	// show nothing; of ten pages with five paths, one has a part of its own.
	minPages = 10
	minPaths = 5
	// assetShare: one asset for 20 pages is a picture that was followed as a link.
	assetShare = 20
	// manyPages without an asset are enough alone: no person reads a hundred pages of text in a
	// browser that shows no picture, and sites whose visitors load no parts are excluded before.
	manyPages = 100
	// minOthers: what other clients do is known of ten. One in five of all must do it, or one in
	// two of those with headers of one kind: a flood of hidden robots is most of all clients, but
	// the clients with the browsers of people stay.
	minOthers  = 10
	otherShare = 5
	kindShare  = 2
	// openShare: one page in twenty may be open, as the page that has the links to the closed
	// ones, or one of each client.
	// peopleShare: one person in a hundred follows such a link.
	openShare   = 20
	peopleShare = 100
	// manyAddresses of clients that have nothing in common but what they ask for.
	manyAddresses = 50
	// minDocuments without any Referer: bookmarks and links in mails are a few.
	minDocuments = 20
	// minGaps, regularShare: of twenty gaps, three in four within a tenth (or a second) of the
	// median. Gaps with a median below two seconds are those of a browser that loads a page.
	minGaps       = 20
	manyGaps      = 100
	regularShare  = 0.75
	strictShare   = 0.9
	minMedian     = 2
	regularWithin = 10
	// minNumbers, minCorrelation: a person follows a few "next" links, and comes back.
	minNumbers        = 20
	manyNumbers       = 100
	minCorrelation    = 0.9
	strictCorrelation = 0.98
	// rapidPages in a minute: a browser that restores its tabs stays below.
	rapidPages     = 30
	veryRapidPages = 300
	// minHours: a person sleeps more than four hours. Many people may share an address with more
	// than maxShared headers.
	minHours  = 20
	maxShared = 3
	// minAddresses is the number of addresses of a header if none of them requests styles.
	minAddresses = 10
)

// A behaviour sums up the requests of a client.
type behaviour struct {
	requests  int64
	pages     int64 // answers with content to GET for a page, to clients with a browser's name
	paths     int   // different ones of these pages, as countPaths counts them
	assets    int64
	documents int64 // requests with GET or HEAD for pages, feeds and the like
	referred  int64 // of documents, those with a Referer
	rules     int64 // requests for robots.txt
	closed    int64 // of documents, those that a rule closes that people do not pass
}

// newBehaviour adds requests up. It counts neither paths nor what is closed.
func newBehaviour(entries []*entry) (b behaviour) {
	for _, e := range entries {
		b.requests += e.count
		switch {
		case e.class == assetTarget:
			b.assets += e.count
		case e.class == rulesTarget:
			b.rules += e.count
		case e.isDocument():
			b.documents += e.count
			if e.referred {
				b.referred += e.count
			}
		}
		if e.isPage() {
			b.pages += e.count
		}
	}
	return b
}

// countPaths returns the number of different paths of pages, or 0 if there are fewer entries than
// minPaths.
func countPaths(entries []*entry) int {
	if len(entries) < minPaths {
		return 0
	}
	paths := map[uint64]bool{}
	for _, e := range entries {
		if e.isPage() {
			paths[e.path] = true
		}
	}
	return len(paths)
}

// requestsOf returns the number of requests of entries.
func requestsOf(entries []*entry) (sum int64) {
	for _, e := range entries {
		sum += e.count
	}
	return sum
}

// isDocument reports whether an entry is for something that a person looks at or a robot reads.
func (e *entry) isDocument() bool {
	return (e.class == pageTarget || e.class == otherTarget) && (e.method == getMethod || e.method == headMethod)
}

// isPage reports whether an entry is a page that a browser would complete. Apps load no styles.
func (e *entry) isPage() bool {
	return e.class == pageTarget && e.method == getMethod && e.status == 2 && !e.app
}

// addressEvidence returns the evidence against a client by its address.
func (c *crowd) addressEvidence(b *behaviour, entries []*entry, headers int, others habits) (found []Evidence) {
	add := func(e Evidence, ok bool) {
		if ok {
			found = append(found, e)
		}
	}
	if e, ok := c.noStyles(b, entries, others); ok && !(mostlyClosed(b, entries) && c.pools.likeApp(entries)) {
		found = append(found, e)
	}
	polls := onlyApps(entries)
	if !polls {
		add(c.noReferrer(b, entries, others))
	}
	if b.rules > 0 {
		lines := c.lines(filter(entries, func(e *entry) bool { return e.class == rulesTarget }))
		add(Evidence{Kind: "robots-txt", Figures: map[string]float64{"requests": float64(b.rules)}, Lines: lines}, true)
	}
	if !polls {
		add(c.regular(entries))
	}
	add(c.sequential(entries))
	documents := filter(entries, (*entry).isDocument)
	if minute, n := fastestMinute(documents); n >= rapidPages {
		add(Evidence{Kind: "rapid", Strong: n >= veryRapidPages, Figures: map[string]float64{"peak": float64(n)},
			Lines: c.lines(minute)}, true)
	}
	if headers <= maxShared && !polls {
		add(c.allHours(documents))
	}
	return found
}

// onlyApps reports whether all entries are of apps. Apps such as readers of feeds ask for the same
// URLs day and night, without a Referer, and say by their names that they do.
func onlyApps(entries []*entry) bool {
	return !slices.ContainsFunc(entries, func(e *entry) bool { return !e.app })
}

// headerEvidence returns the evidence against a header at many addresses. Nothing counts if styles
// are loaded: then people have the header too.
//
// Pages that robots.txt closes may be the answers to an app, which have no styles, or those behind
// the links of a letter, from which some people go on.
func (c *crowd) headerEvidence(b *behaviour, entries []*entry, addresses int, others habits,
	people func() bool) (found []Evidence) {
	if addresses < minAddresses || b.documents < minDocuments || b.assets*assetShare > b.documents {
		return nil
	}
	if e, ok := c.noStyles(b, entries, others); ok && b.pages >= 2*minPages &&
		(!mostlyClosed(b, entries) || !people() && c.spread(filter(entries, (*entry).isForbidden))) {
		found = append(found, e)
	}
	if e, ok := c.onlyClosed(b, entries, addresses); ok && !people() {
		found = append(found, e)
	}
	if len(found) == 0 {
		return nil
	}
	if e, ok := c.noReferrer(b, entries, others); ok {
		found = append(found, e)
	}
	return append(found, Evidence{Kind: "many-addresses", Figures: map[string]float64{"addresses": float64(addresses)},
		Lines: c.lines(entries)})
}

// maybeNoStyles reports whether there are enough pages without their parts for evidence. The paths,
// which take more time to count, and the others then decide.
func (b *behaviour) maybeNoStyles() bool {
	return b.pages >= minPages && b.assets*assetShare <= b.pages
}

// noStyles returns the evidence of pages without their parts.
func (c *crowd) noStyles(b *behaviour, entries []*entry, others habits) (Evidence, bool) {
	if !b.maybeNoStyles() || b.paths < minPaths || !others.load() {
		return Evidence{}, false
	}
	return Evidence{
		Kind: "no-styles", Strong: b.paths >= manyPages && b.assets == 0,
		Figures: map[string]float64{"pages": float64(b.pages), "paths": float64(b.paths), "assets": float64(b.assets)},
		Lines:   c.lines(filter(entries, (*entry).isPage)),
	}, true
}

// noReferrer returns the evidence of documents without any Referer.
func (c *crowd) noReferrer(b *behaviour, entries []*entry, others habits) (Evidence, bool) {
	if b.documents < minDocuments || b.referred > 0 || !others.refer() {
		return Evidence{}, false
	}
	return Evidence{
		Kind: "no-referrer", Figures: map[string]float64{"requests": float64(b.documents)},
		Lines: c.lines(filter(entries, (*entry).isDocument)),
	}, true
}

// onlyClosed returns the evidence of documents that robots.txt closes, and that no people ask for.
func (c *crowd) onlyClosed(b *behaviour, entries []*entry, addresses int) (Evidence, bool) {
	open := b.documents - b.closed
	if b.documents < minDocuments || open*openShare > b.documents && open > min(b.closed, int64(addresses)) ||
		b.assets*assetShare > b.documents || onlyApps(entries) {
		return Evidence{}, false
	}
	closed := filter(entries, c.isClosed)
	if !c.spread(closed) {
		return Evidence{}, false
	}
	return Evidence{
		Kind: "only-closed", Figures: map[string]float64{"requests": float64(b.closed)}, Lines: c.lines(closed),
	}, true
}

// mostlyClosed reports whether robots.txt closes at least half of the documents of entries, also
// those that people ask for.
func mostlyClosed(b *behaviour, entries []*entry) bool {
	return 2*requestsOf(filter(entries, (*entry).isForbidden)) >= b.documents && b.documents > 0
}

// isForbidden reports whether an entry is a document that robots.txt closes to everyone.
func (e *entry) isForbidden() bool { return e.closed != 0 && e.isDocument() }

// isClosed reports whether an entry is a document that robots.txt closes, and that no people ask
// for.
func (c *crowd) isClosed(e *entry) bool {
	return e.closed != 0 && e.isDocument() && c.loaders >= minOthers &&
		c.passed[e.closed]*peopleShare <= c.loaders
}

// regular returns the evidence of gaps that are nearly equal: of all documents, or of one path. A
// sample that lacks requests has no gaps.
func (c *crowd) regular(entries []*entry) (best Evidence, ok bool) {
	if c.sampled() {
		return Evidence{}, false
	}
	documents := filter(entries, (*entry).isDocument)
	byPath := map[uint64][]*entry{}
	for _, e := range documents {
		byPath[e.path] = append(byPath[e.path], e)
	}
	series := [][]*entry{documents}
	for _, list := range byPath {
		if len(list) > minGaps {
			series = append(series, list)
		}
	}
	var first *entry
	for _, list := range series {
		gaps, share, median := regularity(list)
		if gaps < minGaps || share < regularShare || median < minMedian {
			continue
		}
		// The longest series counts, and of those with as many gaps the first.
		if n := float64(gaps); !ok || n > best.Figures["gaps"] || n == best.Figures["gaps"] &&
			compareMoments(list[0], first) < 0 {
			first = list[0]
			best, ok = Evidence{
				Kind: "regular", Strong: gaps >= manyGaps && share >= strictShare,
				Figures: map[string]float64{"gaps": n, "share": rounded(share), "median": float64(median)},
				Lines:   c.lines(list),
			}, true
		}
	}
	return best, ok
}

// regularity returns the number of gaps between different seconds, the median gap, and the share of
// the gaps that are near the median.
func regularity(entries []*entry) (gaps int, share float64, median int64) {
	var lengths []int64
	for i := 1; i < len(entries); i++ {
		if gap := entries[i].second - entries[i-1].second; gap > 0 {
			lengths = append(lengths, gap)
		}
	}
	if len(lengths) == 0 {
		return 0, 0, 0
	}
	slices.Sort(lengths)
	median = lengths[len(lengths)/2]
	near, within := 0, max(1, median/regularWithin)
	for _, gap := range lengths {
		if gap >= median-within && gap <= median+within {
			near++
		}
	}
	return len(lengths), float64(near) / float64(len(lengths)), median
}

// sequential returns the evidence of paths that differ by a number, in its order.
func (c *crowd) sequential(entries []*entry) (best Evidence, ok bool) {
	byTemplate := map[uint64][]*entry{}
	for _, e := range entries {
		if e.isDocument() && e.number >= 0 {
			byTemplate[e.template] = append(byTemplate[e.template], e)
		}
	}
	var first *entry
	for _, list := range byTemplate {
		numbers := map[int64]bool{}
		for _, e := range list {
			numbers[e.number] = true
		}
		if len(numbers) < minNumbers {
			continue
		}
		correlation := rankCorrelation(list)
		if math.Abs(correlation) < minCorrelation {
			continue
		}
		if n := float64(len(numbers)); !ok || n > best.Figures["numbers"] || n == best.Figures["numbers"] &&
			compareMoments(list[0], first) < 0 {
			first = list[0]
			best, ok = Evidence{
				Kind: "sequential", Strong: len(numbers) >= manyNumbers && math.Abs(correlation) >= strictCorrelation,
				Figures: map[string]float64{"numbers": n, "correlation": rounded(correlation)}, Lines: c.lines(list),
			}, true
		}
	}
	return best, ok
}

// rankCorrelation returns the correlation of the ranks of time and number (Spearman). Equal values
// have the mean of their ranks.
func rankCorrelation(entries []*entry) float64 {
	times := ranks(entries, func(e *entry) int64 { return e.second })
	numbers := ranks(entries, func(e *entry) int64 { return e.number })
	mean := float64(len(entries)-1) / 2
	var both, one, other float64
	for i := range entries {
		t, n := times[i]-mean, numbers[i]-mean
		both, one, other = both+t*n, one+t*t, other+n*n
	}
	if one == 0 || other == 0 {
		return 0
	}
	return both / math.Sqrt(one*other)
}

// ranks returns the ranks of the values of entries, from 0 on.
func ranks(entries []*entry, value func(*entry) int64) []float64 {
	order := make([]int, len(entries))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int { return cmp.Compare(value(entries[i]), value(entries[j])) })
	out := make([]float64, len(entries))
	for begin := 0; begin < len(order); {
		end := begin + 1
		for end < len(order) && value(entries[order[end]]) == value(entries[order[begin]]) {
			end++
		}
		for _, i := range order[begin:end] {
			out[i] = float64(begin+end-1) / 2
		}
		begin = end
	}
	return out
}

// allHours returns the evidence of requests in nearly all hours of a day.
func (c *crowd) allHours(documents []*entry) (Evidence, bool) {
	var hours []int64
	var begins []*entry
	for _, e := range documents {
		if hour := floorDiv(e.second, 3600); len(hours) == 0 || hours[len(hours)-1] != hour {
			hours, begins = append(hours, hour), append(begins, e)
		}
	}
	most, from := 0, 0
	for begin, end := 0, 0; end < len(hours); end++ {
		for hours[end]-hours[begin] >= 24 {
			begin++
		}
		if n := end - begin + 1; n > most {
			most, from = n, begin
		}
	}
	if most < minHours {
		return Evidence{}, false
	}
	return Evidence{Kind: "all-hours", Figures: map[string]float64{"hours": float64(most)},
		Lines: c.lines(begins[from:])}, true
}

func filter(entries []*entry, keep func(*entry) bool) (some []*entry) {
	for _, e := range entries {
		if keep(e) {
			some = append(some, e)
		}
	}
	return some
}

// rounded returns a figure with three digits after the point.
func rounded(x float64) float64 { return math.Round(x*1000) / 1000 }
