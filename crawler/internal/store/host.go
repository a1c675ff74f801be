package store

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/cockroachdb/pebble/v2"
	"github.com/robotsexclusion/robots/internal/printable"
)

// A Host is the state of a host.
type Host struct {
	Partition uint8
	Origin    string // such as "https://example.com"
	Counts           // of this host; Hosts is 1

	// FirstDue is when the first item of its queue is due. It is the zero time if an item
	// is due at once, or if the queue is empty. It ignores leases.
	FirstDue time.Time
	State    []byte // the state set by [Batch.SetHost], or nil
}

// A host is a host in memory.
type host struct {
	hostRecord
	// fronts has a lower bound of the positions of each priority that may be in the
	// queue. So lookups skip the entries before it: those removed from a queue slow down
	// iteration until the queue is compacted.
	fronts []position
	walked bool // fronts includes all priorities
}

// maxHosts is the maximum number of hosts in memory, which take some 10 MB.
const maxHosts = 1 << 15

// is returns an error if h is another host whose key is the same by chance.
func (h *host) is(origin string) error {
	if h.origin != origin {
		return fmt.Errorf("the hosts %s and %s have one key", printable.Clipped(h.origin, 100),
			printable.Clipped(origin, 100))
	}
	return nil
}

// A hostCache keeps some of the hosts in memory. s.mu must be held.
type hostCache struct {
	db    *pebble.DB
	hosts map[hostKey]*host
}

// get returns a host, from memory or else the database, or nil if the host does not
// exist.
func (c *hostCache) get(k hostKey, origin string) (*host, error) {
	if h := c.hosts[k]; h != nil {
		return h, h.is(origin)
	}
	value, closer, err := c.db.Get(in(hostTable, k[:]))
	switch {
	case errors.Is(err, pebble.ErrNotFound):
		return nil, nil
	case err != nil:
		return nil, err
	}
	defer closer.Close()
	h := new(host)
	if err := h.hostRecord.decode(value); err != nil {
		return nil, fmt.Errorf("the record of the host %s: %w", printable.Clipped(origin, 100), err)
	}
	if err := h.is(origin); err != nil {
		return nil, err
	}
	c.hosts[k] = h
	return h, nil
}

// trim drops hosts until no more than maxHosts are in memory.
func (c *hostCache) trim() {
	for k := range c.hosts {
		if len(c.hosts) <= maxHosts {
			break
		}
		delete(c.hosts, k)
	}
}

// Host returns the state of a host. ok is false if the store does not have the host.
func (s *Store) Host(partition uint8, origin string) (h Host, ok bool, err error) {
	if err := s.use(); err != nil {
		return h, false, err
	}
	defer s.done()
	h, ok, err = s.find(partition, origin)
	return h, ok, s.wrap("host "+origin, err)
}

func (s *Store) find(partition uint8, origin string) (h Host, ok bool, err error) {
	l := s.lookup()
	defer l.free()
	hk := l.hasher.host(partition, origin)
	s.mu.Lock()
	defer s.mu.Unlock()
	found, err := s.hosts.get(hk, origin)
	if err != nil || found == nil {
		return h, false, err
	}
	defer s.hosts.trim()
	h = Host{Partition: partition, Origin: origin, Counts: found.Counts}
	if h.State, err = stateOf(s.db, hk); err != nil || h.Queued == 0 {
		return h, err == nil, err
	}
	it, err := queueOf(s.db, hk)
	if err != nil {
		return h, false, err
	}
	defer it.Close()
	if err := found.walk(it, hk); err != nil {
		return h, false, err
	}
	// The fronts are lower bounds: the first entry may be later.
	if err := found.advance(it, hk); err != nil {
		return h, false, err
	}
	h.FirstDue = firstDue(found.fronts)
	return h, true, nil
}

// stateOf returns the opaque state of a host.
func stateOf(db pebble.Reader, hk hostKey) ([]byte, error) {
	value, closer, err := db.Get(in(stateTable, hk[:]))
	switch {
	case errors.Is(err, pebble.ErrNotFound):
		return nil, nil
	case err != nil:
		return nil, err
	}
	defer closer.Close()
	return decodeState(value)
}

// Hosts calls fn for each host, one after another, from a snapshot taken at the start. It
// stops at the first error of fn, and returns it. fn may use the store, but not close it.
func (s *Store) Hosts(fn func(Host) error) error { return hostsIn(s, table(hostTable), fn) }

// HostsOf is Hosts for the hosts of one partition.
func (s *Store) HostsOf(partition uint8, fn func(Host) error) error {
	prefix := []byte{hostTable, partition}
	return hostsIn(s, &pebble.IterOptions{LowerBound: prefix, UpperBound: after(slices.Clone(prefix))}, fn)
}

func hostsIn(s *Store, bounds *pebble.IterOptions, fn func(Host) error) error {
	if err := s.use(); err != nil {
		return err
	}
	defer s.done()
	db := s.db.NewSnapshot()
	defer db.Close()
	hosts, err := db.NewIter(bounds)
	if err != nil {
		return err
	}
	defer hosts.Close()
	queues, err := db.NewIter(table(queueTable))
	if err != nil {
		return err
	}
	defer queues.Close()
	var fronts []position
	for ok := hosts.First(); ok; ok = hosts.Next() {
		hk, r, err := parseHost(hosts)
		if err != nil {
			return s.wrap("read hosts", err)
		}
		h := Host{Partition: hk[0], Origin: r.origin, Counts: r.Counts}
		if h.State, err = stateOf(db, hk); err != nil {
			return s.wrap("host "+r.origin, err)
		}
		if h.Queued > 0 {
			if fronts, err = walk(queues, hk, fronts[:0]); err != nil {
				return s.wrap("host "+r.origin, err)
			}
			h.FirstDue = firstDue(fronts)
		}
		if err := fn(h); err != nil {
			return err
		}
	}
	return s.wrap("read hosts", hosts.Error())
}

// table returns the bounds of a table.
func table(t byte) *pebble.IterOptions {
	return &pebble.IterOptions{LowerBound: []byte{t}, UpperBound: []byte{t + 1}}
}

// parseHost returns the host at the position of an iterator.
func parseHost(it *pebble.Iterator) (hk hostKey, r hostRecord, err error) {
	if k := it.Key(); len(k) != 1+len(hk) {
		return hk, r, fmt.Errorf("a host has the key %x", k)
	}
	copy(hk[:], it.Key()[1:])
	value, err := it.ValueAndErr()
	if err != nil {
		return hk, r, err
	}
	if err := r.decode(value); err != nil {
		return hk, r, fmt.Errorf("the record of the host with the key %x: %w", hk[:], err)
	}
	return hk, r, nil
}
