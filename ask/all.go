package ask

import (
	"context"
	"iter"

	"github.com/robotsexclusion/robots/internal/parallel"
)

// atOnce is the maximum number of URLs that AskAll asks about concurrently, if servers must be
// asked.
const atOnce = 8

// AskAll yields the results of Ask for each URL, in the order of the URLs; it ignores the URL of
// the question. If servers must be asked, it asks about several URLs concurrently. It yields an
// error among the URLs in its place, and then ends. It ends early if ctx is done.
func (q *Inquirer) AskAll(ctx context.Context, urls iter.Seq2[string, error], about Question) iter.Seq2[[]*Result,
	error] {
	ask := func(ctx context.Context, url string) []*Result {
		about := about
		about.URL = url
		return q.Ask(ctx, about)
	}
	if q.fixed == nil || about.Page {
		return parallel.InOrder(ctx, atOnce, urls, ask)
	}
	return func(yield func([]*Result, error) bool) {
		for url, err := range urls {
			if err != nil {
				yield(nil, err)
				return
			}
			if ctx.Err() != nil || !yield(ask(ctx, url), nil) {
				return
			}
		}
	}
}
