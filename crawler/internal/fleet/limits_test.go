package fleet

import (
	"context"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/robotsexclusion/robots/internal/nats/natstest"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// TestSlowServers has servers whose answers take most of the time between two beats: a member that
// opens its buckets for longer than that joins, and gets slots.
func TestSlowServers(t *testing.T) {
	t.Parallel()
	node := natstest.Cluster(t, 1)[0]
	node.Clients.Slow(quick.Guard / 20)
	g := invite(t, node.URL(), node.Direct(), 1, LimitOptions{Open: 2, Period: time.Hour})
	g.enter(t, shop)
	g.Leave(shop)
}

// A crowd counts the requests of all members to an address.
type crowd struct {
	mu            sync.Mutex
	open, highest int
}

func (c *crowd) add(n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.open += n
	c.highest = max(c.highest, c.open)
}

// A guest is a member that makes requests.
type guest struct {
	*Member
	*Limits
	keeper  *keeper
	mu      sync.Mutex
	changed chan struct{} // closed at the next change
}

// invite joins a fleet whose members share the limits of addresses.
func invite(t *testing.T, url, direct string, worker uint32, o LimitOptions) *guest {
	t.Helper()
	g := &guest{keeper: newKeeper(t, direct), changed: make(chan struct{})}
	of := g.keeper.options(quick)
	of.Journal, of.Worker = open(t, url), worker
	m, err := Join(t.Context(), of)
	fatal.If(t, err)
	o.Changed = func(netip.Addr) {
		g.mu.Lock()
		defer g.mu.Unlock()
		close(g.changed)
		g.changed = make(chan struct{})
	}
	g.Member, g.Limits = m, m.Limit(o)
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() {
		m.Run(ctx)
		close(done)
	}()
	t.Cleanup(func() { stop(); <-done })
	return g
}

// enter waits for a slot.
func (g *guest) enter(t *testing.T, addr netip.Addr) {
	for end := time.After(time.Minute); ; {
		g.mu.Lock()
		changed := g.changed
		g.mu.Unlock()
		if g.Enter(addr) {
			return
		}
		select {
		case <-changed:
		case <-end:
			t.Errorf("worker %d gets no slot of %v", g.worker, addr)
			return
		}
	}
}

var shop = netip.MustParseAddr("192.0.2.1")

// TestLimits has three members make requests to one address, of which two may be open: all make
// theirs.
func TestLimits(t *testing.T) {
	t.Parallel()
	url := natstest.Start(t)
	var all sync.WaitGroup
	c := new(crowd)
	var g *guest
	for n := range uint32(6) {
		if n%2 == 0 {
			g = invite(t, url, url, n+1, LimitOptions{Open: 2, Period: time.Hour})
		}
		g := g
		all.Go(func() {
			for range 15 {
				g.enter(t, shop)
				c.add(1)
				time.Sleep(time.Millisecond)
				c.add(-1)
				g.Leave(shop)
			}
		})
	}
	all.Wait()
	if c.highest != 2 {
		t.Errorf("%d requests were open at once, want 2", c.highest)
	}
}

// TestLimitsLapsed cuts a member off from the servers while it has all slots and its requests are
// open. Others get the slots when its requests are closed, because its session is over.
func TestLimitsLapsed(t *testing.T) {
	t.Parallel()
	node := natstest.Cluster(t, 1)[0]
	o := LimitOptions{Open: 2, Period: time.Hour}
	cut := invite(t, node.URL(), node.Direct(), 1, o)
	c := new(crowd)
	for range 2 {
		cut.enter(t, shop)
		c.add(1)
	}
	other := invite(t, node.Direct(), node.Direct(), 2, o)
	node.Clients.Cut(true)
	var closing sync.WaitGroup
	closing.Go(func() {
		for cut.Alive(time.Now()) {
			time.Sleep(time.Millisecond)
		}
		c.add(-2)
		cut.Leave(shop)
		cut.Leave(shop)
	})
	other.enter(t, shop)
	c.add(1)
	if cut.Enter(shop) {
		t.Error("a member whose session is over gets a slot")
	}
	closing.Wait()
	if c.highest != 2 {
		t.Errorf("%d requests were open at once, want 2", c.highest)
	}
	c.add(-1)
	other.Leave(shop)
	node.Clients.Cut(false)
	cut.enter(t, shop) // in its next session
}

// TestLimitsForeign has records that are not of this version: the address is not asked, and the log
// says why.
func TestLimitsForeign(t *testing.T) {
	t.Parallel()
	url := natstest.Start(t)
	g := invite(t, url, url, 1, LimitOptions{Open: 2, Period: time.Hour})
	g.enter(t, netip.MustParseAddr("192.0.2.9")) // the bucket is there
	conn, err := nats.Connect(url)
	fatal.If(t, err)
	defer conn.Close()
	js, err := jetstream.New(conn)
	fatal.If(t, err)
	values, err := js.KeyValue(t.Context(), "crew-limits")
	fatal.If(t, err)
	_, err = values.Put(t.Context(), lotKey(shop), []byte(`{"version":9}`))
	fatal.If(t, err)
	_, err = values.Put(t.Context(), budgetKey, []byte("all"))
	fatal.If(t, err)
	if g.Enter(shop) {
		t.Error("a slot of a record of another version")
	}
	g.keeper.until("a warning", func() bool {
		return strings.Contains(g.keeper.lines.String(), "not of this version of robots")
	})
	if g.Enter(shop) {
		t.Error("a slot of a record of another version")
	}
	if _, err := g.Draw(t.Context(), Amount{Pages: 1}, Amount{Pages: 9}); err == nil {
		t.Error("a draw of a budget of another version")
	}
	fatal.If(t, values.Delete(t.Context(), lotKey(shop)))
	g.enter(t, shop)
}

// TestDraw has three members draw a budget: they get all of it, and no more.
func TestDraw(t *testing.T) {
	t.Parallel()
	url := natstest.Start(t)
	limit := Amount{Pages: 100, Bytes: 1000}
	var mu sync.Mutex
	var sum Amount
	var all sync.WaitGroup
	var guests []*guest
	for worker := range uint32(3) {
		g := invite(t, url, url, worker+1, LimitOptions{Open: 1, Period: time.Hour})
		g.enter(t, shop)
		g.Leave(shop)
		guests = append(guests, g)
		all.Go(func() {
			for {
				got, err := g.Draw(t.Context(), Amount{Pages: 7, Bytes: 30}, limit)
				if err != nil {
					t.Error(err)
					return
				}
				if got == (Amount{}) {
					return
				}
				mu.Lock()
				sum.Pages, sum.Bytes = sum.Pages+got.Pages, sum.Bytes+got.Bytes
				mu.Unlock()
			}
		})
	}
	all.Wait()
	if sum != limit {
		t.Errorf("%+v drawn, want %+v", sum, limit)
	}
	back, err := guests[0].Draw(t.Context(), Amount{Pages: -10}, limit)
	if err != nil || back != (Amount{Pages: -10}) {
		t.Errorf("%+v, %v", back, err)
	}
	again, err := guests[1].Draw(t.Context(), Amount{Pages: 20, Bytes: 20}, limit)
	if err != nil || again != (Amount{Pages: 10}) {
		t.Errorf("%+v, %v: want what was given back", again, err)
	}
	more, err := guests[2].Draw(t.Context(), Amount{Pages: 20}, Amount{Pages: 115})
	if err != nil || more != (Amount{Pages: 15}) {
		t.Errorf("%+v, %v: want what a larger budget has left", more, err)
	}
}

// TestBudgetClocks has two workers whose clocks differ draw the budget of an address: the second
// period begins when nobody may use what was drawn in the first one.
func TestBudgetClocks(t *testing.T) {
	t.Parallel()
	const budget, period = 300, 10 * time.Minute
	o := &LimitOptions{Budget: budget, Period: period}
	began := time.Now().Truncate(time.Second)
	for _, apart := range []time.Duration{0, Apart, -Apart} {
		r, first := record{}, 0
		var until time.Time
		second := -time.Second
		for real := time.Duration(0); real < period+3*Apart; real += 100 * time.Millisecond {
			clock := began.Add(real)
			if real/(100*time.Millisecond)%2 == 1 {
				clock = clock.Add(apart)
			}
			p := &plan{record: r}
			p.draw(o, clock)
			if r = p.record; p.draws == 0 {
				continue
			}
			if first < budget {
				first += p.draws
				until = p.until
			} else if second < 0 {
				second = real
			}
		}
		// The latest use of the first period, by the clock that is behind.
		last := until.Sub(began) + max(0, -apart)
		if first != budget || second < last || second > period+2*Apart {
			t.Errorf("clocks %v apart: %d draws until %v, and others from %v on", apart, first, last, second)
		}
	}
}

// TestLendOver has a session end while another worker waits for slots of it: the record is looked
// at again later, and not at once, which would take the whole processor.
func TestLendOver(t *testing.T) {
	t.Parallel()
	m := &Member{rules: Rules{Times: Standard}, session: Session{ID: 7<<32 | 1, Over: true}, done: make(chan struct{})}
	s := &Limits{member: m, options: LimitOptions{Open: 8, Changed: func(netip.Addr) {}},
		lots: make(map[netip.Addr]*lot)}
	addr := netip.MustParseAddr("192.0.2.1")
	l := s.lot(addr, m.session)
	l.lend, l.lendFrom, l.wanted = true, time.Now(), true
	if p, _ := s.plan(addr, l, record{}); p != nil {
		t.Errorf("a session that is over plans %+v", p)
	}
	if now := time.Now(); !l.lendFrom.After(now) || !l.retry.After(now) {
		t.Errorf("the record is read again at once, for a loan at %v and for a request at %v", l.lendFrom, l.retry)
	}
}
