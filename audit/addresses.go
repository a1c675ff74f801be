package audit

import (
	"cmp"
	"net/netip"
	"slices"
	"strings"
)

// An Address is a client with its disallowed requests.
type Address struct {
	Address  string `json:"address"`
	Verified bool   `json:"verified"` // whether the client is the robot it names
	Count
}

// maxAddresses is the maximum number of addresses in the report of a robot.
const maxAddresses = 50

// verifiedClient is added to a Class, in a series of clients.
const verifiedClient = 1 << 8

// A clientCounter counts the requests of clients by class. The requests come by client, as series
// yield them. The result is a chunk of a series, with a hit for each client and class.
type clientCounter struct {
	verified bool
	client   netip.Addr
	counts   [InGrace + 1]uint64
	chunkWriter
}

// add counts requests. Requests without an address are not counted.
func (c *clientCounter) add(h hit, class Class) {
	if !h.client.IsValid() {
		return
	}
	if h.client != c.client {
		c.flush()
		c.client = h.client
	}
	c.counts[class] += h.count
}

func (c *clientCounter) flush() {
	for class, n := range c.counts {
		if n == 0 {
			continue
		}
		value := uint64(class)
		if c.verified {
			value += verifiedClient
		}
		c.chunkWriter.add(hit{client: c.client, value: value, count: n})
	}
	c.counts = [InGrace + 1]uint64{}
}

// addTo adds the chunk to a series.
func (c *clientCounter) addTo(s *series) {
	c.flush()
	if len(c.data) > 0 {
		s.append(slices.Clip(c.data))
	}
}

// addresses returns the clients with the most disallowed requests, and the number of all. Proxies
// are none of them.
func (s *series) addresses(proxies proxyView) (most []Address, count int64) {
	var (
		client netip.Addr
		now    Address
	)
	add := func() {
		if count++; len(most) == 20*maxAddresses {
			most = worst(most)
		}
		now.Address = client.String()
		most = append(most, now)
	}
	for h := range s.all {
		if proxies.has(h.client) {
			continue
		}
		if h.client != client {
			if client.IsValid() {
				add()
			}
			client, now = h.client, Address{Verified: true}
		}
		now.Verified = now.Verified && h.value >= verifiedClient
		now.Count.add(Class(h.value%verifiedClient), h.count)
	}
	if client.IsValid() {
		add()
	}
	return worst(most), count
}

// worst returns the addresses with the most certain violations, then with the most disallowed
// requests.
func worst(list []Address) []Address {
	slices.SortFunc(list, func(a, b Address) int {
		return cmp.Or(cmp.Compare(b.Certain, a.Certain), cmp.Compare(b.sum(), a.sum()),
			strings.Compare(a.Address, b.Address))
	})
	return append([]Address{}, list[:min(len(list), maxAddresses)]...)
}

func (c Count) sum() int64 { return c.Certain + c.Informed + c.Grace }
