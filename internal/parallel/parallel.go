// Package parallel processes the items of a sequence concurrently.
package parallel

import (
	"context"
	"iter"
	"sync"
)

// InOrder calls do for items, up to n at once, and yields the results in the order of
// the items. It yields an error among the items in its place and then ends. When the
// loop over the results ends, InOrder cancels the context of the calls and waits for
// them.
func InOrder[T, R any](ctx context.Context, n int, items iter.Seq2[T, error],
	do func(context.Context, T) R) iter.Seq2[R, error] {
	type pending struct {
		result chan R
		err    error
	}
	return func(yield func(R, error) bool) {
		ctx, cancel := context.WithCancel(ctx)
		queue := make(chan pending, n-1) // plus the one at the head
		go func() {
			defer close(queue)
			for item, err := range items {
				p := pending{make(chan R, 1), err}
				select {
				case queue <- p:
				case <-ctx.Done():
					return
				}
				if err != nil {
					return
				}
				go func() { p.result <- do(ctx, item) }()
			}
		}()
		defer func() {
			cancel()
			for p := range queue {
				if p.err == nil {
					<-p.result
				}
			}
		}()
		for p := range queue {
			var r R
			if p.err == nil {
				r = <-p.result
			}
			if !yield(r, p.err) || p.err != nil {
				return
			}
		}
	}
}

// AsTheyCome is [InOrder] without the order: a slow item does not hold up the others.
func AsTheyCome[T, R any](ctx context.Context, n int, items iter.Seq2[T, error],
	do func(context.Context, T) R) iter.Seq2[R, error] {
	return func(yield func(R, error) bool) {
		ctx, cancel := context.WithCancel(ctx)
		results := make(chan R)
		var itemsErr error // read when results is closed
		go func() {
			defer close(results)
			var all sync.WaitGroup
			defer all.Wait()
			free := make(chan struct{}, n)
			for item, err := range items {
				if itemsErr = err; err != nil {
					return
				}
				select {
				case free <- struct{}{}:
				case <-ctx.Done():
					return
				}
				all.Go(func() {
					results <- do(ctx, item)
					<-free
				})
			}
		}()
		defer func() {
			cancel()
			for range results {
			}
		}()
		for r := range results {
			if !yield(r, nil) {
				return
			}
		}
		if itemsErr != nil {
			var none R
			yield(none, itemsErr)
		}
	}
}
