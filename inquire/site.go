package inquire

import (
	"strings"
	"sync"
	"time"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/agent"
)

// A site is the policy of an origin, or the error why there is none, with the groups that
// were asked for.
type site struct {
	Source
	err   error
	until time.Time // when the origin is to be asked again

	mu       sync.Mutex
	policies [8]*robots.Policy // by dialect
	groups   map[groupKey]*robots.Group
}

// A groupKey stands for a robot in a dialect.
type groupKey struct {
	dialect robots.Dialect
	alone   bool
	tokens  string
}

// The limits of the groups that a site keeps, so that a stream of robots fills no memory.
const (
	maxGroups = 1 << 12
	maxTokens = 1 << 8 // bytes
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
	if s.groups == nil || len(s.groups) >= maxGroups {
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
