package fleet

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"

	cluster "github.com/robotsexclusion/robots/internal/nats"
)

// An Amount is a part of the budget of a crawl.
type Amount struct {
	Pages int64 `json:"pages"`
	Bytes int64 `json:"bytes"`
}

// drawn is what all workers have drawn, in JSON.
type drawn struct {
	Version int `json:"version"`
	Amount
}

// errApart is the error of a draw without a server.
var errApart = errors.New("no NATS server answers")

// budgetKey is the key of what all workers have drawn.
const budgetKey = "budget"

// Draw draws up to an amount of the budget of the crawl, of which all workers together draw no more
// than the limit. Negative amounts give back what was drawn and not used. A draw without an answer
// is an error, and what it may have drawn is lost; it never counts for less than it is.
func (s *Limits) Draw(ctx context.Context, most, limit Amount) (got Amount, err error) {
	for ctx.Err() == nil {
		s.mu.Lock()
		b, link := s.bucket, s.link
		s.mu.Unlock()
		if b == nil {
			return Amount{}, errApart
		}
		v, err := b.Get(ctx, budgetKey)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			s.lost(link, err)
			return Amount{}, err
		}
		all := drawn{Version: limitsVersion}
		if v.Revision > 0 && !v.Deleted {
			if err := json.Unmarshal(v.Data, &all); err != nil || all.Version != limitsVersion {
				return Amount{}, s.foreign(budgetKey)
			}
		}
		got.Pages = portion(most.Pages, limit.Pages, all.Pages)
		got.Bytes = portion(most.Bytes, limit.Bytes, all.Bytes)
		if got == (Amount{}) {
			return got, nil
		}
		all.Pages += got.Pages
		all.Bytes += got.Bytes
		data, _ := json.Marshal(all)
		switch _, err = b.Put(ctx, budgetKey, data, v.Revision); {
		case err == nil:
			return got, nil
		case !errors.Is(err, cluster.ErrRevision):
			s.lost(link, err)
			return Amount{}, err
		}
	}
	return Amount{}, ctx.Err()
}

// portion returns how much of an amount may be drawn.
func portion(most, limit, drawn int64) int64 {
	if most < 0 {
		return max(most, -drawn)
	}
	return max(0, min(most, limit-drawn))
}

// lost leaves a server that hangs.
func (s *Limits) lost(link *cluster.Session, err error) {
	if link != nil && errors.Is(err, context.DeadlineExceeded) {
		link.Fail(err)
		s.member.hung(err)
	}
}
