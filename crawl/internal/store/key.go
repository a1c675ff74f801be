package store

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"hash/maphash"
	"math"
	"strings"
	"sync/atomic"
)

// The first byte of a key says which table it is of. In all tables but that of
// records, then comes the partition, so that what is of one partition is together.
// Records are in the order of discovery in the whole store: so new ones come after
// all others, and merging tables leaves them alone, which are most of what there is.
// The bytes are stored: never change them.
const (
	partTable  = 'p' // partition: what was applied, and counts
	hostTable  = 'h' // hostKey: name and counts
	stateTable = 'o' // hostKey: the crawler's opaque state of the host
	seenTable  = 's' // key: the order of its record, or nothing
	queueTable = 'q' // hostKey, position: nothing
	urlTable   = 'u' // order: a record
	markTable  = 'm' // name: a note of the caller about other files
)

// formatKey has the format of all the rest.
var formatKey = []byte("f")

// saltLen is how many bytes the salt has.
//
// Keys are salted so that nobody can make two URLs of one key, and hide one behind
// the other: without the salt, which nobody else knows, he could not tell if he has
// succeeded. SHA-256 is in the standard library and as fast as needed; with the
// salt, 96 bits of it are a message authentication code, which is not forged but
// by chance. Chance is one in 10^20 for a URL among a thousand million.
const saltLen = 16

// A key is what a URL of a crawl is known by: its partition (1 byte), 32 bits of
// the key of its host, the crawl (2 bytes), and 96 bits of a keyed hash. URLs of
// one host are together, and begin with the same 5 bytes as its hostKey.
type key [1 + 4 + 2 + 12]byte

// A hostKey is what a host is known by: its partition, and 64 bits of a keyed hash.
type hostKey [1 + 8]byte

func compareKeys(a, b *key) int { return bytes.Compare(a[:], b[:]) }

// A hasher makes keys. It is for one goroutine.
type hasher struct {
	ids *hostIDs
	buf []byte // the salt, what is hashed, and the text
}

// key returns the key of an item, whose host has the other key.
func (h *hasher) key(it *Item, host hostKey) (k key) {
	copy(k[:5], host[:])
	binary.BigEndian.PutUint16(k[5:], it.Crawl)
	h.buf = append(h.buf[:saltLen], urlTable, k[0], k[5], k[6])
	h.buf = append(h.buf, it.URL...)
	sum := sha256.Sum256(h.buf)
	copy(k[7:], sum[:])
	return k
}

// host returns the key of a host.
func (h *hasher) host(partition uint8, origin string) (k hostKey) {
	k[0] = partition
	slot := &h.ids[maphash.String(hostSeed, origin)%uint64(len(h.ids))]
	known := slot.Load()
	if known == nil || known.origin != origin {
		h.buf = append(h.buf[:saltLen], hostTable)
		h.buf = append(h.buf, origin...)
		sum := sha256.Sum256(h.buf)
		known = &hostID{strings.Clone(origin), [8]byte(sum[:])}
		slot.Store(known)
	}
	copy(k[1:], known.id[:])
	return k
}

// hostIDs remembers hashes of hosts, as most links are to a host that was looked up
// a moment ago.
type hostIDs [1 << 12]atomic.Pointer[hostID]

type hostID struct {
	origin string
	id     [8]byte
}

var hostSeed = maphash.MakeSeed()

// A position is where an item is in the queue of its host, which is in order.
type position struct {
	priority uint8
	due      int64  // Unix milliseconds, from 0 on
	order    uint64 // of discovery, in the store: no two URLs have the same one
}

func (a position) before(b position) bool {
	return cmp.Or(cmp.Compare(a.priority, b.priority), cmp.Compare(a.due, b.due), cmp.Compare(a.order, b.order)) < 0
}

// queueKeyLen is the length of the key of an entry in a queue.
const queueKeyLen = 1 + len(hostKey{}) + 1 + 8 + 8

// appendQueueKey appends the key of the entry of a host at a position.
func appendQueueKey(b []byte, host hostKey, p position) []byte {
	b = append(b, queueTable)
	b = append(b, host[:]...)
	b = append(b, p.priority)
	b = binary.BigEndian.AppendUint64(b, uint64(p.due))
	return binary.BigEndian.AppendUint64(b, p.order)
}

// parseQueueKey is the inverse of appendQueueKey.
func parseQueueKey(b []byte) (host hostKey, p position, ok bool) {
	if len(b) != queueKeyLen || b[0] != queueTable {
		return host, p, false
	}
	host = hostKey(b[1:])
	b = b[1+len(host):]
	p.priority = b[0]
	p.due = int64(binary.BigEndian.Uint64(b[1:]))
	p.order = binary.BigEndian.Uint64(b[9:])
	return host, p, p.due >= 0
}

// appendSeenKey appends the key that says that a URL was seen.
func appendSeenKey(b []byte, k *key) []byte { return append(append(b, seenTable), k[:]...) }

// appendOrder appends the value of that, if the URL has a record of this order.
func appendOrder(b []byte, order uint64) []byte { return binary.AppendUvarint(b, order) }

// decodeOrder is the inverse of appendOrder; of no value, ok is false.
func decodeOrder(b []byte) (order uint64, ok bool, err error) {
	if len(b) == 0 {
		return 0, false, nil
	}
	c := cursor{b: b}
	order = c.uvarint(math.MaxUint64)
	return order, true, c.end()
}

// appendRecordKey appends the key of a record.
func appendRecordKey(b []byte, order uint64) []byte {
	return binary.BigEndian.AppendUint64(append(b, urlTable), order)
}

// in returns the key of something in a table.
func in(table byte, of []byte) []byte { return append([]byte{table}, of...) }
