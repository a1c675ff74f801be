package inquire

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/fetch"
)

// A policy that says how long it is fresh is cached for that time.
func TestPolicyFresh(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		calls := 0
		q := New(Config{Policy: func(_ context.Context, origin string) (Source, error) {
			calls++
			r := &fetch.Result{Policy: robots.AllowAll()}
			r.Origin, r.State, r.FreshUntil = origin, fetch.Unavailable, time.Now().Add(time.Hour)
			return Source{Policy: r.Policy, Origin: origin, Fetched: r}, nil
		}})
		for i, want := range []int{1, 1, 2} {
			q.Ask(t.Context(), Question{URL: "https://a.example/"})
			if calls != want {
				t.Errorf("question %d: Policy was called %d times, want %d", i+1, calls, want)
			}
			time.Sleep(40 * time.Minute)
		}
	})
}
