package fleet

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/robotsexclusion/robots/crawler/internal/journal"
	"github.com/robotsexclusion/robots/internal/nats/natstest"
	"github.com/robotsexclusion/robots/internal/test/fatal"
	"github.com/robotsexclusion/robots/internal/test/ports"
)

// A keeper keeps the partitions of a member in this process.
type keeper struct {
	t       *testing.T
	journal *journal.Journal
	refuse  func(act string, n int) error // of Acquire and Drain, or nil

	mu      sync.Mutex
	changed chan struct{}
	held    map[int]*journal.Partition
	session map[int]uint64
	drained int
	dropped int
	lines   strings.Builder
}

func (k *keeper) change(do func()) {
	k.mu.Lock()
	defer k.mu.Unlock()
	do()
	close(k.changed)
	k.changed = make(chan struct{})
}

func (k *keeper) Acquire(ctx context.Context, n int, tail journal.Tail, ready time.Time) error {
	if k.refuse != nil {
		if err := k.refuse("acquire", n); err != nil {
			return err
		}
	}
	p, err := k.journal.ClaimBehind(ctx, n, tail)
	if err != nil {
		return err
	}
	k.change(func() {
		if k.held[n] != nil {
			k.t.Errorf("partition %d is acquired twice", n)
		}
		k.held[n], k.session[n] = p, tail.Claimant
	})
	return nil
}

func (k *keeper) Drain(ctx context.Context, n int) error {
	k.mu.Lock()
	p := k.held[n]
	k.mu.Unlock()
	if k.refuse != nil {
		if err := k.refuse("drain", n); err != nil {
			return err
		}
	}
	if err := p.Release(ctx); err != nil {
		return err
	}
	k.change(func() { delete(k.held, n); k.drained++ })
	return nil
}

func (k *keeper) Drop(n int) {
	k.change(func() {
		if k.held[n] == nil {
			k.t.Errorf("partition %d is dropped and not held", n)
		}
		delete(k.held, n)
		k.dropped++
	})
}

// Write gets the lines of the log.
func (k *keeper) Write(line []byte) (int, error) {
	k.change(func() { k.lines.Write(line) })
	return len(line), nil
}

// until waits until a condition holds, under the lock.
func (k *keeper) until(what string, holds func() bool) {
	k.t.Helper()
	for end := time.After(time.Minute); ; {
		k.mu.Lock()
		held, changed := holds(), k.changed
		k.mu.Unlock()
		if held {
			return
		}
		select {
		case <-changed:
		case <-end:
			k.mu.Lock()
			defer k.mu.Unlock()
			k.t.Fatalf("a minute, and still not: %s\n%s", what, &k.lines)
		}
	}
}

const few = 6 // partitions

func (k *keeper) all() bool { return len(k.held) == few }

// open opens the journal of the tests.
func open(t testing.TB, url string) *journal.Journal {
	t.Helper()
	j, err := journal.Open(t.Context(), journal.Options{URL: url, Name: "crew", Partitions: few, Streams: 1,
		Flush: time.Millisecond})
	fatal.If(t, err)
	t.Cleanup(func() { j.Close() })
	return j
}

// calm are times with which no session lapses in a test on a busy machine.
var calm = Times{Guard: time.Minute, Lease: 2 * time.Minute, Request: time.Second, Close: time.Second,
	Error: time.Second}

// options returns the options of a member with the times.
func (k *keeper) options(times Times) Options {
	return Options{Journal: k.journal, Partitions: k, Times: times, Beat: 200 * time.Millisecond,
		Answer: 300 * time.Millisecond, Log: slog.New(slog.NewTextHandler(k, nil))}
}

func newKeeper(t *testing.T, url string) *keeper {
	return &keeper{t: t, journal: open(t, url), changed: make(chan struct{}), held: make(map[int]*journal.Partition),
		session: make(map[int]uint64)}
}

// join runs a member in this process, until stop is called. The keeper may use another URL than the
// member, and ended gets the error of Run.
func join(t *testing.T, url, direct string, worker uint32, times Times) (
	k *keeper, m *Member, stop func(), ended chan error) {
	t.Helper()
	k = newKeeper(t, direct)
	o := k.options(times)
	o.Journal, o.Worker = open(t, url), worker
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	m, err := Join(ctx, o)
	fatal.If(t, err)
	ctx, stop = context.WithCancel(t.Context())
	ended = make(chan error, 1)
	done := make(chan struct{})
	go func() {
		ended <- m.Run(ctx)
		close(done)
	}()
	t.Cleanup(func() { stop(); <-done })
	return k, m, stop, ended
}

// TestAlone has one member take everything and leave.
func TestAlone(t *testing.T) {
	t.Parallel()
	url := natstest.Start(t)
	k, m, stop, ended := join(t, url, url, 7, calm)
	k.until("all partitions", k.all)
	if !m.Alive(time.Now()) || m.Alive(time.Now().Add(calm.Guard)) {
		t.Error("a session that has joined is alive, and not after its guard")
	}
	stop()
	fatal.If(t, <-ended)
	if k.drained != few || k.dropped != 0 || m.Alive(time.Now()) {
		t.Errorf("%d partitions drained, %d dropped", k.drained, k.dropped)
	}
	for n := range few {
		if tail, err := k.journal.Tail(t.Context(), n); err != nil || !tail.Released {
			t.Errorf("partition %d: %+v, %v", n, tail, err)
		}
	}
	first := k.session[0]
	k, _, _, _ = join(t, url, url, 7, calm)
	k.until("all partitions again, in a later session", func() bool { return k.all() && k.session[0] > first })
}

// TestLapse cuts a member off from the servers for longer than its guard. Another member sees that
// the session has lapsed, and when the member has beaten last.
func TestLapse(t *testing.T) {
	t.Parallel()
	node := natstest.Cluster(t, 1)[0]
	k, m, _, _ := join(t, node.URL(), node.Direct(), 7, quick)
	var first uint64
	k.until("all partitions", func() bool { first = k.session[0]; return k.all() })
	node.Clients.Cut(true)
	k.until("all dropped", func() bool { return k.dropped == few })
	if m.Alive(time.Now()) {
		t.Error("alive without an answer")
	}
	node.Clients.Cut(false)
	k.until("all partitions again, in a later session", func() bool {
		return k.all() && k.session[0] > first && k.drained == 0
	})
	m.Report(Report{At: time.Now()})
	_, other, _, _ := join(t, node.URL(), node.Direct(), 8, quick)
	began := time.Now()
	for end := began.Add(time.Minute); ; time.Sleep(10 * time.Millisecond) {
		rows := []Row{}
		for _, w := range other.Workers() {
			rows = append(rows, w.Row())
		}
		if len(rows) == 2 && rows[0].Lapses == 1 && rows[0].Beat.After(began) && rows[1].Lapses == 0 {
			break
		}
		if time.Now().After(end) {
			t.Fatalf("after a lapse another worker knows %+v", rows)
		}
	}
}

// TestHungServer has servers of a cluster accept connections and answer nothing: all of them until
// the session has lapsed, and then the one to which the member was connected.
func TestHungServer(t *testing.T) {
	t.Parallel()
	nodes := natstest.Cluster(t, 3)
	var all, direct []string
	for _, n := range nodes {
		all, direct = append(all, n.URL()), append(direct, n.Direct())
	}
	k, m, _, _ := join(t, strings.Join(all, ","), strings.Join(direct, ","), 7, quick)
	k.until("all partitions", k.all)
	connected := m.conn.ConnectedUrl()
	for _, n := range nodes {
		n.Clients.Cut(true)
	}
	k.until("all dropped", func() bool { return len(k.held) == 0 })
	for _, n := range nodes {
		n.Clients.Cut(n.URL() == connected)
	}
	k.until("all partitions again, by another server", k.all)
	if now := m.conn.ConnectedUrl(); now == connected {
		t.Errorf("still connected to %s", now)
	}
}

// TestServerKilled kills the only server, and starts it again after the sessions of both members
// have lapsed. Each partition gets one owner.
func TestServerKilled(t *testing.T) {
	t.Parallel()
	dir, address := t.TempDir(), ports.Address(t)
	url, kill := natstest.Process(t, dir, address)
	k, _, _, _ := join(t, url, url, 7, quick)
	k.until("all partitions", k.all)
	second, _, _, _ := join(t, url, url, 9, quick)
	shared := func() bool {
		second.mu.Lock()
		defer second.mu.Unlock()
		for n := range few {
			if (k.held[n] != nil) != (weight(7, n) > weight(9, n)) || (k.held[n] != nil) == (second.held[n] != nil) {
				return false
			}
		}
		return true
	}
	both := func(what string, holds func() bool) {
		t.Helper()
		for end := time.Now().Add(time.Minute); ; time.Sleep(10 * time.Millisecond) {
			k.mu.Lock()
			done := holds()
			k.mu.Unlock()
			if done {
				return
			}
			if time.Now().After(end) {
				t.Fatalf("a minute, and still not %s\n%s\n%s", what, &k.lines, &second.lines)
			}
		}
	}
	both("when both have joined", shared)
	kill()
	k.until("the first drops all", func() bool { return len(k.held) == 0 })
	second.until("the second drops all", func() bool { return len(second.held) == 0 })
	natstest.Process(t, dir, address)
	// The first one to come back takes all, and hands over what the other one should have.
	both("after the server has started again", shared)
}

// TestTwin runs two processes with the number of one worker.
func TestTwin(t *testing.T) {
	t.Parallel()
	url := natstest.Start(t)
	k, m, _, _ := join(t, url, url, 7, calm)
	k.until("all partitions", k.all)
	_, _, _, ended := join(t, url, url, 7, calm)
	if err := <-ended; !errors.Is(err, ErrTwin) {
		t.Errorf("got %v", err)
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if !m.Alive(time.Now()) || k.dropped+k.drained > 0 {
		t.Errorf("the first one is disturbed: %d dropped", k.dropped)
	}
}

// bucket returns the bucket of the crew.
func bucket(t *testing.T, url string) (jetstream.JetStream, jetstream.KeyValue) {
	t.Helper()
	conn, err := nats.Connect(url)
	fatal.If(t, err)
	t.Cleanup(conn.Close)
	js, err := jetstream.New(conn)
	fatal.If(t, err)
	values, err := js.KeyValue(t.Context(), "crew-fleet")
	fatal.If(t, err)
	return js, values
}

// TestKeys changes the bucket while a member runs: keys that are not of workers, a key that is
// removed, and one of a process that was killed.
func TestKeys(t *testing.T) {
	t.Parallel()
	url := natstest.Start(t)
	k, _, stop, ended := join(t, url, url, 7, quick)
	k.until("all partitions", k.all)
	_, values := bucket(t, url)
	for _, key := range []string{"garbage", "0000000g", "00000000", "0000000A"} {
		_, err := values.Put(t.Context(), key, []byte("{}"))
		fatal.If(t, err)
	}
	for key, data := range map[string]string{"00000009": "{", "0000000a": `{"session":"4294967297","state":"alive"}`,
		"0000000b": `{"session":"47244640257","state":"zombie"}`} {
		_, err := values.Put(t.Context(), key, []byte(data))
		fatal.If(t, err)
		k.until(key, func() bool { return strings.Contains(k.lines.String(), "worker=00000007 key="+key) })
	}
	var first uint64
	k.until("all partitions, though there are other keys", func() bool { first = k.session[0]; return k.all() })
	fatal.If(t, values.Purge(t.Context(), keyOf(7)))
	k.until("a next session after the loss of the key", func() bool { return k.all() && k.session[0] > first })
	stop()
	fatal.If(t, <-ended)

	// A process that is killed leaves its key, and the log of its partitions.
	session := nextSession(9, 0, time.Now())
	revision, err := values.Put(t.Context(), keyOf(9), value{Session: session, State: alive}.encode())
	fatal.If(t, err)
	tail, err := k.journal.Tail(t.Context(), 3)
	fatal.If(t, err)
	tail.Claimant = session
	_, err = k.journal.ClaimBehind(t.Context(), 3, tail)
	fatal.If(t, err)
	begun := time.Now()
	k, m, _, _ := join(t, url, url, 9, quick)
	k.until("the next process of the worker", k.all)
	if waited := time.Since(begun); waited < quick.Lease {
		t.Errorf("it waited only %v", waited)
	}
	if got, err := values.Get(t.Context(), keyOf(9)); err != nil || got.Revision() <= revision {
		t.Errorf("its key: %v, %v", got, err)
	}

	// The log names a session of a worker without a key.
	m.post(func(l *loop) { l.leave(nil) })
	k.until("all drained", func() bool { return len(k.held) == 0 })
	tail, err = k.journal.Tail(t.Context(), 3)
	fatal.If(t, err)
	tail.Claimant = nextSession(12, 0, time.Now())
	_, err = k.journal.ClaimBehind(t.Context(), 3, tail)
	fatal.If(t, err)
	begun = time.Now()
	k, _, _, _ = join(t, url, url, 13, quick)
	k.until("the partition of a worker without a key", k.all)
	if waited := time.Since(begun); waited < quick.Lease {
		t.Errorf("it waited only %v", waited)
	}
	if got, err := values.Get(t.Context(), keyOf(12)); err != nil || !strings.Contains(string(got.Value()), "dead") {
		t.Errorf("the grave: %v, %v", got, err)
	}
}

// TestCalls lets calls fail: Acquire is tried again, and a partition that is fenced is dropped.
func TestCalls(t *testing.T) {
	t.Parallel()
	url := natstest.Start(t)
	k, m, stop, ended := join(t, url, url, 7, calm)
	k.until("all partitions", k.all)
	other := open(t, url)
	_, err := other.Claim(t.Context(), 2)
	fatal.If(t, err)
	k.mu.Lock()
	p := k.held[2]
	k.mu.Unlock()
	if _, err := p.Append(t.Context(), nil).Wait(t.Context()); !errors.Is(err, journal.ErrFenced) {
		t.Fatal(err)
	}
	m.Fenced(2)
	k.until("the fenced partition again", func() bool { return k.dropped == 1 && k.all() })
	stop()
	fatal.If(t, <-ended)
}

// TestFailures lets each first call for a partition fail. Acquire is tried again. A partition that
// could not be released has a claim that nobody else may follow: it is acquired and drained again.
func TestFailures(t *testing.T) {
	t.Parallel()
	url := natstest.Start(t)
	failed := make(map[string]bool)
	k := newKeeper(t, url)
	k.refuse = func(act string, n int) (err error) {
		k.change(func() {
			if call := fmt.Sprint(act, n); !failed[call] {
				failed[call] = true
				err = errors.New("no room for " + call)
			}
		})
		return err
	}
	m, err := Join(t.Context(), k.options(calm))
	fatal.If(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	go func() { done <- m.Run(ctx) }()
	k.until("all partitions, though they could not be acquired at once", k.all)
	other := uint32(1) // a worker that should have some of them
	should := func() (n int) {
		for p := range few {
			if weight(other, p) > weight(m.Worker(), p) {
				n++
			}
		}
		return n
	}
	for should() == 0 || should() == few || other == m.Worker() {
		other++
	}
	second, _, stop, ended := join(t, url, url, other, calm)
	second.until("what the first one could not release", func() bool { return len(second.held) == should() })
	k.until("each partition that moved was dropped and drained", func() bool {
		return k.dropped == should() && k.drained == should()
	})
	stop()
	fatal.If(t, <-ended)
	k.until("all partitions again", k.all)
	cancel()
	fatal.If(t, <-done)
}

// TestBucket refuses buckets in which sessions would not be safe, and says what to do.
func TestBucket(t *testing.T) {
	t.Parallel()
	url := natstest.Start(t)
	k, _, stop, ended := join(t, url, url, 7, quick)
	k.until("all partitions", k.all)
	js, _ := bucket(t, url)
	refused := func(want string, change func(o *Options)) {
		t.Helper()
		o := k.options(quick)
		if change != nil {
			change(&o)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		if _, err := Join(ctx, o); err == nil || !strings.Contains(err.Error(), want) || ctx.Err() != nil {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	refused("other times", func(o *Options) { o.Times.Request++ })
	refused("shorter than the guard", func(o *Options) { o.Times.Lease = quick.Guard })
	refused("one lost answer", func(o *Options) { o.Answer = quick.Guard / 2 })
	refused("need a journal on a server", func(o *Options) {
		var err error
		o.Journal, err = journal.Open(t.Context(), journal.Options{Dir: t.TempDir()})
		fatal.If(t, err)
		t.Cleanup(func() { o.Journal.Close() })
	})
	s, err := js.Stream(t.Context(), "KV_crew-fleet")
	fatal.If(t, err)
	good := s.CachedInfo().Config
	metadata := func(all map[string]string) func(*jetstream.StreamConfig) {
		return func(c *jetstream.StreamConfig) { c.Metadata = all }
	}
	for want, change := range map[string]func(*jetstream.StreamConfig){
		"set its maximum age to none":     func(c *jetstream.StreamConfig) { c.MaxAge = time.Hour },
		"set its discard policy to new":   func(c *jetstream.StreamConfig) { c.Discard = jetstream.DiscardOld },
		"set acknowledgements on":         func(c *jetstream.StreamConfig) { c.NoAck = true },
		"is not of a fleet of workers":    metadata(nil),
		"it has the form \"rf9\"":         metadata(map[string]string{formatKey: "rf9"}),
		"was made for workers with other": metadata(map[string]string{formatKey: format}),
	} {
		c := good
		change(&c)
		_, err := js.UpdateStream(t.Context(), c)
		fatal.If(t, err)
		refused(want, nil)
	}
	_, err = js.UpdateStream(t.Context(), good)
	fatal.If(t, err)

	// A full bucket ends sessions, and says why.
	c := good
	c.MaxBytes = 1
	_, err = js.UpdateStream(t.Context(), c)
	fatal.If(t, err)
	k.until("all dropped, the bucket is full", func() bool {
		return len(k.held) == 0 && strings.Contains(k.lines.String(), "if it is full, raise its limits")
	})
	_, err = js.UpdateStream(t.Context(), good)
	fatal.If(t, err)
	k.until("all partitions again", k.all)

	fatal.If(t, js.DeleteStream(t.Context(), "KV_crew-fleet"))
	if err := <-ended; err == nil || !strings.Contains(err.Error(), "was deleted while this worker ran") {
		t.Errorf("without a bucket: %v", err)
	}
	stop()
	if len(k.held) > 0 {
		t.Errorf("it still holds %d partitions", len(k.held))
	}
}

// TestClock steps the wall clock and stops the monotonic one.
func TestClock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var c clock
		start := c.at(time.Now())
		time.Sleep(time.Second)
		if got := c.at(time.Now()) - start; got != time.Second {
			t.Errorf("got %v", got)
		}
		if got := c.at(time.Now().Add(-time.Minute)) - start; got != time.Second {
			t.Errorf("a moment before: %v", got)
		}
		wall := time.Now().Round(0)
		if got := c.at(wall.Add(time.Hour)) - start; got != time.Hour+time.Second {
			t.Errorf("the machine slept an hour: %v", got)
		}
		if got := c.at(wall) - start; got < time.Hour {
			t.Errorf("the wall clock went back: %v", got)
		}
		time.Sleep(time.Second)
		if got := c.at(time.Now()) - start; got < time.Hour {
			t.Errorf("after it went back: %v", got)
		}
	})
}

// TestCompare has clocks of a worker and a server that differ.
func TestCompare(t *testing.T) {
	server := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	for ahead, want := range map[time.Duration]bool{
		0: false, Apart / 2: false, -Apart / 2: false, Apart: true, -Apart: true, 100 * 365 * 24 * time.Hour: true,
	} {
		var lines bytes.Buffer
		compare(slog.New(slog.NewTextHandler(&lines, nil)), server, server.Add(ahead))
		if got := strings.Contains(lines.String(), "set both by NTP"); got != want {
			t.Errorf("a clock is %v ahead, and the worker warns %v: %s", ahead, got, &lines)
		}
	}
	var lines bytes.Buffer
	compare(slog.New(slog.NewTextHandler(&lines, nil)), time.Time{}, server)
	if lines.Len() > 0 {
		t.Errorf("a server that does not tell its time: %s", &lines)
	}
}

// TestWeight spreads partitions evenly, and moves few.
func TestWeight(t *testing.T) {
	best := func(workers []uint32, n int) uint32 {
		return slices.MaxFunc(workers, func(a, b uint32) int {
			if weight(a, n) < weight(b, n) {
				return -1
			}
			return 1
		})
	}
	workers := []uint32{1, 2, 3, 4, 5}
	count := make(map[uint32]int)
	for n := range 4096 {
		before := best(workers, n)
		count[before]++
		if after := best(workers[1:], n); after != before && before != 1 {
			t.Errorf("partition %d moves from worker %d to %d", n, before, after)
		}
	}
	for worker, got := range count {
		if got < 700 || got > 940 {
			t.Errorf("worker %d should have %d partitions of 4096", worker, got)
		}
	}
	// Workers of all versions agree.
	if got := weight(0x01020304, 5); got != 0x75590f0550df7288 {
		t.Errorf("the weight is %#x: the stored assignment changes", got)
	}
	if got := nextSession(3, 3<<32|0xfffffff0, time.Unix(1, 0)); got != 3<<32|0xfffffff1 {
		t.Errorf("session %x", got)
	}
	if got := nextSession(3, 4<<32|9, time.Unix(5, 0)); got != 3<<32|5 {
		t.Errorf("session %x", got)
	}
}
