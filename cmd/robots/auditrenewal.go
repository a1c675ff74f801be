package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"reflect"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/audit"
	"github.com/robotsexclusion/robots/cmd/internal/audit/auditlive"
	"github.com/robotsexclusion/robots/cmd/internal/audit/auditsites"
	"github.com/robotsexclusion/robots/cmd/internal/audit/identify"
	"github.com/robotsexclusion/robots/internal/printable"
)

// An auditRenewal reads the versions of robots.txt, and the ranges of robots, again while logs are
// followed.
type auditRenewal struct {
	auditor *auditor
	sources *auditsites.Sources
	pause   time.Duration // between two reads of a new text
	notice  func(error)

	before map[string][]audit.Version
	seen   time.Time // when before was read

	identifier *atomic.Pointer[identify.Identifier]
	identities *auditlive.Identities // nil if DNS is not asked
	identified time.Time             // when the identifier was new
	silent     int                   // addresses that saySilent told of
	ranges     string                // the state of the folder then
}

const (
	// identifyAgain is how long an identifier is used, unless ranges change before. Then DNS is
	// asked again.
	identifyAgain = time.Hour

	// writing is how long a text must not change before it counts.
	writing = 2 * time.Second
)

func newAuditRenewal(a *auditor, sources *auditsites.Sources, sites map[string][]audit.Version, every time.Duration,
	notice func(error)) *auditRenewal {
	now := time.Now()
	return &auditRenewal{
		auditor: a, sources: sources, pause: min(every, writing), notice: notice,
		before: sites, seen: now, identified: now, ranges: stateOf(a.ranges),
	}
}

// renew returns the versions if they or the ranges have changed, or nil.
func (r *auditRenewal) renew(ctx context.Context) (map[string][]audit.Version, error) {
	after, renewed, err := r.versions(ctx)
	if err != nil {
		return nil, err
	}
	r.before = after
	identified, err := r.identify(ctx)
	switch {
	case renewed: // what is wrong with the ranges is said the next time
		return after, nil
	case err != nil || !identified:
		return nil, err
	}
	return after, nil
}

// versions reads the versions again. A text that is just being written does not count: half a rule
// may disallow more than the whole one.
func (r *auditRenewal) versions(ctx context.Context) (after map[string][]audit.Version, changed bool, err error) {
	began := time.Now()
	sites, err := r.sources.Read(ctx, nil)
	if err != nil {
		return nil, false, err
	}
	after, changed = auditsites.Renew(r.before, sites.Versions, r.seen)
	if changed {
		select {
		case <-time.After(r.pause):
		case <-ctx.Done():
			return nil, false, ctx.Err()
		}
		again, err := r.sources.Read(ctx, nil)
		if err != nil {
			return nil, false, err
		}
		if !reflect.DeepEqual(sites.Versions, again.Versions) {
			return r.before, false, nil // it counts from seen on when it no longer changes
		}
		r.say(after)
	}
	r.seen = began
	return after, changed, nil
}

// say names the new versions, and the versions that let robots fetch everything.
func (r *auditRenewal) say(after map[string][]audit.Version) {
	for _, host := range slices.Sorted(maps.Keys(after)) {
		v, old := lastKnown(after[host]), lastKnown(r.before[host])
		if v == nil || old != nil && old.ID == v.ID {
			continue
		}
		text := fmt.Sprintf("a new version of robots.txt counts from %s on: %s", v.From.UTC().Format(time.RFC3339),
			printable.Text(v.ID))
		if policy := robots.Parse(v.Text); v.State == audit.Served && len(policy.Groups()) == 0 {
			text += ", which disallows nothing, because it has no group"
		}
		r.notice(errors.New(text))
	}
}

// lastKnown returns the last version whose state is known, or nil.
func lastKnown(versions []audit.Version) *audit.Version {
	for i := range slices.Backward(versions) {
		if versions[i].State != audit.Unknown {
			return &versions[i]
		}
	}
	return nil
}

// identify reports whether there is a new identifier: because a file of the ranges changed, or
// after an hour.
func (r *auditRenewal) identify(ctx context.Context) (renewed bool, err error) {
	if r.auditor.identifier == nil {
		return false, nil
	}
	now, ranges := time.Now(), stateOf(r.auditor.ranges)
	if now.Sub(r.identified) < identifyAgain && ranges == r.ranges {
		r.saySilent(2 * r.silent) // rarely, if DNS is down
		return false, nil
	}
	next, err := r.auditor.newIdentifier(ctx)
	if err != nil {
		return false, err
	}
	r.saySilent(r.silent)
	r.identifier.Store(next)
	r.silent = 0
	if r.identities != nil {
		r.identities.Forget()
	}
	r.identified, r.ranges = now, ranges
	return true, nil
}

// saySilent reports the addresses for which DNS gave the identifier no answer, if they are more
// than a number. The requests of these addresses were not checked by DNS.
func (r *auditRenewal) saySilent(above int) {
	if r.identities == nil {
		return
	}
	total, robots := r.identifier.Load().Notes().Silent()
	if total <= above {
		return
	}
	r.silent = total
	r.notice(fmt.Errorf("DNS servers gave no answer about some addresses, so the DNS did not check their requests: addresses without an answer: %d, in the name of %s; name another server with --dns", total, robots))
}

// stateOf returns a text that changes when a file in a folder does.
func stateOf(folder string) string {
	if folder == "" {
		return ""
	}
	entries, err := os.ReadDir(folder)
	if err != nil {
		return err.Error()
	}
	var b strings.Builder
	for _, entry := range entries {
		if info, err := entry.Info(); err == nil {
			fmt.Fprintf(&b, "%q %d %d\n", entry.Name(), info.Size(), info.ModTime().UnixNano())
		}
	}
	return b.String()
}
