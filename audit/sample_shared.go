package audit

import "sync"

// A sharedSample is the sample of several workers. Each of them collects requests in a sample of
// its own, and hands them over in lots. Workers that kept whole samples would each keep and sort
// nearly as many requests as one worker alone, since the limit of a sample falls with the requests
// that were offered.
type sharedSample struct {
	lock sync.Mutex
	of   *sample
}

// lotSize is the number of entries for which a sample has room at first, and of texts that a worker
// keeps after it handed over its entries.
const lotSize = 1 << 12

// finish settles a sample, or hands over what it collected.
func (s *sample) finish() {
	if s.shared != nil {
		s.handOver()
	} else {
		s.settle()
	}
}

// handOver settles the entries in the shared sample, and takes over its limit: no request with a
// larger hash is among those with the smallest hashes of all workers.
func (s *sample) handOver() {
	s.sortFresh()
	s.shared.lock.Lock()
	s.shared.of.total += s.total
	s.shared.of.settleFrom(s)
	s.limit = s.shared.of.limit
	s.shared.lock.Unlock()
	s.total = 0
	if len(s.headers.spans) > lotSize {
		s.headers = interner{}
	}
	if len(s.logs.spans) > lotSize {
		s.logs = logNames{}
	}
}

// take adds the entries of another sample, without settling them.
func (s *sample) take(u *sample) {
	s.total += u.total
	for e := range u.all {
		if e.hash <= s.limit {
			mine := s.next()
			*mine = *e
			mine.header, mine.log = s.headers.take(&u.headers, e.header), s.logs.take(&u.logs.interner, e.log)
		}
	}
}
