package botauth

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"
)

// Result is whether the signature of a request is valid.
type Result string

// The results. The drafts call them unverified, verified and invalid.
const (
	Unverifiable Result = "unverifiable" // unknown
	Verified     Result = "verified"     // the holder of the key
	Forged       Result = "forged"       // the signature is wrong, or not for this request
)

// Reason is the reason for a result, such as "no-key". Each reason has one result.
type Reason string

// The reasons.
const (
	Unsigned     Reason = "unsigned"      // unverifiable: the request has no signature for Web Bot Auth
	valid        Reason = "valid"         // verified
	malformed    Reason = "malformed"     // forged: a field or parameter is malformed
	incomplete   Reason = "incomplete"    // forged: a parameter is missing, or a required component uncovered
	notYet       Reason = "not-yet"       // forged: it was created in the future
	expired      Reason = "expired"       // forged: it has expired
	tooLong      Reason = "too-long"      // unverifiable: its validity exceeds the limit
	elsewhere    Reason = "elsewhere"     // forged: the request is for another server
	unresolvable Reason = "unresolvable"  // forged: it covers a component that the request does not have
	unsupported  Reason = "unsupported"   // unverifiable: it needs a feature that this package lacks
	noKey        Reason = "no-key"        // unverifiable: the key is not known
	badKey       Reason = "bad-key"       // forged: the key must not be used, or not now
	badSignature Reason = "bad-signature" // forged: the key did not make it for this request
	replayed     Reason = "replayed"      // forged: it was seen before, or has no nonce to tell
)

// result returns the result of the reason.
func (r Reason) result() Result {
	switch r {
	case valid:
		return Verified
	case malformed, incomplete, notYet, expired, elsewhere, unresolvable, badKey, badSignature, replayed:
		return Forged
	}
	return Unverifiable
}

// A Signature is the content of a signature's fields. Unless the signature is verified, all of it
// is a claim.
type Signature struct {
	Label   string    // its key in Signature-Input
	KeyID   string    // the identifier of the key
	Agent   Agent     // where the key is claimed to be published; zero if it covers no such URL
	Covered []string  // the components, such as `"@authority"`, in their order; not to be modified
	Created time.Time // its creation time
	Expires time.Time // its expiry
	Nonce   string    // its nonce, or ""
}

// A Verdict is the result for a signature, with the reason.
type Verdict struct {
	Result Result
	Reason Reason
	Err    error // the fault; nil if the result is Verified
	Signature
}

// String returns the verdict as a sentence, such as "verified: signed by the key
// that https://bot.example.com publishes".
func (v Verdict) String() string { return string(v.Result) + ": " + v.Why() }

// Why returns the reasons for the result, without the result.
func (v Verdict) Why() string {
	switch {
	case v.Err != nil:
		return v.Err.Error()
	case v.Result != Verified:
		return string(v.Reason)
	case v.Agent.URL == "":
		return fmt.Sprintf("signed by key %s, covers %s", v.KeyID, strings.Join(v.Covered, " "))
	}
	return fmt.Sprintf("signed by key %s of %s, covers %s", v.KeyID, v.Agent.URL, strings.Join(v.Covered, " "))
}

// MarshalJSON returns an object with "result", "reason", "why", and the content of the signature's
// fields: "label", "keyid", "agent", "covered", "created", "expires" and "nonce".
func (v Verdict) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Result  Result    `json:"result"`
		Reason  Reason    `json:"reason"`
		Why     string    `json:"why"`
		Label   string    `json:"label,omitempty"`
		KeyID   string    `json:"keyid,omitempty"`
		Agent   Agent     `json:"agent,omitzero"`
		Covered []string  `json:"covered,omitempty"`
		Created time.Time `json:"created,omitzero"`
		Expires time.Time `json:"expires,omitzero"`
		Nonce   string    `json:"nonce,omitempty"`
	}{v.Result, v.Reason, v.Why(), v.Label, v.KeyID, v.Agent, v.Covered, v.Created, v.Expires, v.Nonce})
}
