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

	"github.com/robotsexclusion/robots/audit/accesslog"
)

// What an audit says of clients that do not call themselves robots comes from a sample of their
// requests, because a table of all clients does not fit in memory. The sample has the requests with
// the smallest hashes, so it does not depend on the order of the requests: a request in the final
// sample was in the sample from its first line on. A log with fewer requests than the sample holds
// is in the sample as a whole.

// maxPeople is the maximum number of different requests in the sample of people, and maxCallers
// that in the sample of robots and programs, which serves their peaks only. An entry takes 96 bytes
// and a header at most 256, and there are up to a quarter more before they are settled: a worker
// needs some 25 MB, or 80 MB if all headers differ and are long.
const (
	maxPeople  = 1 << 16
	maxCallers = 1 << 14
)

// A sample has the requests with the smallest hashes. Requests with the same address, second,
// target, header, method, status class and presence of a Referer are counted as one entry.
//
// Entries are large: only their keys are sorted and moved. An entry that is settled stays in its
// place until it is dropped, and leaves the place to another one then. Places are all over the
// memory, so entries are collected in an array that stays in the cache of the processor, and
// settled together.
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
	closed   uint32 // the hash of the rule for "*" that disallowed the path then, or 0
	referrer uint32 // the hash of the Referer, or 0 without one
	app      bool   // of a crowd: the header is that of an app
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

// add offers a request with the hashes of its header, and returns the hash of the request. The
// place, which may be nil, says what was closed at the time.
func (s *sample) add(r *accesslog.Request, second int64, header headerHashes, p *place) (hash uint64) {
	s.total++
	t := traits{method: classOfMethod(r.Method), status: statusDigit(r.Status), referred: len(r.Referrer) > 0 &&
		string(r.Referrer) != "-"}
	upper, lower := halves(r.Client)
	hash = mix(header.stored^upper, lower)
	hash = mix(hash, uint64(second)<<16^uint64(t.method)<<8^uint64(t.status)<<1^uint64(boolByte(t.referred)))
	hash = hashBytes(hash, r.Target)
	if hash > s.limit {
		return hash
	}
	t.class = classOfTarget(r.Path)
	e := s.next()
	*e = entry{hash: hash, client: r.Client.As16(), second: second, line: int64(r.Line), count: 1, traits: t}
	e.path = hashBytes(seedPath, r.Path)
	e.template, e.number = lastNumber(r.Path, e.path)
	if p != nil && r.Path != nil {
		e.closed = p.closedBy(text(r.Path), second)
	}
	if t.referred {
		e.referrer = uint32(hashBytes(seedReferrer, r.Referrer)) | 1
	}
	if cut := cutHeader(r.UserAgent); len(cut) < len(r.UserAgent) {
		e.header = s.headers.number(text(cut), secretHash(cut))
	} else {
		e.header = s.headers.number(text(cut), header.secret)
	}
	e.log = s.logs.numberOf(r.Log)
	return hash
}

// halves returns the halves of an address, as netip.Addr.As16 has it, as numbers in little endian
// order. Reading them from an array of 16 bytes that was just written would wait for the writing.
func halves(client netip.Addr) (upper, lower uint64) {
	if client.Is4() {
		four := client.As4()
		return 0, uint64(binary.LittleEndian.Uint32(four[:]))<<32 | 0xffff<<16
	}
	sixteen := client.As16()
	return binary.LittleEndian.Uint64(sixteen[:8]), binary.LittleEndian.Uint64(sixteen[8:])
}

// next returns the place of a new entry, whose hash is not above the limit. It may renumber headers
// and logs, so call it before the numbers of the entry are looked up.
func (s *sample) next() *entry {
	switch n := len(s.fresh); {
	case n < cap(s.fresh):
	case n > s.most/4:
		s.finish()
	default:
		lot := s.most/4 + 1
		if n == 0 {
			lot = min(lot, lotSize)
		}
		s.fresh = withRoom(s.fresh, lot)
	}
	s.fresh = s.fresh[:len(s.fresh)+1]
	return &s.fresh[len(s.fresh)-1]
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

// settle joins entries that are alike, and drops those with the largest hashes if there are too
// many.
func (s *sample) settle() {
	s.sortFresh()
	s.settleFrom(s)
}

// sortFresh makes the keys of the fresh entries.
func (s *sample) sortFresh() {
	s.keys = slices.Grow(s.keys[:0], len(s.fresh))
	for i := range s.fresh {
		s.keys = append(s.keys, entryKey{s.fresh[i].hash, uint32(i)})
	}
	s.sortKeys()
}

// settleFrom settles the fresh entries of a sample, which has sorted their keys. It is s or a
// sample that shares s.
func (s *sample) settleFrom(u *sample) {
	old := s.settled
	rest, fresh := s.merge(u, upTo(old, s.limit), upTo(u.keys, s.limit))
	if n := len(s.settled); n == s.most && (rest < len(old) || fresh < len(u.keys)) {
		s.limit = min(s.limit, s.settled[n-1].hash)
	}
	for _, key := range old[rest:] {
		s.unused = append(s.unused, key.place)
	}
	u.fresh, s.spare = u.fresh[:0], old
	s.headers.retain(len(s.settled), s.numbers(func(e *entry) *uint32 { return &e.header }))
	s.logs.retain(len(s.settled), s.numbers(func(e *entry) *uint32 { return &e.log }))
}

// merge rebuilds the settled keys of s from its old ones and from the keys of the fresh entries of
// u, up to the size of the sample. It returns how many of each it took.
func (s *sample) merge(u *sample, settled, fresh []entryKey) (fromSettled, fromFresh int) {
	kept := slices.Grow(s.spare[:0], len(settled)+len(fresh))
	i, j := 0, 0
	for ; j < len(fresh); j++ {
		for i < len(settled) && settled[i].hash <= fresh[j].hash && len(kept) < s.most {
			kept = append(kept, settled[i])
			i++
		}
		if n := len(kept); n > 0 && kept[n-1].hash == fresh[j].hash {
			s.unite(&s.entries[kept[n-1].place], s.adopt(u, fresh[j]))
		} else if n < s.most {
			kept = append(kept, entryKey{fresh[j].hash, s.place(s.adopt(u, fresh[j]))})
		} else {
			break
		}
	}
	room := min(len(settled)-i, s.most-len(kept))
	s.settled = append(kept, settled[i:i+room]...)
	return i + room, j
}

// adopt returns a fresh entry of u, with the numbers that s has for its header and its log.
func (s *sample) adopt(u *sample, key entryKey) *entry {
	e := &u.fresh[key.place]
	if u != s {
		e.header, e.log = s.headers.take(&u.headers, e.header), s.logs.take(&u.logs.interner, e.log)
	}
	return e
}

// upTo returns sorted keys up to a hash.
func upTo(keys []entryKey, hash uint64) []entryKey {
	n := len(keys)
	for n > 0 && keys[n-1].hash > hash {
		n--
	}
	return keys[:n]
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
		s.entries = withRoom(s.entries, min(4*n+64, s.most+s.most/4+1)) // few copies, and no room that is never used
	}
	s.entries = append(s.entries, *e)
	return uint32(len(s.entries) - 1)
}

// withRoom returns entries in an array for a number of them. An array of this size is new memory,
// which slices.Grow would write zeros to, and the garbage collector would wait for the end of that.
func withRoom(entries []entry, room int) []entry {
	array := make([]entry, len(entries), room)
	copy(array, entries)
	return array
}

// numbers yields a number of each entry.
func (s *sample) numbers(number func(*entry) *uint32) iter.Seq[*uint32] {
	return func(yield func(*uint32) bool) {
		s.all(func(e *entry) bool { return yield(number(e)) })
	}
}

// sortKeys sorts the keys by hash: first by the upper bits that differ, a few at a time from the
// lowest of them, and then keys with equal upper bits, which mostly belong to similar requests. A
// sort by comparisons takes many times as long, and a sort that trusts hashes to be random would be
// slow if a client chose them.
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

// unite adds the count of an entry to that of one that is alike, which becomes the first of both by
// log and line.
func (s *sample) unite(settled, e *entry) {
	count := settled.count + e.count
	if cmp.Or(bytes.Compare(s.logs.bytes(e.log), s.logs.bytes(settled.log)), cmp.Compare(e.line, settled.line)) < 0 {
		*settled = *e
	}
	settled.count = count
}

// join adds the entries of another sample of the same size, which must not be used afterwards. Both
// are settled before and after.
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

// lastNumber returns the hash of a path without its last number of at most 18 digits, and the
// number, or the hash of the path and -1.
func lastNumber(path []byte, hash uint64) (template uint64, number int64) {
	end := len(path)
	for end > 0 && !isDigit(path[end-1]) {
		end--
	}
	begin := end
	for begin > 0 && isDigit(path[begin-1]) {
		begin--
	}
	if begin == end || end-begin > 18 {
		return hash, -1
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

// address returns the address of a client, or, for an IPv6 address, its /64 network, because one
// client has the whole network.
func (e *entry) address() netip.Prefix {
	a := netip.AddrFrom16(e.client).Unmap()
	if a.Is4() {
		return netip.PrefixFrom(a, 32)
	}
	return netip.PrefixFrom(a, 64).Masked()
}
