package audit

import (
	"cmp"
	"maps"
	"slices"
	"time"
)

// A program that reads a site through many addresses spreads over its targets: each of them is
// asked for about as often as the next, and rarely twice by one client. People who follow the links
// of one letter ask for a few targets, an app begins with the same ones each time and asks for its
// own again and again, and some of the people go on from there.

const (
	// manyTargets are more targets than a letter has links.
	manyTargets = 50
	// popularTimes: a target that ten times as many clients ask for as for the middle one is
	// the beginning of an app, or the first link of a letter.
	popularTimes = 10
	// repeatShare: an app that polls repeats most requests; one in five is more than retries.
	repeatShare = 5
	// commonShare: in a sample, one request in fifty for one target is how most clients begin.
	commonShare = 50
	// onwardShare: of the people who follow a link, more than one in ten load a part of a page
	// or follow another link.
	onwardShare = 10
)

// A wish is a target of a client.
type wish struct {
	client [16]byte
	target uint64
}

// target returns the hash of what an entry asked for, with its query. A number that is the time of
// the request only keeps caches from answering.
func (e *entry) target() uint64 {
	const near = int64(24 * time.Hour / time.Second)
	for _, number := range []int64{e.number, e.number / 1000} {
		if e.number >= 0 && e.second-near < number && number < e.second+near {
			return e.template
		}
	}
	return e.path
}

// answered is an entry that is not redirected: links that count clicks are.
func (e *entry) answered() bool { return e.status != 3 }

// spread reports whether the clients of entries spread over targets as a program does.
func (c *crowd) spread(entries []*entry) bool {
	_, ok := c.strays(entries)
	return ok
}

// strays returns the clients of entries that ask for popular targets, and whether the others, most
// of them, spread over targets as a program does.
func (c *crowd) strays(entries []*entry) (led map[[16]byte]bool, ok bool) {
	wishes := wishesOf(entries)
	askers := askersOf(wishes)
	if len(askers) == 0 || repeats(entries) {
		return nil, false
	}
	counts := slices.Sorted(maps.Values(askers))
	popular := popularTimes * counts[len(counts)/2]
	if most := counts[len(counts)-1]; c.sampled() && most >= popular && most*commonShare >= len(wishes) {
		return nil, false // the sample lacks what most clients begin with
	}
	clients := map[[16]byte]bool{}
	led = map[[16]byte]bool{}
	for w := range wishes {
		clients[w.client] = true
		if askers[w.target] >= popular {
			led[w.client] = true
		}
	}
	maps.DeleteFunc(wishes, func(w wish, _ bool) bool { return led[w.client] })
	if 2*len(led) > len(clients) || len(wishes) == 0 {
		return nil, false
	}
	// The number of targets, if all were asked for alike, is sum * sum / squares.
	sum, squares := len(wishes), 0
	for _, n := range askersOf(wishes) {
		squares += n * n
	}
	return led, sum*sum >= manyTargets*squares || 2*sum >= squares
}

func wishesOf(entries []*entry) map[wish]bool {
	wishes := map[wish]bool{}
	for _, e := range entries {
		if e.answered() {
			wishes[wish{e.network(), e.target()}] = true
		}
	}
	return wishes
}

// askersOf returns the number of clients by target.
func askersOf(wishes map[wish]bool) map[uint64]int {
	askers := map[uint64]int{}
	for w := range wishes {
		askers[w.target]++
	}
	return askers
}

// repeats reports whether clients ask again for targets whose content they have.
func repeats(entries []*entry) bool {
	got := map[wish]bool{}
	all := int64(0)
	for _, e := range entries {
		if e.status == 2 {
			got[wish{e.network(), e.target()}] = true
			all += e.count
		}
	}
	again := all - int64(len(got))
	return again > 0 && again*repeatShare >= all
}

// quiet reports whether a client asked for documents only, of which the first one may be open, and
// with which constant Referer: 0 if it sent none. Only its first request may lack the Referer that
// the others have.
func (c *crowd) quiet(client client) (referrer uint32, ok bool) {
	documents := 0
	opened := int64(0)
	var open, last *entry
	for _, e := range client.entries {
		closed := c.isClosed(e)
		switch {
		case e.class == rulesTarget, closed && !e.answered():
			continue
		case !e.isDocument():
			return 0, false
		case !closed:
			open = e
			if opened += e.count; opened > 1 || last != nil {
				return 0, false
			}
		default:
			if last = e; open != nil && open.second == e.second {
				return 0, false
			}
		}
		if documents++; e.referrer != referrer {
			if documents > 2 || documents == 2 && referrer != 0 {
				return 0, false
			}
			referrer = e.referrer
		}
	}
	return referrer, true
}

// firstAnswered returns the first of some entries that a function chooses and that is answered.
func firstAnswered(entries []*entry, chosen func(*entry) bool) (*entry, bool) {
	i := slices.IndexFunc(entries, func(e *entry) bool { return e.answered() && chosen(e) })
	if i < 0 {
		return nil, false
	}
	return entries[i], true
}

// A pool is the clients that ask for what robots.txt closes, also for what people ask for, under
// headers with one mask, or with one key.
type pool struct {
	askers int
	onward int      // those that go on from there
	closed []*entry // what they asked for
	spread bool
	common map[uint64]bool // the targets that half of the askers ask for; nil before look
}

// onwardMany reports whether more clients than programs go on.
func onwardMany(onward, askers int) bool { return onward*onwardShare > askers }

// pools are the clients of a crowd in pools, if they are needed.
type pools struct {
	c      *crowd
	byMask map[uint32]*pool
	byKey  map[crewKey]*pool
}

// of returns the pools of the clients whose first document that robots.txt closes is like e: by its
// mask, and by its key.
func (ps *pools) of(e *entry) (mask, key *pool) {
	if ps.byMask == nil {
		ps.fill()
	}
	mask, key = ps.byMask[ps.c.masks[e.header]], ps.byKey[ps.c.key(e)]
	for _, p := range []*pool{mask, key} {
		if p != nil && p.common == nil {
			ps.look(p)
		}
	}
	return cmp.Or(mask, &pool{}), cmp.Or(key, &pool{})
}

// fill divides the clients.
func (ps *pools) fill() {
	c := ps.c
	ps.byMask, ps.byKey = map[uint32]*pool{}, map[crewKey]*pool{}
	for _, client := range c.clients {
		first, ok := firstAnswered(client.entries, (*entry).isForbidden)
		if !ok {
			continue
		}
		closed, onward := filter(client.entries, (*entry).isForbidden), client.goesOn(first)
		addTo(ps.byMask, c.masks[first.header], closed, onward)
		addTo(ps.byKey, c.key(first), closed, onward)
	}
}

// look looks at what the clients of a pool ask for.
func (ps *pools) look(p *pool) {
	p.spread, p.common = ps.c.spread(p.closed), map[uint64]bool{}
	for target, n := range askersOf(wishesOf(p.closed)) {
		if p.askers >= minOthers && 2*n >= p.askers {
			p.common[target] = true
		}
	}
}

func addTo[K comparable](pools map[K]*pool, key K, closed []*entry, onward bool) {
	p := pools[key]
	if p == nil {
		p = &pool{}
		pools[key] = p
	}
	p.askers++
	p.onward += int(boolByte(onward))
	p.closed = append(p.closed, closed...)
}

// goesOn reports whether a client loads a part of a page or sends something, or follows a link from
// its first closed document.
func (c client) goesOn(first *entry) bool {
	open, documents, follows := int64(0), int64(0), false
	for _, e := range c.entries {
		if e.class == rulesTarget {
			continue
		}
		if !e.isDocument() {
			return true
		}
		documents += e.count
		if !e.isForbidden() {
			open += e.count
			follows = follows || compareMoments(first, e) < 0
		}
	}
	return follows && open*openShare > documents
}

// likePeople reports whether clients with the header of some entries ask for what robots.txt closes
// as people do. By chance none of a few goes on, and each asks for something else: then the others
// tell more that ask for what the same rule closes.
func (ps *pools) likePeople(entries []*entry) bool {
	first, ok := firstAnswered(entries, (*entry).isForbidden)
	if !ok {
		return false
	}
	m, k := ps.of(first)
	return onwardMany(m.onward, m.askers) || !m.spread ||
		(m.askers < manyAddresses || ps.c.sampled()) && (onwardMany(k.onward, k.askers) || !k.spread)
}

// likeApp reports whether a client asks for its data as an app does: again and again, or after what
// others with such headers, or of the same rule, begin with too.
func (ps *pools) likeApp(entries []*entry) bool {
	closed := filter(entries, (*entry).isForbidden)
	first, ok := firstAnswered(closed, (*entry).isForbidden)
	if !ok {
		return false
	}
	m, k := ps.of(first)
	if ps.c.sampled() && (m.askers >= minOthers && !m.spread || k.askers >= minOthers && !k.spread) {
		return true // how it began may be missing
	}
	return repeats(closed) || slices.ContainsFunc(closed, func(e *entry) bool {
		return m.common[e.target()] || k.common[e.target()]
	})
}
