package auditsites

import (
	"maps"
	"slices"
	"time"

	"github.com/robotsexclusion/robots/audit"
)

// maxRenewed is the number of versions of a host from which on Renew drops the oldest for each new
// one.
const maxRenewed = 1000

// Renew returns the versions of hosts after they were read again, and whether there are new ones.
// Seen is when the versions before were read. A version that was not there then begins no earlier:
// the caller has judged what came before. It begins no later either, unless it says so, because a
// robot may have read it since. The time after the last request of a history is known when a later
// request is in the history. Versions of hosts that are gone stay.
func Renew(before, now map[string][]audit.Version, seen time.Time) (after map[string][]audit.Version, changed bool) {
	after = maps.Clone(before)
	for host, versions := range now {
		list := renew(before[host], versions, seen.Truncate(time.Second))
		if !slices.EqualFunc(list, before[host], func(v, w audit.Version) bool {
			return same(v, w) &&
				v.From.Equal(w.From)
		}) {
			after[host], changed = list, true
		}
	}
	return after, changed
}

func renew(before, now []audit.Version, seen time.Time) (after []audit.Version) {
	known := before
	if n := len(before); n > 0 && before[n-1].State == audit.Unknown {
		known = before[:n-1] // now says since when nothing is known
	}
	if len(known) == 0 || len(now) == 0 {
		return now
	}
	at := found(now, known[len(known)-1])
	added := now[at+1:]
	if at < 0 { // a file, or a history whose beginning was removed
		known, added = before, now[len(now)-1:]
		last := before[len(before)-1].From
		if i := slices.IndexFunc(now, func(v audit.Version) bool { return v.From.After(last) }); i >= 0 {
			added = now[i:]
		}
	}
	after = slices.Clone(known)
	for i, v := range added {
		earliest := after[len(after)-1].From.Add(time.Second)
		if v.State != audit.Unknown && seen.After(earliest) {
			earliest = seen
		}
		if v.From.IsZero() {
			v.ID += " of " + earliest.UTC().Format(time.RFC3339) // as files have no other name
		}
		if v.From.Before(earliest) {
			v.From = earliest
		}
		if i+1 < len(added) && !added[i+1].From.After(v.From) {
			continue // it was replaced before it was seen
		}
		after = append(after, v)
	}
	return after[max(0, len(after)-max(maxRenewed, len(before))):]
}

// found returns the index of a version, or else of the last one that asks the same, or -1.
func found(versions []audit.Version, v audit.Version) int {
	alike := -1
	for i, w := range versions {
		switch {
		case !same(v, w):
		case v.From.Equal(w.From):
			return i
		default:
			alike = i
		}
	}
	return alike
}
