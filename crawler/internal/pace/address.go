package pace

import (
	"net/netip"
	"time"
)

// An Address is the request history of one IP address, which any number of hosts may
// share. The zero Address has had no requests. It is not safe for concurrent use.
//
// It is restored after a restart from the hosts at the address: see [Host.At].
type Address struct {
	last  time.Time // the start of the last request
	since time.Time // the start of the period
	count int       // requests in it
}

// Period is the period of Pauses.AddressBudget. It begins with the first request after
// the end of the last period.
const Period = 10 * time.Minute

// The defaults of Pauses for an address.
const (
	defaultAddressGap    = 100 * time.Millisecond
	defaultAddressBudget = 3000
)

// Wait returns when the next request to the address may start, and why not before.
func (a *Address) Wait(m *Pauses, now time.Time) Wait {
	w := Wait{At: now, Reason: Ready}
	if !a.last.IsZero() {
		w.after(a.last, or(m.AddressGap, defaultAddressGap), AddressGap, 0)
	}
	most := m.AddressBudget
	if most == 0 {
		most = defaultAddressBudget
	}
	if end := a.since.Add(Period); most > 0 && a.count >= most && end.After(w.At) {
		w = Wait{At: end, Reason: AddressBudget}
	}
	return w
}

// Begin notes that a request starts.
func (a *Address) Begin(now time.Time) {
	if !now.Before(a.since.Add(Period)) {
		a.since, a.count = now, 0
	}
	a.last = now
	a.count++
}

// Resume is called after a restart. The robot may have sent a request just before.
func (a *Address) Resume(now time.Time) { a.last = now }

// Past reports whether no earlier request to the address affects a wait any more.
func (a *Address) Past(m *Pauses, now time.Time) bool {
	return !now.Before(a.since.Add(Period)) && !now.Before(a.last.Add(or(m.AddressGap, defaultAddressGap)))
}

// Join merges the history of the same address from elsewhere, if it is of a later period,
// or has more requests of the same period.
func (a *Address) Join(other *Address) {
	if other.since.After(a.since) || other.since.Equal(a.since) && other.count > a.count {
		a.since, a.count = other.since, other.count
	}
}

// PlaceOf returns the key of a shared pace: the address, or for IPv6 its /64 network,
// because one machine often has all of that network.
func PlaceOf(addr netip.Addr) netip.Addr {
	addr = addr.Unmap().WithZone("")
	if !addr.Is6() {
		return addr
	}
	prefix, _ := addr.Prefix(64)
	return prefix.Addr()
}

// A place is the address of a host's last request, with the history of the address at
// that time.
type place struct {
	addr  netip.Addr
	since time.Time
	count int
}

// Visit records the address of a request. It is called after [Address.Begin].
func (h *Host) Visit(addr netip.Addr, a *Address) { h.place = place{addr, a.since, a.count} }

// At returns the address of the last request, with the history of the address at that
// time.
func (h *Host) At() (netip.Addr, Address) {
	return h.place.addr, Address{since: h.place.since, count: h.place.count}
}

// OfAddress returns the minimum pause between the starts of two requests to an address, and the
// maximum number of requests in a [Period]. 0 means none, and no limit.
func (m *Pauses) OfAddress() (gap time.Duration, budget int) {
	if budget = m.AddressBudget; budget == 0 {
		budget = defaultAddressBudget
	}
	return or(m.AddressGap, defaultAddressGap), max(budget, 0)
}
