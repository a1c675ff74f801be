package auditreport

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"net/netip"
	"regexp"
	"strings"

	"github.com/robotsexclusion/robots/audit"
	"github.com/robotsexclusion/robots/internal/language"
)

// Anonymities are the ways to hide addresses: [Anonymize] has the details.
var Anonymities = []string{"cut", "hash"}

// Anonymize hides the IP addresses of robots, and those in headers and in lines of logs that are in a
// report, and says so in its notes, in a language:
//
//   - "cut": an IPv4 address becomes its /24 network, an IPv6 address its /48 network.
//   - "hash": an address becomes 12 hexadecimal digits, the same digits everywhere in this report. They
//     are of a hash with a random key, which nobody keeps, so that they cannot be looked up.
//   - "": nothing changes.
//
// Names of clients, and addresses in other forms, stay.
func Anonymize(r *audit.Report, how string, l language.Language) {
	var note language.Text
	switch how {
	case "":
		return
	case "cut":
		note = textCut
	case "hash":
		note = textHashed
	}
	hide := NewHider(how).hide
	for i, text := range r.Notes { // some have lines that could not be read
		r.Notes[i] = hideAddresses(text, hide)
	}
	r.Notes = append(r.Notes, note.In(l))
	for i := range r.Robots {
		rules := r.Robots[i].Violations.Rules
		for j := range rules {
			rules[j].Example.Text = hideAddresses(rules[j].Example.Text, hide)
		}
		for j, a := range r.Robots[i].Addresses {
			r.Robots[i].Addresses[j].Address = hideAddresses(a.Address, hide)
		}
		for j, header := range r.Robots[i].UserAgents {
			r.Robots[i].UserAgents[j] = hideAddresses(header, hide)
		}
	}
	for i := range r.Suspects {
		s := &r.Suspects[i]
		s.Address, s.UserAgent = hideNetwork(s.Address, hide), hideAddresses(s.UserAgent, hide)
	}
	for i := range r.Peaks {
		p := &r.Peaks[i]
		p.Address, p.UserAgent = hideNetwork(p.Address, hide), hideAddresses(p.UserAgent, hide)
	}
}

// hideNetwork hides an address, or the network of an IPv6 address, whose length would be that of a
// shorter network afterwards.
func hideNetwork(address string, hide func(netip.Addr) string) string {
	address, _, _ = strings.Cut(address, "/")
	return hideAddresses(address, hide)
}

// A Hider hides addresses as Anonymize does. The hashes of two Hiders differ.
type Hider struct{ hide func(netip.Addr) string }

// NewHider returns a Hider for one of Anonymities.
func NewHider(how string) *Hider {
	if how == "cut" {
		return &Hider{cutAddress}
	}
	key := make([]byte, sha256.Size)
	rand.Read(key)
	return &Hider{func(a netip.Addr) string { return hashAddress(key, a) }}
}

// Address returns the text that stands for an address.
func (h *Hider) Address(a netip.Addr) string { return h.hide(a.Unmap()) }

// Text returns a whole text with its addresses hidden.
func (h *Hider) Text(text string) string { return replaceAddresses(text, h.hide) }

// addressLike matches all IP addresses, with their ports.
var addressLike = regexp.MustCompile(`[0-9A-Fa-f]*[.:][0-9A-Fa-f.:]*[0-9A-Fa-f:]`)

// addressBytes are the bytes of addresses.
const addressBytes = "0123456789abcdefABCDEF.:"

// maxExampleText is the length from which an example may be cut, and end with a part of an address.
const maxExampleText = 4096

// hideAddresses hides the addresses in a text that may have been cut.
func hideAddresses(text string, hide func(netip.Addr) string) string {
	if len(text) >= maxExampleText {
		text = strings.TrimRight(text, addressBytes)
	}
	return replaceAddresses(text, hide)
}

func replaceAddresses(text string, hide func(netip.Addr) string) string {
	return addressLike.ReplaceAllStringFunc(text, func(found string) string {
		if a, err := netip.ParseAddr(found); err == nil {
			return hide(a.Unmap())
		}
		if a, err := netip.ParseAddrPort(found); err == nil {
			return hide(a.Addr().Unmap()) + found[strings.LastIndexByte(found, ':'):]
		}
		if bare, ok := strings.CutSuffix(found, ":"); ok {
			if a, err := netip.ParseAddr(bare); err == nil {
				return hide(a.Unmap()) + ":"
			}
		}
		return found
	})
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
	textCut = language.New(
		"Addresses in lines of logs are cut to their networks: /24 for IPv4, /48 for IPv6.",
		"Las direcciones en las líneas de los registros están recortadas a sus redes: /24 en IPv4, /48 en IPv6.",
		"로그 줄의 주소는 네트워크까지만 남겼습니다. IPv4는 /24, IPv6는 /48입니다.",
		"Адреса в строках журналов урезаны до сетей: /24 для IPv4, /48 для IPv6.")
	textHashed = language.New(
		"Addresses in lines of logs are replaced by hashes with a random key, which are equal for equal addresses of this report only.",
		"Las direcciones en las líneas de los registros están sustituidas por hashes con una clave aleatoria, iguales para direcciones iguales solo dentro de este informe.",
		"로그 줄의 주소는 무작위 키를 쓴 해시로 바꾸었습니다. 이 보고서 안에서만 같은 주소가 같은 해시입니다.",
		"Адреса в строках журналов заменены хешами со случайным ключом: одинаковые адреса имеют одинаковый хеш только в этом отчёте.")
)
