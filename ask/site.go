package ask

import (
	"strings"
	"sync"
	"time"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/agent"
)

// A site is the policy of an origin, or the error in place of it, with cached groups.
type site struct {
	Source
	err   error
	until time.Time // expiry of the cached policy

	maxGroups int // the maximum number of cached groups

	mu       sync.Mutex
	policies [8]*robots.Policy // by dialect
	groups   map[groupKey]*robots.Group
}

// A groupKey identifies a robot in a dialect.
type groupKey struct {
	dialect robots.Dialect
	alone   bool
	tokens  string
}

// Limits of the groups that are cached, so that a stream of robots does not fill the memory.
const (
	maxGroups     = 1 << 12 // of a text, and of the fixed policy
	maxSiteGroups = 1 << 8  // of each of many origins
	maxTokens     = 1 << 8  // bytes
)

// group returns the group of a robot.
func (s *site) group(d robots.Dialect, robot agent.Subject) *robots.Group {
	key := groupKey{d, robot.Alone, strings.Join(robot.Tokens, ",")}
	s.mu.Lock()
	defer s.mu.Unlock()
	if g := s.groups[key]; g != nil {
		return g
	}
	g := robot.Group(s.policy(d))
	if len(key.tokens) > maxTokens {
		return g
	}
	if s.groups == nil || len(s.groups) >= s.maxGroups {
		s.groups = make(map[groupKey]*robots.Group)
	}
	s.groups[key] = g
	return g
}

// policy returns the policy in a dialect. s.mu must be held.
func (s *site) policy(d robots.Dialect) *robots.Policy {
	if int(d) >= len(s.policies) {
		return s.Policy.In(d)
	}
	if s.policies[d] == nil {
		s.policies[d] = s.Policy.In(d)
	}
	return s.policies[d]
}

// size returns the size of the text in bytes.
func (s *site) size() int {
	if s.Policy == nil {
		return 0
	}
	return len(s.Policy.String())
}
