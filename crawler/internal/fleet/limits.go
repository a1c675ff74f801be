package fleet

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/netip"
	"strings"
	"sync"
	"time"

	cluster "github.com/robotsexclusion/robots/internal/nats"
)

// LimitOptions are the options of [Member.Limit]. All workers of a crawl should have the same.
type LimitOptions struct {
	Open   int           // requests at once to an address
	Gap    time.Duration // between the starts of two requests to an address
	Budget int           // requests to an address in a period; 0 means no limit
	Period time.Duration
	// Free says whether an address has neither gap nor budget. Nil means that none has.
	Free func(address netip.Addr) bool
	// Changed is called when requests may begin to an address for which Enter or May have said no.
	Changed func(address netip.Addr)
}

// Limits hold the limits of addresses over all workers of a crawl: requests at once, their pace,
// and their number in a period. The rules are those of [Lot]; a record for each address is in the
// bucket NAME-limits.
//
// A worker that needs an address takes the slots that nobody has: all, if it is alone there. If
// others have them all, it asks the one with the most, by a key that this one watches, and gets
// half of them when their requests have ended. Without an answer of the servers a worker goes on
// with what it has until its session ends.
type Limits struct {
	member  *Member
	options LimitOptions
	place   place         // used only by the goroutine of the sessions with the servers
	writes  chan struct{} // limits records that are read and written at once

	mu     sync.Mutex
	bucket *cluster.Bucket // nil without a server
	link   *cluster.Session
	lots   map[netip.Addr]*lot
	warned bool
}

// Times of slots.
const (
	slotHold  = time.Second            // a worker keeps its last slot so long
	slotRetry = 500 * time.Millisecond // between two looks at a record without a slot for the worker
	slotLook  = 5 * time.Second        // the same, if the worker has some
	manyLots  = 4096                   // from so many on, addresses that are not used are forgotten
)

// A lot is what a worker has of one address.
type lot struct {
	Lot
	session  uint64
	known    bool      // the record may exist
	busy     bool      // a goroutine reads and writes the record
	timed    time.Time // when a timer looks at the address
	wanted   bool      // requests wait
	lend     bool      // another worker has asked, and gets what is above keep
	keep     int
	lendFrom time.Time
	to       uint64 // the session that has asked
	forget   bool
	since    time.Time // when slots came last
	used     time.Time // when a request began or ended last
	retry    time.Time // when the record may be read again
	asked    time.Time // when another worker was asked last
	rest     int       // requests that the worker has drawn of the budget
	until    time.Time // and may make until then
}

// A record is the record of an address, in JSON.
type record struct {
	Version int    `json:"version"`
	Open    []held `json:"open,omitempty"`
	Since   int64  `json:"since,omitempty"` // start of the period, in milliseconds of Unix time
	Drawn   int    `json:"drawn,omitempty"` // requests of its budget that workers have drawn
}

// A held says how many slots a session has.
type held struct {
	Session uint64 `json:"session,string"`
	Slots   int    `json:"slots"`
}

// A wish is the value of a key that a worker watches: another worker wants slots, or has given some
// up for this one.
type wish struct {
	Session uint64 `json:"session,string"`
	Free    bool   `json:"free,omitempty"`
}

const limitsVersion = 1

// Limit returns the limits of addresses. It is called before Run.
func (m *Member) Limit(o LimitOptions) *Limits {
	of := m.options.Journal.Options()
	if o.Free == nil {
		o.Free = func(netip.Addr) bool { return false }
	}
	m.limits = &Limits{member: m, options: o, lots: make(map[netip.Addr]*lot), writes: make(chan struct{}, parallel),
		place: place{bucket: of.Name + "-limits", replicas: of.Replicas, times: m.rules.Times}}
	return m.limits
}

// moment returns the session and the time of its guard.
func (m *Member) moment() (Session, time.Duration) {
	m.mu.Lock()
	defer m.mu.Unlock()
	clock := m.clock
	return m.session, clock.at(time.Now())
}

// follow opens the bucket, and watches what others want.
func (s *Limits) follow(link *cluster.Session) (<-chan cluster.Value, error) {
	b, err := link.Open(s.place.config(), s.member.options.Answer)
	if err != nil {
		return nil, err
	}
	if err := s.place.check(b.Info()); err != nil {
		s.member.post(func(l *loop) { l.leave(err) })
		return nil, err
	}
	wishes, err := b.Watch(wishKey(s.member.worker, "*"))
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.bucket, s.link = b, link
	for addr, l := range s.lots {
		l.retry = time.Time{}
		s.look(addr, l)
	}
	return wishes, nil
}

// apart is the end of a session with the servers.
func (s *Limits) apart() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.bucket, s.link = nil, nil
}

func lotKey(addr netip.Addr) string { return "address." + hex.EncodeToString(addr.AsSlice()) }

func wishKey(worker uint32, addr string) string { return "wish." + keyOf(worker) + "." + addr }

// lot returns the lot of an address, of the session that is alive now.
func (s *Limits) lot(addr netip.Addr, session Session) *lot {
	l := s.lots[addr]
	if l == nil {
		if n := len(s.lots); n >= manyLots && n&(n-1) == 0 {
			s.sweep()
		}
		l = new(lot)
		s.lots[addr] = l
	}
	if l.session != session.ID {
		l.Lot, l.session, l.lend, l.rest, l.known = l.Lot.Drop(&s.member.rules), session.ID, false, 0, true
		if l.used.IsZero() {
			l.known = false
		}
	}
	return l
}

// sweep forgets addresses that were not used for a while.
func (s *Limits) sweep() {
	now := time.Now()
	for addr, l := range s.lots {
		if l.Open > 0 || l.busy || l.wanted || now.Sub(l.used) < max(s.options.Period, time.Minute) {
			continue
		}
		if l.Slots+l.Fresh == 0 {
			delete(s.lots, addr)
			continue
		}
		l.lend, l.keep, l.lendFrom, l.to, l.forget = true, 0, now, 0, true
		s.look(addr, l)
	}
}

// Enter allows a request to an address, or not; then Changed is called when it may begin. Leave
// must be called when the request has ended.
func (s *Limits) Enter(addr netip.Addr) bool { return s.may(addr, true) }

// May is Enter without a request.
func (s *Limits) May(addr netip.Addr) bool { return s.may(addr, false) }

func (s *Limits) may(addr netip.Addr, enter bool) bool {
	session, at := s.member.moment()
	s.mu.Lock()
	defer s.mu.Unlock()
	l, now := s.lot(addr, session), time.Now()
	next, allowed := l.Lot.Enter(&s.member.rules, session, at)
	lent := l.lend && !now.Before(l.lendFrom) && l.Open >= l.keep
	spent := s.isSpent(addr, l, now)
	if !allowed || lent || spent {
		switch {
		case at < l.Ready && l.Fresh > 0 && !spent:
			s.wake(addr, l, now.Add(l.Ready-at))
		case l.Slots+l.Fresh < s.options.Open || spent:
			l.wanted = true
			s.look(addr, l)
		}
		return false
	}
	if enter {
		l.Lot, l.used, l.wanted = next, now, false
		l.rest--
	}
	return true
}

// isSpent reports whether no request to an address may begin without another draw of its budget.
func (s *Limits) isSpent(addr netip.Addr, l *lot, now time.Time) bool {
	return s.options.Budget > 0 && !s.options.Free(addr) && (l.rest <= 0 || !now.Before(l.until))
}

// Leave ends a request.
func (s *Limits) Leave(addr netip.Addr) {
	s.mu.Lock()
	defer s.mu.Unlock()
	l := s.lots[addr]
	if l.Lot, l.used = l.Lot.Leave(), time.Now(); l.lend {
		s.look(addr, l)
	}
}

// Gap returns the pause between the starts of two requests of this worker to an address: the pace
// of the address is divided as the slots are.
func (s *Limits) Gap(addr netip.Addr) time.Duration {
	return s.options.Gap * time.Duration(s.options.Open) / time.Duration(max(1, s.Slots(addr)))
}

// Slots returns how many requests this worker may have open to an address now.
func (s *Limits) Slots(addr netip.Addr) int {
	session, at := s.member.moment()
	s.mu.Lock()
	defer s.mu.Unlock()
	if l := s.lots[addr]; l != nil && l.session == session.ID {
		return l.Usable(at)
	}
	return 0
}

// look has a goroutine read and write the record of an address, now or when it may. s.mu is held.
func (s *Limits) look(addr netip.Addr, l *lot) {
	now := time.Now()
	var at time.Time
	switch {
	case l.busy:
		return
	case l.lend && l.Open <= l.keep:
		at = l.lendFrom
	case l.wanted:
		at = l.retry
	default:
		return
	}
	if at.After(now) {
		s.wake(addr, l, at)
		return
	}
	l.busy = true
	go s.work(addr, l)
}

// wake looks at an address at a time. s.mu is held.
func (s *Limits) wake(addr netip.Addr, l *lot, at time.Time) {
	if now := time.Now(); l.timed.After(now) && !at.Before(l.timed) {
		return
	}
	l.timed = at
	time.AfterFunc(time.Until(at), func() {
		s.mu.Lock()
		l.timed = time.Time{}
		s.look(addr, l)
		s.mu.Unlock()
		s.options.Changed(addr)
	})
}

// work reads and writes the record of an address.
func (s *Limits) work(addr netip.Addr, l *lot) {
	s.writes <- struct{}{}
	again := true
	for tries := 0; again && tries < 5; tries++ {
		again = s.exchange(addr, l)
	}
	<-s.writes
	s.mu.Lock()
	l.busy = false
	if again {
		l.retry = time.Now().Add(slotRetry)
	}
	if l.forget && l.Open == 0 && l.Slots+l.Fresh == 0 && !l.wanted {
		delete(s.lots, addr)
	}
	s.look(addr, l)
	s.mu.Unlock()
	s.options.Changed(addr)
}

// A plan is a write of a record.
type plan struct {
	record
	session uint64
	own     int
	draws   int
	until   time.Time
	lowers  bool
	erase   bool
	to      uint64
}

// exchange reads a record once, and writes it if something is to be changed. It reports whether
// another worker has written it meanwhile.
func (s *Limits) exchange(addr netip.Addr, l *lot) (again bool) {
	ctx := context.Background()
	s.mu.Lock()
	b, link, known := s.bucket, s.link, l.known
	s.mu.Unlock()
	if b == nil {
		s.later(l, slotRetry)
		return false
	}
	var v cluster.Value
	var r record
	if known {
		var err error
		if v, err = b.Get(ctx, lotKey(addr)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			s.failed(link, l, err)
			return false
		}
		if v.Revision > 0 && !v.Deleted {
			if err := json.Unmarshal(v.Data, &r); err != nil || r.Version != limitsVersion {
				s.warn(s.foreign(v.Key))
				s.later(l, slotLook)
				return false
			}
		}
	}
	p, holder := s.plan(addr, l, r)
	if p == nil {
		if holder != 0 {
			s.tell(b, holder, addr, wish{Session: l.session})
		}
		return false
	}
	if p.erase {
		b.Delete(lotKey(addr), v.Revision)
		s.mu.Lock()
		if l.session == p.session {
			l.Lot, l.lend = l.Lot.Written(0, true), false
		}
		s.mu.Unlock()
		return false
	}
	data, _ := json.Marshal(p.record)
	_, err := b.Put(ctx, lotKey(addr), data, v.Revision)
	s.mu.Lock()
	l.known = true
	if _, at := s.member.moment(); l.session == p.session { // an answer is for the session that asked
		l.Lot = l.Lot.Written(p.own, err == nil)
		if err == nil {
			s.written(addr, l, p, at)
		}
	}
	s.mu.Unlock()
	if err == nil && p.to != 0 {
		s.tell(b, p.to, addr, wish{Session: l.session, Free: true})
	}
	if err != nil && !errors.Is(err, cluster.ErrRevision) {
		s.failed(link, l, err)
		return false
	}
	return err != nil
}

// written is the answer to an accepted write. s.mu is held.
func (s *Limits) written(addr netip.Addr, l *lot, p *plan, at time.Duration) {
	now := time.Now()
	if p.lowers {
		l.lend = false
		return
	}
	if l.Fresh > 0 {
		l.since = now
		if l.Ready > at {
			s.wake(addr, l, now.Add(l.Ready-at))
		}
	}
	if p.draws > 0 {
		l.rest, l.until = p.draws, p.until
	}
	l.wanted, l.retry = false, time.Time{}
}

// plan returns how a record is to be changed, or nil if it is not. Then it returns the session that
// is to be asked for slots, or 0.
func (s *Limits) plan(addr netip.Addr, l *lot, r record) (p *plan, holder uint64) {
	fates := s.member.fates(r.Open)
	session, at := s.member.moment()
	s.mu.Lock()
	defer s.mu.Unlock()
	if l.session != session.ID || !session.Alive(&s.member.rules, at) {
		l.retry = time.Now().Add(slotRetry)
		l.lendFrom = l.retry
		return nil, 0
	}
	now := time.Now()
	sum := Sum{Limit: s.options.Open}
	p = &plan{session: session.ID, record: record{Version: limitsVersion, Since: r.Since, Drawn: r.Drawn}}
	most, own := 0, 0
	for i, h := range r.Open {
		switch {
		case h.Session == session.ID:
			own = h.Slots
		case fates[i] == ended:
		case fates[i] == silent:
			sum.Over += h.Slots
		default:
			sum.Others += h.Slots
			p.Open = append(p.Open, h)
			if h.Slots > most {
				most, holder = h.Slots, h.Session
			}
		}
	}
	total := l.Slots + l.Fresh
	put := false
	free := s.options.Free(addr)
	switch {
	case l.lend && (l.Open > l.keep || now.Before(l.lendFrom)):
		return nil, 0
	case l.lend:
		p.own, p.lowers, p.to = l.keep, true, l.to
		if l.Lot, put = l.Lot.Lower(&s.member.rules, l.keep); !put {
			if own <= l.keep {
				l.lend = false
				return nil, 0
			}
			put, l.Asking = true, true // a write whose answer was lost
		}
		p.erase = l.keep == 0 && len(p.Open) == 0 && now.Sub(time.UnixMilli(r.Since)) > s.options.Period && l.forget
	default:
		pace := s.options.Gap * time.Duration(s.options.Open) / time.Duration(max(1, s.options.Open-sum.Others))
		if free || r.Version == 0 {
			pace = 0 // nobody has used the address lately
		}
		l.Lot, p.own, put = l.Lot.Take(&s.member.rules, session, at, pace, s.options.Open-total, sum)
		if !put {
			p.own = total
		}
		if s.isSpent(addr, l, now) && p.own > 0 {
			p.draw(&s.options, now)
		}
		if !put && p.draws > 0 {
			put, l.Asking = true, true
		}
	}
	if put {
		if p.own > 0 {
			p.Open = append(p.Open, held{session.ID, p.own})
		}
		return p, 0
	}
	l.retry = now.Add(slotRetry)
	if total > 0 {
		l.retry = now.Add(slotLook)
		if s.isSpent(addr, l, now) {
			l.retry = time.UnixMilli(r.Since).Add(s.options.Period + Apart)
		}
		return nil, 0
	}
	if now.Sub(l.asked) < 4*slotRetry {
		return nil, 0
	}
	l.asked = now
	return nil, holder
}

// draw adds a portion of the budget of an address.
func (p *plan) draw(o *LimitOptions, now time.Time) {
	// Clocks differ: a period is over when it is over by each.
	if since := time.UnixMilli(p.Since); now.Sub(since) >= o.Period+Apart {
		p.Since, p.Drawn = now.UnixMilli(), 0
	}
	p.draws = max(0, min(max(1, o.Budget/100), o.Budget-p.Drawn))
	p.Drawn += p.draws
	p.until = time.UnixMilli(p.Since).Add(o.Period)
}

// later has a record read later.
func (s *Limits) later(l *lot, d time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	l.retry, l.lendFrom = time.Now().Add(d), time.Now().Add(d)
}

// failed is an exchange without an answer.
func (s *Limits) failed(link *cluster.Session, l *lot, err error) {
	s.later(l, slotRetry)
	s.warn(s.place.explain(err))
	s.lost(link, err)
}

// foreign is the error of a record with another form.
func (s *Limits) foreign(key string) error {
	return fmt.Errorf("the record %s of the bucket %s is not of this version of robots: all workers need the same one",
		key, s.place.bucket)
}

// warn logs the first error.
func (s *Limits) warn(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.warned {
		s.warned = true
		s.member.log.Warn("the limits of addresses are not shared for the moment: their hosts wait", "error", err)
	}
}

// tell writes a wish for the worker of another session. It may be lost: who waits looks again.
func (s *Limits) tell(b *cluster.Bucket, other uint64, addr netip.Addr, w wish) {
	data, _ := json.Marshal(w)
	b.Set(context.Background(), wishKey(workerOf(other), hex.EncodeToString(addr.AsSlice())), data)
}

// hear is a wish of another worker.
func (s *Limits) hear(v cluster.Value) {
	var w wish
	name := v.Key[strings.LastIndexByte(v.Key, '.')+1:]
	data, err := hex.DecodeString(name)
	addr, ok := netip.AddrFromSlice(data)
	if err != nil || !ok || v.Deleted || json.Unmarshal(v.Data, &w) != nil {
		return
	}
	session, _ := s.member.moment()
	s.mu.Lock()
	defer s.mu.Unlock()
	l := s.lot(addr, session)
	now, total := time.Now(), l.Slots+l.Fresh
	switch {
	case w.Free:
		l.retry = time.Time{}
	case l.lend:
		return
	case total <= 1 || l.Open == 0 && !l.wanted && now.Sub(l.used) > slotHold:
		l.lend, l.keep, l.to, l.lendFrom = true, 0, w.Session, l.since.Add(slotHold)
	default:
		l.lend, l.keep, l.to, l.lendFrom = true, total/2, w.Session, now
	}
	s.look(addr, l)
}

// A fate is what is known of another session.
type fate uint8

const (
	live   fate = iota // or unknown
	silent             // over, and its requests may be open for a while
	ended              // over, and its requests have ended
)

// fates returns what is known of sessions.
func (m *Member) fates(of []held) []fate {
	all := make([]fate, len(of))
	if len(of) == 0 {
		return all
	}
	got := make(chan struct{})
	m.post(func(l *loop) {
		defer close(got)
		for i, h := range of {
			if h.Session != l.session.ID && l.over(h.Session) {
				all[i] = silent
				k := l.peers[workerOf(h.Session)]
				if workerOf(h.Session) == m.worker && h.Session >= l.firstOwn && l.firstOwn > 0 ||
					k != nil && k.Session == h.Session && k.State == left {
					all[i] = ended
				}
			}
		}
	})
	select {
	case <-got:
		return all
	case <-m.done:
		return make([]fate, len(of))
	}
}
