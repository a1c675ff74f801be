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

// The first byte of a key is its table. In all tables except that of records, the
// partition is next, so that the keys of one partition are together. Records are in the
// order of discovery in the whole store: so new records come after all others, and merges
// of tables leave the older records alone, which are most of the data. The bytes are
// stored: never change them.
const (
	partTable  = 'p' // partition: last applied record, and counts
	hostTable  = 'h' // hostKey: name and counts
	stateTable = 'o' // hostKey: the crawler's opaque state of the host
	seenTable  = 's' // key: the order of its record, or empty
	queueTable = 'q' // hostKey, position: empty
	urlTable   = 'u' // order: a record
	markTable  = 'm' // name: a note of the caller about other files
)

// formatKey is the key of the format of the store.
var formatKey = []byte("f")

// saltLen is the length of the salt in bytes.
//
// Keys are salted so that an attacker cannot make two URLs with the same key, and hide
// one behind the other: the salt is secret, and without it a collision cannot be
// recognised. SHA-256 is in the standard library and fast enough; with the salt, 96 bits
// of it are a message authentication code, which can be forged only by chance. The chance
// is one in 10^20 for a URL among a thousand million.
const saltLen = 16

// A key identifies a URL of a crawl: its partition (1 byte), 32 bits of the key of its
// host, the crawl (2 bytes), and 96 bits of a keyed hash. The keys of one host are
// together, and begin with the same 5 bytes as its hostKey.
type key [1 + 4 + 2 + 12]byte

// A hostKey identifies a host: its partition, and 64 bits of a keyed hash.
type hostKey [1 + 8]byte

func compareKeys(a, b *key) int { return bytes.Compare(a[:], b[:]) }

// A hasher makes keys. It is for one goroutine.
type hasher struct {
	ids *hostIDs
	buf []byte // the salt, the table (for a URL also partition and crawl), and the text
}

// key returns the key of an item. host is the key of its host.
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

// hostIDs caches hashes of hosts, as most links are to a host that was looked up a moment
// ago.
type hostIDs [1 << 12]atomic.Pointer[hostID]

type hostID struct {
	origin string
	id     [8]byte
}

var hostSeed = maphash.MakeSeed()

// A position is the place of an item in the queue of its host. The queue is sorted by
// position.
type position struct {
	priority uint8
	due      int64  // Unix milliseconds, from 0 on
	order    uint64 // order of discovery, unique in the store
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

// appendSeenKey appends the key of a URL in the seen-set.
func appendSeenKey(b []byte, k *key) []byte { return append(append(b, seenTable), k[:]...) }

// appendOrder appends the value of a key of the seen-set, for a URL whose record has this
// order.
func appendOrder(b []byte, order uint64) []byte { return binary.AppendUvarint(b, order) }

// decodeOrder is the inverse of appendOrder; for an empty value, ok is false.
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

// in returns a key of a table.
func in(table byte, of []byte) []byte { return append([]byte{table}, of...) }
