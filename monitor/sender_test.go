package monitor_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/robotsexclusion/robots/monitor"
)

// receiver is a Receiver that answers as its function says.
type receiver func(e *monitor.Event) error

func (r receiver) Send(_ context.Context, e *monitor.Event) error { return r(e) }

// later is an error of a receiver that asks for time.
type later time.Duration

func (later) Error() string               { return "later" }
func (l later) RetryAfter() time.Duration { return time.Duration(l) }

func TestSender(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		j := journal(t, t.TempDir(), "a")
		defer j.Close()
		o := observation("404")
		for range 3 {
			if err := j.Commit(&monitor.Watched{Origin: o.Origin}, o, noted); err != nil {
				t.Fatal(err)
			}
		}
		start := time.Now()
		var tries []time.Duration
		var got []string
		down := 12
		failing := receiver(func(e *monitor.Event) error {
			tries = append(tries, time.Since(start))
			if down--; down > 1 {
				return errors.New("connection refused")
			} else if down == 1 {
				return later(10 * time.Hour)
			}
			got = append(got, e.ID[strings.Index(e.ID, "-"):])
			return nil
		})
		var reports []error
		ctx, cancel := context.WithTimeout(t.Context(), 30*time.Hour)
		defer cancel()
		monitor.RunSender(ctx, j, monitor.Subscription{Name: "a", Receiver: failing}, func(err error) { reports = append(reports, err) })
		if fmt.Sprint(got) != "[-1 -2 -3]" || len(reports) != 11 {
			t.Errorf("the receiver got %q, and %d failures were reported", got, len(reports))
		}
		var delivery *monitor.DeliveryError
		if !errors.As(reports[10], &delivery) || delivery.Receiver != "a" || !errors.Is(delivery, later(10*time.Hour)) {
			t.Errorf("the report is %v", reports[10])
		}
		for i := 1; i <= 10; i++ {
			pause, most := tries[i]-tries[i-1], min(5*time.Second<<(i-1), time.Hour)
			if pause > most || pause < most*3/4 {
				t.Errorf("after %d failures the pause is %s, want %s at most", i, pause, most)
			}
		}
		if pause := tries[11] - tries[10]; pause != 10*time.Hour || tries[13] != tries[11] {
			t.Errorf("the receiver asked for 10 hours, and got %s; the tries are at %s", pause, tries)
		}
	})
}
