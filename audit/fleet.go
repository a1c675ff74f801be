package audit

import (
	"math"
	"slices"
)

// A fleet is clients at many addresses whose headers are the same, or differ in their numbers only,
// such as those of versions.

// masks returns by text the number of its mask: texts have the same if they differ in their numbers
// only.
func (i *interner) masks() []uint32 {
	var masks interner
	numbers := make([]uint32, 0, len(i.spans))
	var mask []byte
	for _, header := range i.all() {
		mask = appendMask(mask[:0], header)
		numbers = append(numbers, masks.number(text(mask), secretHash(mask)))
	}
	return numbers
}

// appendMask appends a header with 0 for each number: digits, and the dots and low lines between.
func appendMask(mask, header []byte) []byte {
	for i := 0; i < len(header); i++ {
		if !isDigit(header[i]) {
			mask = append(mask, header[i])
			continue
		}
		mask = append(mask, '0')
		for i+1 < len(header) && (isDigit(header[i+1]) || header[i+1] == '.' || header[i+1] == '_') {
			i++
		}
	}
	return mask
}

const noMask = math.MaxUint32

// oneMask returns the mask of the headers of a client that has only one.
func (c *crowd) oneMask(client client) (uint32, bool) {
	mask := c.masks[client.entries[0].header]
	for _, e := range client.entries {
		if c.masks[e.header] != mask {
			return 0, false
		}
	}
	return mask, true
}

// closed returns the rules that close what a client asked for.
func (c client) closed() map[uint32]bool {
	rules := map[uint32]bool{}
	for _, e := range c.entries {
		if e.closed != 0 {
			rules[e.closed] = true
		}
	}
	return rules
}

// kinds says of others whether some kind of them, by the masks of headers, loads parts of pages and
// sends Referers. One kind is without some clients.
func (c *crowd) kinds(others habits, mask uint32, without habits) habits {
	for m, h := range c.byMask {
		if m == mask {
			h = h.plus(-1, without)
		}
		others.kindLoads = others.kindLoads || h.loaders >= minOthers && h.loaders*kindShare >= h.viewers
		others.kindRefers = others.kindRefers || h.referrers >= minOthers && h.referrers*kindShare >= h.readers
	}
	return others
}

// fleets returns the suspects at many addresses: by mask, by header, and the clients that have
// nothing in common but what they ask for.
func (c *crowd) fleets() (suspects []*Suspect) {
	byMask, byHeader := map[uint32][]*entry{}, map[uint32][]*entry{}
	for _, client := range c.clients {
		for _, e := range client.entries {
			if len(c.sample.headers.bytes(e.header)) > 0 {
				byMask[c.masks[e.header]] = append(byMask[c.masks[e.header]], e)
				byHeader[e.header] = append(byHeader[e.header], e)
			}
		}
	}
	found := map[uint32]bool{} // by header
	add := func(entries []*entry, mask uint32, own habits) {
		if s := c.fleet(entries, mask, own); s != nil {
			suspects = append(suspects, s)
			for _, e := range entries {
				found[e.header] = true
			}
		}
	}
	for mask, entries := range byMask {
		add(entries, mask, c.byMask[mask])
	}
	for header, entries := range byHeader {
		if !found[header] {
			add(entries, c.masks[header], c.byHeader[header])
		}
	}
	if s := c.crew(found); s != nil {
		suspects = append(suspects, s)
	}
	return suspects
}

// fleet returns the entries of a mask or a header as a suspect, or nil. The clients that have no
// other headers have own habits.
func (c *crowd) fleet(entries []*entry, mask uint32, own habits) *Suspect {
	if len(entries) < minAddresses {
		return nil
	}
	b := newBehaviour(entries)
	if b.assets*assetShare > b.documents || b.requests < minRequests {
		return nil
	}
	slices.SortFunc(entries, compareMoments)
	b.paths = countPaths(entries)
	b.closed = requestsOf(filter(entries, c.isClosed))
	s := c.newSuspect(entries)
	others := c.kinds(c.habits.plus(-1, own), mask, own)
	people := func() bool { return own.loaders >= minOthers || c.pools.likePeople(entries) }
	if s.Evidence = c.headerEvidence(&b, entries, s.Addresses, others, people); strength(s.Evidence) < 2 {
		return nil
	}
	return s
}

// A crewKey is a rule, and whether the clients that ask for what it closes have headers that people
// have too, or that differ from these in their numbers only.
type crewKey struct {
	rule     uint32
	familiar bool
}

// key returns the key of a client whose first closed document is e.
func (c *crowd) key(e *entry) crewKey {
	return crewKey{e.closed, c.byMask[c.masks[e.header]].loaders > 0}
}

// A crewGroup is clients with the same crewKey.
type crewGroup struct {
	askers    int // those that ask for what the rule closes
	members   []client
	referrers []uint32 // by member, the constant Referer
}

// crew returns as one suspect the clients that ask only for what robots.txt closes and people do
// not ask for, after one open page at most, load nothing with it and come from nowhere, or all from
// the same place, if they are many and spread over many targets. Their headers may be anything but
// those of suspects.
func (c *crowd) crew(found map[uint32]bool) *Suspect {
	groups, sameReferrer := c.crewGroups(found)
	var all []*entry
	addresses := 0
	for key, group := range groups {
		var members []client
		var closed []*entry
		for i, client := range group.members {
			if referrer := group.referrers[i]; referrer != 0 && (sameReferrer[referrer] < minAddresses ||
				key.familiar && !c.sent[referrer]) {
				continue // the pages of other sites, in browsers, send what no visitor sends
			}
			members = append(members, client)
			closed = append(closed, filter(client.entries, c.isClosed)...)
		}
		led, ok := c.strays(closed)
		if !ok || onwardMany(group.askers-len(members), group.askers) {
			continue
		}
		for _, client := range members {
			if !led[client.entries[0].network()] {
				addresses++
				all = append(all, client.entries...)
			}
		}
	}
	if addresses < manyAddresses {
		return nil
	}
	slices.SortFunc(all, compareMoments)
	s := c.newSuspect(all)
	documents := filter(all, (*entry).isDocument)
	add := func(kind, name string, n int64, entries []*entry) {
		if n > 0 {
			figures := map[string]float64{name: float64(n)}
			s.Evidence = append(s.Evidence, Evidence{Kind: kind, Figures: figures, Lines: c.lines(entries)})
		}
	}
	closed := filter(all, c.isClosed)
	add("only-closed", "requests", requestsOf(closed), closed)
	referred := filter(documents, func(e *entry) bool { return e.referred })
	unreferred := filter(documents, func(e *entry) bool { return !e.referred })
	add("no-referrer", "requests", requestsOf(unreferred), unreferred)
	add("same-referrer", "requests", requestsOf(referred), referred)
	add("many-addresses", "addresses", int64(addresses), all)
	return s
}

// crewGroups divides the clients that ask for what robots.txt closes and people do not ask for, and
// counts the clients that are quiet by their constant Referers.
func (c *crowd) crewGroups(found map[uint32]bool) (map[crewKey]*crewGroup, map[uint32]int) {
	groups, sameReferrer := map[crewKey]*crewGroup{}, map[uint32]int{}
	for _, client := range c.clients {
		first, ok := firstAnswered(client.entries, c.isClosed)
		if !ok || slices.ContainsFunc(client.entries, func(e *entry) bool { return e.app || found[e.header] }) {
			continue
		}
		key := c.key(first)
		group := groups[key]
		if group == nil {
			group = &crewGroup{}
			groups[key] = group
		}
		group.askers++
		if referrer, ok := c.quiet(client); ok {
			group.members = append(group.members, client)
			group.referrers = append(group.referrers, referrer)
			sameReferrer[referrer]++
		}
	}
	return groups, sameReferrer
}
