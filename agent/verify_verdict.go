package agent

import (
	"encoding/json"
	"fmt"
	"net/netip"
	"strings"
	"time"

	"github.com/robotsexclusion/robots/internal/address"
)

// Result is whether a request comes from the robot that it names. A Verifier never returns Device,
// because only the header shows a device.
type Result uint8

// The results.
const (
	Unverifiable Result = iota // unknown
	Verified                   // the robot that the request names
	Forged                     // a different sender
	Device                     // a person's device, which asks in the robot's name: see Agent.Device
)

var results = [...]string{"unverifiable", "verified", "forged", "device"}

// String returns the result's name: "verified", "forged", "unverifiable" or "device".
func (r Result) String() string {
	if int(r) < len(results) {
		return results[r]
	}
	return "unknown"
}

// MarshalText implements [encoding.TextMarshaler] with the result's name.
func (r Result) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

// A Verdict is whether an address belongs to a robot, with all evidence. Its slices must not be
// modified.
type Verdict struct {
	Address netip.Addr // without a zone; an IPv4-mapped address as IPv4
	Result  Result

	Documents []RangeDocument // the range documents, up to the one that lists the address
	Reverse   *Reverse        // the answer of the DNS; nil if it was not asked
	Elsewhere bool            // the robot may have any address: see Recipe
}

// A RangeDocument is a range document as evidence.
type RangeDocument struct {
	Source   string       `json:"source"`             // its URL or path
	Result   Result       `json:"result"`             // its answer
	Prefix   netip.Prefix `json:"prefix,omitzero"`    // the longest prefix with the address, if any
	Prefixes int          `json:"prefixes,omitempty"` // number of prefixes
	Skipped  int          `json:"skipped,omitempty"`  // number of unreadable entries
	Created  time.Time    `json:"created,omitzero"`   // its own creation time
	Read     time.Time    `json:"read,omitzero"`      // when it was fetched, or its file was written
	Stale    bool         `json:"stale,omitempty"`    // too old, and could not be renewed
	Error    string       `json:"error,omitempty"`    // why it could not be read, renewed or kept
}

// Reverse is the answer of the DNS about an address.
type Reverse struct {
	Result Result     `json:"result"`
	Below  []string   `json:"below"`           // the domains of the robot's host names
	Names  []HostName `json:"names,omitempty"` // the names of the address, at most 20
	More   int        `json:"more,omitempty"`  // number of further names
	Error  string     `json:"error,omitempty"` // the error of looking up the names
}

// A HostName is a name of an address, according to the DNS.
type HostName struct {
	Name      string       `json:"name"`                // in lower case, without a dot at its end
	Result    Result       `json:"result"`              // its answer
	Below     string       `json:"below,omitempty"`     // the domain above it; without one, no lookup
	Addresses []netip.Addr `json:"addresses,omitempty"` // its addresses, at most 20
	Error     string       `json:"error,omitempty"`     // the error of looking up its addresses
}

// String returns the verdict as a sentence, such as "verified: 192.0.2.7 is in
// 192.0.2.0/24 of https://example.com/bot.json".
func (v Verdict) String() string { return v.Result.String() + ": " + v.Why() }

// Why returns the reasons for the result, without the result.
func (v Verdict) Why() string {
	if v.Result == Device {
		return "the header is that of a program on the device of a person, which has any address"
	}
	if len(v.Documents) == 0 && v.Reverse == nil {
		return "no way is known to verify the addresses of this robot"
	}
	var reasons []string
	for _, d := range v.Documents {
		if d.Result == Verified {
			return v.Address.String() + " " + d.why()
		}
		reasons = append(reasons, d.why())
	}
	if v.Reverse != nil {
		why := v.Reverse.why()
		if v.Reverse.Result == Verified {
			return v.Address.String() + " " + why
		}
		reasons = append(reasons, why)
	}
	if v.Elsewhere {
		reasons = append(reasons, "the robot also runs elsewhere, where it is started by others than its operator")
	}
	if address.Inside(v.Address) {
		reasons = append(reasons, "it is not an address of the Internet, so perhaps that of a proxy")
	}
	return v.Address.String() + " " + strings.Join(reasons, "; ")
}

// why completes a sentence that starts with the address.
func (d RangeDocument) why() string {
	from := d.Source
	if !d.Created.IsZero() {
		from += ", created " + d.Created.Format(time.RFC3339)
	}
	switch {
	case d.Result == Verified && d.Stale:
		return fmt.Sprintf("is in %s of %s, which was read on %s and could not be renewed", d.Prefix, from,
			d.Read.Format(time.DateOnly))
	case d.Result == Verified:
		return fmt.Sprintf("is in %s of %s", d.Prefix, from)
	case d.Prefixes == 0:
		return fmt.Sprintf("could not be looked for in %s: %s", from, d.Error)
	}
	none := fmt.Sprintf("is in none of the %d prefixes of %s", d.Prefixes, from)
	if d.Prefixes == 1 {
		none = "is not in the one prefix of " + from
	}
	switch {
	case d.Stale:
		none += fmt.Sprintf(", but that was read on %s and could not be renewed: %s", d.Read.Format(time.DateOnly),
			d.Error)
	case d.Skipped > 0:
		none += fmt.Sprintf(", but %d of its entries could not be read", d.Skipped)
	}
	return none
}

// why completes a sentence that starts with the address.
func (r *Reverse) why() string {
	below := strings.Join(r.Below, " or ")
	switch {
	case r.Error != "":
		return "has names that could not be looked up: " + r.Error
	case len(r.Names) == 0:
		return "has no name, so none below " + below
	}
	var reasons []string
	others := r.More
	for _, n := range r.Names {
		switch {
		case n.Below == "":
			others++
			continue
		case n.Result == Verified:
			return fmt.Sprintf("has the name %s, which has that address", n.Name)
		case n.Error != "":
			reasons = append(reasons, fmt.Sprintf("has the name %s, whose addresses could not be looked up: %s", n.Name,
				n.Error))
		case len(n.Addresses) == 0:
			reasons = append(reasons, fmt.Sprintf("has the name %s, which has no address", n.Name))
		default:
			reasons = append(reasons, fmt.Sprintf("has the name %s, which has another address: %s", n.Name,
				n.Addresses[0]))
		}
	}
	switch {
	case len(reasons) == 0 && others == 1:
		return fmt.Sprintf("has the name %s, which is not below %s", r.Names[0].Name, below)
	case len(reasons) == 0:
		return fmt.Sprintf("has %d names, such as %s, of which none is below %s", others, r.Names[0].Name, below)
	case r.Result == Unverifiable && r.More > 0:
		reasons = append(reasons, fmt.Sprintf("has %d more names, which were not looked up", r.More))
	}
	return strings.Join(reasons, "; ")
}

// MarshalJSON returns an object with "address", "result", "why", and if they were used "documents"
// and "reverse".
func (v Verdict) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Address   netip.Addr      `json:"address"`
		Result    Result          `json:"result"`
		Why       string          `json:"why"`
		Documents []RangeDocument `json:"documents,omitempty"`
		Reverse   *Reverse        `json:"reverse,omitempty"`
	}{v.Address, v.Result, v.Why(), v.Documents, v.Reverse})
}
