package export

import (
	"testing"
	"time"
)

// TestNginxRate checks with the arithmetic of nginx that a robot is never slowed that keeps its
// pause, and that one is slowed that is three times as fast.
func TestNginxRate(t *testing.T) {
	// slowed returns how many of a robot's requests ngx_http_limit_req_lookup refuses.
	slowed := func(rate int, every time.Duration) (n int) {
		excess, passed := int64(0), every
		for i := range 10_000 {
			next := max(0, excess-int64(rate*1000/60)*passed.Milliseconds()/1000+1000)
			if i == 0 {
				next = 0
			}
			if next > 1000 {
				n, passed = n+1, passed+every
				continue
			}
			excess, passed = next, every
		}
		return n
	}
	for _, pause := range []time.Duration{10 * time.Millisecond, 300 * time.Millisecond, time.Second, 3 * time.Second,
		7 * time.Second, 10 * time.Second, 25 * time.Second, 30 * time.Second, 59 * time.Second, time.Minute,
		62500 * time.Millisecond, 5 * time.Minute, 24 * time.Hour} {
		rate, enforced := nginxRate(pause)
		if enforced > pause || slowed(rate, pause) > 0 {
			t.Errorf("%v: nginx enforces %v by %d requests a minute, and slows a robot that keeps its pause", pause,
				enforced, rate)
		}
		if pause <= time.Minute && 2*enforced < pause-2*time.Second || slowed(rate, min(pause, time.Minute)/3) == 0 {
			t.Errorf("%v: nginx enforces only %v", pause, enforced)
		}
	}
}
