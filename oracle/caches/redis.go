package caches

import (
	"context"
	"fmt"
	"io/fs"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/robotsexclusion/robots/fetch"
)

// keep is how long Redis keeps an entry: RFC 9309, section 2.3.1.4 lets a robot use the last text
// for 30 days while a site is unreachable.
const keep = 31 * 24 * time.Hour

// Redis is a cache in Redis: a hash for each origin, with the members entry and text.
type Redis struct {
	Client *redis.Client
	Prefix string // of the keys, such as "robots:"
}

// Get implements [fetch.Cache].
func (c Redis) Get(ctx context.Context, origin string) (*fetch.Entry, error) {
	hash, err := c.Client.HGetAll(ctx, c.Prefix+origin).Result()
	if err != nil {
		return nil, err
	}
	if len(hash) == 0 {
		return nil, fmt.Errorf("%s is not in Redis: %w", origin, fs.ErrNotExist)
	}
	return decode([]byte(hash["entry"]), []byte(hash["text"]))
}

// Put implements [fetch.Cache]. Both members are written at once, so that no reader sees the entry
// of one fetch with the text of another.
func (c Redis) Put(ctx context.Context, e *fetch.Entry) error {
	entry, text, err := encode(e)
	if err != nil {
		return err
	}
	_, err = c.Client.TxPipelined(ctx, func(p redis.Pipeliner) error {
		p.HSet(ctx, c.Prefix+e.Origin, "entry", entry, "text", text)
		p.Expire(ctx, c.Prefix+e.Origin, keep)
		return nil
	})
	return err
}
