package main

import (
	"context"
	"iter"
	"sync"
)

// inOrder does something with items, up to n at once, and yields what came of
// them in their order. An error among items is yielded in its place and ends it.
// When the loop over it ends, inOrder ends the context of what is under way, and
// waits for it.
func inOrder[T, R any](ctx context.Context, n int, items iter.Seq2[T, error], do func(context.Context, T) R) iter.Seq2[R, error] {
	type pending struct {
		result chan R
		err    error
	}
	return func(yield func(R, error) bool) {
		ctx, cancel := context.WithCancel(ctx)
		queue := make(chan pending, n-1) // and the one that is waited for
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

// asTheyCome is [inOrder] without the order: what is slow holds nothing up.
func asTheyCome[T, R any](ctx context.Context, n int, items iter.Seq2[T, error], do func(context.Context, T) R) iter.Seq2[R, error] {
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
