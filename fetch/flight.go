package fetch

import (
	"context"
	"fmt"
)

// join joins the open fetch of an origin, or starts one. A cancelled caller does not affect the
// others. When all callers are cancelled, the fetch is cancelled.
func (c *Client) join(ctx context.Context, origin string) (Result, error) {
	r, stopped, err := c.flights.Do(ctx, origin, func(ctx context.Context) (Result,
		error) {
		return c.refresh(ctx, origin)
	})
	if stopped {
		return Result{}, fmt.Errorf("fetch %s: %w", origin, err)
	}
	return r, err
}
