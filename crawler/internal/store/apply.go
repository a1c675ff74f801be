package store

import (
	"errors"
	"fmt"
	"time"

	"github.com/cockroachdb/pebble/v2"
)

// A change is what a batch does to one URL.
type change struct {
	key     key
	hostKey hostKey

	seen, wasSeen bool
	wanted        bool    // the record of the URL is needed
	rec           *record // nil: the URL has no record, or it is not needed
	was           position
	wasQueued     bool
	wasDone       bool
	wasRecord     bool
	made          bool // an op has been applied
}

// make applies one op to the change. order is the number of the next new URL.
func (c *change) make(o *op, order *uint64) {
	if o.kind == opSeen && c.seen {
		return
	}
	c.seen, c.made = true, true
	if c.rec == nil && o.kind != opDrop {
		c.rec = &record{item: o.item, at: position{o.item.Priority, millis(o.item.Due), *order}}
		*order++
	}
	r := c.rec
	switch o.kind {
	case opSeen:
		r.queued = true
		r.item.Tries = 0
	case opDone:
		r.done, r.state = true, *o.state
		r.queued, r.at.due = !o.state.Due.IsZero(), millis(o.state.Due)
		r.item.Tries = 0
	case opDefer:
		r.queued, r.at.due = true, o.due
		r.item.Tries++
	case opDrop:
		switch {
		case r == nil:
		case r.done:
			r.queued, r.at.due = false, 0
			r.item.Tries = 0
		default:
			c.rec = nil
		}
	}
}

func (c *change) queued() bool { return c.rec != nil && c.rec.queued }

// counts returns the differences in the counts.
func (c *change) counts() (n Counts) {
	one := func(now, before bool) int64 {
		switch {
		case now && !before:
			return 1
		case before && !now:
			return -1
		}
		return 0
	}
	n.Seen = one(c.seen, c.wasSeen)
	n.Queued = one(c.queued(), c.wasQueued)
	n.Done = one(c.rec != nil && c.rec.done, c.wasDone)
	return n
}

// write puts a change into a batch of the database.
func (c *change) write(w *pebble.Batch, buf []byte) ([]byte, error) {
	buf, err := c.writeSeen(w, buf)
	if err != nil {
		return buf, err
	}
	if same := c.wasQueued && c.queued() && c.was == c.rec.at; !same {
		if c.wasQueued {
			buf = appendQueueKey(buf[:0], c.hostKey, c.was)
			if err := w.Delete(buf, nil); err != nil {
				return buf, err
			}
		}
		if c.queued() {
			buf = appendQueueKey(buf[:0], c.hostKey, c.rec.at)
			if err := w.Set(buf, nil, nil); err != nil {
				return buf, err
			}
		}
	}
	if c.rec != nil {
		buf = appendRecordKey(buf[:0], c.rec.at.order)
		n := len(buf)
		buf = c.rec.append(buf)
		return buf, w.Set(buf[:n], buf[n:], nil)
	}
	return buf, nil
}

// writeSeen writes the entry of the seen-set if the entry changes, and deletes the record
// that the old entry named.
func (c *change) writeSeen(w *pebble.Batch, buf []byte) ([]byte, error) {
	same := c.wasSeen && c.wasRecord == (c.rec != nil) && (c.rec == nil || c.was.order == c.rec.at.order)
	if same {
		return buf, nil
	}
	buf = appendSeenKey(buf[:0], &c.key)
	n := len(buf)
	if c.rec != nil {
		buf = appendOrder(buf, c.rec.at.order)
	}
	if err := w.Set(buf[:n], buf[n:], nil); err != nil {
		return buf, err
	}
	if !c.wasRecord {
		return buf, nil
	}
	buf = appendRecordKey(buf[:0], c.was.order)
	return buf, w.Delete(buf, nil)
}

// An application applies one batch to the store.
type application struct {
	*Store
	batch   *Batch
	part    part
	order   uint64 // number of the next new URL
	byKey   map[key]*change
	changes []change // one change for each URL, in the order of its first op
	hosts   map[hostKey]*host
	w       *pebble.Batch
}

// newApplication begins the application of a batch.
func newApplication(s *Store, b *Batch) *application {
	return &application{
		Store:   s,
		batch:   b,
		part:    s.parts[b.partition],
		order:   s.order,
		byKey:   make(map[key]*change, len(b.ops)),
		changes: make([]change, len(b.ops)),
		hosts:   make(map[hostKey]*host),
		w:       s.db.NewBatch(),
	}
}

// apply makes all changes of the batch as those of one record. After an error, the state
// in memory differs from the database.
func (a *application) apply(seq uint64) error {
	defer a.w.Close()
	if err := a.read(); err != nil {
		return err
	}
	for i := range a.batch.ops {
		o := &a.batch.ops[i]
		if o.kind != opHost {
			a.byKey[a.changes[i].key].make(o, &a.order)
		} else if err := a.setHost(a.changes[i].hostKey, o); err != nil {
			return err
		}
	}
	if err := a.write(); err != nil {
		return err
	}
	a.part.applied, a.part.order = seq, a.order
	for why, n := range a.batch.refused {
		a.part.refused[why] += n
	}
	if err := a.w.Set([]byte{partTable, a.batch.partition}, a.part.append(nil), nil); err != nil {
		return err
	}
	sync := pebble.NoSync
	if now := time.Now(); a.syncEvery > 0 && now.Sub(a.synced) >= a.syncEvery {
		sync, a.synced = pebble.Sync, now
	}
	if err := a.db.Apply(a.w, sync); err != nil {
		return err
	}
	a.parts[a.batch.partition], a.Store.order = a.part, a.order
	a.seen.absent.committed(a.changes)
	for i := range a.changes {
		if a.changes[i].made {
			a.seen.recent.put(a.print(i))
		}
	}
	a.Store.hosts.trim()
	return nil
}

// print returns the fingerprint of the item of a change.
func (a *application) print(i int) uint64 {
	it := &a.batch.ops[i].item
	return Fingerprint(it.Partition, it.Crawl, it.URL)
}

// read looks up the URLs of the batch.
func (a *application) read() error {
	l := a.lookup()
	defer l.free()
	for i := range a.batch.ops {
		o, c := &a.batch.ops[i], &a.changes[i]
		c.hostKey = l.hasher.host(o.item.Partition, originOf(o.item.URL))
		if o.kind == opHost {
			continue
		}
		c.key = l.hasher.key(&o.item, c.hostKey)
		if a.byKey[c.key] == nil {
			a.byKey[c.key] = c
		}
		if o.kind != opSeen {
			a.byKey[c.key].wanted = true
		}
	}
	for i := range a.changes {
		c := &a.changes[i]
		switch {
		case a.byKey[c.key] != c || a.seen.absent.has(&c.key):
		case c.wanted:
			if err := a.readRecord(c); err != nil {
				return err
			}
		case a.seen.recent.has(a.print(i)):
			c.seen = true
		default:
			c.seen = true
			l.queries = append(l.queries, query{c.key, a.print(i), int32(i)})
		}
	}
	if err := a.seen.lookUp(l); err != nil {
		return err
	}
	for i := range l.queries {
		a.changes[l.queries[i].index].seen = false
	}
	for i := range a.changes {
		a.changes[i].wasSeen = a.changes[i].seen
	}
	return nil
}

// readRecord reads the record of a URL.
func (a *application) readRecord(c *change) (err error) {
	var r *record
	if order, out := a.leases.orders[c.key]; out {
		c.seen = true
		if r = a.leases.record(order); r == nil {
			r, err = readRecord(a.db, order)
		}
	} else {
		r, c.seen, err = find(a.db, &c.key)
	}
	if err != nil || r == nil {
		return err
	}
	c.rec, c.wasRecord = r, true
	c.was, c.wasQueued, c.wasDone = r.at, r.queued, r.done
	return nil
}

// write puts the changes into the batch of the database, and updates the hosts in memory.
func (a *application) write() (err error) {
	var buf []byte
	for i := range a.changes {
		c := &a.changes[i]
		if !c.made {
			continue
		}
		h, err := a.touch(c.hostKey, originOf(a.batch.ops[i].item.URL))
		if err != nil {
			return err
		}
		h.add(c.counts())
		a.part.add(c.counts())
		if c.queued() {
			h.queue(c.rec.at)
		}
		a.leases.remove(&c.key)
		if buf, err = c.write(a.w, buf); err != nil {
			return err
		}
	}
	for k, h := range a.hosts {
		if err := a.w.Set(in(hostTable, k[:]), h.hostRecord.append(nil), nil); err != nil {
			return err
		}
	}
	return nil
}

// setHost applies SetHost.
func (a *application) setHost(k hostKey, o *op) error {
	if _, err := a.touch(k, originOf(o.item.URL)); err != nil {
		return err
	}
	return a.w.Set(in(stateTable, k[:]), append([]byte{version}, o.bytes...), nil)
}

// touch returns a host for modification, and creates the host if it does not exist.
func (a *application) touch(k hostKey, origin string) (*host, error) {
	if h := a.hosts[k]; h != nil {
		return h, h.is(origin)
	}
	h, err := a.Store.hosts.get(k, origin)
	if err != nil {
		return nil, err
	}
	if h == nil {
		h = &host{hostRecord: hostRecord{origin: origin, Counts: Counts{Hosts: 1}}, walked: true}
		a.Store.hosts.hosts[k] = h
		a.part.Hosts++
	}
	a.hosts[k] = h
	return h, nil
}

// find reports whether a URL was seen, and returns its record, or nil if it has none.
func find(db pebble.Reader, k *key) (r *record, seen bool, err error) {
	value, closer, err := db.Get(appendSeenKey(nil, k))
	switch {
	case errors.Is(err, pebble.ErrNotFound):
		return nil, false, nil
	case err != nil:
		return nil, false, err
	}
	order, ok, err := decodeOrder(value)
	closer.Close()
	if err != nil {
		return nil, true, fmt.Errorf("the URL with the key %x: %w", k[:], err)
	}
	if !ok {
		return nil, true, nil
	}
	r, err = readRecord(db, order)
	return r, true, err
}

// readRecord reads a record that must exist.
func readRecord(db pebble.Reader, order uint64) (*record, error) {
	value, closer, err := db.Get(appendRecordKey(nil, order))
	if err != nil {
		if errors.Is(err, pebble.ErrNotFound) {
			err = errors.New("there is none")
		}
		return nil, fmt.Errorf("the record of URL %d: %w", order, err)
	}
	defer closer.Close()
	r := new(record)
	if err := r.decode(value); err != nil {
		return nil, fmt.Errorf("the record of URL %d: %w", order, err)
	}
	r.at.order = order
	return r, nil
}
