// Package inforce finds the robots.txt that was in force for an origin at a time, or on all of a
// day, from the history in a folder of [fetch.Dir].
package inforce

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/fetch"
	"github.com/robotsexclusion/robots/internal/printable"
	"github.com/robotsexclusion/robots/internal/userfile"
)

// A Version is the robots.txt that was in force for an origin at a moment.
type Version struct {
	fetch.Version
	At     string         // the moment, as given
	Policy *robots.Policy // that was in force

	// Unseen is the time of the last request to the origin before the moment, if robots may no
	// longer rely on a copy of that age, and no later request confirmed that the file was
	// unchanged. Otherwise it is zero.
	Unseen time.Time
}

// MarshalJSON returns the members of the version, with "at", and with "unseen_since" if Unseen
// is not zero.
func (v *Version) MarshalJSON() ([]byte, error) {
	return printable.AppendJSON(nil, struct {
		At string `json:"at"`
		fetch.Version
		UnseenSince time.Time `json:"unseen_since,omitzero"`
	}{v.At, v.Version, v.Unseen}), nil
}

// At returns the version in force for an origin at a moment. It is an error if the
// version is not known, or if it changed within the moment.
func At(ctx context.Context, folder, origin string, m Moment) (*Version, error) {
	all, err := During(ctx, folder, origin, m)
	if err != nil {
		return nil, err
	}
	versions := all.Versions
	for _, v := range versions[1:] {
		if !sameRules(v, versions[0]) {
			return nil, severalVersions(origin, m, versions)
		}
	}
	v := versions[len(versions)-1]
	policy, err := v.Policy()
	if err != nil {
		return nil, fmt.Errorf("cannot read what was in force for %s at %s: %w", origin, m.Text, userfile.Cause(err))
	}
	return &Version{v, m.Text, policy, all.UnseenSince}, nil
}

// A History is the history of the robots.txt of an origin.
type History struct {
	Folder   string          `json:"-"`
	Origin   string          `json:"origin"`
	Versions []fetch.Version `json:"versions"` // the oldest first; none if the folder has no history of the origin
}

// ReadHistory reads the history of an origin in a folder.
func ReadHistory(ctx context.Context, folder, origin string) (*History, error) {
	versions, err := fetch.Dir(folder).History(ctx, origin)
	if err != nil {
		return nil, fmt.Errorf("cannot read the history of %s in %s: %w", origin, folder, userfile.Cause(err))
	}
	return &History{folder, origin, append([]fetch.Version{}, versions...)}, nil
}

// Versions are the versions that were in force for an origin during a moment: several, if the
// moment is a day on which robots.txt changed.
type Versions struct {
	Origin      string          `json:"origin"`
	At          string          `json:"at"` // the moment, as given
	Versions    []fetch.Version `json:"versions"`
	UnseenSince time.Time       `json:"unseen_since,omitzero"` // see Version.Unseen
	Error       string          `json:"error,omitempty"`       // why the versions are not known
}

// During returns the versions in force during a moment, at least one if there is no error. It is
// an error if they are not known: then the Error of the result is its text.
func During(ctx context.Context, folder, origin string, m Moment) (*Versions, error) {
	v := &Versions{Origin: origin, At: m.Text, Versions: []fetch.Version{}}
	err := v.read(ctx, folder, m)
	if err != nil {
		v.Error = err.Error()
	}
	return v, err
}

// read reads the versions from the history in a folder.
func (v *Versions) read(ctx context.Context, folder string, m Moment) error {
	now := time.Now()
	if m.First.After(now) {
		return fmt.Errorf("what is in force for %s at %s is not known: that is in the future, now is %s", v.Origin,
			m.Text, Clock(now))
	}
	history, err := ReadHistory(ctx, folder, v.Origin)
	if err != nil {
		return err
	}
	all := history.Versions
	m = m.capped(now)
	switch {
	case len(all) == 0:
		return fmt.Errorf("what was in force for %s at %s is not known: nothing is kept of it in %s", v.Origin, m.Text,
			folder)
	case all[0].From.After(m.Last):
		return fmt.Errorf("what was in force for %s at %s is not known: its history begins at %s", v.Origin, m.Text,
			Clock(all[0].From))
	case all[0].From.After(m.First):
		return fmt.Errorf("what was in force for %s on all of %s is not known: its history begins at %s: name a time from then on", v.Origin, m.Text, Clock(all[0].From))
	}
	for i, one := range all {
		if one.From.After(m.Last) || !one.Until.IsZero() && !one.Until.After(m.First) {
			continue
		}
		v.Versions = append(v.Versions, one)
		v.UnseenSince = lastSeen(all[:i+1])
	}
	if m.Last.Sub(v.UnseenSince) <= maxUnseen {
		v.UnseenSince = time.Time{}
	}
	return nil
}

// maxUnseen is the maximum age of a copy that robots may rely on (RFC 9309, section 2.4).
const maxUnseen = 24 * time.Hour

// lastSeen returns the time of the last request that confirmed the last of versions.
func lastSeen(versions []fetch.Version) time.Time {
	v := versions[len(versions)-1]
	if !v.Seen.IsZero() {
		return v.Seen
	}
	if n := len(versions) - 1; n > 0 {
		// An origin that was unreachable for 30 days is unavailable from then on, even without
		// a request at that time.
		if w := versions[n-1]; w.State == fetch.Unreachable && v.State == fetch.Unavailable && v.Status == w.Status &&
			v.Cause == w.Cause {
			return lastSeen(versions[:n])
		}
	}
	return v.From
}

// sameRules reports whether robots had to obey the same rules under two versions.
func sameRules(v, w fetch.Version) bool {
	return v.SHA256 == w.SHA256 && (v.SHA256 != "" || v.State == w.State)
}

// severalVersions returns the error for a day on which the version changed, with the times of
// the changes.
func severalVersions(origin string, m Moment, versions []fetch.Version) error {
	const most = 3
	var times []string
	for i, v := range versions[1:] {
		if sameRules(v, versions[i]) {
			continue
		}
		if len(times) == most {
			times = append(times, "…")
			break
		}
		times = append(times, Clock(v.From))
	}
	return fmt.Errorf("what was in force for %s changed on %s, at %s: name a time", origin, m.Text,
		strings.Join(times, ", "))
}
