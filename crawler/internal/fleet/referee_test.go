package fleet

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/crawler/internal/journal"
	"github.com/robotsexclusion/robots/internal/test/child"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// quick are times for tests: the new owner waits 50 ms after a death.
var quick = Times{Guard: 1100 * time.Millisecond, Lease: 1500 * time.Millisecond, Request: 400 * time.Millisecond,
	Close: 400 * time.Millisecond, Error: 50 * time.Millisecond}

// An ask is a request of a worker to the referee, who plays the sites. It lasts as long as its
// connection.
type ask struct {
	Partition int
	Worker    uint32
	Claim     uint64 // the entry behind which the worker claimed: owners are ordered by it
	Session   uint64
	Checked   time.Time // when the worker asked Alive
	taken     time.Time // the first request of the worker for the partition, since another worker's
}

// A referee sees the requests of all workers.
type referee struct {
	listener net.Listener
	t        testing.TB

	mu      sync.Mutex
	changed chan struct{} // closed at each begin of a request
	open    []map[*ask]bool
	owners  []ask // the last one of each partition
	stopped map[uint32][]span
	asks    int
	excused int
	blamed  map[uint32]int // violations of workers from which they are expected
}

// A span is how long a worker was stopped. It is stopped until the end is known.
type span struct{ from, to time.Time }

func newReferee(t testing.TB, partitions int) *referee {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	fatal.If(t, err)
	r := &referee{listener: l, t: t, changed: make(chan struct{}), owners: make([]ask, partitions),
		stopped: make(map[uint32][]span)}
	for range partitions {
		r.open = append(r.open, make(map[*ask]bool))
	}
	var conns sync.WaitGroup
	conns.Go(func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			conns.Go(func() { r.serve(conn) })
		}
	})
	t.Cleanup(func() { l.Close(); conns.Wait() })
	return r
}

func (r *referee) serve(conn net.Conn) {
	defer conn.Close()
	in := bufio.NewReader(conn)
	line, err := in.ReadBytes('\n')
	var a ask
	if err != nil || json.Unmarshal(line, &a) != nil {
		return // the worker gave up before it wrote
	}
	r.begin(&a)
	conn.Write([]byte("yes\n"))
	io.Copy(io.Discard, in)
	r.mu.Lock()
	delete(r.open[a.Partition], &a)
	r.mu.Unlock()
}

// wasStopped reports whether a worker was stopped after it had checked the request.
func (r *referee) wasStopped(a *ask) bool {
	for _, s := range r.stopped[a.Worker] {
		if s.to.IsZero() || s.to.After(a.Checked) {
			return true
		}
	}
	return false
}

func (r *referee) begin(a *ask) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.asks++
	for b := range r.open[a.Partition] {
		switch {
		case b.Worker == a.Worker:
		case r.wasStopped(a) || r.wasStopped(b):
			r.excused++
		default:
			r.broken(a, "worker %x asks for partition %d, %v after its check, while worker %x has a request open",
				a.Worker, a.Partition, time.Since(a.Checked), b.Worker)
		}
	}
	if last := &r.owners[a.Partition]; a.Claim >= last.Claim {
		if a.taken = last.taken; a.Worker != last.Worker {
			a.taken = a.Checked
		}
		*last = *a
	} else if r.wasStopped(a) {
		r.excused++
	} else {
		r.broken(a, "worker %x asks for partition %d, claimed behind %d, after worker %x claimed behind %d",
			a.Worker, a.Partition, a.Claim, last.Worker, last.Claim)
	}
	r.open[a.Partition][a] = true
	close(r.changed)
	r.changed = make(chan struct{})
}

// broken reports a violation.
func (r *referee) broken(a *ask, format string, args ...any) {
	if _, expected := r.blamed[a.Worker]; expected {
		r.blamed[a.Worker]++
		return
	}
	r.t.Errorf(format, args...)
}

// more waits for requests.
func (r *referee) more(asks int) {
	r.t.Helper()
	r.mu.Lock()
	asks += r.asks
	r.mu.Unlock()
	r.until("more requests", func([]ask) bool {
		r.mu.Lock()
		defer r.mu.Unlock()
		return r.asks >= asks
	})
}

func (r *referee) log() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.t.Logf("%d requests, %d beside another one after a stop", r.asks, r.excused)
}

// stop says that a worker is stopped from now on, and goOn that it goes on.
func (r *referee) stop(worker uint32) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.stopped[worker] = append(r.stopped[worker], span{from: time.Now()})
}

func (r *referee) goOn(worker uint32) {
	r.mu.Lock()
	defer r.mu.Unlock()
	spans := r.stopped[worker]
	spans[len(spans)-1].to = time.Now()
}

// until waits until a condition holds for the last requests of all partitions, and returns them.
func (r *referee) until(what string, holds func(owners []ask) bool) []ask {
	r.t.Helper()
	end := time.After(2 * time.Minute)
	for {
		r.mu.Lock()
		owners := append([]ask(nil), r.owners...)
		changed := r.changed
		r.mu.Unlock()
		if holds(owners) {
			return owners
		}
		select {
		case <-changed:
		case <-end:
			for n, a := range owners {
				r.t.Logf("partition %d: worker %x, %v ago", n, a.Worker, time.Since(a.Checked))
			}
			r.t.Fatalf("two minutes, and still not: %s", what)
		}
	}
}

// A job is what a worker process gets.
type job struct {
	URL, Name, Referee string
	Partitions         int
	Replicas           int
	Worker             uint32
	Careless           bool // the worker asks on, whatever its member says
	Slow               bool // the times are those of a crawl
}

// asker asks the referee for its partitions all the time.
type asker struct {
	job     job
	journal *journal.Journal
	member  *Member

	mu    sync.Mutex
	parts map[int]*asking
}

type asking struct {
	partition *journal.Partition
	claim     uint64
	session   uint64
	close     context.CancelFunc // closes the connections
	drain     chan struct{}
	done      chan struct{}
}

func (k *asker) Acquire(ctx context.Context, n int, tail journal.Tail, ready time.Time) error {
	p, err := k.journal.ClaimBehind(ctx, n, tail)
	if err != nil {
		return err
	}
	work, cancel := context.WithCancel(context.Background())
	a := &asking{p, tail.Sequence, tail.Claimant, cancel, make(chan struct{}), make(chan struct{})}
	k.mu.Lock()
	if k.parts[n] != nil && !k.job.Careless {
		panic("acquired twice")
	}
	k.parts[n] = a
	k.mu.Unlock()
	go k.work(work, n, a, ready)
	return nil
}

func (k *asker) take(n int) *asking {
	k.mu.Lock()
	defer k.mu.Unlock()
	a := k.parts[n]
	delete(k.parts, n)
	return a
}

func (k *asker) Drain(ctx context.Context, n int) error {
	k.mu.Lock()
	a := k.parts[n]
	k.mu.Unlock()
	close(a.drain)
	select {
	case <-a.done:
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	if err := a.partition.Release(ctx); err != nil {
		return err
	}
	k.take(n)
	return nil
}

func (k *asker) Drop(n int) {
	if k.job.Careless {
		return
	}
	a := k.take(n)
	a.close()
	<-a.done
}

func (k *asker) work(ctx context.Context, n int, a *asking, ready time.Time) {
	defer close(a.done)
	wait := time.NewTimer(time.Until(ready))
	for {
		select {
		case <-wait.C:
		case <-a.drain:
			return
		case <-ctx.Done():
			return
		}
		if checked := time.Now(); k.member.Alive(checked) || k.job.Careless {
			k.ask(ctx, ask{Partition: n, Worker: k.job.Worker, Claim: a.claim, Session: a.session, Checked: checked})
			_, err := a.partition.Append(ctx, []byte("asked")).Wait(ctx)
			if errors.Is(err, journal.ErrFenced) && !k.job.Careless {
				k.member.Fenced(n)
				return
			}
		}
		wait.Reset(20 * time.Millisecond)
	}
}

// ask makes one request, which ends at its deadline.
func (k *asker) ask(ctx context.Context, a ask) {
	ctx, cancel := context.WithDeadline(ctx, a.Checked.Add(quick.Request))
	defer cancel()
	conn, err := new(net.Dialer).DialContext(ctx, "tcp", k.job.Referee)
	if err != nil {
		return
	}
	defer conn.Close()
	defer context.AfterFunc(ctx, func() { conn.Close() })()
	line, _ := json.Marshal(a)
	if ctx.Err() == nil {
		conn.Write(append(line, '\n'))
		bufio.NewReader(conn).ReadString('\n')
	}
}

// workUntilKilled is a worker process. It leaves when its standard input has a line.
func workUntilKilled(text string) {
	var j job
	child.Check(json.Unmarshal([]byte(text), &j))
	ctx, cancel := context.WithCancel(context.Background())
	of := journal.Options{URL: j.URL, Name: j.Name, Partitions: j.Partitions, Streams: 2, Flush: time.Millisecond,
		Answer: 300 * time.Millisecond}
	o := Options{Worker: j.Worker, Times: quick, Beat: 200 * time.Millisecond, Answer: 300 * time.Millisecond}
	if j.Slow {
		of.Answer, o.Times, o.Beat, o.Answer = 0, Times{}, 0, 0
	}
	log, err := journal.Open(ctx, of)
	for end := time.Now().Add(time.Minute); err != nil && time.Now().Before(end); { // servers have just started
		time.Sleep(100 * time.Millisecond)
		log, err = journal.Open(ctx, of)
	}
	child.Check(err)
	k := &asker{job: j, journal: log, parts: make(map[int]*asking)}
	var level slog.LevelVar
	if os.Getenv("FLEET_TEST_LOG") == "" {
		level.Set(slog.LevelError)
	}
	o.Journal, o.Partitions = log, k
	o.Log = slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: &level}))
	k.member, err = Join(ctx, o)
	child.Check(err)
	go func() {
		bufio.NewReader(os.Stdin).ReadString('\n')
		cancel()
	}()
	fmt.Println("joined")
	child.Check(k.member.Run(ctx))
	fmt.Println("left")
	child.Check(log.Close())
}
