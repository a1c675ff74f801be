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
	if s.Evidence = c.headerEvidence(&b, entries, s.Addresses, others); strength(s.Evidence) < 2 {
		return nil
	}
	return s
}

// crew returns as one suspect the clients that ask only for what robots.txt closes and people do
// not ask for, load nothing with it and come from nowhere, if they are many. Their headers may be
// anything but those of suspects.
func (c *crowd) crew(found map[uint32]bool) *Suspect {
	var all []*entry
	addresses := 0
	for _, client := range c.clients {
		if slices.ContainsFunc(client.entries, func(e *entry) bool {
			return !c.isClosed(e) || e.referred || e.app || found[e.header]
		}) {
			continue
		}
		addresses++
		all = append(all, client.entries...)
	}
	if addresses < manyAddresses {
		return nil
	}
	slices.SortFunc(all, compareMoments)
	b := newBehaviour(all)
	b.closed = b.documents
	s := c.newSuspect(all)
	closed, _ := c.onlyClosed(&b, all)
	s.Evidence = []Evidence{closed, {Kind: "no-referrer", Figures: map[string]float64{"requests": float64(b.documents)},
		Lines: c.lines(all)}, {Kind: "many-addresses", Figures: map[string]float64{"addresses": float64(addresses)},
		Lines: c.lines(all)}}
	return s
}
