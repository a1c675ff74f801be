package main

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/fetch"
	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/internal/printable"
	"github.com/robotsexclusion/robots/internal/say"
	"github.com/spf13/cobra"
)

// A moment is the value of --at: a time, or a date, which stands for the whole day in UTC. The
// zero moment means that --at is not given.
type moment struct {
	text        string    // as given
	first, last time.Time // equal for a time
}

const usageOfAt = "answer as at `time`, such as 2026-03-03T14:00:00Z, or as on all of a day in UTC, such as 2026-03-03, from the history in the folder of --cache"

// rfc3339 matches a time of RFC 3339. time.Parse is too lenient: it accepts "T1:00:00Z".
var rfc3339 = regexp.MustCompile(`^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$`)

// parseMoment reads a time of RFC 3339, or a date.
func parseMoment(text string) (moment, error) {
	if day, err := time.Parse(time.DateOnly, text); err == nil {
		return moment{text, day, day.AddDate(0, 0, 1).Add(-1)}, nil
	}
	t, err := time.Parse(time.RFC3339, strings.ToUpper(text))
	if err != nil || !rfc3339.MatchString(text) {
		return moment{}, errors.New("name a time such as 2026-03-03T14:00:00Z or 2026-03-03T14:00:00+01:00, or a date such as 2026-03-03, which is a day in UTC")
	}
	return moment{text, t, t}, nil
}

func (m moment) given() bool { return m.text != "" }

// capped returns m without its part in the future.
func (m moment) capped(now time.Time) moment {
	if m.last.After(now) {
		m.last = now
	}
	return m
}

// A momentFlag is the flag --at of verbs with one moment.
type momentFlag struct{ *moment }

func (f momentFlag) Set(text string) (err error) {
	*f.moment, err = parseMoment(text)
	return err
}
func (f momentFlag) String() string {
	if f.moment == nil {
		return ""
	}
	return f.text
}
func (f momentFlag) Type() string { return "time" }

// momentsFlag is the flag --at of verbs with several moments.
type momentsFlag struct{ all *[]moment }

func (f momentsFlag) Set(text string) error {
	m, err := parseMoment(text)
	*f.all = append(*f.all, m)
	return err
}
func (f momentsFlag) String() string { return "" }
func (f momentsFlag) Type() string   { return "time" }

// A past has the versions in force for an origin at a moment, from the history in a folder.
type past struct {
	fetch.Version
	at     moment
	policy *robots.Policy

	// unseen is the time of the last request to the origin before the moment, if robots may no
	// longer rely on a copy of that age, and no later request confirmed that the file was
	// unchanged. Otherwise it is zero.
	unseen time.Time
}

// mostUnseen is the maximum age of a copy that robots may rely on (RFC 9309, section 2.4).
const mostUnseen = 24 * time.Hour

// readPast returns the version in force for an origin at a moment. It is an error if the
// version is not known, or if it changed within the moment.
func readPast(ctx context.Context, folder, origin string, m moment) (*past, error) {
	versions, unseen, err := readVersions(ctx, folder, origin, m)
	if err != nil {
		return nil, err
	}
	for _, v := range versions[1:] {
		if !sameRules(v, versions[0]) {
			return nil, severalVersions(origin, m, versions)
		}
	}
	v := versions[len(versions)-1]
	policy, err := v.Policy()
	if err != nil {
		return nil, fmt.Errorf("cannot read what was in force for %s at %s: %w", origin, m.text, cause(err))
	}
	return &past{v, m, policy, unseen}, nil
}

// readVersions returns the versions in force at a moment, at least one, and the time for
// past.unseen.
func readVersions(ctx context.Context, folder, origin string, m moment) (versions []fetch.Version, unseen time.Time, err error) {
	now := time.Now()
	if m.first.After(now) {
		return nil, unseen, fmt.Errorf("what is in force for %s at %s is not known: that is in the future, now is %s", origin, m.text, say.Moment(now))
	}
	all, err := fetch.Dir(folder).History(ctx, origin)
	if err != nil {
		return nil, unseen, fmt.Errorf("cannot read the history of %s in %s: %w", origin, folder, cause(err))
	}
	m = m.capped(now)
	switch {
	case len(all) == 0:
		return nil, unseen, fmt.Errorf("what was in force for %s at %s is not known: nothing is kept of it in %s", origin, m.text, folder)
	case all[0].From.After(m.last):
		return nil, unseen, fmt.Errorf("what was in force for %s at %s is not known: its history begins at %s", origin, m.text, say.Moment(all[0].From))
	case all[0].From.After(m.first):
		return nil, unseen, fmt.Errorf("what was in force for %s on all of %s is not known: its history begins at %s: name a time from then on", origin, m.text, say.Moment(all[0].From))
	}
	for i, v := range all {
		if v.From.After(m.last) || !v.Until.IsZero() && !v.Until.After(m.first) {
			continue
		}
		versions = append(versions, v)
		unseen = lastSeen(all[:i+1])
	}
	if m.last.Sub(unseen) <= mostUnseen {
		unseen = time.Time{}
	}
	return versions, unseen, nil
}

// lastSeen returns the time of the last request that confirmed the last of versions.
func lastSeen(versions []fetch.Version) time.Time {
	v := versions[len(versions)-1]
	if !v.Seen.IsZero() {
		return v.Seen
	}
	if n := len(versions) - 1; n > 0 {
		// An origin that was unreachable for 30 days is unavailable from then on, even without
		// a request at that time.
		if w := versions[n-1]; w.State == fetch.Unreachable && v.State == fetch.Unavailable && v.Status == w.Status && v.Cause == w.Cause {
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
func severalVersions(origin string, m moment, versions []fetch.Version) error {
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
		times = append(times, say.Moment(v.From))
	}
	return fmt.Errorf("what was in force for %s changed on %s, at %s: name a time", origin, m.text, strings.Join(times, ", "))
}

// checkAt refuses --at without a folder, and a folder without --at, for verbs that do not ask
// servers. Their argument that is not a file is an origin.
func checkAt(folder string, given bool) error {
	switch {
	case given && folder == "":
		return misusef("--at asks for the history that a folder has: name it with --cache")
	case !given && folder != "":
		return misusef("--cache goes with --at only: name a time, or a date")
	}
	return nil
}

// policyAt returns the policy that was in force for the origin in an argument, and tells the
// user which version that was.
func policyAt(cmd *cobra.Command, folder, arg string, m moment, l language.Language) (*robots.Policy, error) {
	site, err := asOrigin(arg)
	if err != nil {
		return nil, misuse{err}
	}
	p, err := readPast(cmd.Context(), folder, site, m)
	if err != nil {
		return nil, err
	}
	fmt.Fprintln(cmd.ErrOrStderr(), p.say(l))
	return p.policy, nil
}

// MarshalJSON returns the members of the version, with "at", and with "unseen_since" if unseen
// is not zero.
func (p *past) MarshalJSON() ([]byte, error) {
	return printable.AppendJSON(nil, struct {
		At string `json:"at"`
		fetch.Version
		UnseenSince time.Time `json:"unseen_since,omitzero"`
	}{p.at.text, p.Version, p.unseen}), nil
}

// say returns the version in force as a sentence.
func (p *past) say(l language.Language) string {
	return say.InForce(l, p.Version, p.at.text, p.unseen)
}
