package weburl

import (
	"net/netip"
	"strconv"
	"strings"
	"unicode/utf8"

	whatwg "github.com/nlnwa/whatwg-url/url"
)

// maxName is how long the name of a host may be, in bytes, without the dot of
// the root; and maxLabel how long one of its labels (RFC 1035, section 2.3.4).
const (
	maxName  = 253
	maxLabel = 63
)

// A kind tells what a host in ASCII may be.
type kind uint8

const (
	notHost kind = iota // it has a character that no host has, or an empty or too long label
	plain               // a name as it is
	numeric             // its last label is a number, so it is an address or nothing
	ace                 // a name with A-labels, which may be wrong
)

// kindOf returns what a text in lower case is. A host has letters, digits,
// hyphens and, though it should not, underscores: the URL Standard allows more,
// but DNS and packages of this module do not. The dot of the root may stand at
// the end.
func kindOf(s string) kind {
	label := 0 // where it begins
	k, last := plain, plain
	s = strings.TrimSuffix(s, ".")
	if len(s) > maxName {
		return notHost
	}
	for i := 0; ; i++ {
		if i < len(s) && s[i] != '.' {
			if c := s[i]; !('a' <= c && c <= 'z' || isDigit(c) || c == '-' || c == '_') {
				return notHost
			}
			continue
		}
		if i == label || i-label > maxLabel {
			return notHost
		}
		if last = kindOfLabel(s[label:i]); last == ace {
			k = ace
		}
		if i == len(s) {
			break
		}
		label = i + 1
	}
	if last == numeric {
		return numeric
	}
	return k
}

// kindOfLabel tells labels that are numbers to the URL Standard, section 3.5, and
// A-labels from others. It looks at their first bytes, which is enough for nearly
// all.
func kindOfLabel(s string) kind {
	switch {
	case isDigit(s[0]):
		if hex, ok := strings.CutPrefix(s, "0x"); ok && strings.Trim(hex, "0123456789abcdef") == "" {
			return numeric
		}
		if strings.Trim(s, "0123456789") == "" {
			return numeric
		}
	case s[0] == 'x' && strings.HasPrefix(s, "xn--"):
		return ace
	}
	return plain
}

// appendHost appends a host in canonical form. It reports whether it is one that
// can be looked up or dialled.
func appendHost(dst []byte, base *URL, host string) (out []byte, ok bool) {
	switch {
	case host == "":
		return dst, false
	case host[0] == '[':
		return appendIPv6(dst, host)
	case host == base.Host():
		return append(dst, host...), true // even one with A-labels, which cost most
	case isName(host):
		host = strings.ToLower(host)
		switch kindOf(host) {
		case plain:
			return append(dst, host...), true
		case notHost:
			return dst, false
		}
		if isIPv4(host) {
			return append(dst, host...), true
		}
	}
	return appendUnusual(dst, host)
}

// isName reports whether s has only bytes that names in ASCII have, and dots.
func isName(s string) bool {
	for i := range len(s) {
		if c := s[i]; !isAlpha(c) && !isDigit(c) && c != '-' && c != '.' && c != '_' {
			return false
		}
	}
	return true
}

// isIPv4 reports whether s is an address of four decimal numbers, as the
// canonical form has it.
func isIPv4(s string) bool {
	addr, err := netip.ParseAddr(s)
	return err == nil && addr.Is4()
}

// appendUnusual appends a host that is not in ASCII, is percent-encoded, has
// A-labels, or is an address in a form such as 0x7f.1. The library does what the
// standard asks for (sections 3.3 to 3.5), which takes it microseconds.
func appendUnusual(dst []byte, host string) ([]byte, bool) {
	// Its time grows with the square of a label. No name is that long in A-labels.
	if len(host)-2*strings.Count(host, "%") > utf8.UTFMax*maxName || strings.ContainsAny(host, "[]") {
		return dst, false
	}
	u, err := whatwg.Parse("http://" + host + "/")
	if err != nil {
		return dst, false
	}
	host = u.Hostname()
	switch kindOf(host) {
	case notHost:
		return dst, false
	case numeric:
		if !isIPv4(host) {
			return dst, false
		}
	}
	return append(dst, host...), true
}

// appendIPv6 appends an address in brackets (section 3.5). The standard library
// reads what the URL Standard reads, except for zones, and writes what it writes,
// except that an IPv4 address in it has no dots there.
func appendIPv6(dst []byte, host string) ([]byte, bool) {
	if host[len(host)-1] != ']' {
		return dst, false
	}
	addr, err := netip.ParseAddr(host[1 : len(host)-1])
	if err != nil || !addr.Is6() || addr.Zone() != "" {
		return dst, false
	}
	if addr.Is4In6() {
		octets := addr.As16()
		dst = append(dst, "[::ffff:"...)
		dst = strconv.AppendUint(dst, uint64(octets[12])<<8|uint64(octets[13]), 16)
		dst = append(dst, ':')
		dst = strconv.AppendUint(dst, uint64(octets[14])<<8|uint64(octets[15]), 16)
		return append(dst, ']'), true
	}
	dst = append(dst, '[')
	dst = addr.AppendTo(dst)
	return append(dst, ']'), true
}
