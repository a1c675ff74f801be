//go:build unix

package fleet

import (
	"encoding/json"
	"math/rand/v2"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/crawler/internal/journal"
	"github.com/robotsexclusion/robots/internal/nats/natstest"
	"github.com/robotsexclusion/robots/internal/test/child"
	"github.com/robotsexclusion/robots/internal/test/corpus"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// A crew is the workers of a test.
type crew struct {
	t       testing.TB
	job     job
	referee *referee
	members map[uint32]*child.Process
}

// newCrew creates the journal of a crawl on servers.
func newCrew(t testing.TB, url string, partitions, replicas int) *crew {
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
	return &crew{t, job{URL: url, Name: "crew", Referee: r.listener.Addr().String(), Partitions: partitions}, r,
		make(map[uint32]*child.Process)}
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

// settled waits until each partition is asked for by the worker that should have it, from now on.
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

// kept checks that no partition that stays with its worker was claimed again, unless the session of
// the worker has lapsed.
func (c *crew) kept(what string, before, after []ask) {
	c.t.Helper()
	moved, stayed := 0, 0
	for n := range before {
		switch {
		case before[n].Worker != after[n].Worker:
			moved++
		case before[n].Claim != after[n].Claim && before[n].Session == after[n].Session:
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
	c.referee.until("its partitions are asked for", func(owners []ask) bool {
		longest = 0
		for n, a := range owners {
			if before[n].Worker == worker {
				if a.Worker == worker {
					return false
				}
				longest = max(longest, a.taken.Sub(from))
			}
		}
		return true
	})
	return longest
}

// stop stops a worker, and goOn continues it.
func (c *crew) stop(worker uint32) *child.Process {
	c.t.Helper()
	p := c.members[worker]
	c.referee.stop(worker)
	fatal.If(c.t, p.Process.Signal(syscall.SIGSTOP))
	delete(c.members, worker)
	return p
}

func (c *crew) goOn(worker uint32, p *child.Process) {
	c.t.Helper()
	c.referee.goOn(worker)
	fatal.If(c.t, p.Process.Signal(syscall.SIGCONT))
	c.members[worker] = p
}

// leave has a worker leave, and waits for its end.
func (c *crew) leave(worker uint32) {
	c.t.Helper()
	p := c.members[worker]
	delete(c.members, worker)
	p.Say("leave")
	if line := p.Line(); line != "left" {
		c.t.Errorf("worker %x says %q", worker, line)
	}
	fatal.If(c.t, p.Wait())
}

func urls(nodes natstest.Nodes) string {
	var all []string
	for _, n := range nodes {
		all = append(all, n.URL())
	}
	return strings.Join(all, ",")
}

// TestMembers kills, stops and continues worker processes on three servers, has them leave and
// join, and restarts servers. A referee plays the sites: it never sees two owners of a partition.
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

	stopped := c.stop(1)
	c.settled("two workers after a stop")
	c.goOn(1, stopped)
	again = c.settled("three workers after a stop")

	from = time.Now()
	c.leave(3)
	t.Logf("after a planned leave: %v", c.next(3, again, from))
	two = c.settled("two workers after a leave")
	c.kept("a leave", again, two)

	c.start(3)
	c.settled("the worker that left again")
	for _, node := range nodes[:corpus.Cases(1, len(nodes))] {
		node.Stop()
		node.Start(t)
		c.settled("all servers")
	}
	c.referee.log()
	for worker := range uint32(3) {
		c.leave(worker + 1)
	}
}

// TestCareless has a worker ignore its member: the referee notices.
func TestCareless(t *testing.T) {
	t.Parallel()
	c := newCrew(t, natstest.Start(t), 6, 1)
	c.referee.blamed = map[uint32]int{1: 0}
	c.job.Careless = true
	c.start(1)
	c.settled("one worker")
	c.job.Careless = false
	c.start(2)
	stopped := c.stop(1)
	c.settled("another worker after a stop")
	c.goOn(1, stopped)
	c.referee.until("a violation", func([]ask) bool {
		c.referee.mu.Lock()
		defer c.referee.mu.Unlock()
		return c.referee.blamed[1] > 0
	})
}

// TestMembersAtRandom does what can happen to workers and servers in any order: at the end all
// partitions are at work, and the referee has never seen two owners of one.
func TestMembersAtRandom(t *testing.T) {
	t.Parallel()
	events := corpus.Cases(8, 150)
	if testing.Short() {
		t.Skip("the test takes some 30 seconds")
	}
	random := rand.New(rand.NewPCG(1, 2))
	nodes := natstest.Cluster(t, 3)
	c := newCrew(t, urls(nodes), 16, 3)
	const workers = 4
	stopped := make(map[uint32]*child.Process)
	for worker := range uint32(workers) {
		c.start(worker + 1)
	}
	server, cut := -1, false // that is down
	heal := func() {
		if server >= 0 && cut {
			nodes.Cut(server, false)
			nodes[server].Clients.Cut(false)
		} else if server >= 0 {
			nodes[server].Start(t)
		}
		server = -1
	}
	for range events {
		worker := uint32(1 + random.IntN(workers))
		running, others := c.members[worker] != nil, len(c.members) > 1
		did := ""
		switch kind := random.IntN(8); {
		case kind < 2 && server < 0:
			server, cut = random.IntN(len(nodes)), kind == 0
			if did = "server down"; cut {
				did = "server cut off"
				nodes.Cut(server, true)
				nodes[server].Clients.Cut(true)
			} else {
				nodes[server].Stop()
			}
		case kind < 2:
			did = "server back"
			heal()
		case stopped[worker] != nil:
			did = "goes on"
			c.goOn(worker, stopped[worker])
			delete(stopped, worker)
		case running && others && kind < 4:
			did = "killed"
			c.members[worker].Kill()
			delete(c.members, worker)
		case running && others && kind < 6:
			did = "stopped"
			stopped[worker] = c.stop(worker)
		case running && others:
			did = "left"
			c.leave(worker)
		case !running:
			did = "started"
			heal() // to be opened, a journal needs all answers
			c.referee.more(1)
			c.start(worker)
		}
		t.Logf("worker %d, server %d: %s", worker, server, did)
		c.referee.more(1 + random.IntN(300))
	}
	heal()
	for worker, p := range stopped {
		c.goOn(worker, p)
	}
	for worker := range uint32(workers) {
		if c.members[worker+1] == nil {
			c.start(worker + 1)
		}
	}
	c.settled("everything in the end")
	c.referee.log()
}

// BenchmarkMembers measures a crawl with 256 partitions and three workers on three servers, with
// the times of a crawl: how long after its start one worker has claimed and asked for all
// partitions, and when those of a worker are asked for after its planned leave and after kill -9.
func BenchmarkMembers(b *testing.B) {
	nodes := natstest.Cluster(b, 3)
	c := newCrew(b, urls(nodes), 256, 3)
	c.job.Slow = true
	from := time.Now()
	c.start(1)
	c.settled("one worker")
	b.ReportMetric(time.Since(from).Seconds(), "claim-256-s")
	from = time.Now()
	c.start(2)
	c.start(3)
	all := c.settled("three workers")
	b.ReportMetric(time.Since(from).Seconds(), "join-s")
	from = time.Now()
	c.leave(3)
	b.ReportMetric(c.next(3, all, from).Seconds(), "leave-s")
	two := c.settled("two workers")
	from = time.Now()
	c.members[2].Kill()
	delete(c.members, 2)
	b.ReportMetric(c.next(2, two, from).Seconds(), "kill-s")
	// The guard outlasts the elections when servers stop.
	one := c.settled("one worker again")
	for _, node := range nodes {
		from = time.Now()
		node.Stop()
		c.referee.more(100)
		node.Start(b)
		back := c.settled("the servers are back")
		if one[0].Session != back[0].Session {
			b.Errorf("the session ended with a server")
		}
		b.Logf("a server stops: %v until all partitions are asked for with all servers", time.Since(from))
	}
	b.ReportMetric(0, "ns/op")
}
