package crawl

import (
	"cmp"
	"encoding/binary"
	"maps"
	"slices"
	"sync"

	"github.com/robotsexclusion/robots/internal/binread"
	"github.com/robotsexclusion/robots/internal/printable"
	"github.com/robotsexclusion/robots/internal/weburl"
)

// No site keeps a crawl for ever. A site that makes pages without end repeats itself, and
// the only way to its next pages leads over pages that repeat others. So what counts is
// what such pages lead to:
//
//   - A page repeats others if its content does: see [repeat].
//   - A URL that was found on a page that repeats others is a lead of it.
//   - For each shape of URLs there is an account. A lead that comes to a page that repeats
//     others again costs, the more the more alike they are; a lead that comes to something
//     new pays all of that back for many others.
//   - A shape whose account is spent is closed: its leads are not visited any more. URLs
//     that pages with new content lead to are visited as before, so a page that is alone
//     in repeating others costs nothing, and neither do the pages of a list.
//
// One page belongs to several shapes, from URLs with its very parameters up to the whole
// host. Each has an account, and the narrowest that is spent is closed. Then the wider ones
// get back most of what it cost them: they are closed by what comes from many places.

// A repeat is how much a page repeats others.
type repeat uint8

const (
	fresh  repeat = iota // it does not
	known                // all of its text, but for numbers, was seen at its site in other pages
	copied               // it is the same as another page in its folder, so that its links lead to nothing new
	near                 // its text is the same as that of another page, or nearly that of one of the last pages of its host
	same                 // it is the same as another page elsewhere, or a redirect
)

// price is what a lead costs that comes to a page of this kind. The same page elsewhere
// costs less than one that is nearly the same: honest sites have all of theirs twice, by
// languages or versions.
func (r repeat) price() int {
	return [...]int{fresh: -100, known: 1, copied: 1, near: 6, same: 5}[r]
}

// credit is how much a shape may cost until it is closed: of the narrowest shapes 167
// pages that are nearly the same, 200 that are the same, and 1,000 that differ in
// numbers. What one new page pays is a tenth of that: a shape stays open as long as one
// lead in 17 comes to something new where the others are nearly the same, and one in 101
// where they differ in numbers.
func (w width) credit() int {
	if w < inFolder {
		return 1000
	}
	return 2000
}

const (
	hostCredit  = 5000 // of a whole host
	hostGain    = 20   // what each new page gives back there, whatever led to it
	siteCredit  = 1000 // of the hosts of a site that have few pages
	youngPages  = 10   // so few
	maxAccounts = 256  // of a host, in memory
	maxStored   = 32   // of them, with the state of the host
	leastStored = 100  // cost below which an account is not stored
	maxName     = 120  // bytes of the name of a shape that is closed
	refund      = 4    // fifths of what a closed shape has cost that wider ones get back
	maxSites    = 1 << 16
)

// yields are the accounts of a host. They are bounded.
type yields struct {
	accounts map[uint64]*account // by shape
	host     account
	site     int // what the site had cost when that was last looked at
}

// An account is what came of leads.
type account struct {
	spent  int
	leads  int // that were visited
	news   int // of them, what came to something new
	closed bool
	name   string // of the shape, if it is closed
}

// note notes a lead.
func (a *account) note(r repeat) {
	a.spent = max(a.spent+r.price(), 0)
	if a.leads++; r == fresh {
		a.news++
	}
}

// A ClosedShape is a shape of URLs that is no longer visited from pages that repeat others.
type ClosedShape struct {
	Shape string `json:"shape"` // such as "/calendar/#/#", or "/list?page&sort"
	Pages int    `json:"pages"` // pages visited through a link from a page that repeats others
	New   int    `json:"new"`   // those with new content
}

// note notes what came of a URL, and whether it was a lead. It returns a shape that was
// closed by that, if there is one.
func (y *yields) note(u weburl.URL, lead bool, r repeat) (closed ClosedShape, ok bool) {
	if r == fresh {
		y.host.spent = max(y.host.spent-hostGain, 0)
	}
	if !lead {
		return closed, false
	}
	var few [8]shape
	var cost int
	for _, s := range shapesOf(few[:0], u) {
		a := y.account(s.key(), r != fresh)
		if a == nil {
			continue
		}
		if ok { // a narrower one was closed
			a.spent = max(a.spent-cost, 0)
			continue
		}
		if a.note(r); a.spent >= s.width.credit() && !a.closed {
			a.closed, a.name = true, printable.Clipped(s.String(), maxName)
			closed, ok = ClosedShape{a.name, a.leads, a.news}, true
			cost = a.spent * refund / 5
		}
	}
	if ok {
		y.host.spent = max(y.host.spent-cost, 0)
	} else if y.host.note(r); y.host.spent >= hostCredit && !y.host.closed {
		y.host.closed, y.host.name = true, "/…/…"
		closed, ok = ClosedShape{y.host.name, y.host.leads, y.host.news}, true
	}
	return closed, ok
}

// account returns the account of a shape. Where there is none it begins one if that is
// wanted, and if there are not too many that cost something.
func (y *yields) account(key uint64, begin bool) *account {
	a := y.accounts[key]
	if a != nil || !begin {
		return a
	}
	if len(y.accounts) >= maxAccounts {
		// Shapes with a single page are most of those that there can be very many of.
		least := same.price()
		maps.DeleteFunc(y.accounts, func(_ uint64, a *account) bool { return a.spent <= least && !a.closed })
		if len(y.accounts) >= maxAccounts {
			return nil
		}
	}
	if y.accounts == nil {
		y.accounts = make(map[uint64]*account)
	}
	a = new(account)
	y.accounts[key] = a
	return a
}

// closed returns the shape of a URL that is closed, or "".
func (y *yields) closed(u weburl.URL) string {
	if y.host.closed {
		return y.host.name
	}
	if len(y.accounts) == 0 {
		return ""
	}
	var few [8]shape
	for _, s := range shapesOf(few[:0], u) {
		if a := y.accounts[s.key()]; a != nil && a.closed {
			return a.name
		}
	}
	return ""
}

// all returns the shapes that are closed.
func (y *yields) all() (list []ClosedShape) {
	for _, a := range y.accounts {
		if a.closed {
			list = append(list, ClosedShape{a.name, a.leads, a.news})
		}
	}
	slices.SortFunc(list, func(a, b ClosedShape) int {
		return cmp.Or(cmp.Compare(b.Pages, a.Pages), cmp.Compare(a.Shape, b.Shape))
	})
	if y.host.closed {
		list = append(list, ClosedShape{y.host.name, y.host.leads, y.host.news})
	}
	return list
}

// appendBinary appends the accounts to b: those that have cost most.
func (y *yields) appendBinary(b []byte) []byte {
	b = binary.AppendUvarint(b, uint64(max(y.site, 0)))
	b = y.host.appendBinary(b)
	var keys []uint64
	for key, a := range y.accounts {
		if a.closed || a.spent >= leastStored {
			keys = append(keys, key)
		}
	}
	slices.SortFunc(keys, func(k, l uint64) int {
		a, b := y.accounts[k], y.accounts[l]
		if a.closed != b.closed {
			return map[bool]int{true: -1, false: 1}[a.closed]
		}
		return cmp.Or(cmp.Compare(b.spent, a.spent), cmp.Compare(k, l))
	})
	keys = keys[:min(len(keys), maxStored)]
	b = append(b, byte(len(keys)))
	for _, key := range keys {
		b = binary.LittleEndian.AppendUint64(b, key)
		b = y.accounts[key].appendBinary(b)
	}
	return b
}

func (a *account) appendBinary(b []byte) []byte {
	b = binary.AppendUvarint(b, uint64(a.spent))
	b = binary.AppendUvarint(b, uint64(a.leads))
	b = binary.AppendUvarint(b, uint64(a.news))
	if !a.closed {
		return append(b, 0)
	}
	b = binary.AppendUvarint(b, uint64(len(a.name)))
	return append(b, a.name...)
}

// read takes over accounts that were stored.
func (y *yields) read(r *binread.Reader) {
	*y = yields{site: int(min(r.Number(), siteCredit))}
	y.host.read(r)
	for range min(r.Byte(), maxStored) {
		key := r.Fixed()
		if a := y.account(key, true); a != nil {
			a.read(r)
		}
	}
}

func (a *account) read(r *binread.Reader) {
	const most = 1 << 40
	*a = account{spent: int(min(r.Number(), 2*hostCredit)), leads: int(min(r.Number(), most)), news: int(min(r.Number(), most)), name: r.Text()}
	a.closed = a.name != ""
	if len(a.name) > 4*maxName {
		r.Fail()
	}
}

// sites are the accounts of sites, each of which may have any number of hosts: of what
// their first pages come to. They are bounded; where they are full nothing new is found.
type sites struct {
	mu    sync.Mutex
	spent map[string]int // by registrable domain
}

// note notes a lead to one of the first pages of a host, and returns what its site has
// cost.
func (s *sites) note(domain string, r repeat) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	before, ok := s.spent[domain]
	if !ok && (r == fresh || len(s.spent) >= maxSites) || before >= siteCredit {
		return before
	}
	if s.spent == nil {
		s.spent = make(map[string]int)
	}
	spent := min(max(before+r.price(), 0), siteCredit)
	if s.spent[domain] = spent; spent == 0 {
		delete(s.spent, domain)
	}
	return spent
}

// recall takes over what was stored with a host of a site.
func (s *sites) recall(domain string, spent int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if spent <= s.spent[domain] || len(s.spent) >= maxSites {
		return
	}
	if s.spent == nil {
		s.spent = make(map[string]int)
	}
	s.spent[domain] = spent
}

// closed reports whether no more hosts of a site are visited because pages that repeat
// others lead there.
func (s *sites) closed(domain string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.spent[domain] >= siteCredit
}
