package botauth

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"
)

// Result is whether the signature of a request is valid.
type Result uint8

// The results. The drafts call them unverified, verified and invalid.
const (
	Unverifiable Result = iota // unknown
	Verified                   // the holder of the key
	Forged                     // the signature is wrong, or not for this request
)

var results = [...]string{"unverifiable", "verified", "forged"}

// String returns the result's name: "verified", "forged" or "unverifiable".
func (r Result) String() string {
	if int(r) < len(results) {
		return results[r]
	}
	return "unknown"
}

// Reason is the reason for a result.
type Reason uint8

// The reasons. Each has one result.
const (
	Unsigned     Reason = iota // unverifiable: the request has no signature for Web Bot Auth
	Valid                      // verified
	malformed                  // forged: a field or parameter is malformed
	incomplete                 // forged: a parameter is missing, or a required component uncovered
	notYet                     // forged: it was created in the future
	expired                    // forged: it has expired
	tooLong                    // unverifiable: its validity exceeds the limit
	elsewhere                  // forged: the request is for another server
	unresolvable               // forged: it covers a component that the request does not have
	unsupported                // unverifiable: it needs a feature that this package lacks
	NoKey                      // unverifiable: the key is not known
	badKey                     // forged: the key must not be used, or not now
	badSignature               // forged: the key did not make it for this request
	replayed                   // forged: it was seen before, or has no nonce to tell
)

var reasons = [...]struct {
	name   string
	result Result
}{
	Unsigned:     {"unsigned", Unverifiable},
	Valid:        {"valid", Verified},
	malformed:    {"malformed", Forged},
	incomplete:   {"incomplete", Forged},
	notYet:       {"not-yet", Forged},
	expired:      {"expired", Forged},
	tooLong:      {"too-long", Unverifiable},
	elsewhere:    {"elsewhere", Forged},
	unresolvable: {"unresolvable", Forged},
	unsupported:  {"unsupported", Unverifiable},
	NoKey:        {"no-key", Unverifiable},
	badKey:       {"bad-key", Forged},
	badSignature: {"bad-signature", Forged},
	replayed:     {"replayed", Forged},
}

// String returns the reason's name, such as "valid" or "no-key".
func (r Reason) String() string {
	if int(r) < len(reasons) {
		return reasons[r].name
	}
	return "unknown"
}

// result returns the result of the reason.
func (r Reason) result() Result {
	if int(r) < len(reasons) {
		return reasons[r].result
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
func (v Verdict) String() string { return v.Result.String() + ": " + v.Why() }

// Why returns the reasons for the result, without the result.
func (v Verdict) Why() string {
	switch {
	case v.Err != nil:
		return v.Err.Error()
	case v.Result != Verified:
		return v.Reason.String()
	case v.Agent.URL == "":
		return fmt.Sprintf("signed by key %s, covers %s", v.KeyID, strings.Join(v.Covered, " "))
	}
	return fmt.Sprintf("signed by key %s of %s, covers %s", v.KeyID, v.Agent.URL, strings.Join(v.Covered, " "))
}

// MarshalJSON returns an object with "result", "reason", "why", and the content of the signature's
// fields: "label", "keyid", "agent", "covered", "created", "expires" and "nonce".
func (v Verdict) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Result  string    `json:"result"`
		Reason  string    `json:"reason"`
		Why     string    `json:"why"`
		Label   string    `json:"label,omitempty"`
		KeyID   string    `json:"keyid,omitempty"`
		Agent   Agent     `json:"agent,omitzero"`
		Covered []string  `json:"covered,omitempty"`
		Created time.Time `json:"created,omitzero"`
		Expires time.Time `json:"expires,omitzero"`
		Nonce   string    `json:"nonce,omitempty"`
	}{v.Result.String(), v.Reason.String(), v.Why(), v.Label, v.KeyID, v.Agent, v.Covered, v.Created, v.Expires, v.Nonce})
}
