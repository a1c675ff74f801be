package botauth

import (
	"container/heap"
	"crypto/sha256"
	"sync"
	"time"
)

// Nonces remembers the nonces of verified signatures until they expire, so that the verifiers that
// share it accept a signature once. It is safe for concurrent use. It must not be copied after its
// first use.
type Nonces struct {
	// Max is the maximum number of nonces; 0 is 65,536. Beyond it, the nonce that expires soonest
	// is forgotten, and could be used again.
	Max int

	mu      sync.Mutex
	seen    map[[32]byte][32]byte // the hash of the sender, by that of the nonce
	expires expiries
}

// add remembers a nonce, and reports whether it is new, or comes from its first sender again. An
// empty sender is nobody's.
func (n *Nonces) add(nonce, sender string, expires, now time.Time) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.seen == nil {
		n.seen = make(map[[32]byte][32]byte)
	}
	most := n.Max
	if most == 0 {
		most = 1 << 16
	}
	forget := func() { delete(n.seen, heap.Pop(&n.expires).(expiry).sum) }
	for len(n.expires) > 0 && n.expires[0].at < now.Unix() {
		forget()
	}
	sum := sha256.Sum256([]byte(nonce)) // the signer chooses the length of a nonce
	from := sha256.Sum256([]byte(sender))
	if first, ok := n.seen[sum]; ok {
		return sender != "" && first == from
	}
	n.seen[sum] = from
	heap.Push(&n.expires, expiry{expires.Unix(), sum})
	if len(n.expires) > most {
		forget()
	}
	return true
}

// An expiry is the second at which a nonce can be forgotten.
type expiry struct {
	at  int64
	sum [32]byte
}

// expiries is a heap with the first to expire on top.
type expiries []expiry

func (e expiries) Len() int           { return len(e) }
func (e expiries) Less(i, j int) bool { return e[i].at < e[j].at }
func (e expiries) Swap(i, j int)      { e[i], e[j] = e[j], e[i] }
func (e *expiries) Push(x any)        { *e = append(*e, x.(expiry)) }
func (e *expiries) Pop() any {
	last := (*e)[len(*e)-1]
	*e = (*e)[:len(*e)-1]
	return last
}
