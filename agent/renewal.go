package agent

import (
	"context"
	"fmt"
	"net/netip"
	"time"
)

// A Renewal is what [Verifier.Renew] did with a range document.
type Renewal struct {
	// Document is the document afterwards, without a result. Its Error is that of Err.
	Document RangeDocument

	// Err says why the document could not be fetched or kept, or why the file in the folder cannot
	// be read.
	Err error

	Fetched        bool // whether the server sent a document, or said that it has not changed
	New            bool // whether it was fetched, and there was none before
	Added, Removed int  // prefixes, unless New
}

// Renew fetches the range document at a URL, however old the one in the folder is, with a
// conditional request, and keeps it. If that fails, the earlier document stays. Without a Client,
// Renew only reads the folder.
//
// It is an error if source is not an https URL, or if ctx ends.
func (v *Verifier) Renew(ctx context.Context, source string) (Renewal, error) {
	if !isURL(source) {
		return Renewal{}, fmt.Errorf("renew: the range document %q is not at a URL", source)
	}
	if err := v.check(source); err != nil {
		return Renewal{}, fmt.Errorf("renew: %w", err)
	}
	s, release, err := v.source(ctx, source)
	if err != nil {
		return Renewal{}, fmt.Errorf("renew: %w", err)
	}
	defer release()
	s.err = nil
	if v.Folder != "" {
		s.err = v.readKept(s)
	}
	var r Renewal
	before := s.ranges
	if v.Client != nil {
		err := v.fetch(ctx, s)
		if ended := ended(ctx); err != nil && ended != nil {
			return Renewal{}, fmt.Errorf("renew %s: %w", source, ended)
		}
		if r.Fetched = err == nil; !r.Fetched {
			s.err, s.retry = err, time.Now().Add(retryAfter)
		}
		r.New = r.Fetched && before == nil
	}
	s.fresh.Store(nil)
	if before != nil && s.ranges != before {
		r.Added, r.Removed = changes(before.prefixes, s.ranges.prefixes)
	}
	r.Err = s.err
	r.Document = s.facts(s.ranges != nil && time.Since(s.read) >= v.maxAge())
	return r, nil
}

// changes counts the prefixes that only the second list has, and those that only the first has.
func changes(before, after []netip.Prefix) (added, removed int) {
	return countMissing(after, before), countMissing(before, after)
}

// countMissing counts the prefixes of a list that another list does not have.
func countMissing(list, other []netip.Prefix) (n int) {
	seen := make(map[netip.Prefix]bool, len(other))
	for _, p := range other {
		seen[p] = true
	}
	for _, p := range list {
		if !seen[p] {
			seen[p] = true
			n++
		}
	}
	return n
}
