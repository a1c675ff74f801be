package agent

import (
	"context"
	"fmt"
	"net/netip"

	"github.com/robotsexclusion/robots/internal/address"
)

// Snapshot reads or renews the range documents of a recipe, and returns them with a function that
// gives the result of [Verifier.Verify] for an address by these documents as they are now, without
// the DNS. The function takes little more than the time of looking up the address in each document,
// allocates nothing, and is safe for concurrent use: it suits the requests of a log. The documents
// have no results. Snapshot returns an error like Verify.
func (v *Verifier) Snapshot(ctx context.Context, recipe Recipe) (documents []RangeDocument,
	result func(netip.Addr) Result, err error) {
	s := &snapshot{}
	if len(recipe.Ranges) > 0 && !recipe.Elsewhere {
		s.other = Forged // until a document changes it
	}
	for _, name := range recipe.Ranges {
		if err := v.check(name); err != nil {
			return nil, nil, fmt.Errorf("verify: %w", err)
		}
		d, ranges := v.document(ctx, name)
		documents = append(documents, d)
		if ranges != nil {
			s.ranges = append(s.ranges, ranges)
		}
		if !d.provesOthers() {
			s.other = Unverifiable
		}
	}
	if err := ended(ctx); err != nil {
		return nil, nil, fmt.Errorf("verify: %w", err)
	}
	return documents, s.result, nil
}

// A snapshot is the range documents of a recipe at one time. It is immutable.
type snapshot struct {
	ranges []*addressRanges
	other  Result // for addresses of the Internet that no document lists
}

func (s *snapshot) result(addr netip.Addr) Result {
	if !addr.IsValid() {
		return Unverifiable
	}
	addr = address.Plain(addr)
	for _, ranges := range s.ranges {
		if ranges.contains(addr) {
			return Verified
		}
	}
	if s.other == Forged && address.Inside(addr) {
		return Unverifiable
	}
	return s.other
}

// provesOthers reports whether addresses that the document does not list are not the robot's.
func (d *RangeDocument) provesOthers() bool {
	return d.Prefixes > 0 && !d.Stale && d.Skipped == 0
}
