package auditreport

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"net/netip"
	"slices"
	"strings"

	"github.com/robotsexclusion/robots/audit"
	"github.com/robotsexclusion/robots/internal/language"
)

// Anonymities are the ways to hide addresses: [NewHider] has the details.
var Anonymities = []string{"cut", "hash"}

// Anonymize hides the IP addresses of robots, and those in headers and in lines of logs that are in
// a report. The notes of the report are for [Notes]. Names of the hosts that are judged stay.
// Without a Hider, nothing changes.
func Anonymize(r *audit.Report, by *Hider) {
	if by == nil {
		return
	}
	hide := by.hide
	for i, h := range r.Hosts {
		if !h.Judged { // the clients named it
			r.Hosts[i].Name = replaceAddresses(h.Name, hide)
		}
	}
	for i := range r.Robots {
		r.Robots[i].Token = replaceAddresses(r.Robots[i].Token, hide)
		rules := r.Robots[i].Violations.Rules
		for j := range rules {
			rules[j].Example.Text = hideAddresses(rules[j].Example.Text, maxExampleText, hide)
		}
		r.Robots[i].Addresses = hidden(r.Robots[i].Addresses, hide)
		for j, header := range r.Robots[i].UserAgents {
			r.Robots[i].UserAgents[j] = hideAddresses(header, maxHeaderText, hide)
		}
	}
	for i := range r.Suspects {
		s := &r.Suspects[i]
		s.Address, s.UserAgent = hideNetwork(s.Address, hide), hideAddresses(s.UserAgent, maxHeaderText, hide)
	}
	for i := range r.Peaks {
		p := &r.Peaks[i]
		p.Address, p.UserAgent = hideNetwork(p.Address, hide), hideAddresses(p.UserAgent, maxHeaderText, hide)
	}
}

// hidden hides addresses, and joins those that look the same then.
func hidden(addresses []audit.Address, hide func(netip.Addr) string) (joined []audit.Address) {
	for _, a := range addresses {
		a.Address = replaceAddresses(a.Address, hide)
		same := slices.IndexFunc(joined, func(b audit.Address) bool {
			return b.Address == a.Address && b.Verified == a.Verified
		})
		if same < 0 {
			joined = append(joined, a)
			continue
		}
		joined[same].Certain += a.Certain
		joined[same].Informed += a.Informed
		joined[same].Grace += a.Grace
	}
	return joined
}

// hideNetwork hides an address, or the network of an IPv6 address, whose length would be that of a
// shorter network afterwards.
func hideNetwork(address string, hide func(netip.Addr) string) string {
	address, _, _ = strings.Cut(address, "/")
	return replaceAddresses(address, hide)
}

// A Hider hides addresses. The hashes of two Hiders differ.
//
// Addresses are hidden in every form of netip.ParseAddr, also percent-encoded, and next to any
// other text. Names of clients, and addresses in other forms, stay.
type Hider struct {
	hide func(netip.Addr) string
	note language.Text
}

// NewHider returns a Hider for one of Anonymities:
//
//   - "cut": an IPv4 address becomes its /24 network, an IPv6 address its /48 network.
//   - "hash": an address becomes 12 hexadecimal digits, the same digits everywhere in a report.
//     They are of a hash with a random key, which is not kept, so they cannot be looked up.
//   - "": NewHider returns nil.
func NewHider(how string) *Hider {
	switch how {
	case "":
		return nil
	case "cut":
		return &Hider{cutAddress, textCut}
	}
	key := make([]byte, sha256.Size)
	rand.Read(key)
	return &Hider{func(a netip.Addr) string { return hashAddress(key, a) }, textHashed}
}

// Note says in a language how addresses are hidden.
func (h *Hider) Note(l language.Language) string { return h.note.In(l) }

// Address returns the text that replaces an address.
func (h *Hider) Address(a netip.Addr) string { return h.hide(a.Unmap()) }

// Text returns a whole text with its addresses hidden.
func (h *Hider) Text(text string) string { return replaceAddresses(text, h.hide) }

// addressBytes are the bytes of addresses, also in percent-encoding.
const addressBytes = "0123456789abcdefABCDEF.:%"

// maxExampleText and maxHeaderText are the lengths from which examples and headers may be cut, and
// end with a part of an address.
const (
	maxExampleText = 4096
	maxHeaderText  = 256
)

// hideAddresses hides the addresses in a text that may have been cut at a length.
func hideAddresses(text string, size int, hide func(netip.Addr) string) string {
	if len(text) >= size {
		text = strings.TrimRight(text, addressBytes)
	}
	return replaceAddresses(text, hide)
}

func cutAddress(a netip.Addr) string {
	bits := 48
	if a.Is4() {
		bits = 24
	}
	network, err := a.Prefix(bits)
	if err != nil {
		return "-" // the address is valid, so this does not happen
	}
	return network.Addr().String()
}

func hashAddress(key []byte, a netip.Addr) string {
	h := hmac.New(sha256.New, key)
	h.Write(a.AsSlice())
	return hex.EncodeToString(h.Sum(nil)[:6])
}

var (
	textCut    = language.New("Addresses are cut to their networks: /24 for IPv4, /48 for IPv6.")
	textHashed = language.New(
		"Addresses are replaced by hashes with a random key, which are equal for equal addresses of this report only.")
)
