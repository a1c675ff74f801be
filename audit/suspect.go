package audit

import (
	"cmp"
	"net/netip"
	"slices"
	"strings"
	"time"
)

// A Line is the place of a line in a log.
type Line struct {
	Log  string `json:"log"`
	Line int    `json:"line"`
}

// A Sample says from how many requests the peaks were found: those with the smallest
// hashes. If nothing was left out, Kept is Requests.
type Sample struct {
	Requests int64 `json:"requests"`
	Kept     int64 `json:"kept"`
}

// A Peak is the fastest minute of a client, robot or not. If the sample of its kind lacks requests, the
// true peak is higher.
type Peak struct {
	Address   string    `json:"address"`
	UserAgent string    `json:"user_agent"` // of the first request of the minute
	Robot     bool      `json:"robot"`      // it calls itself a robot or a program
	Sampled   bool      `json:"sampled"`    // some requests are not counted
	Requests  int64     `json:"requests"`
	Minute    time.Time `json:"minute"`
	Lines     []Line    `json:"lines"`
}

const (
	// maxPeaks limits the list of a report.
	maxPeaks = 20
	// minPeak is the least number of requests in a minute that is reported: a person who opens a page with
	// many images stays below.
	minPeak = 120
)

// addPeaks adds the peaks.
func (r *reporter) addPeaks() {
	r.report.Sample = r.people.report()
	r.report.CallerSample = r.callers.report()
	r.report.Peaks = append(peaks(newCrowd(&r.people), false), peaks(newCrowd(&r.callers), true)...)
	slices.SortFunc(r.report.Peaks, comparePeaks)
	r.report.Peaks = slices.Clip(r.report.Peaks[:min(len(r.report.Peaks), maxPeaks)])
}

func (s *sample) report() Sample {
	kept := int64(0)
	for _, e := range s.entries {
		kept += e.count
	}
	return Sample{Requests: s.total, Kept: kept}
}

// A crowd is the clients of a sample.
type crowd struct {
	*sample
	clients []client // by address
}

// A client is the entries of a client, by time.
type client struct {
	address netip.Prefix
	entries []*entry
}

// newCrowd divides a sample into clients by address.
func newCrowd(s *sample) *crowd {
	c := &crowd{sample: s}
	entries := slices.Clone(s.entries) // the part stays as it is
	numbers := map[netip.Prefix]int{}
	for i := range entries {
		e := &entries[i]
		if e.client == [16]byte{} {
			continue
		}
		address := e.address()
		n, ok := numbers[address]
		if !ok {
			n = len(c.clients)
			numbers[address] = n
			c.clients = append(c.clients, client{address: address})
		}
		c.clients[n].entries = append(c.clients[n].entries, e)
	}
	for _, client := range c.clients {
		slices.SortFunc(client.entries, compareMoments)
	}
	return c
}

func compareMoments(d, e *entry) int {
	return cmp.Or(cmp.Compare(d.second, e.second), cmp.Compare(d.hash, e.hash))
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
		lines = append(lines, Line{Log: s.logs.texts[e.log], Line: int(e.line)})
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
			Address: nameOf(client.address), UserAgent: c.sample.headers.texts[entries[0].header], Robot: robots, Sampled: c.sampled(),
			Requests: n, Minute: clock(floorDiv(entries[0].second, 60) * 60), Lines: c.lines(entries),
		})
	}
	return peaks
}

func comparePeaks(p, q Peak) int {
	return cmp.Or(-cmp.Compare(p.Requests, q.Requests), strings.Compare(p.Address, q.Address), p.Minute.Compare(q.Minute), strings.Compare(p.UserAgent, q.UserAgent), int(boolByte(p.Robot))-int(boolByte(q.Robot)))
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
