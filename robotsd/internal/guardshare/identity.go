package guardshare

import (
	"context"
	"time"

	"github.com/robotsexclusion/robots/agent"
)

const (
	// IdentityBucket is the bucket with what the DNS said about clients.
	IdentityBucket = "robots-guard-identities"

	identityAge  = 12 * time.Hour // until a value is removed
	identitySize = 64 << 20       // of the whole bucket, in bytes; the server refuses more values
	identityWait = time.Second    // for one exchange with the server
)

// Identity answers a question about a client with what another guard has found, or calls find and
// lets the others know. It is for guard.Identities.Share. Without the server it only calls find.
func (s *Share) Identity(ctx context.Context, key string, find func() (agent.Result, time.Duration)) (agent.Result,
	time.Duration) {
	bucket := s.identities.Load()
	if bucket == nil {
		return find()
	}
	key = s.identityPrefix + key
	if v, err := bucket.Get(ctx, key); err == nil {
		if result, good := parseIdentity(v.Data, time.Now()); good > 0 {
			return result, good
		}
	}
	result, good := find()
	if value := formatIdentity(result, time.Now().Add(good)); value != nil {
		bucket.Set(ctx, key, value) // an error costs another guard a question
	}
	return result, good
}
