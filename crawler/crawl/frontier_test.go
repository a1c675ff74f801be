package crawl

import (
	"net/netip"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/crawler/internal/fleet"
	"github.com/robotsexclusion/robots/crawler/internal/pace"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// addLeased adds a new host that is leased.
func (f *frontier) addLeased(h *host) {
	f.mu.Lock()
	defer f.unlock(h)
	f.setDue(h, time.Time{})
	f.setLeased(h, time.Now())
}

// leaveNow frees the place of a leased host.
func (f *frontier) leaveNow(h *host) {
	f.mu.Lock()
	defer f.unlock(h)
	f.addresses.leave(h)
}

// leaseNow leases a due host, whatever its time.
func (f *frontier) leaseNow(h *host) {
	f.mu.Lock()
	defer f.unlock(h)
	f.setLeased(h, time.Now())
}

// TestHop checks that a host that a robots.txt redirects to gets a turn for the hop when its
// pace and its address allow, after the hosts parked there before. No worker waits for the
// hop.
func TestHop(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		pauses := pace.Pauses{MinDelay: time.Minute}
		f := newFrontier(frontierLimits{pauses: pauses, perAddress: 1,
			own: []netip.Prefix{netip.MustParsePrefix("192.0.2.0/24")}}, nil)
		addr := netip.MustParseAddr("192.0.2.1")
		leased := func(name string) *host {
			h := &host{origin: "http://" + name, index: -1}
			f.addLeased(h)
			return h
		}
		// The target has just had a request, and has no queue.
		target := leased("target")
		target.pace.Begin(time.Now())
		target.pace.End(&pauses, time.Now(), pace.Outcome{Status: 200})
		f.save(target)
		f.release(target, time.Now(), target.pace.Wait(&pauses, time.Now()))
		first, second := leased("first"), leased("second")
		first.queued, second.queued = 1, 1
		for _, h := range []*host{first, second} {
			fatal.If(t, f.queueHop(&hop{of: h, url: "http://target/rules"}, "http://target", 0))
			f.release(h, time.Now(), pace.Wait{})
			if h.state != hostAwaiting {
				t.Fatalf("%s is in state %d", h.origin, h.state)
			}
		}
		began := time.Now()
		if h := f.lease(t.Context()); h != target || time.Since(began) != time.Minute {
			t.Fatalf("%s was leased after %v", h.origin, time.Since(began))
		}
		// Its address has no free place.
		before, holder := leased("before"), leased("holder")
		before.queued = 1
		if f.park(holder, addr) || !f.park(before, addr) || !f.park(target, addr) {
			t.Fatal("not the places that there are")
		}
		f.leaveNow(holder)
		if h := f.lease(t.Context()); h != before || f.park(h, addr) {
			t.Fatalf("%s has its turn first", h.origin)
		}
		f.leaveNow(before)
		if h := f.lease(t.Context()); h != target || f.park(h, addr) {
			t.Fatalf("%s has its turn", h.origin)
		}
		if a, isHop := f.next(target); a != nil || !isHop || f.takeHop(target).of != first {
			t.Fatal("it makes no hop")
		}
		f.answer(first, &robotsAnswer{asked: true})
		f.release(target, time.Now(), pace.Wait{At: time.Now().Add(time.Minute)})
		began = time.Now()
		if h := f.lease(t.Context()); h != first || time.Since(began) != 0 {
			t.Fatalf("%s was leased after %v, want the answer to be there at once", h.origin, time.Since(began))
		}
		if a, _ := f.next(first); a == nil || !a.asked || first.hop != nil {
			t.Error("it has no answer")
		}
		if h := f.lease(t.Context()); h != target || time.Since(began) != time.Minute {
			t.Errorf("%s was leased after %v, want the second hop when that is polite", h.origin, time.Since(began))
		}
	})
}

// TestHopCircle checks that hosts whose robots.txt redirect to each other make each other's
// hops.
func TestHopCircle(t *testing.T) {
	f := newFrontier(frontierLimits{}, nil)
	var hosts [2]*host
	for i, name := range []string{"http://a", "http://b"} {
		h := &host{origin: name, index: -1, queued: 1}
		f.addLeased(h)
		hosts[i] = h
	}
	for i, h := range hosts {
		fatal.If(t, f.queueHop(&hop{of: h}, hosts[1-i].origin, 0))
		f.release(h, time.Now(), pace.Wait{})
	}
	for range hosts {
		h := f.lease(t.Context())
		if _, isHop := f.next(h); !isHop {
			t.Fatalf("%s makes no hop", h.origin)
		}
		p := f.takeHop(h)
		f.answer(p.of, new(robotsAnswer))
		f.release(h, time.Now(), pace.Wait{At: time.Now().Add(time.Hour)})
		if p.of.state != hostDue || p.of.hop != nil {
			t.Errorf("%s is in state %d", p.of.origin, p.of.state)
		}
		f.leaseNow(p.of)
		f.next(p.of)
		f.release(p.of, time.Now(), pace.Wait{})
	}
}

// TestHopsTakeTurns checks that hops and the host's own URLs alternate: neither waits for all
// of the other.
func TestHopsTakeTurns(t *testing.T) {
	f := newFrontier(frontierLimits{}, nil)
	busy := &host{origin: "http://busy", index: -1, queued: 100}
	f.addLeased(busy)
	for range 5 {
		of := &host{origin: "http://other", index: -1}
		fatal.If(t, f.queueHop(&hop{of: of}, busy.origin, 0))
	}
	var turns []bool
	for range 6 {
		_, isHop := f.next(busy)
		if turns = append(turns, isHop); isHop {
			f.takeHop(busy)
		}
	}
	if want := []bool{true, false, true, false, true, false}; !slices.Equal(turns, want) {
		t.Errorf("hops are made in turns %v, want %v", turns, want)
	}
}

// TestMoved checks that a host with an offer at one address that now resolves to another
// address passes the offer on to the next host parked there.
func TestMoved(t *testing.T) {
	f := newFrontier(frontierLimits{perAddress: 1, own: []netip.Prefix{netip.MustParsePrefix("192.0.2.0/24")}}, nil)
	old, addr := netip.MustParseAddr("192.0.2.1"), netip.MustParseAddr("192.0.2.2")
	made := func(name string) *host {
		h := &host{origin: "http://" + name, index: -1}
		f.addLeased(h)
		return h
	}
	first, moved, last := made("first"), made("moved"), made("last")
	if f.park(first, old) || !f.park(moved, old) || !f.park(last, old) {
		t.Fatal("not the places that there are")
	}
	f.leaveNow(first)
	if moved.offered != old {
		t.Fatal("it was offered nothing")
	}
	f.leaseNow(moved)
	if f.park(moved, addr) || last.offered != old || len(f.addresses.parked) != 0 {
		t.Errorf("who waits is offered %v", last.offered)
	}
}

// TestRecalled checks that a memo restores a host's pauses and nothing else.
func TestRecalled(t *testing.T) {
	pauses := pace.Pauses{MinDelay: time.Hour}
	f := newFrontier(frontierLimits{pauses: pauses}, nil)
	polite, known := &host{origin: "http://a.example"}, &host{origin: "http://a.example", index: -1, logged: 3,
		counts: counts{pages: 5}}
	f.addLeased(known)
	polite.pace.Begin(time.Now())
	polite.pace.End(&pauses, time.Now(), pace.Outcome{Status: 429, RetryAfter: 10 * time.Hour})
	state, err := polite.pace.AppendBinary(nil)
	fatal.If(t, err)
	h, err := f.recalled(&memoHost{origin: known.origin, pace: state})
	if err != nil || h != known || h.logged != 3 || h.counts.pages != 5 ||
		h.pace.Wait(&pauses, time.Now()).Reason != pace.RetryAfter {
		t.Errorf("%+v, %v", h, err)
	}
	if _, err := f.recalled(&memoHost{origin: known.origin, pace: state[:len(state)-1]}); err == nil {
		t.Error("what is damaged was taken")
	}
}

// TestLeaving checks that the frontier keeps an idle host until its state is in the store.
func TestLeaving(t *testing.T) {
	pauses := pace.Pauses{MinDelay: time.Hour}
	f := newFrontier(frontierLimits{pauses: pauses}, nil)
	h := &host{origin: "http://a.example", index: -1}
	f.addLeased(h)
	h.pace.Begin(time.Now())
	h.pace.End(&pauses, time.Now(), pace.Outcome{Status: 200})
	f.save(h)
	f.save(h)
	f.release(h, time.Now(), pace.Wait{})
	if f.hosts[h.origin] != nil {
		t.Fatal("it still has something to do")
	}
	for range 2 {
		err := f.queueHop(&hop{of: new(host)}, h.origin, 0)
		if err != nil || f.hosts[h.origin] != h || h.state != hostDue || h.reason.Reason != pace.Manner {
			t.Fatalf("%+v, %v", h, err)
		}
		f.leaseNow(h)
		f.takeHop(h)
		f.release(h, time.Now(), pace.Wait{})
		f.saved([]*outcome{{}, {host: h}})
	}
	if len(f.idle.committing) != 0 {
		t.Error("it is known for ever")
	}

	// New items of the idle host add to its count.
	f.save(h)
	fatal.If(t, f.found(h.origin, 0, 3, true, time.Now()))
	f.saved([]*outcome{{host: h}})
	if f.hosts[h.origin] != h || h.queued != 3 || h.reason.Reason != pace.Manner || len(f.due.heap) != 1 ||
		len(f.idle.committing) != 0 {
		t.Errorf("%+v", h)
	}
}

// TestWatch checks that every host is leased as soon as it is due, while workers wait. A worker
// that leases the first host must leave another worker to wait for the next host.
func TestWatch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFrontier(frontierLimits{}, nil)
		f.begin() // the crawl is not finished
		began := time.Now()
		leased := make(chan time.Duration, 3)
		for range 3 {
			go func() {
				f.lease(t.Context()) // and then a slow request
				leased <- time.Since(began)
			}()
		}
		synctest.Wait()
		f.mu.Lock()
		for i, name := range []string{"http://a", "http://b", "http://c"} {
			f.setDue(&host{origin: name, index: -1, queued: 1}, began.Add(time.Duration(1+i)*time.Second))
		}
		f.unlock(nil)
		for i := range 3 {
			if got, want := <-leased, time.Duration(1+i)*time.Second; got != want {
				t.Errorf("host %d was leased after %v, want %v", i, got, want)
			}
		}
	})
}

// TestWakes checks that a worker that waits for an hour is woken by each change that ends its wait
// sooner.
func TestWakes(t *testing.T) {
	addr := netip.MustParseAddr("198.51.100.1")
	for name, test := range map[string]struct {
		change func(f *frontier, h *host)
		after  time.Duration
	}{
		"the crawl is finished": {func(f *frontier, h *host) { f.end(1) }, 0},
		"a host is due sooner":  {func(f *frontier, h *host) { f.found(h.origin, 0, 1, true, time.Now()) }, 0},
		"an address has a call": {func(f *frontier, h *host) { f.leaseNow(h); f.park(h, addr) }, 3 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := newFrontier(frontierLimits{pauses: pace.Pauses{AddressGap: 3 * time.Second}}, nil)
				f.begin()
				h := &host{origin: "http://a", index: -1, queued: 1}
				if name != "the crawl is finished" {
					f.mu.Lock()
					f.setDue(h, time.Now().Add(time.Hour))
					f.unlock(h)
				}
				began, got := time.Now(), make(chan *host)
				go func() { got <- f.lease(t.Context()) }()
				synctest.Wait()
				test.change(f, h)
				if <-got; time.Since(began) != test.after {
					t.Errorf("the worker went on after %v, want %v", time.Since(began), test.after)
				}
			})
		})
	}
}

// TestOfferPassed checks that a host that needs its offer no longer passes the offer on: when its
// lease ends without a request, and when the last item of its queue is done.
func TestOfferPassed(t *testing.T) {
	addr := netip.MustParseAddr("192.0.2.1")
	for name, end := range map[string]func(f *frontier, h *host){
		"release": func(f *frontier, h *host) { f.leaseNow(h); h.queued = 0; f.release(h, time.Now(), pace.Wait{}) },
		"found":   func(f *frontier, h *host) { f.found(h.origin, 0, -1, false, time.Time{}) },
	} {
		f := newFrontier(frontierLimits{perAddress: 1, own: []netip.Prefix{netip.MustParsePrefix("192.0.2.0/24")}}, nil)
		var hosts []*host
		for i := range 3 {
			h := &host{origin: plainName(i), index: -1, queued: 1}
			f.addLeased(h)
			f.park(h, addr)
			hosts = append(hosts, h)
		}
		f.leaveNow(hosts[0])
		if end(f, hosts[1]); hosts[2].offered != addr {
			t.Errorf("%s: the last host has the offer of %v, want %v", name, hosts[2].offered, addr)
		}
	}
}

// TestFrontierClocks hands a partition over between workers whose clocks differ. A host that has
// asked for a pause gets all of it, and a worker that reads its own record waits no longer.
func TestFrontierClocks(t *testing.T) {
	since := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	var pauses pace.Pauses
	const asked, ago = 30 * time.Second, 10 * time.Second
	for _, c := range []struct{ ahead, ago, least, most time.Duration }{
		{0, ago, asked - ago, asked - ago + fleet.Apart},
		{-fleet.Apart, ago, asked - ago, asked - ago}, // the clock of the owner before is behind
		{fleet.Apart, ago, asked - ago, asked - ago + 2*fleet.Apart},
		{fleet.Apart, time.Second, asked - time.Second, asked - time.Second + fleet.Apart},
		{0, -time.Second, asked + time.Second, asked + time.Second}, // its own record, of this tenure
	} {
		f := newFrontier(frontierLimits{pauses: pauses, shared: true}, nil)
		f.tenures.open(1, since, false)
		h := &host{origin: "http://a.test", partition: 1, index: -1, queued: 1}
		at := since.Add(c.ahead - c.ago)
		h.pace.Begin(at)
		h.pace.End(&pauses, at, pace.Outcome{Status: 503, RetryAfter: asked})
		f.load(h, since, since)
		if got := h.at.Sub(since); got < c.least || got > c.most {
			t.Errorf("clocks are %v apart, and the host may be asked after %v, want %v to %v", c.ahead, got, c.least,
				c.most)
		}
	}
}

// TestFrontierLost takes partitions over whose owner was killed. A host gets a first pause if that
// owner may have asked it since its last record.
func TestFrontierLost(t *testing.T) {
	since := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	var pauses pace.Pauses
	slow := robots.ParseString("User-agent: *\nCrawl-delay: 30\n").For("x")
	windows := robots.ParseString("User-agent: *\nVisit-time: 0100-0200\n").For("x")
	for _, c := range []struct {
		name  string
		ended time.Duration // before the take-over
		end   pace.Outcome
		group *robots.Group
		open  bool
		want  time.Duration // after it
	}{
		{"asked just then", time.Second, pace.Outcome{Status: 200}, nil, false, time.Minute},
		{"with a pause that is over", 31 * time.Second, pace.Outcome{Status: 200}, slow, false, time.Minute},
		{"with a pause that is over if clocks differ", 29500 * time.Millisecond, pace.Outcome{Status: 200}, slow,
			false, time.Minute},
		{"with a pause", 20 * time.Second, pace.Outcome{Status: 200}, slow, false, 30 * time.Second},
		{"told to come later", 20 * time.Second, pace.Outcome{Status: 503, RetryAfter: 25 * time.Second}, nil, false,
			time.Minute}, // by a clock that is ahead, the pause is over
		{"told to come later, by any clock", 20 * time.Second, pace.Outcome{Status: 503, RetryAfter: 30 * time.Second},
			nil, false, 10*time.Second + fleet.Apart},
		{"told to come much later", 20 * time.Second, pace.Outcome{Status: 429, RetryAfter: time.Hour}, nil, false,
			time.Hour - 20*time.Second + fleet.Apart},
		{"a request is open", 20 * time.Second, pace.Outcome{Status: 200}, slow, true, time.Minute},
		{"closed since a moment", 20 * time.Second, pace.Outcome{Status: 200}, windows, false, 13 * time.Hour},
	} {
		f := newFrontier(frontierLimits{pauses: pauses, shared: true}, nil)
		f.tenures.open(1, since, true)
		h := &host{origin: "http://a.test", partition: 1, index: -1, queued: 1}
		if c.group != nil {
			h.pace.Obey(c.group)
		}
		h.pace.Begin(since.Add(-c.ended))
		h.pace.End(&pauses, since.Add(-c.ended), c.end)
		if c.open {
			h.pace.Begin(since.Add(-c.ended))
		}
		f.load(h, since, since)
		got := h.at.Sub(since)
		if c.want == time.Minute { // a first pause is longer by chance
			got = got.Truncate(15 * time.Second)
		}
		if got != c.want {
			t.Errorf("%s: the host may be asked after %v, want %v", c.name, got, c.want)
		}
	}
}
