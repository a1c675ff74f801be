package monitor_test

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/robotsexclusion/robots/internal/test/fatal"
	"github.com/robotsexclusion/robots/robotsd/internal/monitor"
)

// started returns a monitor that is ready to run.
func started(t *testing.T, c monitor.Config) *monitor.Monitor {
	t.Helper()
	m, err := monitor.New(c)
	fatal.If(t, err)
	return m
}

// TestReport asks a watch how it goes while it runs: before the first looks, after them, after
// changes, and while a site fails.
func TestReport(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var changed atomic.Bool
		looker := serve(func(r *http.Request) (int, string) {
			switch {
			case !changed.Load():
				return 200, "User-agent: *\nDisallow: /admin/\n"
			case r.URL.Host == "0.example":
				return 200, "User-agent: *\nDisallow: /\n"
			case r.URL.Host == "1.example":
				return 500, ""
			}
			return 200, "User-agent: *\nDisallow: /admin/\n"
		})
		m := started(t, monitor.Config{Dir: t.TempDir(), Looker: looker, Sites: sites(12)})
		defer m.Close()
		if r := m.Report(5, ""); r.Total != 12 || r.Here != 12 || r.States["waiting"] != 12 || r.Found != 12 ||
			len(r.Sites) != 5 {
			t.Errorf("before Run: %+v", r)
		}
		ended := make(chan bool)
		ctx, stop := context.WithCancel(t.Context())
		go func() { m.Run(ctx); close(ended) }()
		time.Sleep(time.Minute)
		r := m.Report(100, "")
		if r.States["fine"] != 12 {
			t.Errorf("after the first looks: %v", r.States)
		}
		for _, s := range r.Sites {
			if s.File == nil || s.File.Status != 200 || s.Closed || s.Last.IsZero() || !s.Next.After(time.Now()) ||
				s.Next.After(time.Now().Add(11*time.Minute)) {
				t.Errorf("%s: %+v", s.Origin, s)
			}
		}
		changed.Store(true)
		for pending := false; ; time.Sleep(time.Second) {
			r = m.Report(100, "1.EXAMPLE")
			// and 11.example
			if r.Found != 2 || r.Sites[0].Origin != "https://1.example" && r.Sites[1].Origin != "https://1.example" {
				t.Fatalf("found %+v", r)
			}
			i := slices.IndexFunc(r.Sites, func(s monitor.SiteReport) bool { return s.Origin == "https://1.example" })
			s := r.Sites[i]
			if len(s.Incidents) == 1 && s.Incidents[0].State == "pending" {
				pending = true
				if s.State != "fine" || s.Doubt != "pending" || r.Doubts["pending"] != 1 || i != 0 {
					t.Fatalf("one failure makes the state %s, the doubt %q and the sum %v, at place %d", s.State,
						s.Doubt, r.Doubts, i)
				}
			}
			if len(s.Incidents) == 1 && s.Incidents[0].State == "open" {
				if !pending || s.State != "warning" || i != 0 {
					t.Errorf("pending %v, then %+v at place %d", pending, s, i)
				}
				break
			}
		}
		time.Sleep(15 * time.Minute)
		r = m.Report(3, "")
		if r.Sites[0].Origin != "https://0.example" || r.Sites[0].State != "critical" ||
			!r.Sites[0].Closed || r.Sites[1].Closed ||
			r.Sites[1].Origin != "https://1.example" || r.States["critical"] != 1 || r.States["fine"] != 10 {
			t.Errorf("%v, first %+v", r.States, r.Sites[0])
		}
		if r := m.Report(-1, "nowhere"); r.Found != 0 || len(r.Sites) != 0 {
			t.Errorf("nothing has %+v", r)
		}
		stop()
		<-ended
		synctest.Wait()
	})
}

// TestEvents reads the last events: pages of them, by site, after a restart, and those that no
// receiver wants.
func TestEvents(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var turn atomic.Int64
		looker := serve(func(r *http.Request) (int, string) {
			return 200, fmt.Sprintf("User-agent: *\nDisallow: /admin/\nSitemap: https://example.com/%d\n", turn.Load())
		})
		dir := t.TempDir()
		var want []string // the newest first: the slow twin is what Looked told
		config := monitor.Config{Dir: dir, Looker: looker, Sites: sites(3), Concurrency: 1}
		config.Looked = func(l monitor.Look) {
			if len(l.Updates) > 0 {
				want = append([]string{l.Observation.Origin + " " + l.Observation.Time.UTC().String()}, want...)
			}
		}
		m := started(t, config)
		if events, more := m.Events("", 10, ""); len(events) != 0 || more {
			t.Errorf("at the beginning: %d events", len(events))
		}
		for i := range 10 {
			turn.Store(int64(i))
			m.Once(t.Context())
			time.Sleep(time.Hour)
			if i == 5 {
				m.Close()
				m = started(t, config)
			}
		}
		defer func() { m.Close() }()
		check := func(text string, want []string) {
			t.Helper()
			var got []string
			before := ""
			for {
				events, more := m.Events(before, 4, text)
				for _, e := range events {
					got = append(got, e.Origin+" "+e.Time.UTC().String())
				}
				if !more {
					break
				}
				before = events[len(events)-1].ID
			}
			if !slices.Equal(got, want) {
				t.Errorf("%q: got\n%s\nwant\n%s", text, strings.Join(got, "\n"), strings.Join(want, "\n"))
			}
		}
		if len(want) != 27 {
			t.Fatalf("there were %d events", len(want))
		}
		check("", want)
		m.Close()
		m = started(t, config)
		check("", want)
		check("/1.", slices.DeleteFunc(slices.Clone(want),
			func(s string) bool { return !strings.HasPrefix(s, "https://1.example") }))
		if events, more := m.Events("unknown", 4, ""); len(events) != 0 || more {
			t.Errorf("before an unknown event: %d events", len(events))
		}
	})
}

// TestPast keeps the newest events, within the limits of number and size, whatever strangers wrote;
// the newest one is kept always.
func TestPast(t *testing.T) {
	dir := t.TempDir()
	j := journal(t, dir, "a")
	j.Fill("a", 3000, 10)
	ids := j.Past()
	if len(ids) != 500 || ids[499] != "filled-3000" || ids[0] != "filled-2501" {
		t.Errorf("%d events, from %s to %s", len(ids), ids[0], ids[len(ids)-1])
	}
	j.Fill("a", 9, 1<<20)
	if ids = j.Past(); len(ids) != 3 || ids[2] != "filled-3009" {
		t.Errorf("after large events: %q", ids)
	}
	j.Fill("a", 1, 5<<20)
	if ids = j.Past(); len(ids) != 1 || ids[0] != "filled-3010" {
		t.Errorf("after a huge event: %q", ids)
	}
	j.Close()
}

// TestReportShared: an instance reports its own sites, with the incidents that another instance has
// found, and no longer those of a part that it has lost.
func TestReportShared(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var closed atomic.Bool
		c := monitor.Config{Sites: sites(2), Looker: serve(func(r *http.Request) (int, string) {
			if r.URL.Host == "0.example" && closed.Load() {
				return 200, "User-agent: *\nDisallow: /\n"
			}
			return 200, "User-agent: *\nDisallow: /admin/\n"
		})}
		r := &register{values: make(map[string][]registered)}
		got := func(*monitor.Message) error { return nil }
		a, b := startInstance(t, r, "a", c, got), startInstance(t, r, "b", c, got)
		part0, _ := monitor.PlaceOf("https://0.example")
		part1, _ := monitor.PlaceOf("https://1.example")
		a.gets(part0)
		b.gets(part1)
		time.Sleep(time.Hour)
		closed.Store(true)
		time.Sleep(time.Hour)
		states := func(in *instance) string {
			report := in.m.Report(10, "")
			var words []string
			for _, s := range report.Sites {
				words = append(words, s.Origin[8:9]+" "+s.State)
			}
			return fmt.Sprint(report.Here, " of ", report.Total, ": ", strings.Join(words, ", "))
		}
		if got, want := states(a)+"; "+states(b),
			"1 of 2: 0 critical, 1 elsewhere; 1 of 2: 1 fine, 0 elsewhere"; got != want {
			t.Errorf("got %s, want %s", got, want)
		}
		if events, _ := a.m.Events("", 10, ""); len(events) != 1 || events[0].Origin != "https://0.example" {
			t.Errorf("the instance that found the change has the events %v", events)
		}
		a.loses(part0, true)
		b.gets(part0)
		if got, want := states(a)+"; "+states(b),
			"0 of 2: 0 elsewhere, 1 elsewhere; 2 of 2: 0 critical, 1 fine"; got != want {
			t.Errorf("after a move: got %s, want %s", got, want)
		}
		if s := a.m.Report(1, "0.example").Sites[0]; !s.Last.IsZero() || !s.Next.IsZero() || s.File != nil ||
			len(s.Incidents) != 0 {
			t.Errorf("the instance that lost the site has %+v", s)
		}
		time.Sleep(time.Hour)
		synctest.Wait() // a look may be due now; Next has whole seconds
		if s := b.m.Report(1, "0.example").Sites[0]; s.Last.IsZero() ||
			s.Next.Before(time.Now().Truncate(time.Second)) || len(s.Incidents) != 1 {
			t.Errorf("the instance that got the site has %+v", s)
		}
		a.cancel()
		b.cancel()
		<-a.done
		<-b.done
		synctest.Wait()
	})
}

// BenchmarkReport asks a watch of 10,000 sites how it goes.
func BenchmarkReport(b *testing.B) {
	m, err := monitor.New(monitor.Config{Dir: b.TempDir(), Sites: sites(10_000)})
	fatal.If(b, err)
	defer m.Close()
	b.ReportAllocs()
	for b.Loop() {
		m.Report(100, "")
	}
}
