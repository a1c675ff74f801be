// Package identify says whether the clients in an access log are the robots that they name: by the
// published ranges in a folder and, if wanted, by DNS.
package identify

import (
	"context"
	"fmt"
	"maps"
	"net/netip"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/internal/address"
	"github.com/robotsexclusion/robots/internal/printable"
	"github.com/robotsexclusion/robots/internal/userfile"
)

const (
	// MaxAge is the maximum age of ranges that prove that other addresses are not the robot's. It
	// is longer than a server's, because the log may be older or younger than the ranges.
	MaxAge = 7 * 24 * time.Hour

	// defaultMaxAddresses is the maximum number of addresses whose result is kept: about 30 MB.
	defaultMaxAddresses = 200_000
)

// An Identifier says whether clients are the robots that they name. It asks DNS at most once for an
// address and a robot. It is safe for concurrent use.
type Identifier struct {
	ctx          context.Context
	verifier     *agent.Verifier
	dns          bool
	maxAddresses int

	methods atomic.Pointer[map[string]*methods] // of the robots of the table, by token; the map never changes

	mu      sync.Mutex // also for the replacement of methods
	answers map[question]*answer
	unasked bool // more than maxAddresses were in the logs
}

// methods are what identifies the addresses of a robot here.
type methods struct {
	recipe    agent.Recipe
	documents []agent.RangeDocument
	ranges    func(netip.Addr) agent.Result // without DNS
}

type question struct {
	token  string
	client netip.Addr
}

type answer struct {
	once   sync.Once
	result agent.Result

	// id.mu is the lock of these.
	silent   bool // DNS gave no answer
	nameless bool // the address has no name, which alone proves nothing
}

// New returns an identifier by the ranges that a verifier has in its folder, which must exist, and
// by its DNS servers if dns is set. The verifier needs no HTTP client. After ctx ends, no client is
// identified.
func New(ctx context.Context, v *agent.Verifier, dns bool) (*Identifier, error) {
	if v.Folder != "" {
		info, err := os.Stat(v.Folder)
		if err != nil {
			return nil, fmt.Errorf("cannot read the ranges in %s: %w", printable.Text(v.Folder), userfile.Cause(err))
		}
		if !info.IsDir() {
			return nil, fmt.Errorf("cannot read the ranges in %s: it is not a folder", printable.Text(v.Folder))
		}
	}
	v.MaxAge = MaxAge
	id := &Identifier{
		ctx: ctx, verifier: v, dns: dns, maxAddresses: defaultMaxAddresses,
		answers: make(map[question]*answer),
	}
	id.methods.Store(&map[string]*methods{})
	return id, nil
}

// Identify says whether a client is a robot. The result for a client and a robot never changes.
func (id *Identifier) Identify(robot agent.Agent, client netip.Addr) agent.Result {
	if !client.IsValid() {
		return agent.Unverifiable
	}
	m := id.methodsOf(robot)
	if len(m.recipe.DNS) == 0 {
		return m.ranges(client)
	}
	a := id.answer(question{robot.Token, client})
	if a == nil {
		return m.ranges(client)
	}
	a.once.Do(func() {
		verdict, err := id.verifier.Verify(id.ctx, client, m.recipe)
		if err != nil {
			return
		}
		a.result = verdict.Result
		id.mu.Lock()
		defer id.mu.Unlock()
		a.silent, a.nameless = isSilent(verdict), isNameless(verdict)
	})
	return a.result
}

// isSilent reports whether DNS was asked and gave no answer, so that its part of the verdict is
// missing.
func isSilent(v agent.Verdict) bool {
	if v.Reverse == nil || v.Reverse.Result != agent.Unverifiable {
		return false
	}
	return v.Reverse.Error != "" || slices.ContainsFunc(v.Reverse.Names,
		func(n agent.HostName) bool { return n.Error != "" })
}

// isNameless reports whether DNS answered that an address has no name, and a verdict does not count
// that.
func isNameless(v agent.Verdict) bool {
	return v.Result == agent.Unverifiable && !v.Elsewhere && !address.Inside(v.Address) && v.Reverse != nil &&
		v.Reverse.Error == "" && len(v.Reverse.Names) == 0
}

// Of returns the Identify of one robot, or nil if the robot cannot be identified: DNS is not asked
// about it, and the folder has none of its range documents now.
func (id *Identifier) Of(robot agent.Agent) func(client netip.Addr) agent.Result {
	m := id.methodsOf(robot)
	switch {
	case len(m.recipe.DNS) > 0:
		return func(client netip.Addr) agent.Result { return id.Identify(robot, client) }
	case slices.ContainsFunc(m.documents, func(d agent.RangeDocument) bool { return !d.Read.IsZero() }):
		return m.ranges
	}
	return nil
}

// nothing identifies no address.
var nothing = &methods{ranges: func(netip.Addr) agent.Result { return agent.Unverifiable }}

// methodsOf returns the methods for a robot. It reads the ranges when it is first asked about the
// robot.
func (id *Identifier) methodsOf(robot agent.Agent) *methods {
	if !robot.Known() {
		return nothing
	}
	if m := (*id.methods.Load())[robot.Token]; m != nil {
		return m
	}
	m := &methods{recipe: id.recipe(robot)}
	var err error
	if m.documents, m.ranges, err = id.verifier.Snapshot(id.ctx, m.recipe); err != nil {
		m.ranges = nothing.ranges
	}
	id.mu.Lock()
	defer id.mu.Unlock()
	before := *id.methods.Load()
	if first := before[robot.Token]; first != nil {
		return first
	}
	after := maps.Clone(before)
	after[robot.Token] = m
	id.methods.Store(&after)
	return m
}

// recipe returns the methods that verify a robot here. Published ranges stay in it where no folder
// has them: then they give no answer, as a list that cannot be fetched, and a missing name alone
// proves no forgery, as [agent.Verifier.Verify] says.
func (id *Identifier) recipe(robot agent.Agent) agent.Recipe {
	recipe := robot.Recipe()
	if !id.dns {
		recipe.DNS = nil
	}
	return recipe
}

// answer returns the place for the answer to a question, or nil if there are too many.
func (id *Identifier) answer(q question) *answer {
	id.mu.Lock()
	defer id.mu.Unlock()
	a := id.answers[q]
	if a == nil && len(id.answers) >= id.maxAddresses {
		id.unasked = true
		return nil
	}
	if a == nil {
		a = new(answer)
		id.answers[q] = a
	}
	return a
}
