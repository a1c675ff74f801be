package store

import (
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/cockroachdb/pebble/v2"
)

// queue lowers the front of a priority so that it is not after p.
func (h *host) queue(p position) {
	if !h.walked {
		return
	}
	i, found := slices.BinarySearchFunc(h.fronts, p.priority, func(f position, priority uint8) int {
		return int(f.priority) - int(priority)
	})
	switch {
	case !found:
		h.fronts = slices.Insert(h.fronts, i, p)
	case p.before(h.fronts[i]):
		h.fronts[i] = p
	}
}

// Next returns up to n due items of a host, with their records: those of the lowest
// priority first, among these those that have been due longest, and then in the order of
// discovery. Next leases the items, so that no item is visited twice: it does not return
// them again until a batch has changed them, or [Store.Release] returns them, or the
// store is opened again.
//
// The cost depends on n and on the number of leased items of the host, and not on the
// number of visited items.
func (s *Store) Next(partition uint8, origin string, now time.Time, n int) ([]Entry, error) {
	return s.next(partition, origin, millis(now), n, true)
}

// Queue returns up to n items of a host in the order of Next, due or not, and does not
// lease them. Leased items are not included.
func (s *Store) Queue(partition uint8, origin string, n int) ([]Entry, error) {
	return s.next(partition, origin, math.MaxInt64, n, false)
}

// next returns items, and leases them if take is true.
func (s *Store) next(partition uint8, origin string, now int64, n int, take bool) ([]Entry, error) {
	if err := s.use(); err != nil {
		return nil, err
	}
	defer s.done()
	l := s.lookup()
	defer l.free()
	hk := l.hasher.host(partition, origin)
	s.mu.Lock()
	defer s.mu.Unlock()
	h, err := s.hosts.get(hk, origin)
	if err != nil || h == nil || h.Queued == 0 || n <= 0 {
		return nil, s.wrap("next of "+origin, err)
	}
	it, err := queueOf(s.db, hk)
	if err != nil {
		return nil, s.wrap("next of "+origin, err)
	}
	defer it.Close()
	orders, err := s.leases.due(it, hk, h, now, n)
	if err != nil {
		return nil, s.wrap("next of "+origin, err)
	}
	items := make([]Entry, 0, len(orders))
	records := make([]*record, 0, len(orders))
	for _, order := range orders {
		r, err := readRecord(s.db, order)
		if err == nil && (!r.queued || originOf(r.item.URL) != origin) {
			err = fmt.Errorf("record %d is in the queue of %s, and does not say so", order, origin)
		}
		if err != nil {
			s.disk.damaged(err)
			return nil, s.disk.failure()
		}
		items = append(items, r.entry())
		records = append(records, r)
	}
	if take {
		for _, r := range records {
			s.leases.add(l.hasher.key(&r.item, hk), r)
		}
	}
	s.hosts.trim()
	return items, nil
}

// maxKept is the maximum number of records of leased items in memory, a megabyte or two.
// They are kept because a batch that changes them will follow soon.
const maxKept = 8 << 10

// leases are the leased items with their records.
type leases struct {
	orders map[key]uint64
	out    map[uint64]*record // nil for a record that is not kept
	kept   int
}

func (l *leases) add(k key, r *record) {
	if l.orders == nil {
		l.orders, l.out = make(map[key]uint64), make(map[uint64]*record)
	}
	order := r.at.order
	if l.kept == maxKept {
		r = nil
	} else {
		l.kept++
	}
	l.orders[k], l.out[order] = order, r
}

func (l *leases) remove(k *key) {
	if order, ok := l.orders[*k]; ok {
		if l.out[order] != nil {
			l.kept--
		}
		delete(l.orders, *k)
		delete(l.out, order)
	}
}

// record returns a copy of the record of a leased item, or nil if the record is not kept.
func (l *leases) record(order uint64) *record {
	kept := l.out[order]
	if kept == nil {
		return nil
	}
	r := *kept
	return &r
}

// Release ends the leases of items that [Store.Next] returned and that have not been
// visited.
func (s *Store) Release(items ...Item) {
	l := s.lookup()
	defer l.free()
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range items {
		it := &items[i]
		k := l.hasher.key(it, l.hasher.host(it.Partition, originOf(it.URL)))
		s.leases.remove(&k)
	}
}

// queueOf returns an iterator over the queue of a host.
func queueOf(db *pebble.DB, hk hostKey) (*pebble.Iterator, error) {
	return db.NewIter(&pebble.IterOptions{LowerBound: in(queueTable, hk[:]), UpperBound: after(in(queueTable, hk[:]))})
}

// after returns the least key that does not begin with prefix.
func after(prefix []byte) []byte {
	for i := len(prefix) - 1; i >= 0; i-- {
		if prefix[i]++; prefix[i] != 0 {
			return prefix[:i+1]
		}
	}
	return nil
}

// due finds the records of up to n due items that are not leased. It advances the fronts
// of the queue to the first entries.
func (l *leases) due(it *pebble.Iterator, hk hostKey, h *host, now int64, n int) (orders []uint64, err error) {
	if err := h.walk(it, hk); err != nil {
		return nil, err
	}
	var buf [queueKeyLen]byte
	for i := 0; i < len(h.fronts) && len(orders) < n; i++ {
		front := &h.fronts[i]
		first := true
		for ok := it.SeekGE(appendQueueKey(buf[:0], hk, *front)); ok && len(orders) < n; ok = it.Next() {
			_, p, valid := parseQueueKey(it.Key())
			if !valid {
				return nil, fmt.Errorf("the queue of %s has the key %x", h.origin, it.Key())
			}
			if p.priority != front.priority {
				break
			}
			if first {
				*front, first = p, false
			}
			if p.due > now {
				break
			}
			if _, out := l.out[p.order]; !out {
				orders = append(orders, p.order)
			}
		}
		if err := it.Error(); err != nil {
			return nil, err
		}
		if first { // the queue has no entry of this priority
			h.fronts = slices.Delete(h.fronts, i, i+1)
			i--
		}
	}
	return orders, nil
}

// walk finds the fronts of the queue of h, if they are not known.
func (h *host) walk(it *pebble.Iterator, hk hostKey) error {
	if h.walked {
		return nil
	}
	fronts, err := walk(it, hk, nil)
	if err == nil {
		h.fronts, h.walked = fronts, true
	}
	return err
}

// walk appends the first position of each priority in the queue of a host.
func walk(it *pebble.Iterator, hk hostKey, fronts []position) ([]position, error) {
	var buf [queueKeyLen]byte
	for priority := 0; priority < 256; {
		if !it.SeekGE(appendQueueKey(buf[:0], hk, position{priority: uint8(priority)})) {
			break
		}
		host, p, valid := parseQueueKey(it.Key())
		if !valid {
			return nil, fmt.Errorf("a queue has the key %x", it.Key())
		}
		if host != hk {
			break
		}
		fronts = append(fronts, p)
		priority = int(p.priority) + 1
	}
	return fronts, it.Error()
}

// advance moves the fronts of h to the first entries.
func (h *host) advance(it *pebble.Iterator, hk hostKey) error {
	var buf [queueKeyLen]byte
	fronts := h.fronts[:0]
	for _, front := range h.fronts {
		if it.SeekGE(appendQueueKey(buf[:0], hk, front)) {
			_, p, valid := parseQueueKey(it.Key())
			if !valid {
				return fmt.Errorf("the queue of %s has the key %x", h.origin, it.Key())
			}
			if p.priority == front.priority {
				fronts = append(fronts, p)
			}
		} else if err := it.Error(); err != nil {
			return err
		}
	}
	h.fronts = fronts
	return nil
}

// firstDue returns the earliest due time in a queue.
func firstDue(fronts []position) time.Time {
	if len(fronts) == 0 {
		return time.Time{}
	}
	first := fronts[0].due
	for _, p := range fronts {
		first = min(first, p.due)
	}
	return instant(first)
}
