package audit

import (
	"bytes"
	"cmp"
	"maps"
	"net/netip"
	"slices"
	"strings"
	"time"

	"github.com/robotsexclusion/robots/agent"
)

// A Suspect is a client that does not call itself a robot and behaves like one: an address, or a
// User-Agent header at many addresses, or headers that differ in their numbers only. Clients at
// many addresses that only ask for what robots.txt closes, after at most one open page, are one
// suspect, whatever their headers. A suspicion is not a proof. All numbers are of the requests in
// Report.Sample.
type Suspect struct {
	// Address is an IPv4 address, or the first 64 bits of IPv6 addresses as a prefix. It is "" if
	// the suspect is a header.
	Address string `json:"address,omitempty"`
	// UserAgent is the suspect's most frequent header, cut to 256 bytes.
	UserAgent string `json:"user_agent"`

	Addresses  int        `json:"addresses"`
	UserAgents int        `json:"user_agents"`
	Requests   int64      `json:"requests"`
	First      time.Time  `json:"first"`
	Last       time.Time  `json:"last"`
	Evidence   []Evidence `json:"evidence"` // at least two, or a strong one
}

// Evidence is a reason for a suspicion. Its Kind is one of
//
//   - "no-styles": it got pages, and next to none of the styles, scripts, images and fonts that
//     other clients load with them. Figures: pages, paths, assets.
//   - "no-referrer": it sent no Referer with any request for a document, and other clients do.
//     Figures: requests.
//   - "robots-txt": it requested /robots.txt. Figures: requests.
//   - "regular": the gaps between its requests, or between those for one path, are nearly equal.
//     Figures: gaps, share (of the gaps that are near the median), median (in seconds).
//   - "sequential": it requested paths that differ by a number, in the order of the numbers.
//     Figures: numbers, correlation (of the ranks of number and time).
//   - "rapid": it requested many documents in a minute of the clock. Figures: peak.
//   - "all-hours": it made requests in nearly every hour of a day. Figures: hours.
//   - "only-closed": it asked for documents that robots.txt closes to everyone, many different
//     ones, and next to nothing else, and next to none of the clients that load styles do. Figures:
//     requests.
//   - "same-referrer": clients at many addresses sent one Referer with all of their documents, but
//     perhaps the first. Figures: requests.
//   - "many-addresses": the header is used so at many addresses. Figures: addresses.
type Evidence struct {
	Kind    string             `json:"kind"`
	Strong  bool               `json:"strong"` // enough without another
	Figures map[string]float64 `json:"figures"`
	Lines   []Line             `json:"lines"` // one or two lines that show it
}

// A Line is the place of a line in a log.
type Line struct {
	Log  string `json:"log"`
	Line int    `json:"line"`
}

// A Sample has the number of requests in which suspects and peaks were looked for: those with the
// smallest hashes. If nothing was left out, Kept is Requests.
type Sample struct {
	Requests int64 `json:"requests"`
	Kept     int64 `json:"kept"`
}

// A Peak is the fastest minute of a client, robot or not. If the sample of its kind lacks requests,
// the true peak is higher.
type Peak struct {
	Address   string    `json:"address"`
	UserAgent string    `json:"user_agent"` // of the first request of the minute
	Robot     bool      `json:"robot"`      // it calls itself a robot or a program
	Sampled   bool      `json:"sampled"`    // some requests are not counted
	Requests  int64     `json:"requests"`
	Minute    time.Time `json:"minute"`
	Lines     []Line    `json:"lines"`
}

// maxSuspects and maxPeaks limit the lists of a report.
const (
	maxSuspects = 1_000
	maxPeaks    = 20
	// minPeak is the least number of requests in a minute that is reported: a person who opens a
	// page with many images stays below.
	minPeak = 120
)

// addSuspects adds the suspects and the peaks.
func (r *reporter) addSuspects() {
	r.report.Suspects = []Suspect{}
	r.report.Sample = r.people.report()
	r.report.CallerSample = r.callers.report()
	robots := r.auditor.options.Robots
	c, callers := newCrowd(&r.people, robots), newCrowd(&r.callers, robots)
	r.report.Peaks = append(peaks(c, false), peaks(callers, true)...)
	slices.SortFunc(r.report.Peaks, comparePeaks)
	r.report.Peaks = slices.Clip(r.report.Peaks[:min(len(r.report.Peaks), maxPeaks)])
	for _, client := range c.clients {
		if a := client.address; a.Addr().IsLoopback() || a.Contains(loopback6) {
			continue // the site's own software, or a proxy
		}
		r.suspect(c.suspect(client))
	}
	for _, fleet := range c.fleets() {
		r.suspect(fleet)
	}
	slices.SortFunc(r.report.Suspects, func(s, t Suspect) int {
		return cmp.Or(-cmp.Compare(len(s.Evidence), len(t.Evidence)), -cmp.Compare(s.Requests, t.Requests),
			strings.Compare(s.Address, t.Address), strings.Compare(s.UserAgent, t.UserAgent))
	})
	if n := len(r.report.Suspects) - maxSuspects; n > 0 {
		r.report.Suspects = slices.Clip(r.report.Suspects[:maxSuspects])
		r.report.MoreSuspects = n
	}
}

func (r *reporter) suspect(s *Suspect) {
	if s != nil {
		r.report.Suspects = append(r.report.Suspects, *s)
	}
}

func (s *sample) report() Sample {
	kept := int64(0)
	for e := range s.all {
		kept += e.count
	}
	return Sample{Requests: s.total, Kept: kept}
}

// A crowd is the clients of a sample.
type crowd struct {
	*sample
	clients []client // by address
	habits
	// byHeader has the habits of the clients that have one header only, and byMask those of the
	// clients whose headers differ in their numbers only.
	byHeader, byMask map[uint32]habits
	masks            []uint32        // by header
	passed           map[uint32]int  // by rule: how many of the loaders asked for what it closes
	sent             map[uint32]bool // the Referers of the loaders
	pools            pools
}

// habits count clients by their behaviour, to compare a client with the others.
type habits struct {
	viewers   int // got pages
	loaders   int // of viewers, those that got at least as many parts of pages
	readers   int // requested several documents
	referrers int // of readers, those that sent a Referer with one

	kindLoads, kindRefers bool // most clients of some kind, by their headers, do
}

// load reports whether clients with these habits load the parts of pages.
func (h habits) load() bool {
	return h.kindLoads || h.loaders >= minOthers && h.loaders*otherShare >= h.viewers
}

// refer reports whether clients with these habits send a Referer.
func (h habits) refer() bool {
	return h.kindRefers || h.referrers >= minOthers && h.referrers*otherShare >= h.readers
}

// habits returns the behaviour of one client.
func (b *behaviour) habits() (h habits) {
	if b.pages > 0 {
		h.viewers = 1
		if b.assets >= b.pages {
			h.loaders = 1
		}
	}
	if b.documents > 1 {
		h.readers = 1
		if b.referred > 0 {
			h.referrers = 1
		}
	}
	return h
}

// plus adds n times the habits of others.
func (h habits) plus(n int, g habits) habits {
	return habits{viewers: h.viewers + n*g.viewers, loaders: h.loaders + n*g.loaders, readers: h.readers + n*g.readers,
		referrers: h.referrers + n*g.referrers}
}

// A client is the entries of a client, by time.
type client struct {
	address netip.Prefix // invalid for a header
	entries []*entry
}

// newCrowd divides a sample into clients by address. The table says which headers are those of
// apps.
func newCrowd(s *sample, robots *agent.Table) *crowd {
	c := &crowd{sample: s, byHeader: map[uint32]habits{}, byMask: map[uint32]habits{}, masks: s.headers.masks(),
		passed: map[uint32]int{}, sent: map[uint32]bool{}}
	c.pools.c = c
	apps := s.headers.apps(robots)
	entries := make([]entry, 0, len(s.settled)) // copies: the part stays as it is
	for e := range s.all {
		entries = append(entries, *e)
		entries[len(entries)-1].app = apps[e.header]
	}
	c.divide(entries)
	for _, client := range c.clients {
		slices.SortFunc(client.entries, compareMoments)
		b := newBehaviour(client.entries)
		h := b.habits()
		c.habits = c.habits.plus(1, h)
		if header, ok := client.oneHeader(); ok {
			c.byHeader[header] = c.byHeader[header].plus(1, h)
		}
		if mask, ok := c.oneMask(client); ok {
			c.byMask[mask] = c.byMask[mask].plus(1, h)
		}
		if h.loaders > 0 {
			for rule := range client.closed() {
				c.passed[rule]++
			}
			for _, e := range client.entries {
				c.sent[e.referrer] = true
			}
		}
	}
	return c
}

// divide divides entries into clients by address, those without an address apart. The clients have
// parts of one array.
func (c *crowd) divide(entries []entry) {
	var numbers interner                // of clients, by network
	owners := make([]int, len(entries)) // by entry, the number of the client; -1 for none
	var counts []int                    // of entries, by client
	for i := range entries {
		e := &entries[i]
		if e.client == [16]byte{} {
			owners[i] = -1
			continue
		}
		network := e.network()
		n := int(numbers.number(text(network[:]), secretHash(network[:])))
		if n == len(counts) {
			counts = append(counts, 0)
		}
		owners[i] = n
		counts[n]++
	}
	array := make([]*entry, len(entries))
	c.clients = make([]client, len(counts))
	for n, count := range counts {
		c.clients[n].entries, array = array[:0:count], array[count:]
	}
	for i, n := range owners {
		if n >= 0 {
			c.clients[n].entries = append(c.clients[n].entries, &entries[i])
		}
	}
	for n := range c.clients {
		c.clients[n].address = c.clients[n].entries[0].address()
	}
}

// apps says of each text whether it is the header of an app.
func (i *interner) apps(robots *agent.Table) []bool {
	apps := make([]bool, len(i.spans))
	byShape := map[uint64]bool{} // by secret hash
	var shape []byte
	for n, header := range i.all() {
		shape = appendShape(shape[:0], header)
		secret := secretHash(shape)
		app, ok := byShape[secret]
		if !ok {
			app = robots.Lookup(text(header)).Kind == agent.App
			byShape[secret] = app
		}
		apps[n] = app
	}
	return apps
}

func compareMoments(d, e *entry) int {
	return cmp.Or(cmp.Compare(d.second, e.second), cmp.Compare(d.hash, e.hash))
}

// oneHeader returns the header of a client that has only one.
func (c client) oneHeader() (uint32, bool) {
	for _, e := range c.entries {
		if e.header != c.entries[0].header {
			return 0, false
		}
	}
	return c.entries[0].header, true
}

// suspect returns a client as a suspect, or nil.
func (c *crowd) suspect(client client) *Suspect {
	if requestsOf(client.entries) < minRequests {
		return nil
	}
	b := newBehaviour(client.entries)
	b.paths = countPaths(client.entries)
	mask, ok := c.oneMask(client)
	if !ok {
		mask = noMask
	}
	others := c.kinds(c.habits.plus(-1, b.habits()), mask, b.habits())
	s := c.newSuspect(client.entries)
	s.Address = nameOf(client.address)
	s.Evidence = c.addressEvidence(&b, client.entries, s.UserAgents, others)
	if strength(s.Evidence) < 2 {
		return nil
	}
	return s
}

// newSuspect returns a suspect without evidence.
func (c *crowd) newSuspect(entries []*entry) *Suspect {
	addresses, headers := map[netip.Prefix]bool{}, map[uint32]int64{}
	for _, e := range entries {
		addresses[e.address()] = true
		headers[e.header] += e.count
	}
	return &Suspect{
		UserAgent: c.mostFrequent(headers), Addresses: len(addresses), UserAgents: len(headers),
		Requests: requestsOf(entries), First: clock(entries[0].second), Last: clock(entries[len(entries)-1].second),
	}
}

func strength(found []Evidence) (sum int) {
	for _, e := range found {
		sum++
		if e.Strong {
			sum++
		}
	}
	return sum
}

// mostFrequent returns the header with the most requests, the first by text of those with as many.
func (c *crowd) mostFrequent(headers map[uint32]int64) string {
	texts := &c.sample.headers
	best := slices.MinFunc(slices.Collect(maps.Keys(headers)), func(g, h uint32) int {
		return cmp.Or(-cmp.Compare(headers[g], headers[h]), bytes.Compare(texts.bytes(g), texts.bytes(h)))
	})
	return texts.text(best)
}

// nameOf returns an IPv4 address, or a prefix of IPv6.
func nameOf(p netip.Prefix) string {
	if p.Addr().Is4() {
		return p.Addr().String()
	}
	return p.String()
}

// lines returns the first two lines of entries.
func (s *sample) lines(entries []*entry) []Line {
	lines := []Line{}
	for _, e := range entries[:min(2, len(entries))] {
		lines = append(lines, Line{Log: s.logs.text(e.log), Line: int(e.line)})
	}
	return lines
}

// peaks returns the fastest minutes of clients, robots or not.
func peaks(c *crowd, robots bool) []Peak {
	peaks := []Peak{}
	for _, client := range c.clients {
		entries, n := fastestMinute(client.entries)
		if n < minPeak {
			continue
		}
		peaks = append(peaks, Peak{
			Address: nameOf(client.address), UserAgent: c.sample.headers.text(entries[0].header), Robot: robots,
			Sampled:  c.sampled(),
			Requests: n, Minute: clock(floorDiv(entries[0].second, 60) * 60), Lines: c.lines(entries),
		})
	}
	return peaks
}

func comparePeaks(p, q Peak) int {
	return cmp.Or(-cmp.Compare(p.Requests, q.Requests), strings.Compare(p.Address, q.Address),
		p.Minute.Compare(q.Minute), strings.Compare(p.UserAgent, q.UserAgent),
		int(boolByte(p.Robot))-int(boolByte(q.Robot)))
}

// fastestMinute returns the entries of the minute of the clock with the most requests.
func fastestMinute(entries []*entry) (minute []*entry, most int64) {
	for begin := 0; begin < len(entries); {
		end, n := begin, int64(0)
		for ; end < len(entries) && floorDiv(entries[end].second, 60) == floorDiv(entries[begin].second, 60); end++ {
			n += entries[end].count
		}
		if n > most {
			minute, most = entries[begin:end], n
		}
		begin = end
	}
	return minute, most
}
