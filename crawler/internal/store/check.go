package store

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/cockroachdb/pebble/v2"
)

// maxFaults is the maximum number of faults that Check returns.
const maxFaults = 20

// Check reads the whole store, and returns an error for each inconsistency, joined, 20 at
// most. It takes some seconds for a million URLs. The store can be used meanwhile; Check
// reads a snapshot from its start.
func (s *Store) Check() error {
	if err := s.use(); err != nil {
		return err
	}
	defer s.done()
	db := s.db.NewSnapshot()
	defer db.Close()
	c := &checker{db: db}
	c.l = s.lookup()
	defer c.l.free()
	for i, t := range []byte{hostTable, stateTable, seenTable, queueTable} {
		it, err := db.NewIter(table(t))
		if err != nil {
			return err
		}
		defer it.Close()
		it.First()
		c.its[i] = it
	}
	if err := c.run(); err != nil {
		return err
	}
	if len(c.faults) == 0 {
		return nil
	}
	return fmt.Errorf("check store %s: %w", s.dir, errors.Join(c.faults...))
}

// A checker reads all tables except that of records together, one group of keys at a
// time: the keys with one prefix, which belong to one host, or to a few.
type checker struct {
	db      *pebble.Snapshot
	l       *lookup
	its     [4]*pebble.Iterator // over hosts, states, the seen-set, queues
	records int                 // records named by the seen-set
	parts   [256]Counts
	orders  [256]uint64 // above the numbers of all records of a partition
	faults  []error
}

func (c *checker) fault(format string, args ...any) {
	if len(c.faults) < maxFaults {
		c.faults = append(c.faults, fmt.Errorf(format, args...))
	}
}

func (c *checker) run() error {
	for len(c.faults) < maxFaults {
		var group []byte
		for _, it := range c.its {
			if it.Valid() {
				if k := it.Key()[1:]; group == nil || bytes.Compare(k, group) < 0 {
					group = append(group[:0:0], k[:min(5, len(k))]...)
				}
			} else if err := it.Error(); err != nil {
				return err
			}
		}
		if group == nil {
			break
		}
		if err := c.group(group); err != nil {
			return err
		}
	}
	if err := c.checkRecords(); err != nil {
		return err
	}
	return c.checkParts()
}

// each calls fn for the entries of an iterator in a group.
func each(it *pebble.Iterator, group []byte, fn func(k, v []byte) error) error {
	for ; it.Valid() && bytes.HasPrefix(it.Key()[1:], group); it.Next() {
		v, err := it.ValueAndErr()
		if err == nil {
			err = fn(it.Key()[1:], v)
		}
		if err != nil {
			return err
		}
	}
	return it.Error()
}

// A groupCheck checks one group of keys.
type groupCheck struct {
	*checker
	hosts  map[hostKey]*hostRecord
	counts map[hostKey]*Counts // of the entries read; Hosts is the number of entries of the queue
	seen   int64               // URLs in the seen-set
}

// group checks one group of keys.
func (c *checker) group(group []byte) error {
	g := &groupCheck{checker: c, hosts: make(map[hostKey]*hostRecord), counts: make(map[hostKey]*Counts)}
	for i, check := range []func(k, v []byte) error{g.host, g.state, g.url, g.queued} {
		if err := each(c.its[i], group, check); err != nil {
			return err
		}
	}
	g.compare(group)
	return nil
}

// of returns the counts of a host.
func (g *groupCheck) of(hk hostKey) *Counts {
	n := g.counts[hk]
	if n == nil {
		n = new(Counts)
		g.counts[hk] = n
	}
	return n
}

// host checks an entry of the table of hosts.
func (g *groupCheck) host(k, v []byte) error {
	r := new(hostRecord)
	if err := r.decode(v); err != nil || len(k) != len(hostKey{}) {
		g.fault("the host with the key %x: %w", k, errors.Join(err))
		return nil
	}
	if hk := g.l.hasher.host(k[0], r.origin); hk != hostKey(k) {
		g.fault("the host %s has the key %x, and not %x", r.origin, k, hk[:])
	}
	g.hosts[hostKey(k)] = r
	g.parts[k[0]].add(r.Counts)
	return nil
}

// state checks an entry of the table of states.
func (g *groupCheck) state(k, v []byte) error {
	if _, err := decodeState(v); err != nil {
		g.fault("the state of the host with the key %x: %w", k, err)
	}
	if len(k) != len(hostKey{}) || g.hosts[hostKey(k)] == nil {
		g.fault("there is a state of no host, with the key %x", k)
	}
	return nil
}

// url checks an entry of the seen-set.
func (g *groupCheck) url(k, v []byte) error {
	g.seen++
	order, ok, err := decodeOrder(v)
	if len(k) != len(key{}) || err != nil {
		g.fault("the seen-set has the key %x with the value %x", k, v)
		return nil
	}
	if !ok {
		return nil
	}
	g.records++
	return g.record(key(k), order)
}

// queued checks an entry of a queue.
func (g *groupCheck) queued(k, _ []byte) error {
	hk, _, ok := parseQueueKey(in(queueTable, k))
	if !ok {
		g.fault("a queue has the key %x", k)
		return nil
	}
	g.of(hk).Hosts++
	return nil
}

// compare compares the counts of the hosts with the entries read.
func (g *groupCheck) compare(group []byte) {
	for hk, r := range g.hosts {
		g.seen -= r.Seen
		n := g.of(hk)
		if n.Queued != r.Queued || n.Hosts != r.Queued || n.Done != r.Done {
			g.fault("%s: counted are %d queued and %d done; records say %d and %d, and the queue has %d",
				r.origin, r.Queued, r.Done, n.Queued, n.Done, n.Hosts)
		}
		delete(g.counts, hk)
	}
	if g.seen != 0 {
		g.fault("hosts with keys from %x on: the seen-set has %d URLs more than are counted", group, g.seen)
	}
	for hk := range g.counts {
		g.fault("there are URLs of no host, with the key %x", hk[:])
	}
}

// record checks the record of a URL.
func (g *groupCheck) record(k key, order uint64) error {
	r, err := readRecord(g.db, order)
	if err != nil {
		g.fault("the URL with the key %x: %w", k[:], err)
		return nil
	}
	hk := g.l.hasher.host(r.item.Partition, originOf(r.item.URL))
	if made := g.l.hasher.key(&r.item, hk); made != k {
		g.fault("%s has the key %x, and not %x", r.item.URL, k[:], made[:])
		return nil
	}
	g.orders[k[0]] = max(g.orders[k[0]], order+1)
	if !r.queued && !r.done {
		g.fault("%s has a record, but is not queued and was not done", r.item.URL)
	}
	if r.done {
		g.of(hk).Done++
	}
	if !r.queued {
		return nil
	}
	g.of(hk).Queued++
	_, closer, err := g.db.Get(appendQueueKey(nil, hk, r.at))
	switch {
	case err == nil:
		return closer.Close()
	case errors.Is(err, pebble.ErrNotFound):
		g.fault("%s is queued, but not in its queue", r.item.URL)
		return nil
	}
	return err
}

// checkRecords checks that every record is named by the seen-set.
func (c *checker) checkRecords() error {
	it, err := c.db.NewIter(table(urlTable))
	if err != nil {
		return err
	}
	defer it.Close()
	n := 0
	for ok := it.First(); ok; ok = it.Next() {
		n++
	}
	if n != c.records {
		c.fault("there are %d records, and the seen-set says %d", n, c.records)
	}
	return it.Error()
}

// checkParts compares the counts of the partitions with the sums of their hosts.
func (c *checker) checkParts() error {
	it, err := c.db.NewIter(table(partTable))
	if err != nil {
		return err
	}
	defer it.Close()
	for ok := it.First(); ok; ok = it.Next() {
		var p part
		value, err := it.ValueAndErr()
		if err != nil {
			return err
		}
		k := it.Key()
		if err := p.decode(value); err != nil || len(k) != 2 {
			c.fault("the partition with the key %x: %w", k, errors.Join(err))
			continue
		}
		if p.Counts != c.parts[k[1]] && len(c.faults) < maxFaults {
			c.fault("partition %d: counted are %+v, and its hosts have %+v", k[1], p.Counts, c.parts[k[1]])
		}
		if p.order < c.orders[k[1]] {
			c.fault("partition %d: the next URL is to be %d, and there is %d already", k[1], p.order, c.orders[k[1]]-1)
		}
		c.parts[k[1]] = Counts{}
	}
	for i, n := range c.parts {
		if n != (Counts{}) && len(c.faults) < maxFaults {
			c.fault("partition %d has hosts, but no record", i)
		}
	}
	return it.Error()
}
