package agent

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"sync"
	"time"

	"github.com/robotsexclusion/robots/internal/address"
)

// A Recipe says how to verify the addresses of a robot, as its operator publishes it. The zero
// Recipe has no method: it verifies nothing.
type Recipe struct {
	// Ranges are the range documents that together list all addresses of the
	// robot: https URLs, or paths of files.
	Ranges []string `json:"ranges,omitempty"`

	// DNS are the domains of the host names of all addresses of the robot, such as googlebot.com:
	// the name of an address is one of these, or ends with one of them after a dot.
	DNS []string `json:"dns,omitempty"`

	// Elsewhere is set if the robot also runs elsewhere, on people's devices or site owners'
	// machines, and nothing shows which requests come from there. Then no address is forged.
	Elsewhere bool `json:"elsewhere,omitempty"`
}

// A Verifier checks whether the address of a request belongs to the robot that the request names.
//
// There are two methods. The operator may publish a document of address ranges. Or it gives its
// addresses names below its own domain: then the name of the address must be below that domain, and
// the name must resolve to the address, because the owner of an address can give it any name
// (forward-confirmed reverse DNS).
//
// The zero Verifier asks the DNS servers of the system, and reads range documents from files only.
// A Verifier is safe for concurrent use. Its fields must not be changed after its first use.
type Verifier struct {
	// Resolver answers DNS questions. If it is nil, net.DefaultResolver does. Both may read the
	// hosts file of the system first.
	Resolver *net.Resolver

	// Server is the address of the DNS server to ask, such as "192.0.2.1:53", in place of Resolver;
	// the default port is 53. Errors name this server.
	Server string

	// Client fetches range documents. If it is nil, no document is fetched, and documents at URLs
	// come from Folder only. The Client decides which addresses may be dialed; redirects to URLs
	// that are not https are always refused.
	Client *http.Client

	// Folder is the path of a folder that keeps fetched documents for the next run, and for other
	// processes. It is created for the first document. The file of a document is named by its URL,
	// escaped as in a query, or by the last part of its path, such as gptbot.json, unless another
	// URL of the table has the same; and its modification time is the time of the fetch. So other
	// programs may put files there too. If Folder is empty, documents are kept in memory only.
	Folder string

	// MaxAge is the age from which a fetched document is fetched again; 0 is 24 hours.
	// draft-illyes-webbotauth-jafar asks for an hour at least.
	//
	// A document that could not be renewed in time still verifies the addresses that it lists, up
	// to 30 days; it proves nothing about other addresses.
	MaxAge time.Duration

	// Timeout limits each fetch and each DNS question; 0 is 10 seconds.
	Timeout time.Duration

	mu      sync.Mutex
	sources map[string]*source // by name
}

func (v *Verifier) timeout() time.Duration {
	if v.Timeout == 0 {
		return 10 * time.Second
	}
	return v.Timeout
}

// Verify reports whether the recipe verifies that addr is an address of the robot. It tries the
// range documents first, in their order, and asks the DNS if none of them lists the address. It
// stops at the first method that says yes.
//
//   - [Verified]: one of the methods says yes.
//   - [Forged]: a method that could answer says no, and none says yes. A missing name in the DNS
//     does not count as a no if a document gives no answer, as in a network without access.
//   - [Unverifiable]: there is no method, or none could answer. Also if a method says no, but the
//     address is private, loopback, shared or link-local, so that it is probably the address of a
//     proxy, or the recipe has Elsewhere.
//
// Documents that are unreadable, too old, or have unreadable entries give no answer, nor do DNS
// servers that fail or are silent. So an error of the network never makes a request Forged.
//
// Answers are not cached, only range documents are.
//
// Verify returns an error if addr is the zero address, if the recipe has a range document at a URL
// that is not https or a DNS name of a single label, or if ctx ends before there is an answer.
func (v *Verifier) Verify(ctx context.Context, addr netip.Addr, recipe Recipe) (Verdict, error) {
	if !addr.IsValid() {
		return Verdict{}, errors.New("verify: no address is given")
	}
	for _, name := range recipe.Ranges {
		if err := v.check(name); err != nil {
			return Verdict{}, fmt.Errorf("verify: %w", err)
		}
	}
	suffixes, err := checkSuffixes(recipe.DNS)
	if err != nil {
		return Verdict{}, fmt.Errorf("verify: %w", err)
	}

	verdict := Verdict{Address: address.Plain(addr), Elsewhere: recipe.Elsewhere}
	ranges := Forged // until a document changes it
	for _, name := range recipe.Ranges {
		d := v.lookInto(ctx, name, verdict.Address)
		verdict.Documents = append(verdict.Documents, d)
		if d.Result == Verified {
			verdict.Result = Verified
			return verdict, nil
		}
		if d.Result == Unverifiable {
			ranges = Unverifiable
		}
	}
	if len(recipe.Ranges) == 0 {
		ranges = Unverifiable
	}
	names := Unverifiable
	if len(suffixes) > 0 {
		verdict.Reverse = v.reverse(ctx, verdict.Address, suffixes)
		names = verdict.Reverse.Result
		if names == Forged && len(verdict.Reverse.Names) == 0 && len(recipe.Ranges) > 0 && ranges == Unverifiable {
			names = Unverifiable
		}
	}
	switch {
	case names == Verified:
		verdict.Result = Verified
	case ended(ctx) != nil:
		return verdict, fmt.Errorf("verify %s: %w", verdict.Address, ended(ctx))
	case (ranges == Forged || names == Forged) && !recipe.Elsewhere && !address.Inside(verdict.Address):
		verdict.Result = Forged
	}
	return verdict, nil
}

// Result returns the result of [Verifier.Verify] without the evidence. If the recipe has range
// documents at URLs only, and all of them were read before and need not be renewed, Result takes
// little more than the time of looking up the address in each, and allocates nothing.
func (v *Verifier) Result(ctx context.Context, addr netip.Addr, recipe Recipe) (Result, error) {
	if result, ok := v.knownResult(addr, recipe); ok {
		return result, nil
	}
	verdict, err := v.Verify(ctx, addr, recipe)
	return verdict.Result, err
}

// knownResult returns the result for an address, if it follows from range documents that need not
// be renewed.
func (v *Verifier) knownResult(addr netip.Addr, recipe Recipe) (result Result, ok bool) {
	if !addr.IsValid() || len(recipe.Ranges) == 0 {
		return 0, false
	}
	now := time.Now()
	ranges := Forged // until a document changes it
	for _, name := range recipe.Ranges {
		v.mu.Lock()
		s := v.sources[name]
		v.mu.Unlock()
		if s == nil {
			return 0, false
		}
		fresh := s.fresh.Load()
		if fresh == nil || !now.Before(fresh.until) {
			return 0, false
		}
		if fresh.contains(address.Plain(addr)) {
			return Verified, true
		}
		if fresh.skipped > 0 {
			ranges = Unverifiable
		}
	}
	if ranges == Forged && (recipe.Elsewhere || address.Inside(addr)) {
		ranges = Unverifiable
	}
	return ranges, len(recipe.DNS) == 0
}

// ended returns the reason why ctx ended, or nil. A connection may notice that the deadline of its
// context has passed before the context does.
func ended(ctx context.Context) error {
	if deadline, ok := ctx.Deadline(); ok && ctx.Err() == nil && !time.Now().Before(deadline) {
		return context.DeadlineExceeded
	}
	return context.Cause(ctx)
}

// lookInto looks up addr in a range document.
func (v *Verifier) lookInto(ctx context.Context, name string, addr netip.Addr) RangeDocument {
	d, ranges := v.document(ctx, name)
	if ranges == nil {
		return d
	}
	prefix, ok := ranges.find(addr)
	switch {
	case ok:
		d.Result, d.Prefix = Verified, prefix
	case d.provesOthers():
		d.Result = Forged
	}
	return d
}
