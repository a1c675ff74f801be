package flight_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/robotsexclusion/robots/internal/http/flight"
)

// TestDo checks that concurrent callers get one result, even if it is an error, and
// that a later caller starts a new call.
func TestDo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var g flight.Group[int]
		asked, wrong := 0, errors.New("wrong")
		answer := make(chan error)
		do := func(context.Context) (int, error) { asked++; return asked, <-answer }
		for round := 1; round <= 2; round++ {
			var all sync.WaitGroup
			for range 20 {
				all.Go(func() {
					if v, stopped, err := g.Do(t.Context(), "a", do); v != round || stopped || err != wrong {
						t.Errorf("got %d, %v, %v", v, stopped, err)
					}
				})
			}
			synctest.Wait()
			if n := g.Waiting("a"); n != 20 {
				t.Errorf("%d wait, want 20", n)
			}
			if v, _, err := g.Do(t.Context(), "b", func(context.Context) (int, error) { return 7, nil }); v != 7 ||
				err != nil {
				t.Errorf("another key: got %d, %v", v, err)
			}
			answer <- wrong
			all.Wait()
		}
		if asked != 2 || g.Waiting("a") != 0 {
			t.Errorf("asked %d times, want 2; %d wait", asked, g.Waiting("a"))
		}
	})
}

// TestStop checks that a caller that stops, even the first, gets the cause of its
// context while the others wait on. When all have stopped, the call is cancelled, and a
// later caller starts a new one.
func TestStop(t *testing.T) {
	type key struct{}
	synctest.Test(t, func(t *testing.T) {
		var g flight.Group[string]
		ended := 0
		do := func(ctx context.Context) (string, error) {
			<-ctx.Done()
			ended++
			return ctx.Value(key{}).(string), ctx.Err()
		}
		var stops []context.CancelCauseFunc
		why := errors.New("no longer")
		var all sync.WaitGroup
		ask := func(name string) {
			ctx, stop := context.WithCancelCause(context.WithValue(t.Context(), key{}, name))
			stops = append(stops, stop)
			all.Go(func() {
				if v, stopped, err := g.Do(ctx, "a", do); v != "" || !stopped || err != why {
					t.Errorf("%s: got %q, %v, %v", name, v, stopped, err)
				}
			})
			synctest.Wait()
		}
		ask("first")
		ask("second")
		stops[0](why)
		synctest.Wait()
		if g.Waiting("a") != 1 || ended != 0 {
			t.Errorf("%d wait, %d ended", g.Waiting("a"), ended)
		}
		stops[1](why)
		synctest.Wait()
		if g.Waiting("a") != 0 || ended != 1 {
			t.Errorf("%d wait, %d ended", g.Waiting("a"), ended)
		}
		v, stopped, err := g.Do(t.Context(), "a", func(context.Context) (string, error) { return "another", nil })
		if v != "another" || stopped || err != nil {
			t.Errorf("got %q, %v, %v", v, stopped, err)
		}
		all.Wait()
	})
}
