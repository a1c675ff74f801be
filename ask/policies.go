package ask

import (
	"crypto/sha256"
	"sync"

	"github.com/robotsexclusion/robots"
)

// Policies keeps policies by their texts, so that a text that is asked about again is not
// parsed again. The zero value is ready to use, and is safe for concurrent use.
type Policies struct {
	// MaxBytes is how many bytes of texts are kept; 0 means 64 MiB. A text of more than a
	// quarter of that is not kept. It is not to be changed after the first call.
	MaxBytes int

	mu    sync.Mutex
	byKey map[policyKey]*robots.Policy
	bytes int
}

// A policyKey stands for a text in a dialect.
type policyKey struct {
	dialect robots.Dialect
	sum     [sha256.Size]byte
}

const defaultMaxBytes = 64 << 20

// Policy returns the policy of a text in a dialect: the one that is kept, or one parsed
// anew. When the texts reach MaxBytes, all are dropped. A nil *Policies keeps none.
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
		return other // of a call at the same time
	}
	if p.byKey == nil || p.bytes+len(text) > limit {
		p.byKey, p.bytes = make(map[policyKey]*robots.Policy), 0
	}
	p.byKey[key] = policy
	p.bytes += len(text)
	return policy
}
