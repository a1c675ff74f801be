package audit

// A secondSeries is a series of requests that keeps only their seconds. Requests come nearly in
// order, so most of them are written to a chunk at once, and neither collected nor sorted.
type secondSeries struct {
	series
	open   chunkWriter // the chunk that is written
	second int64       // of the last requests in order, which are not in open yet
	count  uint64      // how many they are
}

// minRun is the least size in bytes of a chunk that ends because a request is before the last one,
// as when another log begins. A series with a chunk for each few requests would be slow to read.
const minRun = 1 << 10

// add counts a request. It reports false, and does not count it, if the request is before the last
// one and must be sorted with others.
func (s *secondSeries) add(second int64) bool {
	if s.count == 0 || second != s.second {
		return s.begin(second)
	}
	s.count++
	return true
}

// begin counts the first request of a second.
func (s *secondSeries) begin(second int64) bool {
	if s.count > 0 && second < s.second {
		if len(s.open.data) < minRun {
			return false
		}
		s.flush()
	}
	s.write()
	s.second, s.count = second, 1
	return true
}

// write writes the requests of the last second.
func (s *secondSeries) write() {
	if s.count > 0 {
		s.open.addSecond(s.second, s.count)
		s.count = 0
	}
}

// flush adds the open chunk to the series.
func (s *secondSeries) flush() {
	s.write()
	if len(s.open.data) > 0 {
		s.append(s.open.data)
		s.open = chunkWriter{}
	}
}
