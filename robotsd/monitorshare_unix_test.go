//go:build unix

package main

import (
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/internal/nats/natstest"
	"github.com/robotsexclusion/robots/internal/test/cable"
	"github.com/robotsexclusion/robots/robotsd/internal/monitor"
)

// TestMonitorSharedLong has instances that share sites lose their server, their network, their time
// and their lives. It takes some minutes:
//
//	ROBOTS_WILD_ALL=1 go test -v -run TestMonitorSharedLong ./robotsd
func TestMonitorSharedLong(t *testing.T) {
	if os.Getenv("ROBOTS_WILD_ALL") == "" {
		t.Skip("it takes some minutes: set ROBOTS_WILD_ALL=1")
	}
	t.Parallel()
	servers := natstest.Cluster(t, 3)
	urls := []string{servers[0].URL(), servers[1].URL(), servers[2].URL()}
	w := newSharedWatch(t, 40, "3s")
	// The link of a has one server only, which the cable stands for.
	link := cable.New(t, strings.TrimPrefix(urls[0], "nats://"))
	a := w.start("a", "nats://"+link.Addr())
	w.start("b", urls[1:]...)
	w.start("c", urls[1:]...)
	w.spread("a", "b", "c")
	w.stored(urls[1])

	// Each site is looked at once a minute, by one instance.
	start := time.Now()
	time.Sleep(2 * time.Minute)
	for site, looks := range w.lookedSince(start) {
		for _, l := range looks {
			if l.by != looks[0].by {
				t.Errorf("%s was looked at by %s and %s", site, l.by, looks[0].by)
			}
		}
		if len(looks) < 1 || len(looks) > 3 {
			t.Errorf("%s was looked at %d times in two minutes", site, len(looks))
		}
	}

	// The cable of a is cut, without an end of its connections: others watch its sites, and a does
	// nothing.
	mine := w.of("a")
	link.Cut(true)
	round := w.change()
	w.spread("b", "c")
	cut := time.Now()
	w.untilTold(mine, round)
	w.untilTold(w.all, round)
	if n := w.looksBy("a", cut); n > 0 {
		t.Errorf("the instance that is cut off looked %d times", n)
	}
	link.Cut(false)
	w.spread("a", "b", "c")
	w.check(round, room)

	// The process of a stands still for longer than its lease, and goes on as if nothing had been.
	mine = w.of("a")
	a.Process.Signal(syscall.SIGSTOP)
	round = w.change()
	w.untilTold(mine, round)
	a.Process.Signal(syscall.SIGCONT)
	w.spread("a", "b", "c")
	w.untilTold(w.all, round)
	w.check(round, room)

	// The server of b and c, which may lead the buckets, is gone.
	servers[1].Stop()
	round = w.change()
	w.untilTold(w.all, round)
	w.check(round, room)

	// Instances are killed when the receiver has a message, and has not answered yet: its events
	// are sent again, with the same ids.
	kills := 0
	for range 3 {
		name := "d"
		d := w.start(name, urls[0], urls[2])
		w.spread("a", "b", "c", name)
		var once sync.Once
		w.mu.Lock()
		w.deaf = w.killer(name, d, &once, &kills)
		w.mu.Unlock()
		round = w.change()
		w.untilTold(w.all, round)
		w.spread("a", "b", "c")
		w.mu.Lock()
		w.deaf = nil
		w.mu.Unlock()
		d.Process.Kill()
		d.Wait()
	}
	w.check(round, room+kills)
	t.Logf("%d events in %d messages, %d kills", len(w.events), len(w.messages), kills)
}

// killer returns a deaf receiver that kills an instance with the first message about one of its
// sites.
func (w *sharedWatch) killer(name string, p *exec.Cmd, once *sync.Once, kills *int) func(monitor.Event) bool {
	return func(e monitor.Event) (deaf bool) {
		if w.owners()[e.Origin] == name {
			once.Do(func() {
				deaf = true
				*kills++
				p.Process.Kill()
			})
		}
		return deaf
	}
}

// lookedSince returns the looks since a time, by site.
func (w *sharedWatch) lookedSince(start time.Time) map[string][]watchedLook {
	w.mu.Lock()
	defer w.mu.Unlock()
	looks := make(map[string][]watchedLook)
	for site, all := range w.looks {
		looks[site] = nil
		for _, l := range all {
			if l.at.After(start) {
				looks[site] = append(looks[site], l)
			}
		}
	}
	return looks
}

// looksBy returns the number of looks of an instance since a time.
func (w *sharedWatch) looksBy(name string, start time.Time) (n int) {
	for _, looks := range w.lookedSince(start) {
		for _, l := range looks {
			if l.by == name {
				n++
			}
		}
	}
	return n
}
