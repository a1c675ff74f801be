// Package fleet lets several workers share the partitions of a crawl. A [Member] is the place of a
// worker among them; decision 234 says how it uses the servers.
//
// # Rules
//
// The state of a worker is a [Session], and a [Hold] for each partition. Each event is a method
// that returns the next state, without clocks, network or goroutines, so that a checker can walk
// all orders of events. Decision 229 has the rules and what the checker found. Times of rules are
// durations since any fixed moment, by the clock of the worker.
package fleet

import "time"

// Times are the limits that all workers of a crawl share.
type Times struct {
	Guard   time.Duration // a session ends so long after the start of its last answered beat
	Lease   time.Duration // a key that has not changed for so long may be buried
	Request time.Duration // no request lasts longer
	Close   time.Duration // the requests of a session are closed so soon after its end
	Error   time.Duration // by which two clocks that measure a lease may differ at its end
}

// Standard are the times of a cluster of three servers, whose elections take 2 to 4 seconds. A
// beat every 2 seconds waits 3 for its answer.
var Standard = Times{Guard: 11 * time.Second, Lease: 15 * time.Second, Request: 30 * time.Second,
	Close: 2 * time.Second, Error: time.Second}

// Apart is by how much the wall clocks of two workers, with what one of them writes and the other
// reads, may differ. Sessions do not depend on it: a worker measures these with its own clock.
const Apart = 5 * time.Second

// Valid reports whether the rules hold with these times: a session must have lapsed by its own
// clock when it is buried.
func (t Times) Valid() bool {
	return t.Guard > 0 && t.Request > 0 && t.Close > 0 && t.Error >= 0 && t.Lease >= t.Guard+t.Error
}

// pause returns how long the new owner waits after a death, so that the last request of the old
// one has ended: at its deadline, or soon after the guard of its session.
func (t *Times) pause() time.Duration {
	return max(0, min(t.Request, t.Close)+t.Error-(t.Lease-t.Guard))
}

// A Rule is a rule whose removal the checker must notice.
type Rule uint64

// The rules.
const (
	LapseEnds     Rule = 1 << iota // an answer after the guard does not revive the session
	GuardOfStart                   // the guard counts from the start of the beat, not its answer
	GuardChecked                   // the guard is checked before each request
	SameSession                    // an answer is for the session that asked
	ClosedFirst                    // the next session begins when no request is open
	GraveCompared                  // a grave replaces only the revision that was silent
	LeaseSilent                    // a key is buried only after the lease
	PauseKept                      // the new owner waits for the last request of the dead one
	PauseAgain                     // so does a worker that finds its own claim
	ReleasedFirst                  // a claim follows `released` or a grave
	OwnFenced                      // a worker claims again over its own claim, against late entries
	ClaimFenced                    // a claim names the last entry that its writer has read
	AppendFenced                   // so does each other entry
	Drained                        // `released` is written when no request is open
	OwedReleased                   // `released` is written after what the host is owed
	OwedWritten                    // a request begins after what the host is owed is written
	OwedKept                       // an unwritten Retry-After outlives a lost answer of the log
	OwedRead                       // a claim takes over what the host is owed
	HardDeadline                   // a request ends at its deadline
	DeadlineFixed                  // the deadline counts from the check, not from the write
	ClosedOnWake                   // overdue requests are closed first after a stop
	LapseCloses                    // requests are closed soon after the end of their session
	SlotNeeded                     // a request to an address needs a slot
	SlotAnswered                   // a worker has a slot when the record has it
	SlotCompared                   // a record is written behind the revision that its writer has read
	SlotLowered                    // a slot that is given up is not used from before the write on
	SlotClosed                     // a slot is given up when its request is closed
	SlotOver                       // a slot is taken from a session that is over, and from no other
	SlotPause                      // and used after the pause
	SlotPaced                      // a slot that is taken waits for the pace of the address
	SlotDropped                    // the slots of a session end with it
	LeftClosed                     // a worker leaves when no request is open
)

// Rules are the times and the rules. The zero value of without has all rules.
type Rules struct {
	Times
	without Rule // removed by the checker
}

func (r *Rules) has(rule Rule) bool { return r.without&rule == 0 }

// A Session is a worker's place in the fleet, from its first answered beat to its lapse. It never
// comes back to life.
type Session struct {
	ID       uint64 // no other session has the same
	Revision uint64 // of the worker's key, known from the last answer
	Joined   bool   // a beat has been answered
	Over     bool
	Beating  bool          // a beat is on its way
	Began    time.Duration // the start of that beat
	Renewed  time.Duration // the start of the last answered beat
}

// Alive reports whether the session may act now.
func (s Session) Alive(r *Rules, now time.Duration) bool {
	return s.Joined && !s.Over && now-s.Renewed < r.Guard
}

// Beat starts a beat: the caller puts the key with the session's ID behind s.Revision.
func (s Session) Beat(now time.Duration) (next Session, put bool) {
	if s.Over || s.Beating {
		return s, false
	}
	s.Beating, s.Began = true, now
	return s, true
}

// Answered is the answer to the beat: the new revision, or a refusal because the key has another
// one.
func (s Session) Answered(r *Rules, now time.Duration, revision uint64, accepted bool) Session {
	if !s.Beating {
		return s
	}
	s.Beating = false
	if r.has(LapseEnds) {
		s = s.Pass(r, now)
	}
	if !accepted {
		s.Over = true
	}
	if s.Over {
		return s
	}
	s.Revision, s.Renewed, s.Joined = revision, s.Began, true
	if !r.has(GuardOfStart) {
		s.Renewed = now
	}
	return s
}

// Unanswered is a beat whose answer is lost. The worker has read its key again: the revision is
// that of the key if the key still is of this session, or else mine is false.
func (s Session) Unanswered(revision uint64, mine bool) Session {
	s.Beating = false
	if mine {
		s.Revision = revision
	}
	return s
}

// Pass ends the session if its guard has passed.
func (s Session) Pass(r *Rules, now time.Duration) Session {
	if s.Joined && now-s.Renewed >= r.Guard {
		s.Over = true
	}
	return s
}

// Renew returns the session after this one, if this one is over and its requests have ended. The
// revision is the one that the worker's key has now.
func (s Session) Renew(r *Rules, id, revision uint64, open bool) (next Session, begun bool) {
	if !s.Over || open && r.has(ClosedFirst) {
		return s, false
	}
	return Session{ID: id, Revision: revision}, true
}

// Leave ends the session for good, if its requests have ended: the caller replaces the worker's key
// by a grave behind s.Revision, and others need not wait for the lease.
func (s Session) Leave(r *Rules, open bool) (next Session, left bool) {
	if open && r.has(LeftClosed) {
		return s, false
	}
	s.Over = true
	return s, true
}

// A Sight is what a worker has seen of the key of another one. The key may be missing.
type Sight struct {
	Seen     bool
	Revision uint64        // 0 if the key is missing
	Since    time.Duration // when the worker first saw this revision
}

// See is a look at the key.
func (v Sight) See(revision uint64, now time.Duration) Sight {
	if v.Seen && v.Revision == revision {
		return v
	}
	return Sight{true, revision, now}
}

// Bury reports whether the worker may replace the key by a grave, and behind which revision. The
// server accepts the grave only if the key still has it; that alone proves the death.
func (v Sight) Bury(r *Rules, now time.Duration) (behind uint64, compared, allowed bool) {
	silent := now-v.Since >= r.Lease || !r.has(LeaseSilent)
	return v.Revision, r.has(GraveCompared), v.Seen && silent
}

// A Tail is what the log of a partition says at its end.
type Tail struct {
	Sequence uint64        // of the last entry
	Session  uint64        // that claimed last, or 0
	Released bool          // since then
	Owed     time.Duration // no request to the host before
}

// A Kind is a kind of entry in the log.
type Kind uint8

// The kinds of entries.
const (
	None Kind = iota
	Claim
	Owed
	Released
)

// An Entry is an entry to append to the log of a partition.
type Entry struct {
	Kind    Kind
	Fenced  bool // only behind the entry with the sequence number Behind
	Session uint64
	Behind  uint64
	Owed    time.Duration
}

// A Phase is how far a worker is with a partition.
type Phase uint8

// The phases.
const (
	Foreign   Phase = iota
	Claiming        // the claim is on its way
	Mine            // requests may begin from Ready on
	Draining        // no request begins
	Releasing       // the record is on its way
)

// A Slot is the state of a request.
type Slot uint8

// The states of a request.
const (
	Idle    Slot = iota
	Checked      // it may be written
	Open         // it may be on the wire
)

// A Hold is what a worker has of one partition, with one host. A partition of many hosts has the
// part from Owed on for each of them.
type Hold struct {
	Phase    Phase
	Last     uint64        // the last entry known of the log
	Ready    time.Duration // no request before; known from the start of the claim
	Owed     time.Duration // no request to the host before
	Unsaved  bool          // Owed is not in the log
	Saving   bool          // the record is on its way
	Slot     Slot
	Deadline time.Duration // of the request, which is written before, or never
}

// Want asks for the partition. The dead argument says whether the session of the tail is known
// to be dead: its key is a grave, or has a later session.
func (h Hold) Want(r *Rules, s Session, now time.Duration, t Tail, dead bool) (Hold, Entry) {
	if h.Phase != Foreign || h.Slot != Idle || !s.Alive(r, now) {
		return h, Entry{}
	}
	free := t.Session == 0 || t.Released
	own := t.Session == s.ID && !t.Released // an answer was lost
	wait := !own && !free || own && r.has(PauseAgain)
	switch {
	case own:
		h.Phase = Claiming
	case !free && !dead && r.has(ReleasedFirst):
		return h, Entry{}
	default:
		h = Hold{Phase: Claiming}
	}
	// The grave is older than this moment, so the pause need not wait for the answer.
	if h.Ready = now; wait && r.has(PauseKept) {
		h.Ready += r.pause()
	}
	if own && !r.has(OwnFenced) {
		return h.Claimed(r, s, now, Entry{Kind: Claim, Session: s.ID}, t), Entry{}
	}
	return h, Entry{Kind: Claim, Session: s.ID, Behind: t.Sequence, Fenced: r.has(ClaimFenced)}
}

// Claimed is the answer to an accepted claim. The tail is the end of the log with the claim, after
// a replay.
func (h Hold) Claimed(r *Rules, s Session, now time.Duration, e Entry, t Tail) Hold {
	if h.Phase != Claiming || r.has(SameSession) && e.Session != s.ID {
		return h
	}
	h.Phase, h.Last = Mine, t.Sequence
	if r.has(OwedRead) && t.Owed >= h.Owed {
		h.Owed, h.Unsaved = t.Owed, false
	}
	return h
}

// Saved is the answer to another accepted entry, which now is the last one.
func (h Hold) Saved(s Session, e Entry, sequence uint64) Hold {
	if e.Session != s.ID || h.Phase < Mine {
		return h
	}
	h.Last = sequence
	switch e.Kind {
	case Owed:
		h.Saving = false
		h.Unsaved = h.Owed != e.Owed
	case Released:
		h = h.Drop()
	}
	return h
}

// Refused is a lost answer, or the answer to an entry behind one that is not the last: the
// partition is foreign until the worker wants it again and reads its log.
func (h Hold) Refused(r *Rules, s Session, e Entry) Hold {
	if e.Session != s.ID {
		return h
	}
	next := h.Drop()
	if r.has(OwedKept) {
		next.Owed, next.Unsaved = h.Owed, h.Unsaved
	}
	return next
}

// Drop gives up the partition without a record, because the session is over or the log is fenced.
// A request that is open stays so until it is closed.
func (h Hold) Drop() Hold { return Hold{Slot: h.Slot, Deadline: h.Deadline} }

// Check allows a request, to be written before the deadline. The caller sets the deadline of its
// connection, and writes at once.
func (h Hold) Check(r *Rules, s Session, now time.Duration) (next Hold, allowed bool) {
	switch {
	case h.Phase != Mine || h.Slot != Idle || now < h.Ready || now < h.Owed || s.Over,
		h.Unsaved && r.has(OwedWritten), r.has(GuardChecked) && !s.Alive(r, now):
		return h, false
	}
	h.Slot, h.Deadline = Checked, now+r.Request
	return h, true
}

// Write writes the request, or gives it up if it is too late, or if the session of its check is
// over and its requests are closed.
func (h Hold) Write(r *Rules, s Session, now time.Duration) Hold {
	switch {
	case r.has(LapseCloses) && now-s.Renewed >= r.Guard+r.Close:
		h.Slot = Idle
	case !r.has(DeadlineFixed):
		h.Slot, h.Deadline = Open, now+r.Request
	case now >= h.Deadline:
		h.Slot = Idle
	default:
		h.Slot = Open
	}
	return h
}

// Close ends the request. The host is owed silence until then.
func (h Hold) Close(until time.Duration) Hold {
	h.Slot, h.Owed, h.Unsaved = Idle, until, true
	return h
}

// Save writes what the host is owed.
func (h Hold) Save(r *Rules, s Session) (Hold, Entry) {
	if h.Phase != Mine && h.Phase != Draining || !h.Unsaved || h.Saving || s.Over {
		return h, Entry{}
	}
	h.Saving = true
	return h, Entry{Kind: Owed, Session: s.ID, Behind: h.Last, Owed: h.Owed, Fenced: r.has(AppendFenced)}
}

// Drain begins a planned hand-over.
func (h Hold) Drain() Hold {
	if h.Phase == Mine {
		h.Phase = Draining
	}
	return h
}

// Release writes the record that ends the hand-over, once nothing is open or unsaved.
func (h Hold) Release(r *Rules, s Session) (Hold, Entry) {
	if h.Phase != Draining || h.Saving || s.Over || h.Slot != Idle && r.has(Drained) ||
		h.Unsaved && r.has(OwedReleased) {
		return h, Entry{}
	}
	h.Phase = Releasing
	return h, Entry{Kind: Released, Session: s.ID, Behind: h.Last, Fenced: r.has(AppendFenced)}
}
