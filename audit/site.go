package audit

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/robotsexclusion/robots"
)

// A site is a host with the versions of its robots.txt.
type site struct {
	host     string
	given    []Version
	versions []version // by time; the first has from = always
}

// A version is a Version, read.
type version struct {
	id     string
	from   int64 // its first second
	state  State
	policy *robots.Policy // if state is Served
	size   int64          // in bytes, if state is Served
	known  bool           // whether the size is that of no other version of the site
	// everyone is the group for robots that no group names, or nil if there is no policy.
	everyone *robots.Group
	paced    bool // whether the policy has a record that asks for a pace

	// everyones returns the lines of the rules that hold for everyone: those of groups that name
	// "*".
	everyones func() map[int]bool // if state is Served
}

const (
	always = math.MinInt64 // before all times
	never  = math.MaxInt64 // after all times
)

// newSite reads the versions of a host.
func newSite(host string, given []Version) (*site, error) {
	s := &site{host: host, given: given}
	if len(given) == 0 {
		return nil, errors.New("there are none; leave the host out if its robots.txt is not known")
	}
	if strings.ToLower(host) != host {
		return nil, errors.New("the host must be in lower case")
	}
	if !given[0].From.IsZero() {
		s.versions = append(s.versions, version{from: always, state: Unknown})
	}
	for i, v := range given {
		if v.State > Unknown {
			return nil, fmt.Errorf("version %d has the unknown State %d", i+1, v.State)
		}
		if i > 0 && !v.From.After(given[i-1].From) {
			return nil, fmt.Errorf("version %d (%s) does not begin after the version before it", i+1,
				v.From.Format(time.RFC3339))
		}
		read := version{id: v.ID, from: v.From.Unix(), state: v.State}
		if v.From.IsZero() {
			read.from = always
		}
		if v.State == Served {
			read.policy, read.size = robots.Parse(v.Text), int64(len(v.Text))
			read.everyone = read.policy.For("*")
			read.everyones = sync.OnceValue(func() map[int]bool { return linesForEveryone(read.policy) })
			read.paced = len(read.policy.Records("crawl-delay", "request-rate", "visit-time")) > 0
		}
		s.versions = append(s.versions, read)
	}
	s.findSizes()
	return s, nil
}

// linesForEveryone returns the lines of the rules in groups that name "*".
func linesForEveryone(p *robots.Policy) map[int]bool {
	lines := map[int]bool{}
	for rule := range p.For("*").Rules() {
		lines[rule.Line] = true
	}
	return lines
}

// findSizes finds the versions that an answer shows by its length.
func (s *site) findSizes() {
	count := map[int64]int{}
	for _, v := range s.versions {
		if v.state == Served {
			count[v.size]++
		}
	}
	for i := range s.versions {
		v := &s.versions[i]
		v.known = v.state == Served && count[v.size] == 1
	}
}

// at returns the index of the version in force at a second.
func at(versions []version, second int64) int {
	i, found := slices.BinarySearchFunc(versions, second, func(v version, second int64) int {
		return cmp.Compare(v.from, second)
	})
	if found {
		// Versions that begin in the same second: the last one counts from then on.
		for i+1 < len(versions) && versions[i+1].from == second {
			i++
		}
		return i
	}
	return max(0, i-1)
}
