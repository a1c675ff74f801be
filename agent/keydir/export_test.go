package keydir

// Expire makes all sources stale.
func (c *Client) Expire() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for name, e := range c.entries {
		stale, source := *e, *e.source
		source.Fresh = source.Fetched
		stale.source = &source
		c.entries[name] = &stale
	}
}
