// Package auditsites reads the versions of robots.txt for an audit of access logs, from the values
// of options: a file, the history of a git repository, or the history of [fetch.Dir].
package auditsites

import (
	"context"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"github.com/robotsexclusion/robots/audit"
	"github.com/robotsexclusion/robots/internal/gitfile"
	"github.com/robotsexclusion/robots/internal/printable"
	"github.com/robotsexclusion/robots/internal/userfile"
)

// Values are the values of options, as given. HOST is a host without a port; versions count for all
// ports and schemes of their host. A name that contains "=" needs a slash before it, as in ./a=b.
type Values struct {
	Robots  []string // [HOST=]FILE: one text for all times; "-" is standard input
	Git     []string // [HOST=]REPO:PATH: the commits of HEAD on the first-parent line
	History []string // [HOST=]DIR, or ORIGIN=DIR: the history of all origins of a host, or of one

	// Site is the host, or the origin, of values that do not name one. If it is empty, a DIR gives
	// the versions of all its hosts, and a text those of requests whose lines name no host.
	Site string

	DeployedAfter time.Duration // from the time of a commit until it was served
}

// Sites are versions of robots.txt.
type Sites struct {
	Versions map[string][]audit.Version // by host, as [audit.Options] has them

	// Host is the host of requests whose lines name none, for Host of [audit.Options]: that of
	// Values.Site, or the only host of Versions. It is "" if the values do not tell.
	Host string

	Notes []Note // what a reader of the audit must know
}

const (
	maxText  = 64 << 20  // bytes of a file; package fetch and package gitfile keep no longer texts
	maxTotal = 256 << 20 // bytes of the texts of a history
)

// Sources are parsed values. They are immutable.
type Sources struct {
	values        []value
	host          string // of Values.Site
	deployedAfter time.Duration
}

// ReadsStdin reports whether Read reads standard input.
func (s *Sources) ReadsStdin() bool {
	return slices.ContainsFunc(s.values, func(v value) bool { return v.kind == file && v.name == userfile.Stdin })
}

// Files returns the names of the files with a robots.txt, also in the working trees of
// repositories.
func (s *Sources) Files() (names []string) {
	for _, v := range s.values {
		switch {
		case v.kind == file && v.name != userfile.Stdin:
			names = append(names, v.name)
		case v.kind == repository:
			names = append(names, filepath.Join(v.name, filepath.FromSlash(v.path)))
		}
	}
	return names
}

// Read reads the versions. Two sources for one host are an error.
func (s *Sources) Read(ctx context.Context, stdin io.Reader) (*Sites, error) {
	sites := &Sites{Versions: make(map[string][]audit.Version), Host: s.host}
	from := make(map[string]value) // by host
	for _, v := range s.values {
		found, err := s.read(ctx, v, stdin, sites)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", v, err)
		}
		for _, host := range slices.Sorted(maps.Keys(found)) {
			if other, ok := from[host]; ok {
				return nil, twice(host, other, v)
			}
			from[host], sites.Versions[host] = v, found[host]
		}
	}
	if hosts := slices.Collect(maps.Keys(sites.Versions)); s.host == "" && len(hosts) == 1 && hosts[0] != "" {
		sites.Host = hosts[0]
		sites.note(noteOnlyHost, sites.Host)
	}
	return sites, nil
}

// OfText returns the sites of one text for all times, as --robots FILE and --site give them: the
// site is a host, an origin, or "". The ID is shown to people.
func OfText(id string, text []byte, site string) (*Sites, error) {
	host := ""
	if site != "" {
		var err error
		if host, _, err = parseSite(site); err != nil {
			return nil, err
		}
	}
	return &Sites{Versions: map[string][]audit.Version{host: always(id, text)}, Host: host}, nil
}

// always returns the versions of a text for all times.
func always(id string, text []byte) []audit.Version {
	return []audit.Version{{ID: id, State: audit.Served, Text: text}}
}

// twice returns the error for two sources of one host.
func twice(host string, first, second value) error {
	if host == "" {
		return fmt.Errorf("%s and %s both name no host: write HOST= before the value, as in example.com=%s", first,
			second, printable.Text(second.text))
	}
	return fmt.Errorf("%s and %s both give versions for host %s: leave one out", first, second, host)
}

// read reads the versions of one value, by host.
func (s *Sources) read(ctx context.Context, v value, stdin io.Reader, sites *Sites) (map[string][]audit.Version,
	error) {
	var versions []audit.Version
	switch v.kind {
	case file:
		text, err := userfile.ReadAtMost(v.name, stdin, maxText, "that is not a robots.txt")
		if err != nil {
			return nil, err
		}
		versions = always(userfile.Called(v.name), text)
	case repository:
		h, err := gitfile.Reader{MaxText: maxText, MaxTotal: maxTotal}.Read(ctx, v.name, v.path)
		if err != nil {
			return nil, err
		}
		versions = commits(h, s.deployedAfter)
		sites.noteCommits(v, h, versions)
	case history:
		return sites.history(ctx, v)
	}
	return map[string][]audit.Version{v.host: versions}, nil
}

func (s *Sites) note(kind string, args ...string) {
	s.Notes = append(s.Notes, Note{kind, args})
}

// commits returns the versions that a history of git describes. Before the first commit of a
// project there was no robots.txt; a shallow clone does not say what there was.
func commits(h *gitfile.History, deployedAfter time.Duration) (versions []audit.Version) {
	if !h.Cut {
		versions = append(versions, audit.Version{State: audit.Nothing})
	}
	for _, c := range h.Versions {
		v := audit.Version{ID: c.Commit, From: c.Time.Add(deployedAfter), State: audit.Unknown}
		switch c.Kind {
		case gitfile.Absent:
			v.State = audit.Nothing
		case gitfile.File:
			v.State, v.Text = audit.Served, c.Text
		}
		versions = appendVersion(versions, v)
	}
	return versions
}

// noteCommits notes unusual facts about a history of git.
func (s *Sites) noteCommits(v value, h *gitfile.History, versions []audit.Version) {
	if h.Cut {
		s.note(noteShallow, v.String(), clock(versions[0].From))
	}
	if h.Early > 0 {
		s.note(noteEarlyCommits, v.String(), strconv.Itoa(h.Early))
	}
	for _, c := range h.Versions {
		if c.Kind == gitfile.Other {
			s.note(noteNoFile, v.String(), c.Commit[:min(12, len(c.Commit))])
		}
	}
}

// appendVersion appends a version, unless it asks the same as the version before it.
func appendVersion(versions []audit.Version, v audit.Version) []audit.Version {
	if n := len(versions); n > 0 && same(versions[n-1], v) {
		return versions
	}
	return append(versions, v)
}

// same reports whether two versions ask the same.
func same(v, w audit.Version) bool {
	return v.State == w.State && string(v.Text) == string(w.Text)
}

func clock(t time.Time) string { return t.UTC().Format(time.RFC3339) }
