package botauth

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"
)

// Result is what is known about who signed a request.
type Result uint8

// The results. The drafts call them unverified, verified and invalid.
const (
	Unverifiable Result = iota // nobody can say
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

// Reason tells why a result is what it is.
type Reason uint8

// The reasons, of which each has one result.
const (
	Unsigned     Reason = iota // unverifiable: the request has no signature for Web Bot Auth
	Valid                      // verified
	malformed                  // forged: fields or parameters are not of their form
	incomplete                 // forged: a parameter is missing, or a component is not covered that must be
	notYet                     // forged: it was made in the future
	expired                    // forged: its time is over
	tooLong                    // unverifiable: it is valid for longer than is accepted
	elsewhere                  // forged: the request is for another server
	unresolvable               // forged: it covers what the request does not have
	unsupported                // unverifiable: it needs what this package cannot do
	NoKey                      // unverifiable: the key is not known
	badKey                     // forged: the key must not be used, or not now
	badSignature               // forged: the key did not make it for this request
	replayed                   // forged: it was seen before, or has no nonce that could tell
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

// Result returns the result that the reason leads to.
func (r Reason) Result() Result {
	if int(r) < len(reasons) {
		return reasons[r].result
	}
	return Unverifiable
}

// A Signature is what a signature says of itself. Unless it is verified, all of
// it is a claim.
type Signature struct {
	Label   string    // its key in Signature-Input
	KeyID   string    // the identifier of the key
	Agent   Agent     // where the key is said to be published; zero if it covers no such URL
	Covered []string  // the components, such as `"@authority"`, in their order; not to be modified
	Created time.Time // when it was made
	Expires time.Time // when its time is over
	Nonce   string    // what makes it different from others, if it has such a thing
}

// A Verdict is the answer who signed a request, and why it is believed.
type Verdict struct {
	Result Result
	Reason Reason
	Err    error // what is wrong, in words; nil if the result is Verified
	Signature
}

// String returns the verdict as a sentence, such as "verified: signed by the key
// that https://bot.example.com publishes".
func (v Verdict) String() string { return v.Result.String() + ": " + v.Why() }

// Why returns the reasons for the result, without it.
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

// MarshalJSON returns an object with "result", "reason", "why", and what the
// signature says of itself: "label", "keyid", "agent", "covered", "created",
// "expires" and "nonce".
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
