package guard

import (
	"context"
	"errors"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"time"

	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/agent/botauth"
)

// goodKey is how long a key is taken for published. Keys has a cache of its own, which knows how
// long a directory is fresh.
const goodKey = 5 * time.Minute

// How long a signature may be valid to count. One that covers the path is good for what it was made
// for; any other is good for the whole site until it expires, for everybody who saw it.
const (
	maxValidity        = time.Hour
	maxValidityAnyPath = 5 * time.Minute
)

// maxKeyID is the maximum length of the identifier of a key, in bytes: those of the draft have 43.
const maxKeyID = 128

// A publishedKey is a key in the directory of an origin.
type publishedKey struct{ origin, id string }

type foundKey struct {
	key botauth.Key
	err error
}

var (
	errKeyPending  = errors.New("the key is being looked up")
	errOtherSigner = errors.New("the keys are not those of the robot")
)

// findKey looks a key up.
func (i *Identities) findKey(ctx context.Context, k publishedKey) (foundKey, time.Duration) {
	key, err := i.Keys(ctx, botauth.Agent{URL: k.origin, Type: "directory"}, k.id)
	if err != nil {
		return foundKey{err: err}, pauseAfterFailure
	}
	return foundKey{key: key}, goodKey
}

// bySignature says whether a robot signed a request. Only signatures that name a directory of the
// robot count, and signatures that are wrong for any directory.
func (i *Identities) bySignature(r *http.Request, robot agent.Agent, client netip.Addr) (result agent.Result,
	pending bool) {
	if i.Keys == nil || len(i.Hosts) == 0 || len(r.Header["Signature-Input"]) == 0 {
		return agent.Unverifiable, false
	}
	if origins := i.origins(robot); len(origins) > 0 {
		return i.checkSignature(r, origins, client)
	}
	return agent.Unverifiable, false
}

// checkSignature says whether a key of one of the origins signed a request.
func (i *Identities) checkSignature(r *http.Request, origins []string, client netip.Addr) (result agent.Result,
	pending bool) {
	target, _ := targetOf(r)
	verifier := botauth.Verifier{
		Authorities: i.Hosts, Scheme: "https", MaxValidity: maxValidity, MaxValidityAnyPath: maxValidityAnyPath,
		Nonces: &i.nonces, Sender: client.String() + " " + r.Method + " " + r.Host + target,
	}
	verifier.Keys = func(_ context.Context, a botauth.Agent, id string) (botauth.Key, error) {
		if a.Type != "directory" || !slices.Contains(origins, a.URL) || len(id) > maxKeyID {
			return botauth.Key{}, errOtherSigner
		}
		found, ok := i.keys.get(publishedKey{a.URL, id})
		if !ok {
			pending = true
			return botauth.Key{}, errKeyPending
		}
		return found.key, found.err
	}
	v := verifier.Verify(r, time.Now())
	if v.Result == botauth.Forged && r.TLS == nil {
		verifier.Scheme = "http" // the signature may cover the scheme
		if plain := verifier.Verify(r, time.Now()); plain.Result == botauth.Verified {
			v = plain
		}
	}
	switch {
	case v.Result == botauth.Verified:
		return agent.Verified, false
	case v.Reason == "replayed" || v.Reason == "elsewhere" && i.MoreHosts:
		// It proves nothing, but a robot may use a nonce twice, and the site may have this host.
	case v.Result == botauth.Forged && (v.Agent.URL == "" || slices.Contains(origins, v.Agent.URL)):
		return agent.Forged, false
	}
	return agent.Unverifiable, pending
}

// origins returns the origins at which a robot may publish its keys: those of Signers, and the
// hosts with which its operator identifies the robot anyway: hosts of published ranges, and names
// in DNS. At another origin, a stranger could publish keys.
func (i *Identities) origins(robot agent.Agent) (origins []string) {
	origins = slices.Clone(i.Signers[robot.Token])
	recipe := robot.Recipe()
	for _, name := range recipe.DNS {
		origins = append(origins, "https://"+name)
	}
	for _, document := range recipe.Ranges {
		if u, err := url.Parse(document); err == nil && u.Scheme == "https" {
			origins = append(origins, "https://"+u.Host)
		}
	}
	return origins
}
