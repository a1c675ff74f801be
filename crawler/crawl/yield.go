package crawl

import (
	"cmp"
	"encoding/binary"
	"maps"
	"slices"
	"sync"

	"github.com/robotsexclusion/robots/crawler/internal/binread"
	"github.com/robotsexclusion/robots/crawler/internal/weburl"
	"github.com/robotsexclusion/robots/internal/printable"
)

// No site holds a crawl for ever. A site with endless pages repeats itself, and its next pages
// can only be reached from pages that repeat others. So the crawl keeps account of the links on
// such pages:
//
//   - A page repeats others if its content does: see [repeat].
//   - A lead is a URL that was found on a page that repeats others.
//   - Each shape of URLs has an account. A lead to another page that repeats others costs, and
//     costs more the more alike the pages are. A lead to a new page pays back the cost of
//     many such leads.
//   - A shape whose account is spent is closed: its leads are not visited any more. URLs
//     on pages with new content are visited as before. So a single page that repeats others
//     costs nothing, and neither do the pages of a list.
//
// One page belongs to several shapes, from URLs with the same parameters up to the whole host.
// Each shape has an account, and the narrowest shape that is spent is closed. The wider shapes
// then get back most of the cost of the closed one: only cost from many places closes them.

// A repeat is how much a page repeats others.
type repeat uint8

const (
	fresh  repeat = iota // the page is new
	known                // other pages of the site have all of its text, apart from numbers
	copied               // the same as another page in its folder, so its links lead to nothing new
	near                 // the same text as another page, or nearly the text of a recent page of the host
	same                 // the same as a page elsewhere, or a redirect
)

// price is the cost of a lead to a page of this kind. The same page elsewhere costs less than a
// page that is nearly the same: honest sites have all their pages twice, by language or version.
func (r repeat) price() int {
	return [...]int{fresh: -100, known: 1, copied: 1, near: 6, same: 5}[r]
}

// credit is the cost at which a shape is closed. For the narrowest shapes this is the cost of
// 167 pages that are nearly the same, 200 that are the same, or 1,000 that differ in numbers. A
// new page pays back a tenth of the credit: a shape stays open as long as one lead in 17 comes
// to a new page if the others are nearly the same, and one in 101 if they differ in numbers.
func (w width) credit() int {
	if w < inFolder {
		return 1000
	}
	return 2000
}

const (
	hostCredit  = 5000 // credit of a whole host
	hostGain    = 20   // each new page pays this back to its host, whether it was a lead or not
	siteCredit  = 1000 // credit of a site, for the young hosts of the site
	youngPages  = 10   // maximum number of pages of a young host
	maxAccounts = 256  // accounts of a host in memory
	maxStored   = 32   // accounts stored with the state of a host
	leastStored = 100  // cost below which an account is not stored
	maxName     = 120  // bytes of the name of a closed shape
	refund      = 4    // wider shapes get back so many fifths of the cost of a closed one
	maxSites    = 1 << 16
)

// yields are the accounts of a host. They are bounded.
type yields struct {
	accounts map[uint64]*account // by shape
	host     account
	site     int // cost of the site, when last read
}

// An account is the balance of the leads of a shape.
type account struct {
	spent  int
	leads  int // visited leads
	news   int // leads to new pages
	closed bool
	name   string // of a closed shape
}

// note adds a visited lead to the account.
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

// note adds a visited URL to the accounts, and its cost if it was a lead. It returns the shape
// that this closes, if any.
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
		if ok { // a narrower shape was closed
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

// account returns the account of a shape. If the shape has none and begin is set, account opens
// one, unless too many shapes with a cost have accounts already: then it returns nil.
func (y *yields) account(key uint64, begin bool) *account {
	a := y.accounts[key]
	if a != nil || !begin {
		return a
	}
	if len(y.accounts) >= maxAccounts {
		// If a host has very many shapes, most of them have a single page.
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

// closed returns the narrowest closed shape of a URL, or "".
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

// all returns the closed shapes, the one with most pages first and the whole host last.
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

// appendBinary appends the accounts with the highest cost to b, closed ones first.
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

// read restores stored accounts.
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
	*a = account{spent: int(min(r.Number(), 2*hostCredit)), leads: int(min(r.Number(), most)),
		news: int(min(r.Number(), most)), name: r.Text()}
	a.closed = a.name != ""
	if len(a.name) > 4*maxName {
		r.Fail()
	}
}

// sites are the accounts of sites, for leads to the first pages of their hosts: a site may have
// any number of hosts. They are bounded; once they are full, no site is added.
type sites struct {
	mu    sync.Mutex
	spent map[string]int // by registrable domain
}

// note adds a lead to one of the first pages of a host to the account of its site, and returns
// the cost of the site.
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

// recall restores the cost of a site that was stored with one of its hosts.
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

// closed reports whether the crawl no longer follows links from pages that repeat others to
// further hosts of a site.
func (s *sites) closed(domain string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.spent[domain] >= siteCredit
}
