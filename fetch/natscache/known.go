package natscache

import (
	"crypto/sha256"
	"encoding/hex"
	"sync"
)

// A key stands for an origin in both buckets, and has no byte of it. Stored: never change it.
type key [16]byte

func keyOf(origin string) (k key) {
	sum := sha256.Sum256([]byte(origin))
	copy(k[:], sum[:])
	return k
}

func (k key) String() string { return hex.EncodeToString(k[:]) }

// parseKey reads a key. Buckets have other names too, such as that of the probe.
func parseKey(name string) (k key, ok bool) {
	n, err := hex.Decode(k[:], []byte(name[:min(len(name), 2*len(k))]))
	return k, err == nil && n == len(k) && len(name) == 2*len(k)
}

// maxKnown is the maximum number of keys that a process knows the revision of. Local entries of
// other keys are compared with the bucket when they are asked for.
const maxKnown = 1 << 16

// A knowledge has what a process knows about the revisions of entries. It is safe for concurrent
// use. The zero knowledge is ready for use.
//
// A read or write calls begin first, and set with its outcome. In between, the watch may learn of a
// later revision: then the entry is not current.
type knowledge struct {
	mu     sync.Mutex
	keys   map[key]revisions
	number uint64 // of the last element of keys
}

type revisions struct {
	number uint64 // differs from that of an element that was removed
	have   uint64 // of the local entry; 0 if the bucket has no entry
	latest uint64 // that the watch has learnt of since begin
	set    bool   // have is an outcome
}

// begin begins a read or write, and returns a number for set.
func (n *knowledge) begin(k key) (number uint64) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.keys == nil {
		n.keys = make(map[key]revisions)
	}
	if r, ok := n.keys[k]; ok {
		return r.number
	}
	for other := range n.keys {
		if len(n.keys) < maxKnown {
			break
		}
		delete(n.keys, other)
	}
	n.number++
	n.keys[k] = revisions{number: n.number}
	return n.number
}

// set sets the revision of the local entry. If the key was removed since begin, the watch may have
// learnt of a revision that nobody remembers, and set does nothing.
func (n *knowledge) set(k key, number, revision uint64) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if r, ok := n.keys[k]; ok && r.number == number {
		r.have, r.set = max(r.have, revision), true
		n.keys[k] = r
	}
}

// learn takes note of a revision that the watch has seen.
func (n *knowledge) learn(k key, revision uint64) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if r, ok := n.keys[k]; ok {
		r.latest = max(r.latest, revision)
		n.keys[k] = r
	}
}

// forget makes the next question about a key ask the bucket.
func (n *knowledge) forget(k key) {
	n.mu.Lock()
	defer n.mu.Unlock()
	delete(n.keys, k)
}

// current reports whether the process has all that it can know of: a local entry that is the
// newest, or no local entry and none in the bucket.
func (n *knowledge) current(k key, local bool) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	r := n.keys[k]
	return r.set && r.have >= r.latest && (local == (r.have > 0))
}

// revision returns the revision of the local entry, or 0.
func (n *knowledge) revision(k key) uint64 {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.keys[k].have
}

// newest returns the last revision of a key that the process knows of, or 0.
func (n *knowledge) newest(k key) uint64 {
	n.mu.Lock()
	defer n.mu.Unlock()
	return max(n.keys[k].have, n.keys[k].latest)
}
