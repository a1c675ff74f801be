package store

// Known is what is known of a URL.
type Known struct {
	Seen   bool  // it is in the seen-set
	Queued bool  // it is in the queue of its host
	Done   bool  // it was visited
	Item   Item  // as it is queued or was done; else only what it is known by
	State  State // if it was done
}

func (r *record) known() Known {
	return Known{Seen: true, Queued: r.queued, Done: r.done, Item: r.item, State: r.state}
}

// URL returns what is known of an item.
func (s *Store) URL(it Item) (known Known, err error) {
	known.Item = Item{Partition: it.Partition, Crawl: it.Crawl, URL: it.URL}
	if err := it.check(); err != nil {
		return known, err
	}
	if err := s.use(); err != nil {
		return known, err
	}
	defer s.done()
	l := s.lookup()
	defer l.free()
	k := l.hasher.key(&it, l.hasher.host(it.Partition, originOf(it.URL)))
	db := s.db.NewSnapshot()
	defer db.Close()
	r, seen, err := find(db, &k)
	if err != nil || r == nil {
		known.Seen = seen
		return known, s.told("look up "+it.URL, err)
	}
	return r.known(), nil
}
