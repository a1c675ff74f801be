package fleet

import "time"

// A Lot is what a worker has of the limit of an address: of so many requests that may be open there
// at once, over all workers, it may have some. Each of these is a slot. A record for each address
// says how many slots each session has. It is written behind the revision that its writer has read.
type Lot struct {
	Slots  int           // requests that may be open
	Fresh  int           // and so many more from Ready on
	Ready  time.Duration // when what was taken last may be used
	Open   int           // requests that are open, or checked
	Asking bool          // a write of the record is on its way
}

// A Sum is what the record of an address says, without the slots of the worker's own session.
type Sum struct {
	Limit  int // slots of the address
	Others int // slots of sessions that may be alive
	Over   int // slots of sessions that are over, and whose requests may be open
}

// Usable returns how many requests may be open.
func (l Lot) Usable(now time.Duration) int {
	if now >= l.Ready {
		return l.Slots + l.Fresh
	}
	return l.Slots
}

// Take asks for up to so many slots more. It returns how many the record is to have for this
// session, while those that are over lose theirs, and whether the record is to be written. The pace
// is how long slots that others have had wait for their first request. The time is that after the
// record was read.
func (l Lot) Take(r *Rules, s Session, now, pace time.Duration, more int, sum Sum) (next Lot, own int, put bool) {
	taken := sum.Others
	if !r.has(SlotOver) {
		taken = 0
	}
	own = min(l.Slots+l.Fresh+more, sum.Limit-taken)
	if l.Asking || !s.Alive(r, now) || own <= l.Slots+l.Fresh {
		return l, 0, false
	}
	ready := now
	if r.has(SlotPaced) {
		ready += pace
	}
	if sum.Over > 0 && r.has(SlotPause) {
		ready += r.pause()
	}
	// What is fresh already waits again, rather than have two times.
	l.Asking, l.Ready = true, max(ready, l.Ready)
	if !r.has(SlotAnswered) {
		l.Fresh = own - l.Slots
	}
	return l, own, true
}

// Lower gives up all slots but some, of which requests may be open. They are not used any more from
// now on. The record is to be written with those that the worker keeps.
func (l Lot) Lower(r *Rules, keep int) (next Lot, put bool) {
	if l.Asking || keep >= l.Slots+l.Fresh || keep < l.Open && r.has(SlotClosed) {
		return l, false
	}
	l.Asking = true
	if r.has(SlotLowered) {
		l.Slots, l.Fresh = min(l.Slots, keep), 0
	}
	return l, true
}

// Written is the answer to a write of the record. A write that has none may come late, and is
// refused then if another one was accepted before: so only an answer raises the number of slots.
func (l Lot) Written(own int, accepted bool) Lot {
	l.Asking = false
	if accepted {
		l.Slots = min(l.Slots, own)
		l.Fresh = own - l.Slots
	}
	return l
}

// Enter allows a request, or not.
func (l Lot) Enter(r *Rules, s Session, now time.Duration) (next Lot, allowed bool) {
	if r.has(SlotNeeded) && (l.Open >= l.Usable(now) || !s.Alive(r, now)) {
		return l, false
	}
	if now >= l.Ready {
		l.Slots, l.Fresh = l.Slots+l.Fresh, 0
	}
	l.Open++
	return l, true
}

// Leave ends a request.
func (l Lot) Leave() Lot {
	l.Open--
	return l
}

// Drop gives up all slots because the session is over. Requests that are open stay so until they
// are closed.
func (l Lot) Drop(r *Rules) Lot {
	if !r.has(SlotDropped) {
		l.Asking = false
		return l
	}
	return Lot{Open: l.Open}
}
