package auditsites

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/robotsexclusion/robots/audit"
	"github.com/robotsexclusion/robots/fetch"
	"github.com/robotsexclusion/robots/internal/printable"
	"github.com/robotsexclusion/robots/internal/userfile"
)

// history returns the versions in a folder of fetch.Dir, by host.
func (s *Sites) history(ctx context.Context, v value) (map[string][]audit.Version, error) {
	origins, err := v.origins(ctx)
	if err != nil {
		return nil, err
	}
	r := &historian{ctx: ctx, dir: fetch.Dir(v.name), sites: s, texts: make(map[string][]byte)}
	of := make(map[string][][]audit.Version) // the versions of each origin, by host
	names := make(map[string][]string)       // the origins, by host
	for _, origin := range origins {
		versions, err := r.read(origin)
		if err != nil {
			return nil, err
		}
		// An origin without any known answer says nothing about the others of its host.
		known := func(v audit.Version) bool { return v.State != audit.Unknown }
		if host := hostOf(origin); slices.ContainsFunc(versions, known) {
			of[host] = append(of[host], versions)
			names[host] = append(names[host], origin)
		} else if of[host] == nil {
			of[host] = nil
		}
	}
	found := make(map[string][]audit.Version)
	for _, host := range slices.Sorted(maps.Keys(of)) {
		versions, differ := agreed(of[host])
		if differ {
			s.note(noteDiffer, v.String(), strings.Join(names[host], ", "))
		}
		found[host] = versions
	}
	return found, nil
}

// origins returns the origins of a value, which have a history.
func (v *value) origins(ctx context.Context) ([]string, error) {
	info, err := os.Stat(v.name)
	if err != nil {
		return nil, fmt.Errorf("cannot read %s: %w", printable.Text(v.name), userfile.Cause(err))
	}
	if !info.IsDir() {
		return nil, fmt.Errorf("%s is not a folder: name the folder of robots fetch --cache", printable.Text(v.name))
	}
	all, err := fetch.Dir(v.name).Origins(ctx)
	if err != nil {
		return nil, err
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("there is no history in %s: name the folder of robots fetch --cache",
			printable.Text(v.name))
	}
	wanted := slices.DeleteFunc(slices.Clone(all), func(origin string) bool {
		return v.origin != "" && origin != v.origin || v.host != "" && hostOf(origin) != v.host
	})
	if len(wanted) > 0 {
		return wanted, nil
	}
	name := v.origin
	if name == "" {
		name = v.host
	}
	const most = 3
	has := strings.Join(all[:min(len(all), most)], ", ")
	if len(all) > most {
		has += ", …"
	}
	return nil, fmt.Errorf("there is no history of %s in %s: it has those of %s", name, printable.Text(v.name), has)
}

// A historian reads the histories in a folder.
type historian struct {
	ctx   context.Context
	dir   fetch.Dir
	sites *Sites
	texts map[string][]byte // by SHA-256
	total int               // bytes of texts
}

// read returns the versions of an origin.
//
// A version counts from the time when it was first seen to the time when it was last seen. When it
// was replaced between two requests is not known: there, neither version is held against robots.
func (h *historian) read(origin string) (versions []audit.Version, err error) {
	observed, err := h.dir.History(h.ctx, origin)
	if err != nil {
		return nil, err
	}
	all := make([]audit.Version, len(observed))
	for i, o := range observed {
		if all[i], err = h.version(o); err != nil {
			return nil, err
		}
	}
	for i, o := range observed {
		versions = appendVersion(versions, all[i])
		last := i == len(observed)-1
		if !last && same(all[i], all[i+1]) {
			continue
		}
		if end := lastSeen(o).Truncate(time.Second).Add(time.Second); last || end.Before(observed[i+1].From) {
			versions = appendVersion(versions, audit.Version{From: end, State: audit.Unknown})
		}
	}
	if n := len(observed); n > 0 {
		if slices.ContainsFunc(observed, func(o fetch.Version) bool { return o.Cut }) {
			h.sites.note(noteCutFile, origin)
		}
		h.sites.note(noteHistoryEnds, origin, printable.Text(string(h.dir)), clock(lastRequest(observed)))
	}
	return versions, nil
}

// lastSeen returns the time when a version was last seen.
func lastSeen(v fetch.Version) time.Time {
	if v.Seen.IsZero() {
		return v.From
	}
	return v.Seen
}

// lastRequest returns the time of the last request that versions are the answers to.
func lastRequest(versions []fetch.Version) time.Time {
	for _, v := range slices.Backward(versions) {
		if !isInferred(v) || !v.Seen.IsZero() {
			return lastSeen(v)
		}
	}
	return lastSeen(versions[0])
}

// isInferred reports whether the absence of robots.txt was inferred, which package fetch does after
// 30 days without an answer, and was not said by a server.
func isInferred(v fetch.Version) bool {
	return v.State == fetch.Unavailable && (v.Status < 300 || v.Status == 429 || v.Status >= 500)
}

// version returns an observed version as a version of an audit.
//
// A robot that could not reach robots.txt, and has no copy, must not request anything (RFC 9309,
// section 2.3.1.4). But a log does not tell whether the robot could reach the server, so this is
// not held against robots.
func (h *historian) version(o fetch.Version) (audit.Version, error) {
	v := audit.Version{ID: o.SHA256, From: o.From, State: audit.Unknown}
	switch {
	case isInferred(o):
	case o.State == fetch.Unavailable:
		v.State = audit.Nothing
	case o.SHA256 != "":
		text, err := h.text(o)
		switch {
		case errors.Is(err, fetch.ErrCorrupt), errors.Is(err, fs.ErrNotExist):
			h.sites.note(noteDamaged, o.Origin, clock(o.From), printable.Text(err.Error()))
		case err != nil:
			return v, err
		default:
			v.State, v.Text = audit.Served, text
		}
	}
	return v, nil
}

// text returns the text of an observed version.
func (h *historian) text(o fetch.Version) ([]byte, error) {
	if text, ok := h.texts[o.SHA256]; ok {
		return text, nil
	}
	policy, err := o.Policy()
	if err != nil {
		return nil, err
	}
	text := []byte(policy.String())
	if h.total += len(text); h.total > maxTotal {
		return nil, fmt.Errorf("the texts in %s have more than %d MiB together: name one host with HOST=%[1]s",
			printable.Text(string(h.dir)), maxTotal>>20)
	}
	h.texts[o.SHA256] = text
	return text, nil
}

// agreed returns the version that all origins of a host had at a time, and Unknown while they
// differ: logs do not have the scheme and port of a request.
func agreed(each [][]audit.Version) (versions []audit.Version, differ bool) {
	switch len(each) {
	case 0:
		return []audit.Version{{State: audit.Unknown}}, false
	case 1:
		return each[0], false
	}
	var times []time.Time
	for _, versions := range each {
		for _, v := range versions {
			times = append(times, v.From)
		}
	}
	slices.SortFunc(times, time.Time.Compare)
	for _, t := range slices.CompactFunc(times, time.Time.Equal) {
		v := at(each[0], t)
		for _, others := range each[1:] {
			if w := at(others, t); !same(v, w) {
				differ = differ || v.State != audit.Unknown && w.State != audit.Unknown
				v = audit.Version{State: audit.Unknown}
			}
		}
		v.From = t
		versions = appendVersion(versions, v)
	}
	return versions, differ
}

// at returns the version in force at a time.
func at(versions []audit.Version, t time.Time) audit.Version {
	after, _ := slices.BinarySearchFunc(versions, t, func(v audit.Version, t time.Time) int {
		if v.From.After(t) {
			return 1
		}
		return -1
	})
	if after == 0 {
		return audit.Version{State: audit.Unknown}
	}
	return versions[after-1]
}
