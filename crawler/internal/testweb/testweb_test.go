package testweb_test

import (
	"crypto/tls"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/crawler/internal/testweb"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// start serves a web for a test.
func start(t testing.TB, o testweb.Options) *testweb.Web {
	t.Helper()
	w, err := testweb.Start(t.Context(), o)
	if errors.Is(err, testweb.ErrLoopback) {
		t.Skip(err)
	}
	fatal.If(t, err)
	t.Cleanup(w.Close)
	return w
}

func clientTLS(w *testweb.Web) *tls.Config {
	return &tls.Config{RootCAs: w.Roots(), ClientSessionCache: tls.NewLRUClientSessionCache(0)}
}

// wantNone fails for each violation.
func wantNone(t *testing.T, violations []testweb.Violation) {
	t.Helper()
	for i, v := range violations {
		if i == 10 {
			t.Errorf("and %d more", len(violations)-i)
			break
		}
		t.Error(v)
	}
}

// TestPolite runs a polite crawler over a web with all kinds of hosts. The checker
// reports no violation, and no page is missed.
func TestPolite(t *testing.T) {
	t.Parallel()
	for _, secure := range []bool{false, true} {
		name := "http"
		if secure {
			name = "https"
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := start(t, testweb.Options{Hosts: 50, Pages: 250, Scale: 0.005, TLS: secure, Seed: 1, Kinds: everyKind(),
				Texts: everyText()})
			(&naive{minDelay: 2 * time.Millisecond}).crawl(t, w)
			wantNone(t, w.Check(testweb.CheckOptions{MinDelay: 2 * time.Millisecond, MaxOpen: 1, Whole: true}))
			count := 0
			for range w.Requests() {
				count++
			}
			t.Logf("%d requests, %d to be reached", count, len(w.Reachable(testweb.CheckOptions{})))
		})
	}
}

// TestPatient runs a crawler with a timeout on hosts that do not answer. A longer
// timeout would make the test longer; with a shorter one, a busy machine would make the
// crawler give up on the other hosts too.
func TestPatient(t *testing.T) {
	t.Parallel()
	w := start(t, testweb.Options{Hosts: 2, Kinds: []string{"hole", "stalling"}, Texts: []string{"folder"}})
	(&naive{timeout: 2000 * time.Millisecond, hasty: true}).crawl(t, w)
	w.Close() // a busy machine notices late that the client has closed the last connection
	wantNone(t, w.Check(testweb.CheckOptions{Whole: true}))
	if n := len(requestsFor(w, "/bad/1.html")); n != 1 {
		t.Errorf("a page that never comes was asked for %d times, want 1", n)
	}
}

// everyKind returns the names of all kinds except those of [TestPatient], so that a
// small web has each of them. The last kinds have small trees.
func everyKind() []string {
	names := []string{"ordinary", "ordinary", "ordinary", "ordinary", "ordinary", "ordinary"}
	for _, k := range slices.Backward(testweb.Kinds()) {
		if k.Name != "hole" && k.Name != "stalling" {
			names = append(names, k.Name)
		}
	}
	return names
}

func everyText() (names []string) {
	for _, t := range testweb.Texts() {
		names = append(names, t.Name)
	}
	return names
}

// TestRude runs crawlers with one bad habit each over small webs. The checker reports
// the habit, and nothing else.
func TestRude(t *testing.T) {
	const delay = 5 * time.Millisecond
	ordinary := testweb.Options{Hosts: 3, Pages: 60, Kinds: []string{"ordinary"}, Texts: []string{"folder"}}
	tests := []struct {
		name    string
		web     testweb.Options
		robot   naive
		options testweb.CheckOptions
		want    []testweb.Offence
	}{
		{name: "ignores robots.txt", web: ordinary, robot: naive{ignoreRobots: true},
			want: []testweb.Offence{testweb.Disallowed}},
		{name: "does not ask for robots.txt", web: ordinary, robot: naive{skipRobots: true},
			want: []testweb.Offence{testweb.BeforeRobots}},
		{name: "hammers", web: ordinary, robot: naive{ignoreDelays: true},
			options: testweb.CheckOptions{MinDelay: time.Hour}, want: []testweb.Offence{testweb.TooEarly}},
		{
			name: "ignores crawl-delay", robot: naive{ignoreDelays: true}, want: []testweb.Offence{testweb.TooEarly},
			web: testweb.Options{Hosts: 2, Pages: 10, Kinds: []string{"ordinary"}, Texts: []string{"crawl-delay"},
				Scale: 1000},
		},
		{
			name: "ignores request-rate", robot: naive{ignoreDelays: true}, want: []testweb.Offence{testweb.TooEarly},
			web: testweb.Options{Hosts: 2, Pages: 10, Kinds: []string{"ordinary"}, Texts: []string{"request-rate"},
				Scale: 1000},
		},
		{
			name: "ignores retry-after", robot: naive{ignoreRetryAfter: true},
			want: []testweb.Offence{testweb.TooEarly},
			web:  testweb.Options{Hosts: 1, Pages: 10, Kinds: []string{"busy"}, Texts: []string{"empty"}, Scale: 100},
		},
		{
			name: "does not back off", robot: naive{}, want: []testweb.Offence{testweb.TooEarly},
			web:     testweb.Options{Hosts: 1, Pages: 10, Kinds: []string{"overloaded"}, Texts: []string{"empty"}},
			options: testweb.CheckOptions{Backoff: time.Hour},
		},
		{
			name: "ignores visit-time", robot: naive{ignoreHours: true}, want: []testweb.Offence{testweb.OutOfHours},
			web: testweb.Options{Hosts: 1, Pages: 10, Kinds: []string{"ordinary"}, Texts: []string{"closed-hours"}},
		},
		{
			name: "follows nofollow", robot: naive{ignoreNofollow: true}, want: []testweb.Offence{testweb.Nofollowed},
			web: testweb.Options{Hosts: 1, Kinds: []string{"directed"}, Texts: []string{"empty"}},
		},
		{
			name: "clicks everything", robot: naive{ignoreEffects: true}, want: []testweb.Offence{testweb.SideEffect},
			web: testweb.Options{Hosts: 1, Kinds: []string{"shop"}, Texts: []string{"empty"}},
		},
		{
			name: "walks into a calendar", robot: naive{patience: 1000}, want: []testweb.Offence{testweb.Trapped},
			web: testweb.Options{Hosts: 1, Kinds: []string{"calendar"}, Texts: []string{"empty"}},
		},
		{
			name: "walks into parameters", robot: naive{patience: 1000}, want: []testweb.Offence{testweb.Trapped},
			web: testweb.Options{Hosts: 1, Kinds: []string{"queries"}, Texts: []string{"empty"}},
		},
		{
			name: "goes inside", robot: naive{ignoreGuard: true, timeout: 200 * time.Millisecond},
			want: []testweb.Offence{testweb.Nobody, testweb.Refused, testweb.BeforeRobots},
			web:  testweb.Options{Hosts: 2, Kinds: []string{"inward", "trapdoor"}, Texts: []string{"empty"}},
		},
		{
			name: "asks again", robot: naive{again: true}, want: []testweb.Offence{testweb.Twice},
			web: testweb.Options{Hosts: 1, Pages: 10, Kinds: []string{"ordinary"}, Texts: []string{"empty"}},
		},
		{
			name: "asks again without a validator", robot: naive{again: true},
			want:    []testweb.Offence{testweb.Unconditional},
			web:     testweb.Options{Hosts: 1, Pages: 10, Kinds: []string{"ordinary"}, Texts: []string{"empty"}},
			options: testweb.CheckOptions{Interval: -1},
		},
		{
			name: "asks again with a validator", robot: naive{again: true, validate: true},
			web:     testweb.Options{Hosts: 1, Pages: 10, Kinds: []string{"ordinary"}, Texts: []string{"empty"}},
			options: testweb.CheckOptions{Interval: -1},
		},
		{name: "has another name", web: ordinary, robot: naive{token: "OtherBot"},
			want: []testweb.Offence{testweb.Anonymous}},
		{
			name: "keeps robots.txt for ever", web: ordinary, robot: naive{minDelay: delay},
			want:    []testweb.Offence{testweb.BeforeRobots},
			options: testweb.CheckOptions{RobotsAge: time.Nanosecond},
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			if test.web.Scale == 0 {
				test.web.Scale = 0.001
			}
			w := start(t, test.web)
			robot := test.robot
			robot.crawl(t, w)
			wantOffences(t, w.Check(test.options), test.want...)
		})
	}
}

// wantOffences fails unless the offences are the expected ones.
func wantOffences(t *testing.T, violations []testweb.Violation, want ...testweb.Offence) {
	t.Helper()
	var got []testweb.Offence
	for _, v := range violations {
		if !slices.Contains(got, v.What) {
			got = append(got, v.What)
			if !slices.Contains(want, v.What) {
				t.Error(v)
			}
		}
		if text := v.String(); text == "" || strings.Contains(text, "%!") {
			t.Errorf("not a good text: %q", text)
		}
	}
	for _, what := range want {
		if !slices.Contains(got, what) {
			t.Errorf("%q was not seen", what)
		}
	}
}
