package botauth

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/robotsexclusion/robots/internal/sfv"
)

// maxSignatures is the maximum number of signatures of one request that are checked.
const maxSignatures = 4

// A Verifier verifies the signatures of requests. It never fetches anything itself. It is safe for
// concurrent use if its functions are. Its fields must not be changed after its first use.
type Verifier struct {
	// Keys returns the key with an identifier that an agent publishes. On an error the signature is
	// unverifiable. Keys is called after all checks that need no key. If it is nil, no key is
	// known.
	//
	// Keys must search only the keys of this very agent: if it returns a key known from elsewhere,
	// a signer can pass for any agent. The agent is zero if the signature covers no URL; a key
	// returned then identifies only itself. Because anybody can name any URL in a request, a
	// function that fetches must be careful which addresses it dials, follow no redirects, and
	// limit how often it fetches each [Agent.Directory].
	Keys func(ctx context.Context, agent Agent, keyid string) (Key, error)

	// Authorities are the hosts of this server, with a port unless it is the default of the scheme.
	// A request for another host is forged: its signature was made for another server, which may
	// have forwarded it. If Authorities is empty, an earlier check of the Host field is assumed.
	Authorities []string

	// Scheme is "https" or "http", as clients of this server see it. If it is empty, the scheme of
	// the connection is used, which is wrong behind a proxy that terminates TLS.
	Scheme string

	// Cover lists components that must be covered, as in the signature base without quotes, such as
	// @method and @path. One of @authority and @target-uri must always be covered.
	Cover []string

	// MaxValidity is the maximum accepted time between creation and expiry; 0 is 24 hours, which
	// the draft recommends to signers. A signature that is valid for longer is unverifiable:
	// anybody who saw it may have sent it.
	MaxValidity time.Duration

	// MaxValidityAnyPath is the same for a signature that covers neither @path, @request-target nor
	// @target-uri: until it expires, it is good for every path of the host. 0 is MaxValidity.
	MaxValidityAnyPath time.Duration

	// Skew is the tolerated difference of a signer's clock; 0 is a minute. A signature created in
	// the future, or expired, by no more than this is accepted, and so is a key.
	Skew time.Duration

	// Nonces, if not nil, refuses signatures that were verified before, and signatures without a
	// nonce. Many robots sign once for several requests: these are refused then.
	Nonces *Nonces

	// Sender, if not empty, says who sent the request, and what it asks for. Nonces is lenient
	// then: it accepts a nonce again from the same Sender, since clients and proxies repeat
	// requests, and signatures without a nonce.
	Sender string

	// AllowTestKeys accepts the keys that RFC 9421 prints with their private parts.
	AllowTestKeys bool
}

func (v *Verifier) skew() time.Duration {
	if v.Skew == 0 {
		return time.Minute
	}
	return v.Skew
}

// Verify returns the verdict on a request at a time, usually now. If the request has several
// signatures for Web Bot Auth, a verified one counts, otherwise a forged one, and of equals the
// first; [Verifier.VerifyAll] returns all.
//
// Verify does not read the body. It passes the context of the request to Keys.
func (v *Verifier) Verify(req *http.Request, now time.Time) Verdict {
	verdicts := v.VerifyAll(req, now)
	for _, result := range []Result{Verified, Forged} {
		for _, verdict := range verdicts {
			if verdict.Result == result {
				return verdict
			}
		}
	}
	return verdicts[0]
}

// VerifyAll returns a verdict on each signature of a request that is tagged as Web Bot Auth, each
// on its own, in their order, and at least one verdict.
func (v *Verifier) VerifyAll(req *http.Request, now time.Time) []Verdict {
	single := func(reason Reason, err error) []Verdict {
		return []Verdict{{Result: reason.result(), Reason: reason, Err: err}}
	}
	m := newMessage(req, v.Scheme)
	inputs, err := m.signatureField("signature-input")
	if err != nil {
		// Other kinds of signatures have long used a field Signature, and may use this field too.
		// This package ignores them.
		values, _ := m.values("signature-input")
		if !strings.Contains(strings.Join(values, ", "), requestTag) {
			return single(Unsigned, fmt.Errorf("the request has no signature with tag=%q: %w", requestTag, err))
		}
		return single(fieldReason(err), err)
	}
	signatures, signatureErr := m.signatureField("signature")
	var verdicts []Verdict
	for _, input := range inputs.Members {
		covered, ok := input.Value.(sfv.List)
		if !ok || input.Param("tag") != requestTag {
			continue // a signature of another kind
		}
		c := &check{Verifier: v, message: m, input: input.Item, covered: covered, now: now}
		c.Label = input.Key
		var reason Reason
		var err error
		switch {
		case len(verdicts) == maxSignatures:
			return append(verdicts, single(unsupported, fmt.Errorf("the request has more than %d signatures",
				maxSignatures))...)
		case signatureErr != nil:
			reason, err = fieldReason(signatureErr), signatureErr
		default:
			reason, err = c.run(signatures)
		}
		if err != nil {
			err = fmt.Errorf("signature %s: %w", input.Key, err)
		}
		verdicts = append(verdicts, Verdict{Result: reason.result(), Reason: reason, Err: err, Signature: c.Signature})
	}
	if len(verdicts) == 0 {
		return single(Unsigned, fmt.Errorf("the request has no signature with tag=%q", requestTag))
	}
	return verdicts
}

// signatureField parses Signature-Input or Signature. A request without the field gives an empty
// dictionary.
func (m *message) signatureField(name string) (*sfv.Dictionary, error) {
	values, err := m.values(name)
	if err != nil {
		return new(sfv.Dictionary), nil
	}
	d, err := sfv.ParseDictionary(strings.Join(values, ", "))
	if err == nil && d.Repeated != "" {
		err = fmt.Errorf("%s stands twice in it", d.Repeated)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return d, nil
}

// fieldReason returns the reason for an error of a field.
func fieldReason(err error) Reason {
	if errors.Is(err, sfv.ErrTooLong) {
		return unsupported
	}
	return malformed
}

// A check is the check of one signature.
type check struct {
	*Verifier
	*message
	Signature
	input   sfv.Item // the value of its member in Signature-Input
	covered sfv.List // the value of input
	now     time.Time
	alg     string
}

// run checks a signature, with its key last.
func (c *check) run(signatures *sfv.Dictionary) (Reason, error) {
	if reason, err := c.readParams(); err != nil {
		return reason, err
	}
	if reason, err := c.checkCover(); err != nil {
		return reason, err
	}
	if reason, err := c.checkTime(cmp.Or(c.MaxValidity, 24*time.Hour)); err != nil {
		return reason, err
	}
	here := func(authority string) bool { return strings.EqualFold(authority, c.authority()) }
	if len(c.Authorities) > 0 && !slices.ContainsFunc(c.Authorities, here) {
		return elsewhere, fmt.Errorf("the request is for %q, which is not this server", c.authority())
	}
	sig, ok := signatures.Member(c.Label)
	signature, isBytes := sig.Value.([]byte)
	switch {
	case !ok:
		return malformed, errors.New("it has no member in Signature")
	case !isBytes:
		return malformed, errors.New("its member in Signature is not a byte sequence")
	}
	if err := c.findAgent(); err != nil {
		return fieldReason(err), err
	}
	base, err := c.base(c.input)
	if errors.Is(err, errUnsupported) {
		return unsupported, err
	} else if err != nil {
		return unresolvable, err
	}
	return c.checkKey(base, signature)
}

// readParams reads the parameters of the signature (RFC 9421, section 2.3).
func (c *check) readParams() (Reason, error) {
	missing := []string{"created", "expires", "keyid"}
	for _, p := range c.input.Params {
		text, ok := p.Value.(string)
		switch p.Key {
		case "created":
			c.Created, ok = timeOf(p.Value)
		case "expires":
			c.Expires, ok = timeOf(p.Value)
		case "keyid":
			c.KeyID = text
		case "nonce":
			c.Nonce = text
		case "alg":
			c.alg = text
		case "tag":
		default:
			continue // a parameter of another document
		}
		if !ok {
			return malformed, fmt.Errorf("its parameter %s is not of the right type", p.Key)
		}
		missing = slices.DeleteFunc(missing, func(key string) bool { return key == p.Key })
	}
	if len(missing) > 0 {
		return incomplete, fmt.Errorf("it has no parameter %s", strings.Join(missing, ", "))
	}
	if c.alg != "" && c.alg != algEd25519 && c.alg != algRSAPSS {
		return unsupported, fmt.Errorf("the algorithm %q is not supported", c.alg)
	}
	return valid, nil
}

// timeOf returns the time in a parameter, in seconds since 1970.
func timeOf(value any) (t time.Time, ok bool) {
	seconds, ok := value.(int64)
	if !ok || seconds < 0 || seconds > lastSecond {
		return t, false
	}
	return time.Unix(seconds, 0).UTC(), true
}

// checkCover checks that the required components are covered.
func (c *check) checkCover() (Reason, error) {
	for _, component := range c.covered {
		c.Covered = append(c.Covered, component.String())
	}
	if !slices.Contains(c.Covered, `"@authority"`) && !slices.Contains(c.Covered, `"@target-uri"`) {
		return incomplete, errors.New("it covers neither @authority nor @target-uri, so that it is good for any server")
	}
	for _, name := range c.Cover {
		if !slices.Contains(c.Covered, (sfv.Item{Value: name}).String()) {
			return incomplete, fmt.Errorf("it does not cover %s, as it must here", name)
		}
	}
	return valid, nil
}

// coversPath has the components that have the path of a request.
var coversPath = map[string]bool{`"@path"`: true, `"@request-target"`: true, `"@target-uri"`: true}

// checkTime checks the times of the signature, which may be valid for the given time at most.
func (c *check) checkTime(validity time.Duration) (Reason, error) {
	skew := c.skew()
	switch {
	case !c.Created.Before(c.Expires):
		return malformed, errors.New("it expires before it was made")
	case c.Created.After(c.now.Add(skew)):
		return notYet, fmt.Errorf("it was made at %s, which is in the future", c.Created.Format(time.RFC3339))
	case c.Expires.Before(c.now.Add(-skew)):
		return expired, fmt.Errorf("it expired at %s", c.Expires.Format(time.RFC3339))
	case c.Expires.Unix()-c.Created.Unix() > int64(validity/time.Second):
		return tooLong, fmt.Errorf("it is valid for longer than %s, so anybody who saw it may have sent it", validity)
	case c.MaxValidityAnyPath > 0 && c.Expires.Unix()-c.Created.Unix() > int64(c.MaxValidityAnyPath/time.Second) &&
		!slices.ContainsFunc(c.Covered, func(name string) bool { return coversPath[name] }):
		return tooLong, fmt.Errorf("it is valid for every path of the host for longer than %s", c.MaxValidityAnyPath)
	}
	return valid, nil
}

// findAgent finds the agent that the signature covers.
func (c *check) findAgent() error {
	values, err := c.values("signature-agent")
	if err != nil {
		return nil // there is none; if it is covered all the same, base fails
	}
	agents, err := parseAgents(strings.Join(values, ", "))
	if err != nil && slices.ContainsFunc(c.covered, func(i sfv.Item) bool { return i.Value == "signature-agent" }) {
		return fmt.Errorf("signature-agent: %w", err)
	}
	c.Agent, err = agentOf(c.Label, c.covered, agents)
	return err
}

// checkKey checks the signature of a base with the key that it names.
func (c *check) checkKey(base string, signature []byte) (Reason, error) {
	if c.Keys == nil {
		return noKey, fmt.Errorf("no key is known, so not %q", c.KeyID)
	}
	key, err := c.Keys(c.req.Context(), c.Agent, c.KeyID)
	if err != nil {
		return noKey, fmt.Errorf("key %q: %w", c.KeyID, err)
	}
	if key.id == "" || key.id != c.KeyID {
		return noKey, fmt.Errorf("key %q: there is only %q", c.KeyID, key.id)
	}
	if reason, err := c.checkSignature(key, base, signature); err != nil {
		return reason, err
	}
	switch {
	case c.Nonces == nil || c.Nonce == "" && c.Sender != "":
	case c.Nonce == "":
		return replayed, errors.New("it has no nonce, so that it could be sent again")
	case !c.Nonces.add(key.id+" "+c.Nonce, c.Sender, c.Expires.Add(c.skew()), c.now):
		return replayed, errors.New("its nonce was seen before")
	}
	return valid, nil
}

// checkSignature checks the signature of a base with a key, which must be usable now.
func (c *check) checkSignature(key Key, base string, signature []byte) (Reason, error) {
	switch {
	case testKeys[key.id] && !c.AllowTestKeys:
		return badKey, fmt.Errorf("key %s is the example of RFC 9421, with which everyone can sign", key.id)
	case !key.notBefore.IsZero() && c.now.Before(key.notBefore.Add(-c.skew())):
		return badKey, fmt.Errorf("key %s is not valid before %s", key.id, key.notBefore.Format(time.RFC3339))
	case !key.notAfter.IsZero() && c.now.After(key.notAfter.Add(c.skew())):
		return badKey, fmt.Errorf("key %s is not valid after %s", key.id, key.notAfter.Format(time.RFC3339))
	case c.alg != "" && c.alg != key.algorithm():
		return badSignature, fmt.Errorf("its algorithm is %s, and that of key %s is %s", c.alg, key.id, key.algorithm())
	case !key.verifies(base, signature):
		return badSignature, fmt.Errorf("key %s did not sign this", key.id)
	}
	return valid, nil
}
