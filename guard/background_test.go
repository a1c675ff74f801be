package guard

import (
	"context"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// TestBackground checks that asking never waits, that a question is asked once, and that everything
// is bounded.
func TestBackground(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var asked, at, most atomic.Int64
		b := &background[int, string]{kept: 10, queued: 20, workers: 3, timeout: 10 * time.Second}
		b.find = func(ctx context.Context, k int) (string, time.Duration) {
			asked.Add(1)
			most.Store(max(most.Load(), at.Add(1)))
			defer at.Add(-1)
			if k < 0 {
				panic("a fault")
			}
			if k >= 1000 {
				<-ctx.Done() // a server that is silent
				return "nothing", time.Second
			}
			time.Sleep(time.Second)
			return "yes", time.Hour
		}
		for range 5 {
			if v, ok := b.get(1); ok {
				t.Errorf("got %q at once", v)
			}
		}
		time.Sleep(2 * time.Second)
		if v, ok := b.get(1); v != "yes" || !ok || asked.Load() != 1 {
			t.Errorf("got %q, %v after %d questions", v, ok, asked.Load())
		}
		b.get(-1)
		time.Sleep(time.Second)
		if v, ok := b.get(-1); v != "" || !ok {
			t.Errorf("after a panic: got %q, %v", v, ok)
		}
		// An old answer is good until there is a new one.
		time.Sleep(2 * time.Hour)
		if v, ok := b.get(1); v != "yes" || !ok {
			t.Errorf("got %q, %v", v, ok)
		}
		time.Sleep(2 * time.Second)
		if b.get(1); asked.Load() != 3 {
			t.Errorf("%d questions, want 3", asked.Load())
		}
		time.Sleep(48 * time.Hour)
		if v, ok := b.get(1); ok {
			t.Errorf("got %q after two days", v)
		}

		// Many questions that nobody answers.
		for k := range 5000 {
			b.get(1000 + k)
		}
		if c, waiting := b.figures(); waiting > 20+4 || c.dropped < 4900 {
			t.Errorf("%d wait, %d dropped", waiting, c.dropped)
		}
		time.Sleep(5 * time.Minute)
		synctest.Wait()
		if c, waiting := b.figures(); waiting > 0 || b.running > 0 || c.answered < 20 || most.Load() > 3 {
			t.Errorf("%d wait, %d workers, %d answered, %d at once", waiting, b.running, c.answered, most.Load())
		}
		for k := range 500 { // answers are dropped, but not one that is used
			b.get(k)
			b.get(1)
			time.Sleep(2 * time.Second)
		}
		synctest.Wait()
		if n := len(b.recent) + len(b.earlier); n > 20 {
			t.Errorf("%d answers are kept", n)
		}
		if v, ok := b.get(1); v != "yes" || !ok {
			t.Errorf("got %q, %v", v, ok)
		}

		// Stopping ends the questions.
		for k := range 10 {
			b.get(2000 + k)
		}
		b.stop()
		synctest.Wait()
		b.get(3000)
		synctest.Wait()
		if b.running > 0 || len(b.asked) > 0 {
			t.Errorf("%d workers and %d questions after the end", b.running, len(b.asked))
		}
	})
}
