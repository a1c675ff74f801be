// Package urlhost reads the hosts of URLs as browsers do (URL Standard, sections 3.3 to 3.5):
// international names, and IPv4 addresses in every form. Package fetch and the crawler share it, so
// that the crawler asks for the robots.txt of the host that it visits.
package urlhost

import (
	"errors"
	"net/netip"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/idna"

	"github.com/robotsexclusion/robots/internal/url/urlcheck"
)

// ErrTooLong means that a name is too long in any form.
var ErrTooLong = errors.New("the host has more than " + strconv.Itoa(urlcheck.MaxName) + " bytes")

// names is the profile of browsers: UTS 46, nontransitional, with any ASCII character and any
// hyphen.
var names = idna.New(idna.MapForLookup(), idna.BidiRule(), idna.Transitional(false),
	idna.StrictDomainName(false), idna.CheckHyphens(false))

// ToASCII returns an international name in A-labels and lower case. It refuses a name that is not
// UTF-8, or not a name of IDNA. It does not check the lengths of labels, nor the ASCII characters.
func ToASCII(name string) (string, error) {
	// No name in A-labels is longer than that, and the conversion takes time that grows with the
	// square of a label.
	if len(name) > utf8.UTFMax*urlcheck.MaxName {
		return "", ErrTooLong
	}
	if !utf8.ValidString(name) {
		return "", errors.New("not UTF-8")
	}
	// The package idna drops an empty A-label. Within a name, an empty label is left.
	if rest, ok := strings.CutSuffix(strings.ToLower(name), "xn--"); ok &&
		strings.TrimRight(rest, ".\u3002\uff0e\uff61") != rest {
		return "", errors.New("an A-label is empty")
	}
	return names.ToASCII(name)
}

// ParseIPv4 parses an address of one to four numbers in lower case, such as 127.0.0.1, 0x7f.1 or
// 017700000001. Numbers may be octal or hexadecimal, the last one fills all bytes that are left,
// and a dot may follow.
func ParseIPv4(host string) (addr netip.Addr, ok bool) {
	parts := strings.Split(strings.TrimSuffix(host, "."), ".")
	if len(parts) > 4 {
		return addr, false
	}
	var bits uint64
	for i, part := range parts {
		n, ok := parseNumber(part)
		width := 8
		if i == len(parts)-1 {
			width = 8 * (4 - i)
		}
		if !ok || n>>width != 0 {
			return addr, false
		}
		bits = bits<<width | n
	}
	return netip.AddrFrom4([4]byte{byte(bits >> 24), byte(bits >> 16), byte(bits >> 8), byte(bits)}), true
}

// parseNumber parses a number of an IPv4 address. A prefix without digits is 0.
func parseNumber(part string) (n uint64, ok bool) {
	if !urlcheck.IsNumber(part) {
		return 0, false
	}
	base := 10
	if hex, ok := strings.CutPrefix(part, "0x"); ok {
		base, part = 16, hex
	} else if len(part) > 1 && part[0] == '0' {
		base, part = 8, part[1:]
	}
	if part == "" {
		return 0, true
	}
	n, err := strconv.ParseUint(part, base, 64)
	return n, err == nil
}
