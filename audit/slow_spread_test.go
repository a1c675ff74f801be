package audit_test

import (
	"cmp"
	"math"
	"slices"
	"strings"
)

// This file is the slow twin of how clients spread over what robots.txt closes. The sentences are
// those of decision 238.

// A slowKey is a rule, and whether clients that load styles have such headers.
type slowKey struct {
	rule     string
	familiar bool
}

func (c *slowCrowd) keyOf(e slowEntry) slowKey {
	if c.masks == nil {
		c.masks = map[string]bool{}
		for _, client := range c.clients {
			of := client.entries
			if views(of) && loads(of) && distinct(of, slowEntry.mask) == 1 {
				c.masks[of[0].mask()] = true
			}
		}
	}
	return slowKey{e.closed, c.masks[e.mask()]}
}

func (e slowEntry) mask() string { return withoutNumbers(cutTo256(e.agent)) }

// knows reports whether a client that loads styles sent a Referer.
func (c *slowCrowd) knows(referrer string) bool {
	return slices.ContainsFunc(c.clients, func(client slowClient) bool {
		return views(client.entries) && loads(client.entries) &&
			slices.ContainsFunc(client.entries, func(e slowEntry) bool { return e.referrer == referrer })
	})
}

func (e slowEntry) isRedirected() bool { return e.status/100 == 3 && e.status != 304 }

func (e slowEntry) isForbidden() bool { return e.closed != "" && e.isDocument() }

func firstOf(entries []slowEntry, is func(slowEntry) bool) *slowEntry {
	if list := having(entries, is); len(list) > 0 {
		return &list[0]
	}
	return nil
}

func firstForbidden(entries []slowEntry) *slowEntry {
	return firstOf(entries, func(e slowEntry) bool { return e.isForbidden() && !e.isRedirected() })
}

// "A number in the path that is the time of the request, in seconds or thousandths, within a day,
// is not part of the target."
func (e slowEntry) target() string {
	m := lastNumber.FindStringSubmatch(e.path)
	if m == nil {
		return e.path
	}
	n := numberIn(e.path)
	if math.Abs(n-float64(e.at)) < day || math.Abs(math.Floor(n/1000)-float64(e.at)) < day {
		return m[1] + " " + m[3]
	}
	return e.path
}

// clientsBy returns how many clients ask for a target.
func clientsBy(entries []slowEntry) map[string]float64 {
	pairs, by := map[[2]string]bool{}, map[string]float64{}
	for _, e := range entries {
		pair := [2]string{networkOf(e.client), e.target()}
		if !pairs[pair] && !e.isRedirected() {
			by[e.target()]++
		}
		pairs[pair] = pairs[pair] || !e.isRedirected()
	}
	return by
}

// repeated reports whether one in five of the requests that are answered with content are for a
// target that the client has already.
func repeated(entries []slowEntry) bool {
	got := having(entries, func(e slowEntry) bool { return e.status/100 == 2 || e.status == 304 })
	once := distinct(got, func(e slowEntry) [2]string { return [2]string{networkOf(e.client), e.target()} })
	again := total(got) - int64(once)
	return again > 0 && again*5 >= total(got)
}

// spreads returns the popular targets, those with ten times as many clients as the middle one, and
// whether at most half of the clients ask for one, and the others spread: the number of targets, if
// all had the same share, is 50, or half of the requests. "In a sample no target may have
// one request in fifty."
func (c *slowCrowd) spreads(entries []slowEntry) (popular map[string]bool, ok bool) {
	by := clientsBy(entries)
	if len(by) == 0 || repeated(entries) {
		return nil, false
	}
	var counts []float64
	pairs := 0.0
	for _, n := range by {
		counts = append(counts, n)
		pairs += n
	}
	slices.Sort(counts)
	popular = map[string]bool{}
	for target, n := range by {
		if n >= 10*counts[len(counts)/2] {
			popular[target] = true
			if c.sampled && n*50 >= pairs {
				return nil, false
			}
		}
	}
	answered := having(entries, func(e slowEntry) bool { return !e.isRedirected() })
	led := map[string]bool{}
	for _, e := range answered {
		led[networkOf(e.client)] = led[networkOf(e.client)] || popular[e.target()]
	}
	rest := having(answered, func(e slowEntry) bool { return !led[networkOf(e.client)] })
	byName := func(e slowEntry) string { return networkOf(e.client) }
	if distinct(rest, byName)*2 < len(led) || len(rest) == 0 {
		return nil, false
	}
	sum, squares := 0.0, 0.0
	for _, n := range clientsBy(rest) {
		sum += n
		squares += n * n
	}
	return popular, sum*sum/squares >= 50 || sum/squares >= 0.5
}

// goesOn reports whether a client loads a part of a page or sends something, or asks, after the
// first document that is closed, for open ones, which are more than one in twenty.
func goesOn(entries []slowEntry, first slowEntry) bool {
	documents := having(entries, slowEntry.isDocument)
	open := having(documents, func(e slowEntry) bool { return !e.isForbidden() })
	later := slices.ContainsFunc(open, func(e slowEntry) bool {
		return e.at > first.at || e.at == first.at && e.hash > first.hash
	})
	other := func(e slowEntry) bool { return !e.isDocument() && !isRobotsTxt(e.visit) }
	return slices.ContainsFunc(entries, other) ||
		later && total(open)*20 > total(documents)
}

// A slowPool is clients that ask for what is forbidden to robots.
type slowPool struct {
	clients, onward int
	forbidden       []slowEntry
	by              map[string]float64
	spread          bool
}

// poolBy divides the clients by what a function says of the first that each of them asks for.
func poolBy[K comparable](c *slowCrowd, kind func(slowEntry) K) map[K]*slowPool {
	pools := map[K]*slowPool{}
	for _, client := range c.clients {
		first := firstForbidden(client.entries)
		if first == nil {
			continue
		}
		p := pools[kind(*first)]
		if p == nil {
			p = &slowPool{}
			pools[kind(*first)] = p
		}
		p.clients++
		if goesOn(client.entries, *first) {
			p.onward++
		}
		p.forbidden = append(p.forbidden, having(client.entries, slowEntry.isForbidden)...)
	}
	for _, p := range pools {
		p.by = clientsBy(p.forbidden)
		_, p.spread = c.spreads(p.forbidden)
	}
	return pools
}

// pools returns the pool of the clients with headers like that of an entry, and of those that first
// ask for what the same rule closes.
func (c *slowCrowd) pools(e slowEntry) (mask, key slowPool) {
	if c.byMask == nil {
		c.byMask, c.byKey = poolBy(c, slowEntry.mask), poolBy(c, c.keyOf)
	}
	var none slowPool
	return *cmp.Or(c.byMask[e.mask()], &none), *cmp.Or(c.byKey[c.keyOf(e)], &none)
}

// likePeople reports whether more than one in ten of the clients with a header goes on, or they do
// not spread; or whether both is so of the clients of the same rule, if the header has few.
func (c *slowCrowd) likePeople(entries []slowEntry) bool {
	first := firstForbidden(entries)
	if first == nil {
		return false
	}
	mask, key := c.pools(*first)
	people := func(p slowPool) bool { return p.onward*10 > p.clients || !p.spread }
	return people(mask) || (mask.clients < 50 || c.sampled) && people(key)
}

// likeApp reports whether a client asks again and again, or for what half of ten clients or more
// with its headers, or of its rule, ask for. "In a sample it is enough that these do not spread."
func (c *slowCrowd) likeApp(entries []slowEntry) bool {
	first := firstForbidden(entries)
	if first == nil {
		return false
	}
	forbidden := having(entries, slowEntry.isForbidden)
	app := repeated(forbidden)
	mask, key := c.pools(*first)
	for _, p := range []slowPool{mask, key} {
		if p.clients < 10 {
			continue
		}
		app = app || c.sampled && !p.spread
		for target, n := range p.by {
			app = app || 2*int(n) >= p.clients &&
				slices.ContainsFunc(forbidden, func(e slowEntry) bool { return e.target() == target })
		}
	}
	return app
}

func mostlyForbidden(entries []slowEntry) bool {
	documents := total(having(entries, slowEntry.isDocument))
	return documents > 0 && 2*total(having(entries, slowEntry.isForbidden)) >= documents
}

// quiet returns the Referer that all documents of a client have, but perhaps the first if that has
// none, and whether it asks for documents only: one open one at most, in a second before all
// others.
func (c *slowCrowd) quiet(entries []slowEntry) (referrer string, ok bool) {
	entries = having(entries, func(e slowEntry) bool {
		return !isRobotsTxt(e.visit) && !(c.isClosed(e) && e.isRedirected())
	})
	if slices.ContainsFunc(entries, func(e slowEntry) bool { return !e.isDocument() }) {
		return "", false
	}
	open := having(entries, func(e slowEntry) bool { return !c.isClosed(e) })
	late := len(open) == 1 && (open[0].hash != entries[0].hash || len(entries) > 1 && entries[1].at == open[0].at)
	if total(open) > 1 || late {
		return "", false
	}
	referrers := make([]string, 0, len(entries))
	for _, e := range entries {
		referrers = append(referrers, strings.TrimSpace(e.referrer))
	}
	if len(referrers) > 1 && referrers[0] == "" {
		referrers = referrers[1:]
	}
	return referrers[0], len(slices.Compact(referrers)) == 1
}
