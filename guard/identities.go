package guard

import (
	"context"
	"maps"
	"net/http"
	"net/netip"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/agent/botauth"
)

// Identities finds out in the background whether clients are the robots that they name. No request
// waits for an answer, and each question is asked once until its answer is old. Memory and work are
// bounded, for any number of clients that name robots: clients that do not fit stay unknown. The
// fields must not be changed after the first use.
type Identities struct {
	// Verifier has the published ranges of robots, and asks DNS if the field DNS is set. Without a
	// Client, the ranges in its Folder are read in the first request of a robot, and later in the
	// background. A robot without ranges or names is not identified.
	Verifier *agent.Verifier

	// DNS says whether to ask DNS for the names of clients, and whether these names have the
	// addresses.
	DNS bool

	// Keys returns the key that a robot publishes, as the method Key of an agent/keydir.Client
	// does, and is called in the background. A request that is signed for Web Bot Auth by a key of
	// the robot's directory comes from the robot, wherever it comes from, if the signature is valid
	// for an hour at most, or for five minutes if it does not cover the path. A nonce counts once,
	// except in the same request of the same client. If Keys is nil, signatures do not count.
	Keys func(ctx context.Context, signer botauth.Agent, keyid string) (botauth.Key, error)

	// Signers are origins at which robots publish their keys, such as https://bot.example.com, by
	// token. The hosts of its published ranges, and the domains of its names, are always origins of
	// a robot.
	Signers map[string][]string

	// Hosts are the hosts of this site, with a port unless it is the default. A signature for
	// another host is forged, because that host's owner may forward it here. If Hosts is empty,
	// signatures do not count.
	Hosts []string

	// MoreHosts says that Hosts may lack a host of the site. Then a signature for another host is
	// not forged, but does not count either.
	MoreHosts bool

	// Share answers a question about the names of a client in DNS, in place of find, or calls find
	// and shares the answer with other guards. The key identifies the client and the names to look
	// up. Share is called in the background, and should end soon after its context. If it is nil,
	// find answers.
	Share func(ctx context.Context, key string, find func() (result agent.Result, good time.Duration)) (agent.Result,
		time.Duration)

	once    sync.Once
	mu      sync.Mutex                         // held while recipes is replaced
	recipes atomic.Pointer[map[string]*recipe] // by token; never changed, only replaced
	ranges  background[*recipe, func(netip.Addr) agent.Result]
	names   background[namedClient, agent.Result]
	keys    background[publishedKey, foundKey]
	nonces  botauth.Nonces // of signatures that counted
}

// A namedClient is a client that names a robot with a recipe.
type namedClient struct {
	recipe *recipe
	client netip.Addr
}

// A recipe says how to verify the addresses of a robot here.
type recipe struct {
	agent.Recipe
	listed bool // the robot has published ranges, even if they cannot be read here
}

// How long answers are good.
const (
	goodVerified = 12 * time.Hour
	goodForged   = time.Hour // the operator may give the address a name
	goodRanges   = time.Hour
)

// setUp sets the limits. An answer takes about 200 bytes: 20 MB for all.
func (i *Identities) setUp() {
	if i.recipes.Load() != nil {
		return
	}
	i.once.Do(func() {
		i.ranges.kept, i.ranges.queued, i.ranges.workers, i.ranges.timeout = 1<<12, 1<<10, 4, time.Minute
		i.ranges.find = i.findRanges
		i.keys.kept, i.keys.queued, i.keys.workers, i.keys.timeout = 1<<10, 1<<8, 4, 15*time.Second
		i.keys.find = i.findKey
		i.names.kept, i.names.queued, i.names.workers, i.names.timeout = 50_000, 1<<10, 16, 15*time.Second
		i.names.find = i.findNames
		i.recipes.Store(&map[string]*recipe{})
	})
}

// findNames asks DNS about a client, or other guards. That an address has no name says nothing
// about a robot with published ranges: if the ranges are known, they decide; see decision 12.
func (i *Identities) findNames(ctx context.Context, n namedClient) (agent.Result, time.Duration) {
	find := func() (agent.Result, time.Duration) {
		verdict, err := i.Verifier.Verify(ctx, n.client, agent.Recipe{DNS: n.recipe.DNS})
		switch {
		case err == nil && verdict.Result == agent.Verified:
			return agent.Verified, goodVerified
		case err == nil && verdict.Result == agent.Forged && n.recipe.listed && len(verdict.Reverse.Names) == 0:
			return agent.Unverifiable, goodForged
		case err == nil && verdict.Result == agent.Forged:
			return agent.Forged, goodForged
		}
		return agent.Unverifiable, pauseAfterFailure
	}
	if i.Share == nil {
		return find()
	}
	return i.Share(ctx, n.key(), find)
}

// key returns a hash of a client and the names of a robot.
//
// Stored: other guards find an identity by its key, so the text below must never change.
func (n namedClient) key() string {
	format := "1 "
	if n.recipe.listed {
		format = "2 "
	}
	return storedKey(format + n.client.String() + " " + strings.Join(n.recipe.DNS, " "))
}

// recipe returns how to verify the addresses of a robot here.
func (i *Identities) recipe(robot agent.Agent) *recipe {
	if known := (*i.recipes.Load())[robot.Token]; known != nil {
		return known
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	recipes := maps.Clone(*i.recipes.Load())
	if recipes[robot.Token] == nil {
		r := &recipe{Recipe: robot.Recipe()}
		r.listed = len(r.Ranges) > 0
		if !i.DNS {
			r.DNS = nil
		}
		if i.Verifier.Folder == "" && i.Verifier.Client == nil {
			r.Ranges = nil
		}
		recipes[robot.Token] = r
		i.recipes.Store(&recipes)
	}
	return recipes[robot.Token]
}

// findRanges reads or fetches the ranges of a robot.
func (i *Identities) findRanges(ctx context.Context, r *recipe) (func(netip.Addr) agent.Result,
	time.Duration) {
	documents, result, err := i.Verifier.Snapshot(ctx, agent.Recipe{Ranges: r.Ranges})
	if err != nil {
		return nil, pauseAfterFailure
	}
	good := goodRanges
	for _, d := range documents {
		if d.Error != "" || d.Stale {
			good = pauseAfterFailure
		}
	}
	return result, good
}

// identify finds whether the client of a request is the robot of a decision.
func (i *Identities) identify(d *Decision, r *http.Request, client netip.Addr) {
	i.setUp()
	bySignature, signaturePending := i.bySignature(r, d.Robot, client)
	if d.Signed = bySignature == agent.Verified; d.Signed {
		d.Identity = agent.Verified
		return
	}
	d.Identity, d.Pending = i.byAddress(d.Robot, client)
	switch {
	case d.Identity == agent.Verified:
	case d.Pending || signaturePending:
		d.Identity, d.Pending = agent.Unverifiable, true
	case bySignature == agent.Forged:
		d.Identity, d.Signed = agent.Forged, true
	}
}

// byAddress says whether an address is one of a robot of the table. The result is Unverifiable
// while it is pending.
func (i *Identities) byAddress(robot agent.Agent, client netip.Addr) (result agent.Result, pending bool) {
	if i.Verifier == nil || !client.IsValid() {
		return agent.Unverifiable, false
	}
	recipe := i.recipe(robot)
	byRanges, byName := agent.Unverifiable, agent.Unverifiable
	if len(recipe.Ranges) > 0 {
		var find func(netip.Addr) agent.Result
		var ok bool
		if i.Verifier.Client == nil {
			find, ok = i.ranges.now(recipe) // files
		} else {
			find, ok = i.ranges.get(recipe)
		}
		if pending = !ok; find != nil {
			byRanges = find(client)
		}
	}
	if byRanges != agent.Verified && len(recipe.DNS) > 0 {
		var ok bool
		byName, ok = i.names.get(namedClient{recipe, client})
		pending = pending || !ok
	}
	switch {
	case byRanges == agent.Verified || byName == agent.Verified:
		return agent.Verified, false
	case pending:
		return agent.Unverifiable, true
	case recipe.Elsewhere:
		return agent.Unverifiable, false
	case byRanges == agent.Forged || byName == agent.Forged:
		return agent.Forged, false
	}
	return agent.Unverifiable, false
}

// Close ends all questions. Afterwards, clients without an answer are unknown.
func (i *Identities) Close() {
	i.setUp()
	i.ranges.stop()
	i.keys.stop()
	i.names.stop()
}

// Lookups returns how many questions have an answer, how many did not fit into the queue, and how
// many wait now.
func (i *Identities) Lookups() (answered, dropped, waiting uint64) {
	i.setUp()
	for _, figures := range []func() (counts, int){i.ranges.figures, i.keys.figures, i.names.figures} {
		c, n := figures()
		answered, dropped, waiting = answered+c.answered, dropped+c.dropped, waiting+uint64(n)
	}
	return answered, dropped, waiting
}
