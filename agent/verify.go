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
)

// A Recipe says how the addresses of a robot can be verified, as its operator
// publishes it. The zero Recipe has no way: nothing can be verified by it.
type Recipe struct {
	// Ranges are the range documents that together list all addresses of the
	// robot: https URLs, or paths of files.
	Ranges []string `json:"ranges,omitempty"`

	// DNS are the names at the end of which the names of all addresses of the
	// robot stand, such as googlebot.com: the name of an address is one of
	// these, or has one of them after a dot.
	DNS []string `json:"dns,omitempty"`
}

// A Verifier tells whether the address from which a request came is one of the
// robot that the request says it is from.
//
// There are two ways. The operator may publish a document of address ranges.
// Or it gives its addresses names below its own domain: then the name of the
// address must be below it, and that name must have the address, as anybody can
// give an address of their own any name (forward-confirmed reverse DNS).
//
// The zero Verifier asks the DNS servers of the system, and reads range
// documents from files only. A Verifier is safe for concurrent use. Its fields
// are not to be changed after its first use.
type Verifier struct {
	// Resolver answers questions to the DNS. If it is nil, net.DefaultResolver
	// does. Both may look into the hosts file of the system first.
	Resolver *net.Resolver

	// Server is the address of the DNS server to ask, such as "192.0.2.1:53", in
	// place of Resolver; the port is 53 if it is left out. Errors name this server.
	Server string

	// Client fetches range documents. If it is nil, none is fetched, and
	// documents at URLs are only those in Folder. A Client decides which
	// addresses may be dialed; redirects to URLs that are not https are
	// refused whatever it says.
	Client *http.Client

	// Folder is the path of a folder that keeps fetched documents for the next
	// run, and for other processes. It is made when there is a document to keep.
	// The file of a document is named by its URL, escaped as in a query, and its
	// modification time is when it was fetched; so files may be put there by
	// other means too. If it is empty, documents are kept in memory only.
	Folder string

	// MaxAge is how old a fetched document may be before it is fetched again;
	// 0 is 24 hours. draft-illyes-webbotauth-jafar asks for an hour at least.
	//
	// A document that could not be renewed in time is still believed where it
	// lists an address, up to 30 days; where it does not, it proves nothing.
	MaxAge time.Duration

	// Timeout bounds each fetch and each question to the DNS; 0 is 10 seconds.
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

// Verify tells whether addr is an address of the robot that can be verified by
// the recipe. It looks at the range documents first, in their order, and asks
// the DNS if none of them lists the address. It stops as soon as one way says
// yes.
//
//   - [Verified]: one of the ways says yes.
//   - [Forged]: a way that could answer says no, and none says yes.
//   - [Unverifiable]: there is no way, or none could answer. Also where a way
//     says no, but the address is private, loopback, shared or link-local, so
//     that it is likely that of a proxy.
//
// Without an answer are documents that could not be read, that are too old, or
// that have entries which could not be read, and DNS servers that fail or are
// silent. So an error of the network makes nobody a forger.
//
// Answers are not remembered, other than range documents.
//
// It is an error if addr is the zero address, if the recipe has a range
// document at a URL that is not https or a DNS name of a single label, and if
// ctx ends before there is an answer.
func (v *Verifier) Verify(ctx context.Context, addr netip.Addr, recipe Recipe) (Verdict, error) {
	if !addr.IsValid() {
		return Verdict{}, errors.New("verify: no address is given")
	}
	for _, name := range recipe.Ranges {
		if err := checkSource(name); err != nil {
			return Verdict{}, fmt.Errorf("verify: %w", err)
		}
	}
	suffixes, err := checkSuffixes(recipe.DNS)
	if err != nil {
		return Verdict{}, fmt.Errorf("verify: %w", err)
	}

	verdict := Verdict{Address: plain(addr)}
	ranges := Forged // until a document says something else
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
	}
	switch {
	case names == Verified:
		verdict.Result = Verified
	case ended(ctx) != nil:
		return verdict, fmt.Errorf("verify %s: %w", verdict.Address, ended(ctx))
	case (ranges == Forged || names == Forged) && !behindProxy(verdict.Address):
		verdict.Result = Forged
	}
	return verdict, nil
}

// ended returns why ctx ended, if it did. A connection may notice that the
// deadline of its context has passed before the context does.
func ended(ctx context.Context) error {
	if deadline, ok := ctx.Deadline(); ok && ctx.Err() == nil && !time.Now().Before(deadline) {
		return context.DeadlineExceeded
	}
	return context.Cause(ctx)
}

// lookInto looks for addr in a range document.
func (v *Verifier) lookInto(ctx context.Context, name string, addr netip.Addr) RangeDocument {
	d, ranges := v.document(ctx, name)
	if ranges == nil {
		return d
	}
	prefix, ok := ranges.Find(addr)
	switch {
	case ok:
		d.Result, d.Prefix = Verified, prefix
	case !d.Stale && d.Skipped == 0:
		d.Result = Forged
	}
	return d
}

// behindProxy reports whether addr is no address of the Internet, so that a
// request with it came through something nearer than the robot.
func behindProxy(addr netip.Addr) bool {
	return addr.IsPrivate() || addr.IsLoopback() || addr.IsLinkLocalUnicast() || addr.IsUnspecified() || isShared(addr)
}

// isShared reports whether addr is between a provider and its customers (RFC
// 6598, 100.64.0.0/10), or between the machines of some clouds.
func isShared(addr netip.Addr) bool {
	if !addr.Is4() {
		return false
	}
	b := addr.As4()
	return b[0] == 100 && b[1]>>6 == 1
}
