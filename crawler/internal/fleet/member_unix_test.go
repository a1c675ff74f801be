//go:build unix

package fleet

import (
	"encoding/json"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/crawler/internal/journal"
	"github.com/robotsexclusion/robots/internal/nats/natstest"
	"github.com/robotsexclusion/robots/internal/test/child"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// A crew is the workers of a test.
type crew struct {
	t       *testing.T
	job     job
	referee *referee
	members map[uint32]*child.Process
}

// newCrew creates the journal of a crawl on servers.
func newCrew(t *testing.T, url string, partitions, replicas int) *crew {
	t.Helper()
	for end := time.Now().Add(time.Minute); ; time.Sleep(20 * time.Millisecond) {
		j, err := journal.Open(t.Context(), journal.Options{URL: url, Name: "crew", Partitions: partitions, Streams: 2,
			Replicas: replicas})
		if err == nil {
			j.Close()
			break
		}
		if time.Now().After(end) {
			t.Fatal(err)
		}
	}
	r := newReferee(t, partitions)
	return &crew{t, job{URL: url, Name: "crew", Referee: r.listener.Addr().String(), Partitions: partitions,
		Replicas: replicas}, r, make(map[uint32]*child.Process)}
}

// start starts a worker, and waits until it has found the fleet.
func (c *crew) start(worker uint32) {
	c.t.Helper()
	c.job.Worker = worker
	text, err := json.Marshal(c.job)
	fatal.If(c.t, err)
	p := child.Start(c.t, "work", string(text))
	if line := p.Line(); line != "joined" {
		c.t.Fatalf("worker %x says %q", worker, line)
	}
	c.members[worker] = p
}

// best returns the worker that should have a partition.
func (c *crew) best(partition int) (best uint32) {
	for worker := range c.members {
		if best == 0 || weight(worker, partition) > weight(best, partition) {
			best = worker
		}
	}
	return best
}

// settled waits until each partition is asked for by the worker that should have it, after this call.
func (c *crew) settled(what string) []ask {
	c.t.Helper()
	from := time.Now()
	return c.referee.until(what, func(owners []ask) bool {
		for n, a := range owners {
			if a.Worker != c.best(n) || a.Checked.Before(from) {
				return false
			}
		}
		return true
	})
}

// kept checks that no partition of workers in both lists was claimed again.
func (c *crew) kept(what string, before, after []ask) {
	c.t.Helper()
	moved, stayed := 0, 0
	for n := range before {
		switch {
		case before[n].Worker != after[n].Worker:
			moved++
		case before[n].Claim != after[n].Claim:
			c.t.Errorf("%s: partition %d stays with worker %x, but was claimed again", what, n, after[n].Worker)
		default:
			stayed++
		}
	}
	c.t.Logf("%s: %d partitions moved, %d stayed", what, moved, stayed)
}

// next returns how long after a moment all partitions of a worker were asked for by another one.
func (c *crew) next(worker uint32, before []ask, from time.Time) (longest time.Duration) {
	c.t.Helper()
	first := make(map[int]time.Duration)
	c.referee.until("its partitions are asked for", func(owners []ask) bool {
		missing := false
		for n, a := range owners {
			if before[n].Worker != worker || first[n] != 0 {
				continue
			}
			if missing = missing || a.Worker == worker; a.Worker != worker {
				first[n] = a.Checked.Sub(from)
				longest = max(longest, first[n])
			}
		}
		return !missing
	})
	return longest
}

func urls(nodes natstest.Nodes) string {
	var all []string
	for _, n := range nodes {
		all = append(all, n.URL())
	}
	return strings.Join(all, ",")
}

// TestMembers kills, stops and continues worker processes on three servers, has them leave and join,
// and restarts servers. A referee plays the sites: it never sees two owners of a partition.
func TestMembers(t *testing.T) {
	t.Parallel()
	nodes := natstest.Cluster(t, 3)
	c := newCrew(t, urls(nodes), 24, 3)
	for worker := range uint32(3) {
		c.start(worker + 1)
	}
	all := c.settled("three workers")

	from := time.Now()
	c.members[2].Kill()
	delete(c.members, 2)
	t.Logf("after kill -9: %v", c.next(2, all, from))
	two := c.settled("two workers after a death")
	c.kept("a death", all, two)

	c.start(2)
	again := c.settled("the third worker again")
	c.kept("a join", two, again)
	for n := range all {
		if all[n].Worker != again[n].Worker {
			t.Errorf("partition %d was of worker %x before its death, and now of %x", n, all[n].Worker, again[n].Worker)
		}
	}

	c.referee.stop(1)
	fatal.If(t, c.members[1].Process.Signal(syscall.SIGSTOP))
	stopped := c.members[1]
	delete(c.members, 1)
	c.settled("two workers after a stop")
	c.members[1] = stopped
	c.referee.goOn(1)
	fatal.If(t, stopped.Process.Signal(syscall.SIGCONT))
	again = c.settled("three workers after a stop")

	from = time.Now()
	left := c.members[3]
	delete(c.members, 3)
	left.Say("leave")
	t.Logf("after a planned leave: %v", c.next(3, again, from))
	if line := left.Line(); line != "left" {
		t.Errorf("the worker says %q", line)
	}
	fatal.If(t, left.Wait())
	two = c.settled("two workers after a leave")
	c.kept("a leave", again, two)

	c.start(3)
	c.settled("the worker that left again")
	for i := range nodes {
		nodes[i].Stop()
		nodes[i].Start(t)
		c.settled("all servers")
		if testing.Short() {
			break
		}
	}
	c.referee.log()
	for worker := range slices.Values([]uint32{1, 2, 3}) {
		c.members[worker].Say("leave")
	}
	for _, p := range c.members {
		if line := p.Line(); line != "left" {
			t.Errorf("a worker says %q", line)
		}
	}
}
