package store

import (
	"fmt"
	"time"

	"github.com/cockroachdb/pebble/v2"
)

// A change is what a batch does to one URL.
type change struct {
	key     key
	hostKey hostKey

	seen, wasSeen bool
	rec           *record // nil: there is none
	was           position
	wasQueued     bool
	wasDone       bool
	wasRecord     bool
	made          bool // it does something
}

// make makes the change of one op.
func (c *change) make(o *op, p *part) {
	if o.kind == opSeen && c.seen {
		return
	}
	c.seen, c.made = true, true
	if c.rec == nil && o.kind != opDrop {
		c.rec = &record{item: o.item, at: position{o.item.Priority, millis(o.item.Due), p.order}}
		p.order++
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

// counts returns by how much the counts change.
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
	if !c.wasSeen {
		buf = append(append(buf[:0], seenTable), c.key[:]...)
		if err := w.Set(buf, nil, nil); err != nil {
			return buf, err
		}
	}
	if same := c.wasQueued && c.queued() && c.was == c.rec.at; !same {
		if c.wasQueued {
			buf = appendQueueKey(buf[:0], c.hostKey, c.was, &c.key)
			if err := w.Delete(buf, nil); err != nil {
				return buf, err
			}
		}
		if c.queued() {
			buf = appendQueueKey(buf[:0], c.hostKey, c.rec.at, &c.key)
			if err := w.Set(buf, nil, nil); err != nil {
				return buf, err
			}
		}
	}
	buf = append(append(buf[:0], urlTable), c.key[:]...)
	n := len(buf)
	switch {
	case c.rec != nil:
		buf = c.rec.append(buf)
		return buf, w.Set(buf[:n], buf[n:], nil)
	case c.wasRecord:
		return buf, w.Delete(buf, nil)
	}
	return buf, nil
}

// An application is how a batch comes into the store.
type application struct {
	*Store
	batch   *Batch
	part    part
	byKey   map[key]*change
	changes []change // a change for each op, if it is the first of its URL
	hosts   map[hostKey]*host
	w       *pebble.Batch
}

// apply makes all changes of a batch. After an error, what is in memory is not what
// is on the disk.
func (s *Store) apply(b *Batch, seq uint64) error {
	a := &application{
		Store:   s,
		batch:   b,
		part:    s.parts[b.partition],
		byKey:   make(map[key]*change, len(b.ops)),
		changes: make([]change, len(b.ops)),
		hosts:   make(map[hostKey]*host),
		w:       s.db.NewBatch(),
	}
	defer a.w.Close()
	if err := a.read(); err != nil {
		return err
	}
	for i := range b.ops {
		o := &b.ops[i]
		if o.kind != opHost {
			a.byKey[a.changes[i].key].make(o, &a.part)
		} else if err := a.setHost(a.changes[i].hostKey, o); err != nil {
			return err
		}
	}
	if err := a.write(); err != nil {
		return err
	}
	a.part.applied = seq
	if err := a.w.Set([]byte{partTable, b.partition}, a.part.append(nil), nil); err != nil {
		return err
	}
	sync := pebble.NoSync
	if now := time.Now(); s.syncEvery > 0 && now.Sub(s.synced) >= s.syncEvery {
		sync, s.synced = pebble.Sync, now
	}
	if err := s.db.Apply(a.w, sync); err != nil {
		return err
	}
	s.parts[b.partition] = a.part
	for i := range a.changes {
		if c := &a.changes[i]; c.made {
			s.recent.put(&c.key)
		}
	}
	s.forget()
	return nil
}

// read finds what is known of the URLs of the batch.
func (a *application) read() error {
	l := a.lookup()
	defer l.free()
	known := make(map[key]bool, len(a.batch.ops)) // those whose record is wanted
	for i := range a.batch.ops {
		o, c := &a.batch.ops[i], &a.changes[i]
		c.hostKey = l.hasher.host(o.item.Partition, originOf(o.item.URL))
		if o.kind == opHost {
			continue
		}
		c.key = l.hasher.key(&o.item, c.hostKey)
		if o.kind != opSeen {
			known[c.key] = true
		}
		if a.byKey[c.key] != nil {
			continue
		}
		a.byKey[c.key] = c
		c.seen = true
		if !a.recent.has(&c.key) {
			l.queries = append(l.queries, query{c.key, int32(i)})
		}
	}
	if err := a.lookUp(l); err != nil {
		return err
	}
	for i := range l.queries {
		a.byKey[l.queries[i].key].seen = false
	}
	for k, c := range a.byKey {
		c.wasSeen = c.seen
		if !c.seen || !known[k] {
			continue
		}
		r, err := a.record(&k)
		if err != nil {
			return err
		}
		if r != nil {
			c.rec, c.wasRecord = r, true
			c.was, c.wasQueued, c.wasDone = r.at, r.queued, r.done
		}
	}
	return nil
}

// write puts the changes into the batch of the database, and what they do to the
// hosts into memory.
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
		delete(a.leases, c.key)
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

// setHost makes the change of SetHost.
func (a *application) setHost(k hostKey, o *op) error {
	if _, err := a.touch(k, originOf(o.item.URL)); err != nil {
		return err
	}
	return a.w.Set(in(stateTable, k[:]), append([]byte{version}, o.bytes...), nil)
}

// touch returns a host that changes, which is made if there is none.
func (a *application) touch(k hostKey, origin string) (*host, error) {
	if h := a.hosts[k]; h != nil {
		return h, h.is(origin)
	}
	h, err := a.host(k, origin)
	if err != nil {
		return nil, err
	}
	if h == nil {
		h = &host{hostRecord: hostRecord{origin: origin, Counts: Counts{Hosts: 1}}, walked: true}
		a.Store.hosts[k] = h
		a.part.Hosts++
	}
	a.hosts[k] = h
	return h, nil
}

// record returns the record of a URL, or nil if it has none.
func (s *Store) record(k *key) (*record, error) {
	value, closer, err := s.db.Get(in(urlTable, k[:]))
	switch {
	case err == pebble.ErrNotFound:
		return nil, nil
	case err != nil:
		return nil, err
	}
	defer closer.Close()
	r := new(record)
	if err := r.decode(value); err != nil {
		return nil, fmt.Errorf("the record of the URL with the key %x: %w", k[:], err)
	}
	r.item.Partition, r.item.Crawl = k[0], uint16(k[5])<<8|uint16(k[6])
	return r, nil
}
