package fetch_test

import (
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/robotsexclusion/robots/fetch"
)

// TestClockOfCallers is what the package's documentation says about tests: a bubble of
// testing/synctest is the clock, and a RoundTripper the network. It uses nothing that other
// packages cannot.
func TestClockOfCallers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var asked []time.Duration
		start, status := time.Now(), 200
		client := &fetch.Client{Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
			asked = append(asked, time.Since(start))
			answer, err := answerText(r, "User-agent: *\nDisallow: /x\n")
			answer.StatusCode = status
			return answer, err
		})}
		after := func(pause time.Duration) fetch.State {
			t.Helper()
			time.Sleep(pause)
			r, err := client.Policy(t.Context(), "https://example.com/x")
			if err != nil || r.Policy.For("ExampleBot").Allowed("/x") {
				t.Fatalf("after %v: %v, %v", time.Since(start), r, err)
			}
			return r.State
		}
		check(t, "at first", after(0), fetch.OK)
		check(t, "in the cache", after(23*time.Hour), fetch.OK)
		status = 503
		check(t, "a failure", after(2*time.Hour), fetch.Unreachable)
		check(t, "in the pause after it", after(59*time.Second), fetch.Unreachable)
		status = 200
		check(t, "after the pause", after(2*time.Second), fetch.OK)
		want := []time.Duration{0, 25 * time.Hour, 25*time.Hour + 61*time.Second}
		if len(asked) != len(want) || asked[1] != want[1] || asked[2] != want[2] {
			t.Errorf("robots.txt was requested after %v, want %v", asked, want)
		}
	})
}
