package monitor_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/robotsexclusion/robots/internal/test/fatal"
	"github.com/robotsexclusion/robots/robotsd/internal/monitor"
)

// receiver is a Receiver that answers as its function says to each event. After an error it gets no
// other event of the message.
type receiver func(e *monitor.Event) error

func (r receiver) Send(_ context.Context, m *monitor.Message) error {
	for i := range m.Events {
		if err := r(&m.Events[i]); err != nil {
			return err
		}
	}
	return nil
}

// messages is a Receiver that answers as its function says.
type messages func(m *monitor.Message) error

func (r messages) Send(_ context.Context, m *monitor.Message) error { return r(m) }

// later is an error of a receiver that asks for time.
type later time.Duration

func (later) Error() string               { return "later" }
func (l later) RetryAfter() time.Duration { return time.Duration(l) }

// kinds are some kinds of findings.
var kinds = []monitor.Kind{monitor.Records, monitor.Opened, monitor.Closed}

func TestSender(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		j := journal(t, t.TempDir(), "a")
		defer j.Close()
		o := observation("404")
		for i := range 3 {
			fatal.If(t, j.Commit(&monitor.Watched{Origin: o.Origin}, o,
				[]monitor.Update{{Step: monitor.Noted, Finding: monitor.Finding{Kind: kinds[i],
					Severity: monitor.Notice}}}))
		}
		start := time.Now()
		var tries []time.Duration
		var got []string
		down := 12
		failing := messages(func(m *monitor.Message) error {
			tries = append(tries, time.Since(start))
			if down--; down > 1 {
				return errors.New("connection refused")
			} else if down == 1 {
				return later(10 * time.Hour)
			}
			got = append(got, m.ID[strings.Index(m.ID, "-"):])
			return nil
		})
		var reports []error
		ctx, cancel := context.WithTimeout(t.Context(), 30*time.Hour)
		defer cancel()
		monitor.RunSender(ctx, j, monitor.Subscription{Name: "a", Receiver: failing}, 0,
			func(err error) { reports = append(reports, err) })
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

func TestQuiet(t *testing.T) {
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Skip("no database of time zones: ", err)
	}
	night := &monitor.Quiet{From: 22 * time.Hour, To: 7 * time.Hour, Location: berlin}
	noon := &monitor.Quiet{From: 12 * time.Hour, To: 13*time.Hour + 30*time.Minute, Location: time.UTC}
	for _, test := range []struct {
		quiet   *monitor.Quiet
		at, end string
	}{
		{night, "2026-11-24T20:59:59Z", "2026-11-24T20:59:59Z"},
		{night, "2026-11-24T21:00:00Z", "2026-11-25T06:00:00Z"},
		{night, "2026-11-25T05:59:59Z", "2026-11-25T06:00:00Z"},
		{night, "2026-11-25T06:00:00Z", "2026-11-25T06:00:00Z"},
		{night, "2026-10-24T23:00:00Z", "2026-10-25T06:00:00Z"}, // the night has an hour more
		{night, "2026-03-28T22:00:00Z", "2026-03-29T05:00:00Z"}, // the night has an hour less
		{noon, "2026-11-24T12:00:00Z", "2026-11-24T13:30:00Z"},
		{noon, "2026-11-24T13:30:00Z", "2026-11-24T13:30:00Z"},
		{nil, "2026-11-24T13:30:00Z", "2026-11-24T13:30:00Z"},
	} {
		at, _ := time.Parse(time.RFC3339, test.at)
		if got := test.quiet.Until(at).UTC().Format(time.RFC3339); got != test.end {
			t.Errorf("%s: got %s, want %s", test.at, got, test.end)
		}
	}
}

// TestQuietHours checks that critical events pass in quiet hours, and that the others follow.
func TestQuietHours(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // from midnight UTC on
		j := journal(t, t.TempDir(), "a")
		defer j.Close()
		o := observation("404")
		for _, severity := range []monitor.Severity{monitor.Notice, monitor.Critical, monitor.Warning} {
			fatal.If(t, j.Commit(&monitor.Watched{Origin: o.Origin}, o,
				[]monitor.Update{{Step: monitor.Begun, Finding: monitor.Finding{Kind: monitor.Claim,
					Severity: severity}}}))
		}
		start := time.Now()
		var got []string
		ctx, cancel := context.WithTimeout(t.Context(), 8*time.Hour)
		defer cancel()
		quiet := &monitor.Quiet{From: 22 * time.Hour, To: 7 * time.Hour, Location: time.UTC}
		monitor.RunSender(ctx, j, monitor.Subscription{Name: "a", Quiet: quiet,
			Receiver: receiver(func(e *monitor.Event) error {
				got = append(got, fmt.Sprint(e.Severity(), " ", time.Since(start)))
				return nil
			})}, 0, func(err error) { t.Error(err) })
		if want := []string{"critical 0s", "notice 7h0m0s", "warning 7h0m0s"}; !slices.Equal(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
	})
}
