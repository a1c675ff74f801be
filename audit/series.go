package audit

import (
	"cmp"
	"encoding/binary"
	"errors"
	"net/netip"
	"slices"
)

// A part keeps requests in series: sequences in a fixed order, as chunks of bytes. A chunk has the
// differences of neighbours, so that a request takes one to three bytes where robots request often.
//
// Requests come nearly in order. They are collected in one buffer for all series, and when the
// buffer is full, it is sorted and each series gets one chunk. A series with many chunks is
// merged to one. Reading a series merges its chunks.

// A hit is requests that are alike in all that matters, in one second.
type hit struct {
	client netip.Addr // zero where the client does not matter
	second int64      // since 1970
	value  uint64     // depends on the series
	count  uint64
}

// compareHits orders hits by client, second and value.
func compareHits(g, h hit) int {
	if g.client != h.client {
		return g.client.Compare(h.client)
	}
	if c := cmp.Compare(g.second, h.second); c != 0 {
		return c
	}
	return cmp.Compare(g.value, h.value)
}

// alike reports whether hits differ in nothing but their counts. Neighbours mostly have different
// seconds.
func alike(g, h *hit) bool { return g.second == h.second && g.value == h.value && g.client == h.client }

// A series is hits in order.
type series struct {
	chunks [][]byte

	owner int32 // its number in a hitBuffer, in a round
	round uint32
}

// maxChunks is the maximum number of chunks of a series.
const maxChunks = 64

// add adds hits, which are in order.
func (s *series) add(hits []hit) {
	if len(hits) == 0 {
		return
	}
	s.append(appendHits(nil, hits))
}

// append adds chunks.
func (s *series) append(chunks ...[]byte) {
	s.chunks = append(s.chunks, chunks...)
	if len(s.chunks) <= maxChunks {
		return
	}
	var w chunkWriter
	for h := range s.all {
		w.add(h)
	}
	s.chunks = [][]byte{slices.Clip(w.data)}
}

// all yields the hits in order. Hits that are alike are joined.
func (s *series) all(yield func(hit) bool) {
	if len(s.chunks) == 1 {
		readChunk(s.chunks[0], yield)
	} else {
		s.merge(yield)
	}
}

// readChunk yields the hits of a chunk. Hits that are alike are joined.
func readChunk(chunk []byte, yield func(hit) bool) {
	r := chunkReader{data: chunk}
	for more := r.next(); more; {
		h := r.hit
		for more = r.next(); more && alike(&h, &r.hit); more = r.next() {
			h.count += r.hit.count
		}
		if !yield(h) {
			return
		}
	}
}

// merge yields the hits of several chunks in order.
func (s *series) merge(yield func(hit) bool) {
	var heap []chunkReader
	for _, chunk := range s.chunks {
		r := chunkReader{data: chunk}
		if r.next() {
			heap = append(heap, r)
		}
	}
	slices.SortFunc(heap, func(q, r chunkReader) int { return compareHits(q.hit, r.hit) })
	var last hit
	for len(heap) > 0 {
		h := heap[0].hit
		switch {
		case last.count > 0 && alike(&last, &h):
			last.count += h.count
		default:
			if last.count > 0 && !yield(last) {
				return
			}
			last = h
		}
		if heap[0].next() {
			sink(heap)
			continue
		}
		heap[0] = heap[len(heap)-1]
		heap = heap[:len(heap)-1]
		sink(heap)
	}
	if last.count > 0 {
		yield(last)
	}
}

// sink restores the order of a heap whose first reader may be too far up.
func sink(heap []chunkReader) {
	for i := 0; ; {
		child := 2*i + 1
		if child >= len(heap) {
			return
		}
		if right := child + 1; right < len(heap) && compareHits(heap[right].hit, heap[child].hit) < 0 {
			child = right
		}
		if compareHits(heap[i].hit, heap[child].hit) <= 0 {
			return
		}
		heap[i], heap[child] = heap[child], heap[i]
		i = child
	}
}

// A chunk is hits in order. Each has a head, a uvarint:
//
//	8 × the seconds since the hit before
//	+ 4 if another client begins: its address and the second follow, and the seconds in the head are 0
//	+ 2 if another value than that of the hit before follows, a uvarint
//	+ 1 if the number of requests follows, a uvarint; otherwise it is 1
//
// An address is one byte for its length (0, 4 or 16) and the address; the second is a varint.
// Chunks are stored in parts: the form never changes.
const (
	countFollows  = 1
	valueFollows  = 2
	clientFollows = 4
	secondsShift  = 3
)

// appendHits appends a chunk with hits, which are in order.
func appendHits(data []byte, hits []hit) []byte {
	w := chunkWriter{data: data}
	for _, h := range hits {
		w.add(h)
	}
	return slices.Clip(w.data)
}

// A chunkWriter writes a chunk.
type chunkWriter struct {
	data []byte
	last hit
}

// add appends a hit, which is not before the last one.
func (w *chunkWriter) add(h hit) {
	var head uint64
	if first := len(w.data) == 0; first || h.client != w.last.client {
		head = clientFollows
	} else {
		head = uint64(h.second-w.last.second) << secondsShift
	}
	if h.value != w.last.value {
		head |= valueFollows
	}
	if h.count != 1 {
		head |= countFollows
	}
	w.data = binary.AppendUvarint(w.data, head)
	if head&clientFollows != 0 {
		address := h.client.AsSlice()
		w.data = append(w.data, byte(len(address)))
		w.data = append(w.data, address...)
		w.data = binary.AppendVarint(w.data, h.second)
	}
	if head&valueFollows != 0 {
		w.data = binary.AppendUvarint(w.data, h.value)
	}
	if head&countFollows != 0 {
		w.data = binary.AppendUvarint(w.data, h.count)
	}
	w.last = h
}

// addSecond appends requests of a second to a chunk that keeps only seconds.
func (w *chunkWriter) addSecond(second int64, count uint64) {
	if len(w.data) == 0 || count != 1 {
		w.add(hit{second: second, count: count})
		return
	}
	w.data = binary.AppendUvarint(w.data, uint64(second-w.last.second)<<secondsShift)
	w.last.second = second
}

// A chunkReader reads a chunk. A chunk that this program wrote has no error; checkChunk looks for
// errors in others.
type chunkReader struct {
	data   []byte
	hit    hit
	failed bool
}

// next reads the next hit, and reports whether there is one.
func (r *chunkReader) next() bool {
	if len(r.data) == 0 || r.failed {
		return false
	}
	head := r.uvarint()
	r.hit.second += int64(head >> secondsShift)
	if head&clientFollows != 0 {
		r.hit.client = r.address()
		r.hit.second = r.varint()
	}
	if head&valueFollows != 0 {
		r.hit.value = r.uvarint()
	}
	r.hit.count = 1
	if head&countFollows != 0 {
		r.hit.count = r.uvarint()
	}
	return !r.failed
}

func (r *chunkReader) uvarint() uint64 {
	if len(r.data) > 0 && r.data[0] < 0x80 {
		n := r.data[0]
		r.data = r.data[1:]
		return uint64(n)
	}
	n, size := binary.Uvarint(r.data)
	return n + r.skip(size)
}

func (r *chunkReader) varint() int64 {
	n, size := binary.Varint(r.data)
	return n + int64(r.skip(size))
}

// skip advances by the size of a number. It returns 0.
func (r *chunkReader) skip(size int) uint64 {
	if size <= 0 {
		r.failed = true
		return 0
	}
	r.data = r.data[size:]
	return 0
}

func (r *chunkReader) address() netip.Addr {
	if len(r.data) == 0 || int(r.data[0]) >= len(r.data) {
		r.failed = true
		return netip.Addr{}
	}
	size := 1 + int(r.data[0])
	address, ok := netip.AddrFromSlice(r.data[1:size])
	if !ok && size > 1 {
		r.failed = true
	}
	r.data = r.data[size:]
	return address
}

var errChunk = errors.New("a list of requests is damaged")

// checkChunk returns an error if a chunk from elsewhere cannot be read, or is not in order, or has
// times or numbers that no log has.
func checkChunk(data []byte) error {
	r := chunkReader{data: data}
	var last hit
	for r.next() {
		h := r.hit
		if h.count == 0 || h.count > 1<<48 || h.second < -maxSecond || h.second > maxSecond {
			return errChunk
		}
		if last.count > 0 && compareHits(last, h) > 0 {
			return errChunk
		}
		last = h
	}
	if r.failed {
		return errChunk
	}
	return nil
}

// maxSecond is a second after the year 9999, and -maxSecond is before the year 0.
const maxSecond = 1 << 38
