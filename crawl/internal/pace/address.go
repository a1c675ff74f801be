package pace

import (
	"net/netip"
	"time"
)

// An Address is when the robot was at one IP address, which any number of hosts may
// have. The zero Address was never asked. It is not safe for concurrent use.
//
// It survives a restart with the hosts that were asked there: see [Host.At].
type Address struct {
	last  time.Time // the start of the last request
	since time.Time // the start of the period
	count int       // requests in it
}

// Period is the time that Manners.AddressBudget is for. It begins with the first request
// after the last one has ended.
const Period = 10 * time.Minute

// The defaults of Manners, for an address.
const (
	defaultAddressGap    = 100 * time.Millisecond
	defaultAddressBudget = 3000
)

// Wait returns when the next request to the address may start, and why not before.
func (a *Address) Wait(m *Manners, now time.Time) Wait {
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

// Resume is called after a restart: a request may have started just before.
func (a *Address) Resume(now time.Time) { a.last = now }

// Past reports whether nothing that the address was asked for matters any more.
func (a *Address) Past(m *Manners, now time.Time) bool {
	return !now.Before(a.since.Add(Period)) && !now.Before(a.last.Add(or(m.AddressGap, defaultAddressGap)))
}

// Join takes over what is known of the address from elsewhere, if it is more: of a later
// period, or more requests of the same.
func (a *Address) Join(other *Address) {
	if other.since.After(a.since) || other.since.Equal(a.since) && other.count > a.count {
		a.since, a.count = other.since, other.count
	}
}

// PlaceOf returns what has one pace for all: an address, or for IPv6 the network of /64 that
// it is in, as one machine often has all of it.
func PlaceOf(addr netip.Addr) netip.Addr {
	addr = addr.Unmap().WithZone("")
	if !addr.Is6() {
		return addr
	}
	prefix, _ := addr.Prefix(64)
	return prefix.Addr()
}

// A place is where a host was asked, and what its address had then.
type place struct {
	addr  netip.Addr
	since time.Time
	count int
}

// Visit notes where the host is asked, after [Address.Begin].
func (h *Host) Visit(addr netip.Addr, a *Address) { h.place = place{addr, a.since, a.count} }

// At returns where the host was asked last, and what its address had by then.
func (h *Host) At() (netip.Addr, Address) {
	return h.place.addr, Address{since: h.place.since, count: h.place.count}
}
