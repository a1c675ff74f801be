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
	c := &checker{s: s, db: db}
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
	s       *Store
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

// group checks one group of keys.
func (c *checker) group(group []byte) error {
	hosts := make(map[hostKey]*hostRecord)
	found := make(map[hostKey]*Counts) // counts from the entries read
	seen := int64(0)
	of := func(hk hostKey) *Counts {
		n := found[hk]
		if n == nil {
			n = new(Counts)
			found[hk] = n
		}
		return n
	}
	steps := []func(k, v []byte) error{
		func(k, v []byte) error {
			r := new(hostRecord)
			if err := r.decode(v); err != nil || len(k) != len(hostKey{}) {
				c.fault("the host with the key %x: %w", k, errors.Join(err))
				return nil
			}
			if hk := c.l.hasher.host(k[0], r.origin); hk != hostKey(k) {
				c.fault("the host %s has the key %x, and not %x", r.origin, k, hk[:])
			}
			hosts[hostKey(k)] = r
			c.parts[k[0]].add(r.Counts)
			return nil
		},
		func(k, v []byte) error {
			if _, err := decodeState(v); err != nil {
				c.fault("the state of the host with the key %x: %w", k, err)
			}
			if len(k) != len(hostKey{}) || hosts[hostKey(k)] == nil {
				c.fault("there is a state of no host, with the key %x", k)
			}
			return nil
		},
		func(k, v []byte) error {
			seen++
			order, ok, err := decodeOrder(v)
			if len(k) != len(key{}) || err != nil {
				c.fault("the seen-set has the key %x with the value %x", k, v)
				return nil
			}
			if !ok {
				return nil
			}
			c.records++
			return c.record(key(k), order, of)
		},
		func(k, _ []byte) error {
			hk, _, ok := parseQueueKey(in(queueTable, k))
			if !ok {
				c.fault("a queue has the key %x", k)
				return nil
			}
			of(hk).Hosts++ // here, Hosts counts entries
			return nil
		},
	}
	for i, step := range steps {
		if err := each(c.its[i], group, step); err != nil {
			return err
		}
	}
	for hk, r := range hosts {
		seen -= r.Seen
		n := of(hk)
		if n.Queued != r.Queued || n.Hosts != r.Queued || n.Done != r.Done {
			c.fault("%s: counted are %d queued and %d done; records say %d and %d, and the queue has %d",
				r.origin, r.Queued, r.Done, n.Queued, n.Done, n.Hosts)
		}
		delete(found, hk)
	}
	if seen != 0 {
		c.fault("hosts with keys from %x on: the seen-set has %d URLs more than are counted", group, seen)
	}
	for hk := range found {
		c.fault("there are URLs of no host, with the key %x", hk[:])
	}
	return nil
}

// record checks the record of a URL.
func (c *checker) record(k key, order uint64, of func(hostKey) *Counts) error {
	r, err := readRecord(c.db, order)
	if err != nil {
		c.fault("the URL with the key %x: %w", k[:], err)
		return nil
	}
	hk := c.l.hasher.host(r.item.Partition, originOf(r.item.URL))
	if made := c.l.hasher.key(&r.item, hk); made != k {
		c.fault("%s has the key %x, and not %x", r.item.URL, k[:], made[:])
		return nil
	}
	c.orders[k[0]] = max(c.orders[k[0]], order+1)
	if !r.queued && !r.done {
		c.fault("%s has a record, but is not queued and was not done", r.item.URL)
	}
	if r.done {
		of(hk).Done++
	}
	if !r.queued {
		return nil
	}
	of(hk).Queued++
	_, closer, err := c.db.Get(appendQueueKey(nil, hk, r.at))
	switch {
	case err == nil:
		return closer.Close()
	case errors.Is(err, pebble.ErrNotFound):
		c.fault("%s is queued, but not in its queue", r.item.URL)
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
