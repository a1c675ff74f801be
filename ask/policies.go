package ask

import (
	"crypto/sha256"
	"sync"

	"github.com/robotsexclusion/robots"
)

// Policies caches policies by their texts, so that a repeated text is not parsed again. The
// zero value is ready to use and safe for concurrent use.
type Policies struct {
	// MaxBytes is the maximum number of bytes of all cached texts; 0 means 64 MiB. A text of
	// more than a quarter of MaxBytes is not cached. Do not change MaxBytes after the first
	// call.
	MaxBytes int

	mu    sync.Mutex
	byKey map[policyKey]*robots.Policy
	bytes int
}

// A policyKey identifies a text in a dialect.
type policyKey struct {
	dialect robots.Dialect
	sum     [sha256.Size]byte
}

const defaultMaxBytes = 64 << 20

// Policy returns the policy of a text in a dialect, from the cache or newly parsed. A text that
// would exceed MaxBytes empties the cache first. A nil *Policies caches nothing.
func (p *Policies) Policy(d robots.Dialect, text []byte) *robots.Policy {
	if p == nil {
		return d.Parse(text)
	}
	key := policyKey{d, sha256.Sum256(text)}
	p.mu.Lock()
	policy := p.byKey[key]
	p.mu.Unlock()
	if policy != nil {
		return policy
	}
	policy = d.Parse(text)
	limit := p.MaxBytes
	if limit == 0 {
		limit = defaultMaxBytes
	}
	if len(text) > limit/4 {
		return policy
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if other := p.byKey[key]; other != nil {
		return other // parsed by a concurrent call
	}
	if p.byKey == nil || p.bytes+len(text) > limit {
		p.byKey, p.bytes = make(map[policyKey]*robots.Policy), 0
	}
	p.byKey[key] = policy
	p.bytes += len(text)
	return policy
}
