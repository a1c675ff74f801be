package parallel

import (
	"context"
	"errors"
	"iter"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

func TestParallel(t *testing.T) {
	broken := errors.New("broken")
	numbers := func(n int, end error) iter.Seq2[int, error] {
		return func(yield func(int, error) bool) {
			for i := range n {
				if !yield(i, nil) {
					return
				}
			}
			if end != nil {
				yield(0, end)
			}
		}
	}
	type way func(context.Context, int, iter.Seq2[int, error], func(context.Context, int) int) iter.Seq2[int, error]
	for name, run := range map[string]way{"InOrder": InOrder[int, int], "AsTheyCome": AsTheyCome[int, int]} {
		for _, test := range []struct {
			items, stopAfter int
			end              error
		}{{0, -1, nil}, {1, -1, nil}, {100, -1, nil}, {100, -1, broken}, {0, -1, broken}, {100, 3, nil},
			{100, 0, broken}} {
			synctest.Test(t, func(t *testing.T) {
				var under, most atomic.Int32
				do := func(ctx context.Context, i int) int {
					n := under.Add(1)
					for m := most.Load(); n > m && !most.CompareAndSwap(m, n); m = most.Load() {
					}
					select {
					case <-time.After(time.Duration(100-i%7) * time.Second):
					case <-ctx.Done():
					}
					under.Add(-1)
					return i
				}
				var got []int
				var end error
				for i, err := range run(t.Context(), 5, numbers(test.items, test.end), do) {
					if end = err; err == nil {
						got = append(got, i)
					}
					if len(got) == test.stopAfter {
						break
					}
				}
				if under.Load() != 0 {
					t.Errorf("%s: %d under way after the end", name, under.Load())
				}
				if most.Load() > 6 {
					t.Errorf("%s: %d at once, want 5", name, most.Load())
				}
				if test.stopAfter >= 0 {
					return
				}
				if !errors.Is(end, test.end) {
					t.Errorf("%s: the error is %v, want %v", name, end, test.end)
				}
				if name == "InOrder" && !slices.IsSorted(got) {
					t.Errorf("%s: got %v", name, got)
				}
				slices.Sort(got)
				if len(got) != test.items || len(slices.Compact(got)) != test.items {
					t.Errorf("%s: %d of %d came", name, len(got), test.items)
				}
			})
		}
	}
}
