package audit_test

import (
	"cmp"
	"net/netip"
	"regexp"
	"slices"
	"strings"

	"github.com/robotsexclusion/robots/audit"
	"github.com/robotsexclusion/robots/audit/accesslog"
)

// This file is the slow twin of samples, suspects and peaks. The sentences are those of decision
// 79, and of the comments on Suspect and Evidence. It knows no apps, such as readers of feeds,
// which TestSuspects has.

// A slowEntry is requests that are alike: "with the same address, second, target, header, method,
// status class and presence of a Referer".
type slowEntry struct {
	visit  // the first by log and line
	hash   uint64
	count  int64
	closed string // the pattern of the rule that closed the path to everyone at that time, or ""
}

// A slowClient is a client by its address, or a header at all addresses.
type slowClient struct {
	name    string // of the address, or ""
	entries []slowEntry
}

// A slowCrowd is the clients of a sample.
type slowCrowd struct {
	clients []slowClient
	sampled bool

	people int             // clients that load styles
	passed map[string]int  // by rule, how many of these asked for what it closes
	masks  map[string]bool // of the headers of these
	byMask map[string]*slowPool
	byKey  map[slowKey]*slowPool
}

// "An audit keeps the 65,536 requests of clients with the smallest hashes [...], and counts those
// that are alike."
func (s *slow) sample(most int, of func(visit) bool) (list []slowEntry, counts audit.Sample) {
	alike := map[uint64]*slowEntry{}
	for _, v := range s.visits {
		if !of(v) {
			continue
		}
		counts.Requests++
		hash := hashOf(v)
		e := alike[hash]
		if e == nil {
			e = &slowEntry{visit: v, hash: hash}
			alike[hash] = e
		}
		if cmp.Or(strings.Compare(v.log, e.log), cmp.Compare(v.line, e.line)) < 0 {
			e.visit = v
		}
		e.count++
	}
	for _, e := range alike {
		e.closed = s.closedToEveryone(e.visit)
		list = append(list, *e)
	}
	slices.SortFunc(list, func(a, b slowEntry) int { return cmp.Compare(a.hash, b.hash) })
	list = list[:min(most, len(list))]
	for _, e := range list {
		counts.Kept += e.count
	}
	slices.SortFunc(list, func(a, b slowEntry) int {
		return cmp.Or(cmp.Compare(a.at, b.at),
			cmp.Compare(a.hash, b.hash))
	})
	return list, counts
}

// closedToEveryone decides by the versions as they were given, also where several hosts have those
// of the host "".
func (s *slow) closedToEveryone(v visit) string {
	if v.path == "" {
		return ""
	}
	for _, version := range givenPeriods(s.versionsOf(v.host)) {
		if version.policy != nil && version.from <= v.at && v.at < version.to {
			if match := version.policy.For("*").Match(anyHost + v.path); !match.Allowed {
				return match.Rule.Pattern
			}
		}
	}
	return ""
}

func (s *slow) versionsOf(host string) []audit.Version {
	if versions, ok := s.o.Sites[host]; ok {
		return versions
	}
	return s.o.Sites[""]
}

func hashOf(v visit) uint64 {
	r := &accesslog.Request{Client: v.client, Time: stamp(v.at), Method: []byte(v.method),
		Target: []byte(cmp.Or(v.path, "*")), Path: []byte(v.path), Status: v.status}
	if v.path == "" {
		r.Path = nil
	}
	if v.agent != "" {
		r.UserAgent = []byte(v.agent)
	}
	if v.referrer != "" {
		r.Referrer = []byte(v.referrer)
	}
	return audit.HashRequest(r)
}

// addCrowds adds the samples, the suspects and the peaks.
func (s *slow) addCrowds(r *audit.Report) {
	maxPeople, maxCallers := audit.SampleSizes()
	isPerson := func(v visit) bool { return s.class(v) == notOfRobot }
	people, counts := s.sample(maxPeople, isPerson)
	r.Sample = counts
	callers, counts := s.sample(maxCallers, func(v visit) bool { return !isPerson(v) })
	r.CallerSample = counts

	crowd := newSlowCrowd(people, r.Sample)
	r.Peaks = append(crowd.peaks(false), newSlowCrowd(callers, r.CallerSample).peaks(true)...)
	slices.SortFunc(r.Peaks, func(a, b audit.Peak) int {
		return cmp.Or(cmp.Compare(b.Requests, a.Requests), cmp.Compare(a.Address, b.Address))
	})
	r.Peaks = r.Peaks[:min(len(r.Peaks), 20)]
	r.Suspects = crowd.suspects()
}

// "An IPv6 client is its network of 64 bits." Lines without an address are not of a client.
func newSlowCrowd(entries []slowEntry, counts audit.Sample) *slowCrowd {
	c := &slowCrowd{sampled: counts.Kept < counts.Requests}
	byName := map[string]int{}
	for _, e := range entries {
		if !e.client.IsValid() {
			continue
		}
		name := networkOf(e.client)
		if _, ok := byName[name]; !ok {
			byName[name] = len(c.clients)
			c.clients = append(c.clients, slowClient{name: name})
		}
		client := &c.clients[byName[name]]
		client.entries = append(client.entries, e)
	}
	return c
}

func networkOf(a netip.Addr) string {
	if a.Is4() {
		return a.String()
	}
	p, _ := a.Prefix(64)
	return p.String()
}

// "Peaks: the fastest minutes of clients, from 120 requests on; up to 20."
func (c *slowCrowd) peaks(robots bool) []audit.Peak {
	peaks := []audit.Peak{}
	for _, client := range c.clients {
		entries, n := slowMinute(client.entries)
		if n >= 120 {
			peaks = append(peaks, audit.Peak{
				Address: client.name, UserAgent: cutTo256(entries[0].agent), Robot: robots, Sampled: c.sampled,
				Requests: n, Minute: stamp(entries[0].at - entries[0].at%60), Lines: linesOf(entries),
			})
		}
	}
	return peaks
}

// slowMinute returns the first minute of the clock with the most requests.
func slowMinute(entries []slowEntry) (best []slowEntry, most int64) {
	byMinute, counts := map[int64][]slowEntry{}, map[int64]int64{}
	for _, e := range entries {
		byMinute[e.at/60] = append(byMinute[e.at/60], e)
		counts[e.at/60] += e.count
	}
	for _, e := range entries {
		if n := counts[e.at/60]; n > most {
			best, most = byMinute[e.at/60], n
		}
	}
	return best, most
}

func linesOf(entries []slowEntry) []audit.Line {
	lines := []audit.Line{}
	for _, e := range entries[:min(2, len(entries))] {
		lines = append(lines, audit.Line{Log: e.log, Line: e.line})
	}
	return lines
}

func cutTo256(header string) string { return header[:min(len(header), 256)] }

// The most evidence first, then the most requests, then by address and header.
//
// "An address, or a User-Agent header at many addresses, or headers that differ in their numbers
// only. Clients at many addresses that only ask for what robots.txt closes are one, whatever their
// headers." Decided: a header is a suspect of its own only if those that differ from it in numbers
// are none together; and clients that have the header of a suspect are not of those.
func (c *slowCrowd) suspects() []audit.Suspect {
	list := []audit.Suspect{}
	for i, client := range c.clients {
		others := slices.Delete(slices.Clone(c.clients), i, i+1)
		list = append(list, c.suspect(client, c.evidence(client.entries, others))...)
	}
	var all []slowEntry
	for _, client := range c.clients {
		all = append(all, client.entries...)
	}
	slices.SortFunc(all, func(a, b slowEntry) int {
		return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.hash, b.hash))
	})
	found := map[string]bool{} // headers
	for _, kind := range []func(slowEntry) string{
		func(e slowEntry) string { return withoutNumbers(cutTo256(e.agent)) },
		func(e slowEntry) string { return cutTo256(e.agent) },
	} {
		by := map[string][]slowEntry{}
		for _, e := range all {
			if e.agent != "" && !found[cutTo256(e.agent)] {
				by[kind(e)] = append(by[kind(e)], e)
			}
		}
		for name, entries := range by {
			// The clients that have only such headers are not others.
			others := slices.DeleteFunc(slices.Clone(c.clients), func(client slowClient) bool {
				return !slices.ContainsFunc(client.entries, func(e slowEntry) bool { return kind(e) != name })
			})
			loaders := slices.DeleteFunc(slices.Clone(c.clients), func(client slowClient) bool {
				other := func(e slowEntry) bool { return kind(e) != name }
				of := client.entries
				return !views(of) || !loads(of) || slices.ContainsFunc(of, other)
			})
			people := len(loaders) >= 10 || c.likePeople(entries)
			these := c.suspect(slowClient{entries: entries}, c.headerEvidence(entries, others, people))
			if list = append(list, these...); len(these) > 0 {
				for _, e := range entries {
					found[cutTo256(e.agent)] = true
				}
			}
		}
	}
	list = append(list, c.crew(found)...)
	slices.SortFunc(list, func(a, b audit.Suspect) int {
		return cmp.Or(cmp.Compare(len(b.Evidence), len(a.Evidence)), cmp.Compare(b.Requests, a.Requests),
			cmp.Compare(a.Address, b.Address), cmp.Compare(a.UserAgent, b.UserAgent))
	})
	return list
}

var numbers = regexp.MustCompile(`[0-9][0-9._]*`)

func withoutNumbers(header string) string { return numbers.ReplaceAllString(header, "0") }

// "Clients at many addresses that only ask for what robots.txt closes, after one open page at
// most": fifty, without a Referer or with the same. Decided: they count by the rule that closes the
// first of it, apart those whose headers people have who load styles; one in ten may do something
// else.
func (c *slowCrowd) crew(found map[string]bool) []audit.Suspect {
	groups, senders := map[slowKey][]slowClient{}, map[string]int{}
	for _, client := range c.clients {
		first := firstOf(client.entries, func(e slowEntry) bool { return c.isClosed(e) && !e.isRedirected() })
		known := func(e slowEntry) bool { return found[cutTo256(e.agent)] }
		if first == nil || slices.ContainsFunc(client.entries, known) {
			continue
		}
		key := c.keyOf(*first)
		groups[key] = append(groups[key], client)
		if referrer, ok := c.quiet(client.entries); ok {
			senders[referrer]++
		}
	}
	clients := 0
	var all []slowEntry
	for key, group := range groups {
		members := slices.DeleteFunc(slices.Clone(group), func(client slowClient) bool {
			referrer, ok := c.quiet(client.entries)
			return !ok || referrer != "" && (senders[referrer] < 10 || key.familiar && !c.knows(referrer))
		})
		var closed []slowEntry
		for _, client := range members {
			closed = append(closed, having(client.entries, c.isClosed)...)
		}
		if popular, ok := c.spreads(closed); ok && (len(group)-len(members))*10 <= len(group) {
			for _, client := range members {
				if !slices.ContainsFunc(having(client.entries, c.isClosed), func(e slowEntry) bool {
					return popular[e.target()] && !e.isRedirected()
				}) {
					clients++
					all = append(all, client.entries...)
				}
			}
		}
	}
	if clients < 50 {
		return nil
	}
	slices.SortFunc(all, func(a, b slowEntry) int {
		return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.hash, b.hash))
	})
	documents, closed := having(all, slowEntry.isDocument), having(all, c.isClosed)
	with := having(documents, func(e slowEntry) bool { return e.referrer != "" })
	without := having(documents, func(e slowEntry) bool { return e.referrer == "" })
	evidence := []audit.Evidence{requests("only-closed", closed)}
	if len(without) > 0 {
		evidence = append(evidence, requests("no-referrer", without))
	}
	if len(with) > 0 {
		evidence = append(evidence, requests("same-referrer", with))
	}
	return c.suspect(slowClient{entries: all}, append(evidence,
		figure("many-addresses", false, all, map[string]float64{"addresses": float64(clients)})))
}

func requests(kind string, entries []slowEntry) audit.Evidence {
	return figure(kind, false, entries, map[string]float64{"requests": float64(total(entries))})
}

// "Two kinds of evidence, or a strong one", of ten requests at least.
func (c *slowCrowd) suspect(client slowClient, found []audit.Evidence) []audit.Suspect {
	strong := slices.ContainsFunc(found, func(e audit.Evidence) bool { return e.Strong })
	s := audit.Suspect{Address: client.name, Evidence: found, First: stamp(client.entries[0].at),
		Last: stamp(client.entries[len(client.entries)-1].at)}
	addresses, headers := map[string]bool{}, map[string]int64{}
	for _, e := range client.entries {
		s.Requests += e.count
		addresses[networkOf(e.client)] = true
		headers[cutTo256(e.agent)] += e.count
	}
	if s.Requests < 10 || len(found) < 2 && !strong {
		return nil
	}
	s.Addresses, s.UserAgents = len(addresses), len(headers)
	most := int64(0)
	for header, n := range headers {
		if n > most || n == most && header < s.UserAgent {
			s.UserAgent, most = header, n
		}
	}
	return []audit.Suspect{s}
}
