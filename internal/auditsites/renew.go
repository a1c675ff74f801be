package auditsites

import (
	"maps"
	"slices"
	"time"

	"github.com/robotsexclusion/robots/audit"
)

// maxRenewed is the number of versions of a host from which on Renew drops the oldest for each new one.
const maxRenewed = 1000

// Renew returns the versions of hosts after they were read again, and whether there are new ones. Seen is
// when the versions before were read. A version that was not there then begins no earlier: the caller
// has judged what came before. It begins no later either, unless it says so, because a robot may have
// read it since. Versions of hosts that are gone stay.
func Renew(before, now map[string][]audit.Version, seen time.Time) (after map[string][]audit.Version, changed bool) {
	after = maps.Clone(before)
	for host, versions := range now {
		list, more := renew(before[host], versions, seen.Truncate(time.Second))
		if more {
			after[host], changed = list, true
		}
	}
	return after, changed
}

func renew(before, now []audit.Version, seen time.Time) (after []audit.Version, changed bool) {
	if len(before) == 0 || len(now) == 0 {
		return now, len(now) > 0
	}
	last := before[len(before)-1]
	added := now[len(now)-1:]
	for i, v := range slices.Backward(now) {
		if same(v, last) {
			added = now[i+1:]
			break
		}
	}
	after = slices.Clone(before)
	for _, v := range added {
		earliest := after[len(after)-1].From.Add(time.Second)
		if seen.After(earliest) {
			earliest = seen
		}
		if v.From.IsZero() {
			v.ID += " of " + earliest.UTC().Format(time.RFC3339) // as files have no other name
		}
		if v.From.Before(earliest) {
			v.From = earliest
		}
		after = append(after, v)
	}
	return after[max(0, len(after)-max(maxRenewed, len(before))):], len(added) > 0
}
