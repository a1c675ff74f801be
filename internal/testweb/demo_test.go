package testweb_test

import (
	"testing"
	"time"

	"github.com/robotsexclusion/robots/internal/testweb"
)

// TestDemo crawls the demo, faster than people do.
func TestDemo(t *testing.T) {
	t.Parallel()
	w, err := testweb.StartDemo(t.Context(), 0.02)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	urls := w.Reachable(testweb.CheckOptions{})
	if n := len(urls); n < 50 || n > 70 {
		t.Errorf("the demo has %d pages, want some sixty", n)
	}
	(&naive{minDelay: 5 * time.Millisecond}).crawl(t, w)
	wantNone(t, w.Check(testweb.CheckOptions{MinDelay: 5 * time.Millisecond, Whole: true}))
}
