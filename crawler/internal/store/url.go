package store

// An Entry is the state of one URL in the store.
type Entry struct {
	Seen   bool  // the URL is in the seen-set
	Queued bool  // the URL is in the queue of its host
	Done   bool  // the URL was visited
	Item   Item  // as queued or as visited; only Partition, Crawl and URL if neither
	State  State // set if Done
}

func (r *record) entry() Entry {
	return Entry{Seen: true, Queued: r.queued, Done: r.done, Item: r.item, State: r.state}
}

// URL returns the entry of an item.
func (s *Store) URL(it Item) (entry Entry, err error) {
	entry.Item = Item{Partition: it.Partition, Crawl: it.Crawl, URL: it.URL}
	if err := it.check(); err != nil {
		return entry, err
	}
	if err := s.use(); err != nil {
		return entry, err
	}
	defer s.done()
	l := s.lookup()
	defer l.free()
	k := l.hasher.key(&it, l.hasher.host(it.Partition, originOf(it.URL)))
	db := s.db.NewSnapshot()
	defer db.Close()
	r, seen, err := find(db, &k)
	if err != nil || r == nil {
		entry.Seen = seen
		return entry, s.wrap("look up "+it.URL, err)
	}
	return r.entry(), nil
}
