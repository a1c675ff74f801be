package agent

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"slices"
	"strings"

	"github.com/robotsexclusion/robots/internal/address"
)

const (
	// maxNames is the maximum number of names of one address that are looked up. Operators give
	// one; the owner of an address can give it thousands.
	maxNames = 10
	// maxShown is the maximum number of names or addresses kept as evidence.
	maxShown = 20
)

// checkSuffixes returns the suffixes of a robot's host names, normalized by [trimName].
func checkSuffixes(names []string) ([]string, error) {
	suffixes := make([]string, len(names))
	for i, name := range names {
		suffixes[i] = strings.TrimPrefix(trimName(name), ".")
		if !strings.Contains(suffixes[i], ".") {
			return nil,
				fmt.Errorf("everyone can have a name below %q: give the domain of the robot's operator, such as googlebot.com", name)
		}
	}
	return suffixes, nil
}

// trimName returns a DNS name as names are compared: in lower case, and without the final dot of
// the root.
func trimName(name string) string { return strings.ToLower(strings.TrimSuffix(name, ".")) }

// below returns the suffix that name is or ends with after a dot, or "".
func below(name string, suffixes []string) string {
	for _, suffix := range suffixes {
		if head, ok := strings.CutSuffix(name, suffix); ok && (head == "" || strings.HasSuffix(head, ".")) {
			return suffix
		}
	}
	return ""
}

// reverse looks up the names of addr, and the addresses of the names below one of the suffixes. The
// answer is yes if one of the names has addr, and no if all were looked up and none has it. A name
// that the DNS does not know counts as no; all other errors leave the answer open.
func (v *Verifier) reverse(ctx context.Context, addr netip.Addr, suffixes []string) *Reverse {
	r := &Reverse{Below: suffixes}
	names, err := v.namesOf(ctx, addr)
	if err != nil {
		r.Error = err.Error()
		return r
	}
	r.Result = Forged
	asked := 0
	for _, name := range names {
		n := HostName{Name: name, Result: Forged, Below: below(name, suffixes)}
		if n.Below != "" {
			if asked++; asked > maxNames {
				r.Result = Unverifiable // one of the rest may have addr
				r.More++
				continue
			}
			v.confirm(ctx, addr, &n)
		}
		if len(r.Names) < maxShown || n.Result == Verified {
			r.Names = append(r.Names, n)
		} else {
			r.More++
		}
		switch n.Result {
		case Verified:
			r.Result = Verified
			return r
		case Unverifiable:
			r.Result = Unverifiable
		}
	}
	return r
}

// namesOf returns the different names of addr. An address without names is not an error.
func (v *Verifier) namesOf(ctx context.Context, addr netip.Addr) ([]string, error) {
	ctx, cancel := context.WithTimeout(ctx, v.timeout())
	defer cancel()
	found, err := v.resolver().LookupAddr(ctx, addr.String())
	if err != nil && found == nil && !isNotFound(err) {
		return nil, v.asked(err)
	}
	// If some of the names are not host names, there is an error as well as the other names. A name
	// that is not a host name cannot have an address: the error can be ignored.
	var names []string
	seen := make(map[string]bool)
	for _, name := range found {
		if name = trimName(name); name != "" && !seen[name] {
			seen[name] = true
			names = append(names, name)
		}
	}
	return names, nil
}

// confirm looks up the addresses of a name, and records whether addr is among them.
func (v *Verifier) confirm(ctx context.Context, addr netip.Addr, n *HostName) {
	ctx, cancel := context.WithTimeout(ctx, v.timeout())
	defer cancel()
	network := "ip6"
	if addr.Is4() {
		network = "ip4"
	}
	// The final dot keeps the resolver from trying the search domains of the system.
	found, err := v.resolver().LookupNetIP(ctx, network, n.Name+".")
	if err != nil && !isNotFound(err) {
		n.Result, n.Error = Unverifiable, v.asked(err).Error()
		return
	}
	for _, a := range found {
		a = address.Plain(a)
		if a == addr {
			n.Result = Verified
		}
		if len(n.Addresses) < maxShown && !slices.Contains(n.Addresses, a) {
			n.Addresses = append(n.Addresses, a)
		}
	}
}

// server returns the address of the DNS server to ask, with its port, or "".
func (v *Verifier) server() string {
	if v.Server == "" {
		return ""
	}
	if _, _, err := net.SplitHostPort(v.Server); err == nil {
		return v.Server
	}
	return net.JoinHostPort(strings.Trim(v.Server, "[]"), "53")
}

// resolver returns the resolver for DNS questions.
func (v *Verifier) resolver() *net.Resolver {
	server := v.server()
	if server == "" {
		return v.Resolver
	}
	return &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, network, _ string) (net.Conn, error) {
		var d net.Dialer
		return d.DialContext(ctx, network, server)
	}}
}

// asked returns an error of the resolver with the server that was asked: the resolver itself names
// the server of the system, because it does not know where Dial leads.
func (v *Verifier) asked(err error) error {
	var e *net.DNSError
	if server := v.server(); server != "" && errors.As(err, &e) {
		told := *e
		told.Server = server
		return &told
	}
	return err
}

// isNotFound reports whether the DNS answered that the name does not exist.
func isNotFound(err error) bool {
	var e *net.DNSError
	return errors.As(err, &e) && e.IsNotFound && !e.IsTemporary && !e.IsTimeout
}
