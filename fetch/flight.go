package fetch

import (
	"context"
	"fmt"
)

// join waits for the fetch of an origin that others wait for too, and starts it if there
// is none. That one of them no longer waits does not concern the others. When none waits,
// it ends.
func (c *Client) join(ctx context.Context, origin string) (Result, error) {
	r, stopped, err := c.flights.Do(ctx, origin, func(ctx context.Context) (Result, error) { return c.refresh(ctx, origin) })
	if stopped {
		return Result{}, fmt.Errorf("fetch %s: %w", origin, err)
	}
	return r, err
}
