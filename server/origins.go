package server

import (
	"context"
	"crypto/sha256"
	"net/http"
	"net/netip"
	"time"

	"github.com/robotsexclusion/robots/ask"
	"github.com/robotsexclusion/robots/fetch"
)

// Origins are the origins that questions are about, by the robots.txt that is fetched from them.
type origins struct {
	client   *fetch.Client
	asks     *ask.Inquirer
	fetches  *places
	clientOf func(*http.Request) netip.Prefix
	maxTime  time.Duration // for a fetch
}

// askerKey is the key of the request in the context of its question. A fetch takes a place of the
// client of the first request that waits for it.
type askerKey struct{}

// ask asks a question of a request about a URL.
func (o *origins) ask(r *http.Request, q ask.Question) []*ask.Result {
	return o.asks.Ask(context.WithValue(r.Context(), askerKey{}, r), q)
}

// policy returns the policy of an origin. If it must be fetched, and there are too many fetches,
// the error wraps fetch.ErrPostponed.
func (o *origins) policy(ctx context.Context, origin string) (ask.Source, error) {
	cached := o.cached(ctx, origin)
	if !cached {
		asker, _ := ctx.Value(askerKey{}).(*http.Request)
		client := o.clientOf(asker)
		if !o.fetches.take(client) {
			return ask.Source{}, fetch.ErrPostponed
		}
		defer o.fetches.give(client)
		recordFetch(ctx, 1)
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, o.maxTime)
		defer cancel()
	}
	r, err := o.client.Policy(ctx, origin)
	switch {
	case err != nil:
		recordRefusal(ctx, err)
		return ask.Source{}, err
	case cached:
	case r.Source == fetch.Cached:
		recordFetch(ctx, -1) // another process has just fetched it
	default:
		recordRefusal(ctx, r.Err)
	}
	return ask.Source{Policy: r.Policy, Origin: r.Origin, Fetched: &r, Version: describe(&r)}, nil
}

// A version is a fetched robots.txt with what all answers by it have in common.
type version struct {
	result *fetch.Result
	source []byte            // the members of api.Source
	sum    [sha256.Size]byte // of the state and the text in force
}

// describe returns the version that was fetched.
func describe(r *fetch.Result) *version {
	state := r.Origin + " " + string(r.State) + " "
	if f := inForce(r); f != nil {
		state += f.SHA256
	}
	return &version{r, appendSource(nil, r), sha256.Sum256([]byte(state))}
}

// versionOf returns the version that a result is by.
func versionOf(r *ask.Result) *version { return r.Source.Version.(*version) }

// cached reports whether the client has a fresh entry of an origin, so that it makes no request.
func (o *origins) cached(ctx context.Context, origin string) bool {
	if o.client.Cache == nil {
		return false
	}
	e, err := o.client.Cache.Get(ctx, origin)
	return err == nil && time.Now().Before(e.FreshUntil)
}
