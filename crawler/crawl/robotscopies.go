package crawl

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"time"

	"github.com/robotsexclusion/robots/crawler/internal/journal"
	"github.com/robotsexclusion/robots/fetch"
)

// The copies of robots.txt of a shared crawl are on the servers too, in the stream NAME-robots. A
// worker puts each answer there before it obeys it. The next owner of the partition takes it from
// there, so that it need not ask the host again before its time, and knows the rules of a host
// whose robots.txt cannot be reached any more.

const (
	copiesWord = "robots" // stored in names of streams
	// copiesAge is longer than any copy matters: an unreachable one stays in force for 30 days.
	copiesAge = 31 * 24 * time.Hour
	// copyTime is how long an answer waits for the servers. The host waits meanwhile.
	copyTime = 10 * time.Second
)

// robotsCopies is a cache for one fetch: a local one, and the copies on the servers.
type robotsCopies struct {
	fetch.Cache
	values   *journal.Values
	log      *reporter
	revision uint64 // of the copy on the servers, which Get has read
}

// Get implements [fetch.Cache]. A copy that is fresh is used wherever it is.
func (c *robotsCopies) Get(ctx context.Context, origin string) (*fetch.Entry, error) {
	local, localErr := c.Cache.Get(ctx, origin)
	if localErr == nil && time.Now().Before(local.FreshUntil) {
		return local, nil
	}
	data, revision, err := c.values.Get(ctx, copyKey(origin))
	c.revision = revision
	if errors.Is(err, fs.ErrNotExist) {
		return local, localErr
	}
	var shared *fetch.Entry
	if err == nil {
		shared, err = fetch.DecodeEntry(data)
	}
	if err == nil && shared.Origin != origin {
		err = fetch.ErrCorrupt
	}
	if err != nil {
		if ctx.Err() == nil {
			c.log.Warn("the copy of robots.txt on the servers is not used", "origin", origin, "error", err)
		}
		return local, localErr
	}
	if localErr == nil && !shared.CheckedAt.After(local.CheckedAt) {
		return local, nil
	}
	if err := c.Cache.Put(ctx, shared); err != nil {
		c.log.Warn("robots.txt is not kept", "origin", origin, "error", err)
	}
	return shared, nil
}

// Put implements [fetch.Cache]. If another worker has put a copy since Get, that one stays.
func (c *robotsCopies) Put(ctx context.Context, e *fetch.Entry) error {
	if err := c.Cache.Put(ctx, e); err != nil {
		return err
	}
	data, err := fetch.EncodeEntry(e)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, copyTime)
	defer cancel()
	err = c.values.Put(ctx, copyKey(e.Origin), data, c.revision)
	if err != nil && !errors.Is(err, journal.ErrFenced) {
		c.log.Warn("robots.txt is on this machine only: if its host moves to another worker, that one asks again",
			"origin", e.Origin, "error", err)
	}
	return nil
}

// copyKey returns the key of an origin.
func copyKey(origin string) string {
	sum := sha256.Sum256([]byte(origin))
	return hex.EncodeToString(sum[:16])
}
