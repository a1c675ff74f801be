package crawl

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net/netip"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/robotsexclusion/robots/crawler/internal/pace"
)

// A plainHost is a host in the slow twin of a frontier.
type plainHost struct {
	items  []time.Time // committed items, by due time
	taken  int         // committed items taken by visits that are not committed
	ready  time.Time   // the end of the pause after its last request
	blob   *pace.Host  // its committed pace
	leased bool
	hops   int  // hops to make at this host
	awaits bool // the next request for its robots.txt is in the queue of a host
	answer bool // the outcome of that fetch is there, and the host has not taken it yet
	addr   netip.Addr

	partition uint8
}

// A plainLease is a host leased by a worker of the twin, and the step it is at.
type plainLease struct {
	h      *host
	filled time.Time // when the first item was due that the host had at the start of the lease
	placed bool
	hop    bool
	gone   bool // the partition of the host was unloaded since
}

// A plainHop is a hop in the queue of a host.
type plainHop struct{ of, at string }

// A plainWait is the end of a worker's wait for a host.
type plainWait struct {
	h  *host
	at time.Time
}

// A plain is the slow twin of a frontier, with the workers and the store around it. It uses
// slices and maps, and searches them from the start for each answer.
type plain struct {
	t       *testing.T
	f       *frontier
	hosts   map[string]*plainHost
	held    []*plainLease
	pending []plainVisit
	open    map[netip.Addr]int
	started map[netip.Addr]time.Time
	hops    int            // number of hops queued
	queued  []plainHop     // hops in queues
	away    [2]bool        // partitions that are not loaded
	waiting chan plainWait // of the worker that waits for a host, or nil
}

// A plainVisit is an uncommitted visit.
type plainVisit struct {
	visit *outcome
	blob  pace.Host
	done  string   // the host whose item is done, or ""
	found []string // hosts with a new item
	due   time.Duration
}

var plainPauses = pace.Pauses{MinDelay: 10 * time.Second, Slowness: -1, AddressGap: 3 * time.Second, AddressBudget: -1}

const plainOpen = 2

func newPlain(t *testing.T) *plain {
	p := &plain{t: t, hosts: make(map[string]*plainHost), open: make(map[netip.Addr]int),
		started: make(map[netip.Addr]time.Time)}
	p.f = newFrontier(frontierLimits{pauses: plainPauses, perAddress: plainOpen,
		own: []netip.Prefix{netip.MustParsePrefix("192.0.2.0/24")}}, p.stored)
	for i := range 8 {
		addr := netip.MustParseAddr([]string{"192.0.2.1", "198.51.100.1", "198.51.100.2"}[i%3])
		p.hosts[plainName(i)] = &plainHost{addr: addr, blob: new(pace.Host), partition: uint8(i & 1)}
	}
	return p
}

func plainName(i int) string { return fmt.Sprintf("http://%d.example", i%8) }

func (p *plain) stored(origin string, partition uint8) (*host, error) {
	h := p.hosts[origin]
	polite := *h.blob
	return &host{origin: origin, partition: partition, index: -1, queued: int64(len(h.items) + h.taken), pace: polite},
		nil
}

// send queues a visit to be committed, with the state of its host.
func (p *plain) send(v plainVisit, h *host) {
	v.visit = new(outcome)
	if h != nil {
		v.visit.host, v.blob = h, h.pace
		p.f.save(h)
	}
	p.f.begin()
	p.pending = append(p.pending, v)
}

// commit commits all pending visits.
func (p *plain) commit() {
	var batch []*outcome
	now := time.Now()
	p.discard()
	for _, v := range p.pending {
		if v.visit.host != nil {
			*p.hosts[v.visit.host.origin].blob = v.blob
		}
		if v.done != "" {
			p.hosts[v.done].taken--
		}
		for _, to := range v.found {
			h := p.hosts[to]
			h.items = append(h.items, now.Add(v.due))
		}
		batch = append(batch, v.visit)
	}
	// Like commitBatch, apply all changes of a host at once.
	more, put := make(map[string]int64), make(map[string]time.Time)
	for _, v := range p.pending {
		if v.done != "" {
			more[v.done]--
		}
		for _, to := range v.found {
			more[to]++
			if due := now.Add(v.due); put[to].IsZero() || due.Before(put[to]) {
				put[to] = due
			}
		}
	}
	for i := range len(p.hosts) {
		name := plainName(i)
		if _, ok := more[name]; ok {
			if err := p.f.found(name, p.hosts[name].partition, more[name], !put[name].IsZero(), put[name]); err != nil {
				p.t.Fatal(err)
			}
		}
	}
	p.f.saved(batch)
	p.f.end(len(batch))
	p.pending = nil
}

// discard discards the pending visits to hosts whose partition was unloaded since.
func (p *plain) discard() {
	p.pending = slices.DeleteFunc(p.pending, func(v plainVisit) bool {
		h := v.visit.host
		if h == nil {
			return false
		}
		p.f.mu.Lock()
		owned := p.f.tenures.owns(h)
		p.f.mu.Unlock()
		if owned {
			return false
		}
		if v.done != "" {
			known := p.hosts[v.done]
			known.taken--
			known.items = append(known.items, time.Now())
		}
		p.f.saved([]*outcome{v.visit})
		p.f.end(1)
		return true
	})
}

// unload unloads a partition. The hosts that are not leased are gone at once.
func (p *plain) unload(partition uint8) {
	p.away[partition] = true
	p.f.mu.Lock()
	p.f.limits.shared = true // it must not finish
	p.f.mu.Unlock()
	p.f.tenures.unload(partition)
	for _, l := range p.held {
		l.gone = l.gone || l.h.partition == partition
	}
	for name, h := range p.hosts {
		if h.partition == partition && !h.leased {
			p.forget(name)
		}
	}
}

// forget takes the hops of a host that is gone, and those to it.
func (p *plain) forget(name string) {
	p.hosts[name].awaits, p.hosts[name].answer = false, false
	p.queued = slices.DeleteFunc(p.queued, func(q plainHop) bool {
		switch name {
		case q.at:
			p.hosts[q.of].awaits = false
		case q.of:
		default:
			return false
		}
		p.hosts[q.at].hops--
		return true
	})
}

// load loads a partition again, if none of its hosts is leased.
func (p *plain) load(partition uint8) {
	for _, l := range p.held {
		if l.gone && l.h.partition == partition {
			return
		}
	}
	p.discard()
	p.away[partition] = false
	now := time.Now()
	p.f.tenures.open(partition, now, false)
	for name, h := range p.hosts {
		if h.partition != partition {
			continue
		}
		// The pause of a request that nobody has recorded begins now.
		h.ready = later(h.ready, now.Add(plainPauses.MinDelay))
		if len(h.items) > 0 {
			loaded, err := p.stored(name, partition)
			if err != nil {
				p.t.Fatal(err)
			}
			p.f.load(loaded, p.firstItem(h), now)
		}
	}
}

// earliest returns the earliest time at which a host that is neither leased nor parked may be
// leased.
func (p *plain) earliest() (first time.Time) {
	p.f.mu.Lock() // a worker that waits may lease a host now
	defer p.f.mu.Unlock()
	for name, h := range p.hosts {
		known := p.f.hosts[name]
		if h.leased || p.away[h.partition] || known != nil && known.state == hostParked {
			continue
		}
		var at time.Time
		switch {
		case h.answer:
			at = time.Now()
		case h.hops > 0:
			at = later(h.ready, time.Now())
		case h.awaits || len(h.items) == 0:
			continue
		default:
			at = later(h.ready, slices.MinFunc(h.items, time.Time.Compare))
		}
		if first.IsZero() || at.Before(first) {
			first = at
		}
	}
	return first
}

// wait has a worker wait for a host, unless one waits already.
func (p *plain) wait() {
	if p.waiting != nil {
		return
	}
	waiting := make(chan plainWait, 1)
	p.waiting = waiting
	go func() {
		h := p.f.lease(p.t.Context())
		waiting <- plainWait{h, time.Now()}
	}()
}

// lease leases a host if one is due within an hour.
func (p *plain) lease() *host {
	asked, earliest := time.Now(), p.earliest()
	p.wait()
	select {
	case got := <-p.waiting:
		return p.leased(got, asked, earliest)
	case <-time.After(time.Hour):
		if !earliest.IsZero() && earliest.Before(time.Now()) {
			p.t.Fatalf("no host was leased until %v, want one at %v", time.Since(asked), earliest.Sub(asked))
		}
		return nil
	}
}

// after does something while a worker may wait for a host. The worker must get a host as soon as
// one is due.
func (p *plain) after(do func()) {
	began := time.Now()
	before := p.earliest()
	do()
	synctest.Wait()
	if p.waiting == nil {
		return
	}
	earliest := p.earliest()
	select {
	case got := <-p.waiting:
		p.leased(got, began, before)
	default:
		if !earliest.IsZero() && !earliest.After(time.Now()) {
			p.t.Fatalf("a worker waits, and a host is due since %v", earliest)
		}
	}
}

// leased takes a host that a worker got who waited since a time, given the earliest time at which
// a host was due then.
func (p *plain) leased(got plainWait, asked, earliest time.Time) *host {
	l := got.h
	if p.waiting = nil; l == nil {
		if !earliest.IsZero() {
			p.t.Fatalf("the crawl is finished, want a host after %v", earliest.Sub(asked))
		}
		return nil
	}
	h := p.hosts[l.origin]
	if h.leased {
		p.t.Fatalf("%s is leased twice", l.origin)
	}
	if !earliest.IsZero() && got.at.After(later(earliest, asked)) {
		p.t.Fatalf("%s was leased after %v, want a host after %v", l.origin, got.at.Sub(asked), earliest.Sub(asked))
	}
	h.leased = true
	p.held = append(p.held, &plainLease{h: l, filled: p.firstItem(h)})
	return l
}

// firstItem returns when the first item of a host is due, as a worker finds it in the store.
func (p *plain) firstItem(h *plainHost) time.Time {
	switch {
	case len(h.items) > 0:
		return slices.MinFunc(h.items, time.Time.Compare)
	case h.taken > 0:
		return time.Now().Add(time.Second)
	}
	return time.Now().Add(time.Hour)
}

// step takes the next step of a leased host: a place at its address, or the request.
func (p *plain) step(which int, b byte) {
	l := p.held[which]
	h, known := l.h, p.hosts[l.h.origin]
	if !l.placed {
		answer, hop := p.f.next(h)
		if (answer != nil) != known.answer || hop && known.hops == 0 {
			p.t.Fatalf("%s has an answer: %v, a hop: %v; want %v, %d", h.origin, answer != nil, hop, known.answer,
				known.hops)
		}
		wait := h.pace.Wait(&plainPauses, time.Now()).Until(time.Now()) > 0
		// A host whose items are all taken may still ask for its robots.txt.
		idle := p.item(known) < 0 && (known.taken == 0 || !p.asksRobots(b))
		if known.answer = false; answer != nil || wait || !hop && (known.awaits || idle) {
			p.release(which)
			return
		}
		if time.Now().Before(known.ready) {
			p.t.Fatalf("%s may be asked %v early", h.origin, time.Until(known.ready))
		}
		if p.f.park(h, known.addr) {
			known.leased = false
			p.held = slices.Delete(p.held, which, which+1)
			if l.gone {
				p.forget(h.origin)
			}
			return
		}
		own := known.addr == netip.MustParseAddr("192.0.2.1")
		if gap := time.Since(p.started[known.addr]); p.open[known.addr] >= plainOpen || !own &&
			gap < plainPauses.AddressGap {
			p.t.Fatalf("%s has a place, where %d requests are open, the last for %v", h.origin, p.open[known.addr], gap)
		}
		p.open[known.addr]++
		p.started[known.addr] = time.Now()
		l.placed, l.hop = true, hop
		h.pace.Begin(time.Now())
		return
	}
	h.pace.End(&plainPauses, time.Now(), pace.Outcome{Status: 200})
	known.ready = time.Now().Add(plainPauses.MinDelay)
	switch {
	case l.hop:
		made := p.f.takeHop(h)
		p.send(plainVisit{}, h)
		if made == nil {
			break // it was withdrawn
		}
		known.hops--
		p.queued = slices.DeleteFunc(p.queued, func(q plainHop) bool { return q.of == made.of.origin })
		if b&0x70 == 0 && len(made.steps) < 5 {
			p.queueHop(&hop{of: made.of, steps: append(made.steps, step{})}, int(b))
		} else {
			of := p.hosts[made.of.origin]
			of.awaits, of.answer = false, true
			p.f.answer(made.of, new(robotsAnswer))
		}
	case p.asksRobots(b) || p.item(known) < 0:
		p.send(plainVisit{}, h)
		p.queueHop(&hop{of: h}, int(b))
	default:
		i := p.item(known)
		known.items = slices.Delete(known.items, i, i+1)
		known.taken++
		v := plainVisit{done: h.origin, due: time.Duration(b>>4&1) * 20 * time.Second}
		if b&0x20 != 0 {
			v.found = append(v.found, plainName(int(b)))
		}
		p.send(v, h)
	}
	p.release(which)
}

// asksRobots reports whether a host asks for its robots.txt, which leads elsewhere.
func (p *plain) asksRobots(b byte) bool { return b&0x40 != 0 && p.hops < 100 }

func (p *plain) queueHop(next *hop, to int) {
	of, at := next.of.origin, plainName(to)
	err := p.f.queueHop(next, at, p.hosts[at].partition)
	if p.away[p.hosts[at].partition] {
		if !errors.Is(err, errForeign) {
			p.t.Fatalf("a hop to %s, which is not loaded: %v", at, err)
		}
		// The other worker answers at once.
		p.hosts[of].awaits, p.hosts[of].answer = false, true
		p.f.answer(next.of, new(robotsAnswer))
		return
	}
	if err != nil {
		p.t.Fatal(err)
	}
	p.hops++
	p.hosts[of].awaits = true
	p.hosts[at].hops++
	p.queued = append(p.queued, plainHop{of, at})
}

// item returns the index of a due item of a host, or -1.
func (p *plain) item(h *plainHost) int {
	return slices.IndexFunc(h.items, func(due time.Time) bool { return !due.After(time.Now()) })
}

func (p *plain) release(which int) {
	l := p.held[which]
	known := p.hosts[l.h.origin]
	if l.placed {
		p.open[known.addr]--
	}
	w := l.h.pace.Wait(&plainPauses, time.Now())
	p.f.release(l.h, later(w.At, l.filled), w)
	known.leased = false
	p.held = slices.Delete(p.held, which, which+1)
	if l.gone {
		p.forget(l.h.origin)
	}
}

// check compares the frontier with its invariant and with the counts of the twin.
func (p *plain) check() {
	p.t.Helper()
	p.f.mu.Lock()
	defer p.f.mu.Unlock()
	if err := p.f.check(); err != nil {
		p.t.Fatal(err)
	}
	for name, h := range p.hosts {
		known := p.f.hosts[name]
		if known == nil {
			if len(h.items)+h.taken > 0 && !p.away[h.partition] || h.hops > 0 || h.leased || h.awaits || h.answer {
				p.t.Fatalf("%s is idle, want %+v", name, *h)
			}
			continue
		}
		if known.queued != int64(len(h.items)+h.taken) && !p.away[h.partition] || len(known.hops) != h.hops ||
			(known.state == hostLeased) != h.leased || known.answer != nil != h.answer {
			p.t.Fatalf("%s in state %d has %d queued and %d hops, want %+v", name, known.state, known.queued,
				len(known.hops), *h)
		}
	}
	for addr, n := range p.open {
		if p.f.addresses.open[addr] != n {
			p.t.Fatalf("%d requests are open to %v, want %d", p.f.addresses.open[addr], addr, n)
		}
	}
}

// FuzzFrontier takes random steps of workers and of the committer, and compares the frontier
// with its slow twin after each step. In the end every item is visited.
func FuzzFrontier(f *testing.F) {
	f.Add([]byte("\x00\x01\x02\x03\x04\x05\x06\x07"))
	f.Add([]byte("seed 0123456789 of a longer life, with hops ABCDEFG and pages abcdefg"))
	f.Add([]byte("\x03\x07\x03\x06\x00\x01\x41\x01\x42\x02\x00\x01\x01\x45\x02\x00\x01\x41\x02\x00\x01\x01\x02"))
	f.Add([]byte("28802177200010Zb100"))
	f.Fuzz(func(t *testing.T, steps []byte) { synctest.Test(t, func(t *testing.T) { liveFrontier(t, steps) }) })
}

// liveFrontier runs a frontier through the steps given as bytes.
func liveFrontier(t *testing.T, steps []byte) {
	p := newPlain(t)
	for i := range 3 {
		p.send(plainVisit{found: []string{plainName(i), plainName(i + 3)}}, nil)
	}
	p.commit()
	for i := 0; i+1 < min(len(steps), 400); i += 2 {
		b := steps[i+1]
		switch op := steps[i] % 7; {
		case op == 0 && b >= 0x80:
			p.after(p.wait)
		case op == 0 && !p.earliest().IsZero():
			p.lease()
		case op <= 2 && len(p.held) > 0:
			p.after(func() { p.step(int(b)%len(p.held), b) })
		case op == 3:
			p.after(p.commit)
		case op == 4:
			p.after(func() { time.Sleep(time.Duration(b) * time.Second / 16) })
		case op == 6 && p.away[b&1]:
			p.after(func() { p.load(b & 1) })
		case op == 6 && b < 0x40:
			p.after(func() { p.unload(b & 1) })
		case op == 5:
			p.send(plainVisit{found: []string{plainName(int(b))}, due: time.Duration(b>>3) * time.Second}, nil)
		}
		p.check()
	}
	for len(p.held) > 0 {
		p.after(func() { p.step(0, 0x80) })
		p.check()
	}
	for partition, away := range p.away {
		if away {
			p.after(func() { p.load(uint8(partition)) })
			p.check()
		}
	}
	p.f.mu.Lock()
	p.f.limits.shared = false
	p.f.mu.Unlock()
	p.f.due.wakeOne()
	for range 5000 {
		for len(p.held) > 0 {
			p.after(func() { p.step(0, 0x80) })
			p.check()
		}
		p.after(p.commit)
		if p.check(); p.lease() == nil {
			break
		}
	}
	if !p.f.isFinished() ||
		len(p.f.hosts)+len(p.f.idle.committing)+p.f.addresses.waiting()+len(p.f.addresses.open)+len(p.f.awaiting) > 0 {
		t.Errorf("it is not finished: %d hosts, %v", len(p.f.hosts), p.f.addresses.parked)
	}
}

// TestFrontierLives runs frontiers through random steps, the same at each run of the test.
func TestFrontierLives(t *testing.T) {
	for life := range uint64(100) {
		r := rand.New(rand.NewPCG(life, 0))
		steps := make([]byte, 400)
		for i := range steps {
			steps[i] = byte(r.Uint32())
		}
		if !t.Run(fmt.Sprint(life), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { liveFrontier(t, steps) })
		}) {
			break
		}
	}
}
