package fleet

import (
	"fmt"
	"hash/maphash"
	"math/rand/v2"
	"strings"
	"time"
)

// The world of the checker has up to three workers and two partitions, with one host each. A tick
// is a second. Servers of the cluster show only in what they do to messages: a cut, a lost answer
// and an election are a message whose sender gets no answer, and which is applied later or never.
// An answered message is never lost.
const (
	workers = 3
	places  = 2
)

// A beat is a message to the key of its worker.
type beat struct {
	state  uint8 // 0: none, 1: sent, 2: accepted, 3: refused
	id     uint64
	behind uint64
}

// A note is a write of the record of the address.
type note struct {
	written bool
	lower   bool
	behind  uint64
	session uint64
	own     int
	book    book
}

// A book is the record of the address: the slots of sessions.
type book struct {
	revision uint64
	sessions [4]uint64
	slots    [4]int
}

// with returns the book with the slots of one session changed.
func (b book) with(session uint64, own int) book {
	for i := range b.slots {
		if b.sessions[i] == session {
			b.sessions[i], b.slots[i] = 0, 0
		}
	}
	for i := range b.slots {
		if b.slots[i] == 0 && own > 0 {
			b.sessions[i], b.slots[i] = session, own
			break
		}
	}
	return b
}

type key struct {
	session, revision uint64
	grave             bool
}

type worker struct {
	now           time.Duration
	session       Session
	holds         [places]Hold
	sights        [workers]Sight
	lot           Lot           // of the address that both hosts share
	asked         time.Duration // the last request there
	note, lateOne note          // writes of the record of the address that are on their way
	beat, late    beat
	entries       [places]Entry // on their way
	lateEntry     Entry
	latePlace     int
	stopped, dead bool

	// What the checker knows and the worker does not.
	over    bool // the guard has passed
	renewed time.Duration
	excused [places]bool // the worker was stopped after it had checked
}

// A world is a state of everything. The budgets are what may still happen.
type world struct {
	workers [workers]worker
	keys    [workers]key
	logs    [places]Tail
	now     time.Duration
	book    book
	started time.Duration         // the last request to the address
	heard   [places]time.Duration // what the owner has heard that the host is owed
	ended   [workers]uint64       // no session up to this one can be alive, even if the key is gone
	budget  budget
}

type budget struct {
	ticks, beats, claims, requests, drains, stops, kills, losses, drifts, takes, lowers, owed, leaves, removals int8
}

// A scenario is a start and its budgets.
type scenario struct {
	name    string
	workers int
	places  int
	slots   int           // requests that may be open to the address that both hosts share; 0 means no limit
	pace    time.Duration // between two requests there, if there is one slot
	both    bool          // each of two workers owns a partition
	held    bool          // the first worker has all slots
	idle    bool          // no worker owns a partition yet
	steady  int           // the beats of the workers from this one on always arrive
	times   Times
	budget  budget
}

func (s *scenario) start() world {
	w := world{now: 10 * tick, started: 0, budget: s.budget}
	for i := range s.workers {
		id := uint64(i + 1)
		w.keys[i] = key{id, 1, false}
		w.workers[i] = worker{now: w.now, renewed: w.now,
			session: Session{ID: id, Revision: 1, Joined: true, Renewed: w.now}}
		if i >= s.steady {
			w.workers[i].renewed += 20 * tick
			w.workers[i].session.Renewed += 20 * tick
		}
		for j := range s.workers {
			if i != j {
				w.workers[i].sights[j] = Sight{true, 1, w.now}
			}
		}
	}
	for i := s.workers; i < workers; i++ {
		w.workers[i].dead = true
	}
	if !s.idle {
		w.logs[0] = Tail{Sequence: 1, Session: 1}
		w.workers[0].holds[0] = Hold{Phase: Mine, Last: 1}
	}
	if s.held {
		w.workers[0].lot = Lot{Slots: s.slots}
		w.book = book{revision: 1}.with(1, s.slots)
	}
	if s.both {
		w.logs[1] = Tail{Sequence: 1, Session: 2}
		w.workers[1].holds[1] = Hold{Phase: Mine, Last: 1}
	}
	return w
}

const tick = time.Second

// A step is an event: what, of which worker, with which other worker or partition.
type step struct{ act, worker, other uint8 }

var acts = []struct {
	name  string
	other int // how many values of other
	do    func(*checker, *world, *worker, step) bool
}{
	{"time passes", 0, nil},
	{"time passes, and its clock stands", 1, nil},
	{"sends a beat", 1, (*checker).beat},
	{"its beat reaches the key", 1, (*checker).reach},
	{"hears the answer to its beat", 1, (*checker).answer},
	{"gives up its beat", 1, (*checker).giveUp},
	{"its late beat reaches the key", 1, (*checker).reachLate},
	{"notices that its guard has passed", 1, (*checker).pass},
	{"begins the next session", 1, (*checker).renew},
	{"loses its key", 1, (*checker).remove},
	{"leaves", 1, (*checker).leave},
	{"sees the key of", workers, (*checker).see},
	{"buries", workers, (*checker).bury},
	{"claims partition", places, (*checker).want},
	{"its entry reaches the log of partition", places, (*checker).append},
	{"gets no answer from the log of partition", places, (*checker).lose},
	{"its late entry reaches the log", 1, (*checker).appendLate},
	{"its late entry reaches the log, and is answered", 1, (*checker).appendAnswered},
	{"checks a request for partition", places, (*checker).check},
	{"writes the request for partition", places, (*checker).write},
	{"gets an answer for partition", places, (*checker).close},
	{"gets an answer with Retry-After for partition", places, (*checker).closeOwed},
	{"writes what is owed in partition", places, (*checker).save},
	{"drains partition", places, (*checker).drain},
	{"writes `released` in partition", places, (*checker).release},
	{"stops", 1, (*checker).stop},
	{"goes on", 1, nil},
	{"is killed", 1, (*checker).kill},
	{"asks for a slot of the address", 1, (*checker).takeSlot},
	{"gives up its slots of the address", 1, (*checker).lower},
	{"its record of the address arrives", 1, (*checker).noted},
	{"gets no answer from the record of the address", 1, (*checker).unnoted},
	{"its late record of the address arrives", 1, (*checker).notedLate},
}

// A checker walks all orders of steps from the start of a scenario, the shortest first.
type checker struct {
	rules     Rules
	scenario  *scenario
	violation string
	excused   int // requests beside another one that a stop excuses
}

func (c *checker) broken(format string, a ...any) {
	if c.violation == "" {
		c.violation = fmt.Sprintf(format, a...)
	}
}

// take does a step, and reports whether it is possible. If not, it changes nothing but the budget.
func (c *checker) take(w *world, s step) bool {
	k := &w.workers[s.worker]
	switch act := acts[s.act]; {
	case act.other == 0:
		return c.pause(w, -1)
	case act.name == "goes on":
		return c.wake(k)
	case k.dead && !strings.HasPrefix(act.name, "its "):
		return false
	case act.do == nil:
		return spend(&w.budget.drifts) && c.pause(w, int(s.worker))
	case k.stopped && !strings.HasPrefix(act.name, "its ") && act.name != "is killed":
		return false
	default:
		return act.do(c, w, k, s)
	}
}

func spend(budget *int8) bool {
	*budget--
	return *budget >= 0
}

// pause lets a second pass. A clock that stands is behind by a second for ever.
func (c *checker) pause(w *world, stands int) bool {
	if !spend(&w.budget.ticks) {
		return false
	}
	for i := range w.workers {
		k := &w.workers[i]
		if k.dead {
			continue
		}
		for p, h := range k.holds {
			lapsed := k.over && k.now-k.renewed >= c.rules.Guard+c.rules.Close-tick && c.rules.has(LapseCloses)
			overdue := k.excused[p] || k.now >= h.Deadline && c.rules.has(HardDeadline) || lapsed
			if (h.Slot == Open || h.Slot == Checked && lapsed) && overdue && !k.stopped {
				return false // close comes first
			}
		}
	}
	for i := range w.workers {
		k := &w.workers[i]
		if k.dead {
			continue
		}
		if i != stands {
			k.now += tick
		}
		if k.session.Joined && k.now-k.renewed >= c.rules.Guard {
			k.over = true
		}
	}
	w.now += tick
	return true
}

// settle drops everything if the session is over.
func (c *checker) settle(k *worker) bool {
	if k.session.Over {
		for p := range k.holds {
			k.holds[p] = k.holds[p].Drop()
		}
		k.lot = k.lot.Drop(&c.rules)
	}
	return true
}

func (c *checker) beat(w *world, k *worker, _ step) bool {
	if k.beat.state != 0 || k.renewed > w.now || !spend(&w.budget.beats) {
		return false
	}
	next, put := k.session.Beat(k.now)
	if put {
		k.session, k.beat = next, beat{1, next.ID, next.Revision}
	}
	return put
}

func (w *world) put(i uint8, b beat) bool {
	if w.keys[i].revision != b.behind {
		return false
	}
	w.keys[i] = key{b.id, b.behind + 1, false}
	w.ended[i] = max(w.ended[i], b.id-1)
	return true
}

func (c *checker) reach(w *world, k *worker, s step) bool {
	if k.beat.state != 1 {
		return false
	}
	k.beat.state = 3
	if w.put(s.worker, k.beat) {
		k.beat.state = 2
	}
	return true
}

func (c *checker) answer(w *world, k *worker, s step) bool {
	if k.beat.state < 2 {
		return false
	}
	if k.beat.id == k.session.ID {
		if k.beat.state == 2 && !k.over {
			k.renewed = k.session.Began
		}
		k.session = k.session.Answered(&c.rules, k.now, k.beat.behind+1, k.beat.state == 2)
	}
	k.beat = beat{}
	return c.settle(k)
}

func (c *checker) giveUp(w *world, k *worker, s step) bool {
	if k.beat.state == 0 || k.late.state != 0 || !spend(&w.budget.losses) {
		return false
	}
	if k.beat.state == 1 {
		k.late = k.beat
	}
	if k.beat.id == k.session.ID {
		at := w.keys[s.worker]
		k.session = k.session.Unanswered(at.revision, at.session == k.session.ID && !at.grave)
	}
	k.beat = beat{}
	return true
}

func (c *checker) reachLate(w *world, k *worker, s step) bool {
	possible := k.late.state == 1
	w.put(s.worker, k.late)
	k.late = beat{}
	return possible
}

func (c *checker) pass(w *world, k *worker, _ step) bool {
	before := k.session.Over
	k.session = k.session.Pass(&c.rules, k.now)
	return k.session.Over && !before && c.settle(k)
}

func (c *checker) renew(w *world, k *worker, s step) bool {
	open := false
	for _, h := range k.holds {
		open = open || h.Slot != Idle
	}
	next, begun := k.session.Renew(&c.rules, k.session.ID+workers, w.keys[s.worker].revision, open)
	k.session, k.over = next, k.over && !begun
	return begun
}

func (c *checker) see(w *world, k *worker, s step) bool {
	if s.worker == s.other || k.sights[s.other].Revision == w.keys[s.other].revision {
		return false
	}
	k.sights[s.other] = k.sights[s.other].See(w.keys[s.other].revision, k.now)
	return true
}

func (c *checker) bury(w *world, k *worker, s step) bool {
	at := &w.keys[s.other]
	behind, compared, allowed := k.sights[s.other].Bury(&c.rules, k.now)
	if s.worker == s.other || !allowed || compared && at.revision != behind || at.grave ||
		w.workers[s.other].renewed > w.now {
		return false
	}
	if at.session == 0 { // the key is missing: the worker knows the session from a log
		for _, t := range w.logs {
			if t.Session%workers == (uint64(s.other)+1)%workers {
				at.session = max(at.session, t.Session)
			}
		}
		if at.session == 0 {
			return false
		}
	}
	at.bury(w, s.other)
	return true
}

func (k *key) bury(w *world, worker uint8) {
	k.revision++
	k.grave = true
	w.ended[worker] = max(w.ended[worker], k.session)
}

// remove is an operator who removes the key of a worker.
func (c *checker) remove(w *world, k *worker, s step) bool {
	at := &w.keys[s.worker]
	if at.session == 0 || k.renewed > w.now || !spend(&w.budget.removals) {
		return false
	}
	*at = key{revision: at.revision + 1}
	return true
}

func (c *checker) leave(w *world, k *worker, s step) bool {
	open := false
	for _, h := range k.holds {
		open = open || h.Slot != Idle
	}
	next, left := k.session.Leave(&c.rules, open)
	if !left || k.beat.state != 0 || k.renewed > w.now || !spend(&w.budget.leaves) {
		return false
	}
	if at := &w.keys[s.worker]; at.session == k.session.ID && at.revision == k.session.Revision {
		at.bury(w, s.worker)
	}
	k.session = next
	return c.settle(k)
}

// dead reports whether a session can never be alive again as its key says.
func (w *world) dead(id uint64) bool {
	at := w.keys[(id-1)%workers]
	return at.session > id || at.session == id && at.grave
}

func (c *checker) want(w *world, k *worker, s step) bool {
	t := w.logs[s.other]
	if k.entries[s.other].Kind != None || !spend(&w.budget.claims) {
		return false
	}
	next, e := k.holds[s.other].Want(&c.rules, k.session, k.now, t, t.Session != 0 && w.dead(t.Session))
	possible := next != k.holds[s.other]
	k.holds[s.other], k.entries[s.other] = next, e
	if possible && e.Kind == None {
		c.active(w, k, s.other)
	}
	return possible
}

// active checks that no other worker acts for the partition.
func (c *checker) active(w *world, k *worker, p uint8) {
	if k.holds[p].Phase != Mine {
		return
	}
	if w.logs[p].Session != k.session.ID {
		c.broken("a session acts for a claim of another one")
	}
	for i := range w.workers {
		v := &w.workers[i]
		if v != k && !v.dead && v.holds[p].Phase >= Mine && !v.over && v.session.Alive(&c.rules, v.now) {
			c.broken("worker %d owns partition %d too", i, p)
		}
	}
}

// record appends an entry, as the server does.
func (c *checker) record(w *world, p int, e Entry) bool {
	t := &w.logs[p]
	if e.Fenced && t.Sequence != e.Behind {
		return false
	}
	if e.Kind == Claim {
		if t.Session != 0 && !t.Released && t.Session != e.Session && w.ended[(t.Session-1)%workers] < t.Session {
			c.broken("the claim of partition %d follows neither `released` nor a grave", p)
		}
		if t.Session != e.Session {
			w.heard[p] = t.Owed // what a dead owner had not written is lost
		}
		t.Session, t.Released = e.Session, false
	} else if t.Session != e.Session || t.Released {
		c.broken("two sessions append to partition %d", p)
	}
	t.Sequence++
	switch e.Kind {
	case Owed:
		t.Owed = e.Owed
	case Released:
		t.Released = true
		if w.heard[p] > t.Owed {
			c.broken("partition %d is released before what its host is owed is written", p)
		}
	}
	return true
}

func (c *checker) append(w *world, k *worker, s step) bool {
	e := k.entries[s.other]
	k.entries[s.other] = Entry{}
	return c.answered(w, k, s.other, e)
}

func (c *checker) appendAnswered(w *world, k *worker, s step) bool {
	e, p := k.lateEntry, k.latePlace
	k.lateEntry, k.latePlace = Entry{}, 0
	return c.answered(w, k, uint8(p), e)
}

// answered brings an entry to the log, and the answer back.
func (c *checker) answered(w *world, k *worker, p uint8, e Entry) bool {
	if e.Kind == None {
		return false
	}
	accepted := c.record(w, int(p), e)
	h := k.holds[p]
	switch {
	case k.dead:
		return true
	case !accepted:
		k.holds[p] = h.Refused(&c.rules, k.session, e)
	case e.Kind == Claim:
		k.holds[p] = h.Claimed(&c.rules, k.session, k.now, e, w.logs[p])
		c.active(w, k, p)
	default:
		k.holds[p] = h.Saved(k.session, e, w.logs[p].Sequence)
	}
	return true
}

func (c *checker) lose(w *world, k *worker, s step) bool {
	e := k.entries[s.other]
	if e.Kind == None || k.lateEntry.Kind != None || !spend(&w.budget.losses) {
		return false
	}
	k.lateEntry, k.latePlace, k.entries[s.other] = e, int(s.other), Entry{}
	k.holds[s.other] = k.holds[s.other].Refused(&c.rules, k.session, e)
	return true
}

func (c *checker) appendLate(w *world, k *worker, _ step) bool {
	possible := k.lateEntry.Kind != None
	if possible {
		c.record(w, k.latePlace, k.lateEntry)
	}
	k.lateEntry, k.latePlace = Entry{}, 0
	return possible
}

func (c *checker) check(w *world, k *worker, s step) bool {
	lot, allowed := k.lot, true
	if c.scenario.slots > 0 {
		lot, allowed = lot.Enter(&c.rules, k.session, k.now)
	}
	paced := c.scenario.slots > 0 && k.asked > 0 && k.now-k.asked < c.scenario.pace
	if !allowed || paced {
		return false
	}
	next, allowed := k.holds[s.other].Check(&c.rules, k.session, k.now)
	if !allowed || !spend(&w.budget.requests) {
		return false
	}
	if k.lot = lot; c.scenario.pace > 0 {
		k.asked = k.now
	}
	if k.over {
		c.broken("a request of a session that has lapsed")
	}
	if t := w.logs[s.other]; t.Session == k.session.ID && k.now < t.Owed {
		c.broken("a request before the time that the log of partition %d has", s.other)
	}
	if w.heard[s.other] > w.logs[s.other].Owed && w.logs[s.other].Session == k.session.ID {
		c.broken("a request while what the host of partition %d is owed is not in the log", s.other)
	}
	k.holds[s.other] = next
	return true
}

func (c *checker) write(w *world, k *worker, s step) bool {
	p := s.other
	if k.holds[p].Slot != Checked {
		return false
	}
	if k.holds[p] = k.holds[p].Write(&c.rules, k.session, k.now); k.excused[p] {
		k.holds[p].Slot = Open // a stop between the test of the deadline and the system call
	}
	if k.holds[p].Slot != Open {
		c.closed(k)
		return true
	}
	for i := range w.workers {
		switch v := &w.workers[i]; {
		case v == k || v.holds[p].Slot != Open:
		case v.excused[p] || k.excused[p]:
			c.excused++
		default:
			c.broken("worker %d has a request open to the host of partition %d", i, p)
		}
	}
	if c.scenario.slots == 0 {
		return true
	}
	open, excused := 0, false
	for i := range w.workers {
		for q, h := range w.workers[i].holds {
			if h.Slot == Open {
				open++
				excused = excused || w.workers[i].excused[q]
			}
		}
	}
	if open > c.scenario.slots && !excused {
		c.broken("%d requests are open to the address", open)
	}
	if c.scenario.slots == 1 && w.started > 0 && w.now-w.started < c.scenario.pace && !excused {
		c.broken("two requests to the address in a period")
	}
	if c.scenario.pace > 0 {
		w.started = w.now
	}
	return true
}

// closed ends a request to the address.
func (c *checker) closed(k *worker) {
	if c.scenario.slots > 0 {
		k.lot = k.lot.Leave()
	}
}

func (c *checker) close(w *world, k *worker, s step) bool {
	if k.holds[s.other].Slot != Open {
		return false
	}
	k.holds[s.other].Slot, k.excused[s.other] = Idle, false
	c.closed(k)
	return true
}

func (c *checker) closeOwed(w *world, k *worker, s step) bool {
	h := k.holds[s.other]
	if h.Slot != Open || !spend(&w.budget.owed) {
		return false
	}
	k.holds[s.other], k.excused[s.other] = h.Close(k.now+tick), false
	c.closed(k)
	if t := w.logs[s.other]; t.Session == k.session.ID && !t.Released {
		w.heard[s.other] = k.now + tick
	}
	return true
}

func (c *checker) save(w *world, k *worker, s step) bool {
	if k.entries[s.other].Kind != None {
		return false
	}
	k.holds[s.other], k.entries[s.other] = k.holds[s.other].Save(&c.rules, k.session)
	return k.entries[s.other].Kind != None
}

func (c *checker) drain(w *world, k *worker, s step) bool {
	if k.holds[s.other].Phase != Mine || !spend(&w.budget.drains) {
		return false
	}
	k.holds[s.other] = k.holds[s.other].Drain()
	return true
}

func (c *checker) release(w *world, k *worker, s step) bool {
	if k.entries[s.other].Kind != None {
		return false
	}
	k.holds[s.other], k.entries[s.other] = k.holds[s.other].Release(&c.rules, k.session)
	return k.entries[s.other].Kind != None
}

func (c *checker) stop(w *world, k *worker, _ step) bool {
	if !spend(&w.budget.stops) {
		return false
	}
	for p, h := range k.holds {
		k.excused[p] = k.excused[p] || h.Slot != Idle
	}
	k.stopped = true
	return true
}

// wake continues a stopped process. The watchdog runs first.
func (c *checker) wake(k *worker) bool {
	if !k.stopped || k.dead {
		return false
	}
	k.stopped = false
	for p, h := range k.holds {
		if h.Slot == Open {
			k.excused[p] = false
			if k.now >= h.Deadline && c.rules.has(ClosedOnWake) {
				k.holds[p].Slot = Idle
				c.closed(k)
			}
		}
	}
	return true
}

func (c *checker) kill(w *world, k *worker, _ step) bool {
	if !spend(&w.budget.kills) {
		return false
	}
	k.dead, k.stopped, k.holds, k.excused, k.lot = true, false, [places]Hold{}, [places]bool{}, Lot{}
	return true
}

// sum returns what the record of the address says to a session, and the record without the sessions
// that are over.
func (c *checker) sum(w *world, session uint64) (sum Sum, clean book) {
	sum.Limit, clean = c.scenario.slots, w.book
	for i, n := range w.book.slots {
		switch of := w.book.sessions[i]; {
		case n == 0 || of == session:
		case w.dead(of):
			sum.Over += n
			clean = clean.with(of, 0)
		default:
			sum.Others += n
		}
	}
	return sum, clean
}

func (c *checker) takeSlot(w *world, k *worker, _ step) bool {
	if c.scenario.slots == 0 || k.note.written || !spend(&w.budget.takes) {
		return false
	}
	sum, clean := c.sum(w, k.session.ID)
	next, own, put := k.lot.Take(&c.rules, k.session, k.now, c.scenario.pace, 1, sum)
	if put {
		k.lot, k.note = next, note{true, false, w.book.revision, k.session.ID, own, clean.with(k.session.ID, own)}
	}
	return put
}

func (c *checker) lower(w *world, k *worker, _ step) bool {
	if c.scenario.slots == 0 || k.note.written || !spend(&w.budget.lowers) {
		return false
	}
	next, put := k.lot.Lower(&c.rules, 0)
	if put {
		k.lot, k.note = next, note{true, true, w.book.revision, k.session.ID, 0, w.book.with(k.session.ID, 0)}
	}
	return put
}

func (c *checker) writeBook(w *world, n note) bool {
	if n.behind != w.book.revision && c.rules.has(SlotCompared) {
		return false
	}
	n.book.revision = w.book.revision + 1
	w.book = n.book
	return true
}

func (c *checker) noted(w *world, k *worker, _ step) bool {
	n := k.note
	if k.note = (note{}); !n.written {
		return false
	}
	if accepted := c.writeBook(w, n); !k.dead && n.session == k.session.ID && !k.session.Over {
		k.lot = k.lot.Written(n.own, accepted)
	}
	return true
}

func (c *checker) unnoted(w *world, k *worker, _ step) bool {
	if !k.note.written || k.lateOne.written || !spend(&w.budget.losses) {
		return false
	}
	if k.note.session == k.session.ID && !k.session.Over {
		k.lot = k.lot.Written(0, false)
	}
	k.lateOne, k.note = k.note, note{}
	return true
}

func (c *checker) notedLate(w *world, k *worker, _ step) bool {
	n := k.lateOne
	if k.lateOne = (note{}); !n.written {
		return false
	}
	c.writeBook(w, n)
	return true
}

// A node is how the checker reached a state.
type node struct {
	before int32
	step   step
}

// steps returns all steps of the scenario, possible or not.
func (c *checker) steps() []step {
	var steps []step
	for act, a := range acts {
		for worker := range max(1, min(a.other, 1)*c.scenario.workers) {
			others := a.other
			if others == places {
				others = c.scenario.places
			} else if others == workers {
				others = c.scenario.workers
			}
			for other := range max(1, others) {
				steps = append(steps, step{uint8(act), uint8(worker), uint8(other)})
			}
		}
	}
	return steps
}

// stroll takes steps at random until none is possible, and returns them.
func (c *checker) stroll(random *rand.Rand) (trace []step) {
	steps := c.steps()
	w := c.scenario.start()
	for c.violation == "" {
		taken := false
		for i, first := 0, random.IntN(len(steps)); i < len(steps) && !taken; i++ {
			// A prime between them, so that a step's neighbour has no better chance than others.
			s := steps[(first+i*97)%len(steps)]
			before := w.budget
			if taken = c.take(&w, s); taken {
				trace = append(trace, s)
			} else {
				w.budget = before
			}
		}
		if !taken {
			break
		}
	}
	return trace
}

// walk returns the number of states, how many steps they are away from the start, whether there are
// no others, and the shortest trace to a violation, if there is one. It ends after the level that
// reaches the limit.
func (c *checker) walk(most int) (states, depth int, whole bool, trace []step) {
	steps := c.steps()
	type reached struct {
		world world
		node  int32
	}
	seed := maphash.MakeSeed()
	seen := map[uint64]struct{}{}
	nodes := []node{{before: -1}}
	level := []reached{{c.scenario.start(), 0}}
	for len(nodes) < most {
		var next []reached
		for i := range level {
			w := level[i].world
			for _, s := range steps {
				if !c.take(&w, s) {
					w.budget = level[i].world.budget
					continue
				}
				if c.violation != "" {
					trace = []step{s}
					for n := nodes[level[i].node]; n.before >= 0; n = nodes[n.before] {
						trace = append([]step{n.step}, trace...)
					}
					return len(nodes), depth, false, trace
				}
				sum := maphash.Comparable(seed, w)
				if _, known := seen[sum]; !known {
					seen[sum] = struct{}{}
					nodes = append(nodes, node{level[i].node, s})
					next = append(next, reached{w, int32(len(nodes) - 1)})
				}
				w = level[i].world
			}
		}
		if level = next; len(level) == 0 {
			return len(nodes), depth, true, nil
		}
		depth++
	}
	return len(nodes), depth, false, nil
}

// tell writes a trace for people.
func tell(trace []step, violation string) string {
	var b strings.Builder
	for i, s := range trace {
		a := acts[s.act]
		fmt.Fprintf(&b, "%3d. ", i+1)
		switch a.other {
		case 0:
			b.WriteString(a.name)
		case 1:
			fmt.Fprintf(&b, "worker %d: %s", s.worker, a.name)
		default:
			fmt.Fprintf(&b, "worker %d: %s %d", s.worker, a.name, s.other)
		}
		b.WriteByte('\n')
	}
	return b.String() + "     " + violation
}
