package monitor

import (
	"context"
	"time"

	"github.com/robotsexclusion/robots/fetch"
)

// alwaysStale is a cache whose entries are never fresh: each look asks the server, which may confirm the last text.
type alwaysStale struct{ fetch.Cache }

// Get implements [fetch.Cache].
func (c alwaysStale) Get(ctx context.Context, origin string) (*fetch.Entry, error) {
	e, err := c.Cache.Get(ctx, origin)
	if err != nil || e == nil {
		return e, err
	}
	stale := *e
	stale.FreshUntil = time.Time{}
	return &stale, nil
}
