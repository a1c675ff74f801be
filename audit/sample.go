package audit

import (
	"cmp"
	"encoding/binary"
	"math"
	"math/bits"
	"net/netip"
	"slices"
	"strings"

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
// some 20 MB, or 80 MB if all headers differ and are long.
const (
	maxPeople  = 1 << 17
	maxCallers = 1 << 15
)

// maxSampledHeader is the maximum length of a header in a sample, in bytes: longer headers are cut.
const maxSampledHeader = 256

// A sample has the requests with the smallest hashes. Requests with the same address, second, target,
// header, method, status class and presence of a Referer are counted as one entry.
type sample struct {
	most    int
	total   int64  // requests that were offered
	limit   uint64 // requests with larger hashes are not in the sample
	entries []entry
	headers interner
	logs    interner
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

// add offers a request.
func (s *sample) add(r *accesslog.Request, second int64) {
	s.total++
	t := traits{method: classOfMethod(r.Method), status: statusDigit(r.Status), referred: len(r.Referrer) > 0 && string(r.Referrer) != "-"}
	client := r.Client.As16()
	header := r.UserAgent[:min(len(r.UserAgent), maxSampledHeader)]
	hash := hashBytes(2, header)
	hash = mix(hash^binary.LittleEndian.Uint64(client[:8]), binary.LittleEndian.Uint64(client[8:]))
	hash = mix(hash, uint64(second)<<16^uint64(t.method)<<8^uint64(t.status)<<1^uint64(boolByte(t.referred)))
	hash = hashBytes(hash, r.Target)
	if hash > s.limit {
		return
	}
	t.class = classOfTarget(r.Path)
	e := entry{hash: hash, client: client, second: second, line: int64(r.Line), count: 1, traits: t}
	e.path = hashBytes(1, r.Path)
	e.template, e.number = lastNumber(r.Path)
	s.keep(e, text(header), r.Log)
}

// keep adds an entry whose hash is not above the limit.
func (s *sample) keep(e entry, header, log string) {
	e.header, e.log = s.headers.number(header), s.logs.number(log)
	s.entries = append(s.entries, e)
	if len(s.entries) > s.most+s.most/4 {
		s.settle()
	}
}

// settle joins entries that are alike, and drops those with the largest hashes if there are too many.
func (s *sample) settle() {
	slices.SortFunc(s.entries, func(d, e entry) int {
		return cmp.Or(cmp.Compare(d.hash, e.hash), strings.Compare(s.logs.texts[d.log], s.logs.texts[e.log]), cmp.Compare(d.line, e.line))
	})
	kept := s.entries[:0]
	for _, e := range s.entries {
		if n := len(kept); n > 0 && kept[n-1].hash == e.hash {
			kept[n-1].count += e.count
			continue
		}
		if e.hash > s.limit {
			break
		}
		if len(kept) == s.most {
			s.limit = kept[s.most-1].hash
			break
		}
		kept = append(kept, e)
	}
	s.entries = kept
	headers, logs := s.headers, s.logs
	s.headers, s.logs = interner{}, interner{}
	for i := range s.entries {
		e := &s.entries[i]
		e.header = s.headers.number(headers.texts[e.header])
		e.log = s.logs.number(logs.texts[e.log])
	}
}

// join adds the entries of another sample of the same size. Both are settled before and after.
func (s *sample) join(u *sample) {
	s.total += u.total
	s.limit = min(s.limit, u.limit)
	for _, e := range u.entries {
		if e.hash <= s.limit {
			s.keep(e, u.headers.texts[e.header], u.logs.texts[e.log])
		}
	}
	s.settle()
}

// sampled reports whether the sample lacks requests.
func (s *sample) sampled() bool { return s.limit != math.MaxUint64 }

// An interner numbers texts.
type interner struct {
	texts   []string
	numbers map[string]uint32
	last    uint32 // the number that was last given, for texts that repeat
}

func (i *interner) number(text string) uint32 {
	if int(i.last) < len(i.texts) && i.texts[i.last] == text {
		return i.last
	}
	n, ok := i.numbers[text]
	if !ok {
		if i.numbers == nil {
			i.numbers = map[string]uint32{}
		}
		text = strings.Clone(text)
		n = uint32(len(i.texts))
		i.texts = append(i.texts, text)
		i.numbers[text] = n
	}
	i.last = n
	return n
}

// mix is a multiplication whose halves are folded. Its constants are stored by their results, in
// parts: they never change.
func mix(a, b uint64) uint64 {
	high, low := bits.Mul64(a^0xa0761d6478bd642f, b^0xe7037ed1a0b428db)
	return high ^ low
}

// hashBytes returns a hash of bytes, sixteen at a time. It is the same in every process, because parts
// are joined.
func hashBytes(seed uint64, b []byte) uint64 {
	h := mix(seed, uint64(len(b)))
	for len(b) >= 16 {
		h = mix(h^binary.LittleEndian.Uint64(b), binary.LittleEndian.Uint64(b[8:]))
		b = b[16:]
	}
	if len(b) >= 8 {
		h = mix(h, binary.LittleEndian.Uint64(b))
		b = b[8:]
	}
	switch n := len(b); {
	case n >= 4:
		h = mix(h, uint64(binary.LittleEndian.Uint32(b))<<32|uint64(binary.LittleEndian.Uint32(b[n-4:])))
	case n > 0:
		h = mix(h, uint64(b[0])<<16|uint64(b[n/2])<<8|uint64(b[n-1]))
	}
	return mix(h, h>>32)
}

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
		return hashBytes(1, path), -1
	}
	for _, c := range path[begin:end] {
		number = number*10 + int64(c-'0')
	}
	return hashBytes(hashBytes(3, path[:begin]), path[end:]), number
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// address returns the address of a client, or that of its network of 64 bits if it is an IPv6
// address, because one client has all of the network.
func (e *entry) address() netip.Prefix {
	a := netip.AddrFrom16(e.client).Unmap()
	if a.Is4() {
		return netip.PrefixFrom(a, 32)
	}
	return netip.PrefixFrom(a, 64).Masked()
}
