package audit

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"iter"
	"math"
	"math/bits"
	"net/netip"
	"slices"

	"github.com/robotsexclusion/robots/accesslog"
)

// What an audit says of clients that do not call themselves robots comes from a sample of their
// requests, because a table of all clients does not fit in memory. The sample has the requests with
// the smallest hashes, so it does not depend on the order of the requests: a request that is in the
// sample at the end was in the sample whenever it was counted. A log with fewer requests than the
// sample holds is in the sample as a whole.

// maxPeople is the maximum number of different requests in the sample of people, and maxCallers that
// in the sample of robots and programs, which serves their peaks only. An entry takes 88 bytes and a
// header at most 256, and there are up to a quarter more before they are settled: a worker needs
// some 25 MB, or 80 MB if all headers differ and are long.
const (
	maxPeople  = 1 << 16
	maxCallers = 1 << 14
)

// A sample has the requests with the smallest hashes. Requests with the same address, second, target,
// header, method, status class and presence of a Referer are counted as one entry.
//
// Entries are large: only their keys are sorted and moved. An entry that is settled stays in its place until it
// is dropped, and leaves the place to another one then. Places are all over the memory, so entries are collected
// in an array that stays in the cache of the processor, and settled together.
type sample struct {
	most    int
	total   int64      // requests that were offered
	limit   uint64     // requests with larger hashes are not in the sample
	entries []entry    // those that are settled, and unused places
	settled []entryKey // of entries: at most most, all different, sorted by hash
	unused  []uint32   // of entries
	fresh   []entry    // those since
	keys    []entryKey // of fresh, while it is settled
	spare   []entryKey // for settle
	headers interner
	logs    logNames
	shared  *sharedSample // which gets the entries, or nil
}

// An entry is requests that are alike. It has no pointers, so that the garbage collector skips it.
type entry struct {
	hash     uint64
	client   [16]byte // as netip.Addr.As16; zero if the line has no address
	second   int64
	path     uint64 // hash of the path
	template uint64 // hash of the path without its last number
	number   int64  // the last number in the path, or -1
	line     int64
	count    int64
	header   uint32
	log      uint32
	traits
	app bool // of a crowd: the header is that of an app
}

// traits are the small facts of an entry. They are stored in parts.
type traits struct {
	class    targetClass
	method   methodClass
	status   uint8 // the first digit; 304 counts as 2, because the client has the content
	referred bool
}

// A targetClass says what a request was for. It is stored in parts: never renumber.
type targetClass uint8

const (
	otherTarget targetClass = 0 // a feed, a download, data
	pageTarget  targetClass = 1
	assetTarget targetClass = 2 // a style, a script, an image or a font: part of a page
	rulesTarget targetClass = 3 // robots.txt
	noTarget    targetClass = 4 // the target has no path
)

// A methodClass is a method. It is stored in parts: never renumber.
type methodClass uint8

const (
	otherMethod methodClass = 0
	getMethod   methodClass = 1
	headMethod  methodClass = 2
	postMethod  methodClass = 3
)

func newSample(most int) sample { return sample{most: most, limit: math.MaxUint64} }

// add offers a request with the hashes of its header.
func (s *sample) add(r *accesslog.Request, second int64, header headerHashes) {
	s.total++
	t := traits{method: classOfMethod(r.Method), status: statusDigit(r.Status), referred: len(r.Referrer) > 0 && string(r.Referrer) != "-"}
	client := r.Client.As16()
	hash := mix(header.stored^binary.LittleEndian.Uint64(client[:8]), binary.LittleEndian.Uint64(client[8:]))
	hash = mix(hash, uint64(second)<<16^uint64(t.method)<<8^uint64(t.status)<<1^uint64(boolByte(t.referred)))
	hash = hashBytes(hash, r.Target)
	if hash > s.limit {
		return
	}
	t.class = classOfTarget(r.Path)
	e := entry{hash: hash, client: client, second: second, line: int64(r.Line), count: 1, traits: t}
	e.path = hashBytes(seedPath, r.Path)
	e.template, e.number = lastNumber(r.Path)
	if cut := cutHeader(r.UserAgent); len(cut) < len(r.UserAgent) {
		e.header = s.headers.number(text(cut), secretHash(cut))
	} else {
		e.header = s.headers.number(text(cut), header.secret)
	}
	e.log = s.logs.numberOf(r.Log)
	s.keep(e)
}

// keep adds an entry whose hash is not above the limit, with the numbers of its header and log.
func (s *sample) keep(e entry) {
	if s.fresh == nil {
		s.fresh = make([]entry, 0, min(s.most/4+1, lotSize))
	}
	s.fresh = append(s.fresh, e)
	switch {
	case s.shared != nil && len(s.fresh) == lotSize:
		s.handOver()
	case len(s.fresh) > s.most/4:
		s.settle()
	}
}

// all yields the entries: those of a settled sample by hash.
func (s *sample) all(yield func(*entry) bool) {
	for _, key := range s.settled {
		if !yield(&s.entries[key.place]) {
			return
		}
	}
	for i := range s.fresh {
		if !yield(&s.fresh[i]) {
			return
		}
	}
}

// settle joins entries that are alike, and drops those with the largest hashes if there are too many.
func (s *sample) settle() {
	s.keys = slices.Grow(s.keys[:0], len(s.fresh))
	for i := range s.fresh {
		s.keys = append(s.keys, entryKey{s.fresh[i].hash, uint32(i)})
	}
	s.sortKeys()
	kept := slices.Grow(s.spare[:0], len(s.settled)+len(s.keys))
	for settled, fresh := s.settled, s.keys; len(settled)+len(fresh) > 0; {
		n := len(kept)
		if len(fresh) == 0 || len(settled) > 0 && settled[0].hash <= fresh[0].hash {
			if key := settled[0]; n < s.most && key.hash <= s.limit {
				kept = append(kept, key)
			} else {
				s.dropFrom(kept)
				s.unused = append(s.unused, key.place)
			}
			settled = settled[1:]
			continue
		}
		e := &s.fresh[fresh[0].place]
		switch {
		case n > 0 && kept[n-1].hash == e.hash:
			s.unite(&s.entries[kept[n-1].place], e)
		case n < s.most && e.hash <= s.limit:
			kept = append(kept, entryKey{e.hash, s.place(e)})
		default:
			s.dropFrom(kept)
		}
		fresh = fresh[1:]
	}
	s.settled, s.fresh, s.spare = kept, s.fresh[:0], s.settled
	s.headers.retain(len(kept), s.numbers(func(e *entry) *uint32 { return &e.header }))
	s.logs.retain(len(kept), s.numbers(func(e *entry) *uint32 { return &e.log }))
}

// dropFrom lowers the limit when an entry is dropped because others are as many as the sample may have.
func (s *sample) dropFrom(kept []entryKey) {
	if len(kept) == s.most {
		s.limit = min(s.limit, kept[s.most-1].hash)
	}
}

// place gives an entry a place, and returns its index.
func (s *sample) place(e *entry) uint32 {
	if n := len(s.unused); n > 0 {
		place := s.unused[n-1]
		s.unused = s.unused[:n-1]
		s.entries[place] = *e
		return place
	}
	if n := len(s.entries); n == cap(s.entries) {
		s.entries = slices.Grow(s.entries, min(3*n+64, s.most+s.most/4+1-n)) // few copies, and no room that is never used
	}
	s.entries = append(s.entries, *e)
	return uint32(len(s.entries) - 1)
}

// numbers yields a number of each entry.
func (s *sample) numbers(number func(*entry) *uint32) iter.Seq[*uint32] {
	return func(yield func(*uint32) bool) {
		s.all(func(e *entry) bool { return yield(number(e)) })
	}
}

// sortKeys sorts the keys by hash: by the upper bits that differ, a few at a time from the lowest of them, and
// then those whose upper bits are equal, which mostly are requests that are alike. A sorting by comparisons
// takes many times as long, and the time of one that trusts hashes to be random would be up to a client that
// chooses them.
func (s *sample) sortKeys() {
	const (
		digit = 11 // bits
		upper = 3 * digit
	)
	keys, spare := s.keys, slices.Grow(s.spare[:0], len(s.keys))[:len(s.keys)]
	var ones uint64 // the bits that any hash has
	for i := range keys {
		ones |= keys[i].hash
	}
	lowest := max(0, bits.Len64(ones)-upper) // of the upper bits
	for shift := lowest; shift < lowest+upper; shift += digit {
		var begins [1<<digit + 1]int32 // by digit, of the keys with it
		for i := range keys {
			begins[keys[i].hash>>shift%(1<<digit)+1]++
		}
		for d := range 1 << digit {
			begins[d+1] += begins[d]
		}
		for i := range keys {
			d := keys[i].hash >> shift % (1 << digit)
			spare[begins[d]] = keys[i]
			begins[d]++
		}
		keys, spare = spare, keys
	}
	s.keys, s.spare = keys, spare
	for len(keys) > 0 {
		n := 1
		for n < len(keys) && keys[n].hash>>lowest == keys[0].hash>>lowest {
			n++
		}
		if n > 1 {
			slices.SortFunc(keys[:n], func(j, k entryKey) int { return cmp.Compare(j.hash, k.hash) })
		}
		keys = keys[n:]
	}
}

// An entryKey is the hash of an entry, and its index.
type entryKey struct {
	hash  uint64
	place uint32
}

// unite adds the count of an entry to that of one that is alike, which becomes the first of both by log and line.
func (s *sample) unite(settled, e *entry) {
	count := settled.count + e.count
	if cmp.Or(bytes.Compare(s.logs.bytes(e.log), s.logs.bytes(settled.log)), cmp.Compare(e.line, settled.line)) < 0 {
		*settled = *e
	}
	settled.count = count
}

// join adds the entries of another sample of the same size, which must not be used afterwards. Both are
// settled before and after.
func (s *sample) join(u *sample) {
	if u.shared != nil {
		return // it has handed over all
	}
	if s.total == 0 && len(s.settled) == 0 && !s.sampled() {
		*s = *u
		return
	}
	s.limit = min(s.limit, u.limit)
	s.take(u)
	s.settle()
}

// sampled reports whether the sample lacks requests.
func (s *sample) sampled() bool { return s.limit != math.MaxUint64 }

func boolByte(b bool) byte {
	if b {
		return 1
	}
	return 0
}

func statusDigit(status int) uint8 {
	if status == 304 {
		return 2
	}
	if status < 100 || status > 599 {
		return 0
	}
	return uint8(status / 100)
}

func classOfMethod(method []byte) methodClass {
	switch string(method) {
	case "GET":
		return getMethod
	case "HEAD":
		return headMethod
	case "POST":
		return postMethod
	}
	return otherMethod
}

// lastNumber returns the hash of a path without its last number of at most 18 digits, and the number, or
// -1.
func lastNumber(path []byte) (template uint64, number int64) {
	end := len(path)
	for end > 0 && !isDigit(path[end-1]) {
		end--
	}
	begin := end
	for begin > 0 && isDigit(path[begin-1]) {
		begin--
	}
	if begin == end || end-begin > 18 {
		return hashBytes(seedPath, path), -1
	}
	for _, c := range path[begin:end] {
		number = number*10 + int64(c-'0')
	}
	return hashBytes(hashBytes(seedTemplate, path[:begin]), path[end:]), number
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// network returns the address of a client with zeros for the bits that address leaves out.
func (e *entry) network() [16]byte {
	network := e.client
	if !netip.AddrFrom16(e.client).Is4In6() {
		clear(network[8:])
	}
	return network
}

// address returns the address of a client, or that of its network of 64 bits if it is an IPv6
// address, because one client has all of the network.
func (e *entry) address() netip.Prefix {
	a := netip.AddrFrom16(e.client).Unmap()
	if a.Is4() {
		return netip.PrefixFrom(a, 32)
	}
	return netip.PrefixFrom(a, 64).Masked()
}
