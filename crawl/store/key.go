package store

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"hash/maphash"
	"strings"
	"sync/atomic"
)

// The first octet of a key says which table it is of. Then comes the partition, so
// that what is of one partition is together in each table.
const (
	partTable  = 'p' // partition: what was applied, and counts
	hostTable  = 'h' // hostKey: name and counts
	stateTable = 'o' // hostKey: the crawler's opaque state of the host
	seenTable  = 's' // key: nothing
	urlTable   = 'u' // key: a record
	queueTable = 'q' // position: nothing
)

// formatKey has the format of all the rest.
var formatKey = []byte("f")

// saltLen is how many octets the salt has.
//
// Keys are salted so that nobody can make two URLs of one key, and hide one behind
// the other: without the salt, which nobody else knows, he could not tell if he has
// succeeded. SHA-256 is in the standard library and as fast as needed; with the
// salt, 96 bits of it are a message authentication code, which is not forged but
// by chance. Chance is one in 10^20 for a URL among a thousand million.
const saltLen = 16

// A key is what a URL of a crawl is known by: its partition (1 octet), 32 bits of
// the key of its host, the crawl (2 octets), and 96 bits of a keyed hash. URLs of
// one host are together, and begin with the same 5 octets as its hostKey.
type key [1 + 4 + 2 + 12]byte

// A hostKey is what a host is known by: its partition, and 64 bits of a keyed hash.
type hostKey [1 + 8]byte

func compareKeys(a, b *key) int { return bytes.Compare(a[:], b[:]) }

// A hasher makes keys. It is for one goroutine.
type hasher struct {
	s   *Store
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
	slot := &h.s.hostIDs[maphash.String(hostSeed, origin)%uint64(len(h.s.hostIDs))]
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
	order    uint64 // of discovery, in the partition
}

func (a position) before(b position) bool {
	return cmp.Or(cmp.Compare(a.priority, b.priority), cmp.Compare(a.due, b.due), cmp.Compare(a.order, b.order)) < 0
}

// The key of an entry in a queue: table, host, position, and crawl and hash of the
// key of the URL.
const queueKeyLen = 1 + len(hostKey{}) + 1 + 8 + 8 + 14

func appendPosition(b []byte, host hostKey, p position) []byte {
	b = append(b, queueTable)
	b = append(b, host[:]...)
	b = append(b, p.priority)
	b = binary.BigEndian.AppendUint64(b, uint64(p.due))
	return binary.BigEndian.AppendUint64(b, p.order)
}

func appendQueueKey(b []byte, host hostKey, p position, k *key) []byte {
	return append(appendPosition(b, host, p), k[5:]...)
}

// parseQueueKey is the inverse of appendQueueKey.
func parseQueueKey(b []byte) (host hostKey, p position, k key, ok bool) {
	if len(b) != queueKeyLen || b[0] != queueTable {
		return host, p, k, false
	}
	host = hostKey(b[1:])
	b = b[1+len(host):]
	p.priority = b[0]
	p.due = int64(binary.BigEndian.Uint64(b[1:]))
	p.order = binary.BigEndian.Uint64(b[9:])
	copy(k[:5], host[:])
	copy(k[5:], b[17:])
	return host, p, k, p.due >= 0
}

// in returns the key of something in a table.
func in(table byte, of []byte) []byte { return append([]byte{table}, of...) }
