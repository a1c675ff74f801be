package ask

import (
	"context"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/fetch"
)

// A postponed fetch is no answer for the next question.
func TestPostponedIsNotCached(t *testing.T) {
	calls := 0
	q := New(Config{Policy: func(_ context.Context, origin string) (Source, error) {
		if calls++; calls == 1 {
			return Source{}, fmt.Errorf("too many fetches: %w", fetch.ErrPostponed)
		}
		return Source{Policy: robots.AllowAll(), Origin: origin}, nil
	}})
	for i, failed := range []bool{true, false, false} {
		if r := q.Ask(t.Context(), Question{URL: "https://a.example/"})[0]; (r.Err != nil) != failed {
			t.Errorf("question %d: %v", i+1, r.Err)
		}
	}
	if calls != 2 {
		t.Errorf("Policy was called %d times, want 2", calls)
	}
}

// A policy that says how long it is fresh is cached for that time, and for Config.MaxAge at most.
func TestPolicyFresh(t *testing.T) {
	for maxAge, wants := range map[time.Duration][]int{0: {1, 1, 2}, 2 * time.Hour: {1, 1, 2}, time.Minute: {1, 2, 3}} {
		synctest.Test(t, func(t *testing.T) {
			calls := 0
			q := New(Config{MaxAge: maxAge, Policy: func(_ context.Context, origin string) (Source, error) {
				calls++
				r := &fetch.Result{Policy: robots.AllowAll()}
				r.Origin, r.State, r.FreshUntil = origin, fetch.Unavailable, time.Now().Add(time.Hour)
				return Source{Policy: r.Policy, Origin: origin, Fetched: r}, nil
			}})
			for i, want := range wants {
				q.Ask(t.Context(), Question{URL: "https://a.example/"})
				if calls != want {
					t.Errorf("MaxAge %v, question %d: Policy was called %d times, want %d", maxAge, i+1, calls, want)
				}
				time.Sleep(40 * time.Minute)
			}
		})
	}
}
