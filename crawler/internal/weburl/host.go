package weburl

import (
	"net/netip"
	"strconv"
	"strings"

	"github.com/robotsexclusion/robots/internal/url/percent"
	"github.com/robotsexclusion/robots/internal/url/urlcheck"
	"github.com/robotsexclusion/robots/internal/url/urlhost"
)

// A kind classifies a host in ASCII.
type kind uint8

const (
	notHost kind = iota // has an invalid character, or an empty or too long label
	plain               // a canonical name
	numeric             // the last label is a number, so the host is an address or invalid
	ace                 // a name with A-labels, which may be invalid
)

// kindOf returns the kind of a text in lower case. A host has letters, digits, hyphens
// and, although it should not, underscores: the URL Standard allows more, but DNS and
// packages of this module do not. The host may end in the dot of the root.
func kindOf(s string) kind {
	label := 0 // start of the label
	k, last := plain, plain
	s = strings.TrimSuffix(s, ".")
	if len(s) > urlcheck.MaxName {
		return notHost
	}
	for i := 0; ; i++ {
		if i < len(s) && s[i] != '.' {
			if c := s[i]; !('a' <= c && c <= 'z' || isDigit(c) || c == '-' || c == '_') {
				return notHost
			}
			continue
		}
		if i == label || i-label > urlcheck.MaxLabel {
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

// kindOfLabel recognises numbers (URL Standard, section 3.5) and A-labels. It checks
// the first bytes, which is enough for nearly all labels.
func kindOfLabel(s string) kind {
	switch {
	case isDigit(s[0]):
		if urlcheck.IsNumber(s) {
			return numeric
		}
	case s[0] == 'x' && strings.HasPrefix(s, "xn--"):
		return ace
	}
	return plain
}

// appendHost appends a host in canonical form. It reports whether the host can be
// looked up or dialled.
func appendHost(dst []byte, base *URL, host string) (out []byte, ok bool) {
	switch {
	case host == "":
		return dst, false
	case host[0] == '[':
		return appendIPv6(dst, host)
	case host == base.Host():
		return append(dst, host...), true // even with A-labels, which are the slowest
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

// isName reports whether s has only the bytes of ASCII names, and dots.
func isName(s string) bool {
	for i := range len(s) {
		if c := s[i]; !isAlpha(c) && !isDigit(c) && c != '-' && c != '.' && c != '_' {
			return false
		}
	}
	return true
}

// isIPv4 reports whether s is an address of four decimal numbers, the canonical form.
func isIPv4(s string) bool {
	addr, err := netip.ParseAddr(s)
	return err == nil && addr.Is4()
}

// appendUnusual appends a host that is not in ASCII, is percent-encoded, has A-labels,
// or is an address in a form such as 0x7f.1. It takes microseconds.
func appendUnusual(dst []byte, host string) ([]byte, bool) {
	host, err := urlhost.ToASCII(unescaped(host))
	if err != nil {
		return dst, false
	}
	switch kindOf(host) {
	case notHost:
		return dst, false
	case numeric:
		addr, ok := urlhost.ParseIPv4(host)
		if !ok {
			return dst, false
		}
		return addr.AppendTo(dst), true
	}
	return append(dst, host...), true
}

// unescaped returns s with its percent-encoded bytes decoded.
func unescaped(s string) string {
	if strings.IndexByte(s, '%') < 0 {
		return s
	}
	decoded := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		c, ok := percent.Byte(s[i:])
		if ok {
			i += 2
		} else {
			c = s[i]
		}
		decoded = append(decoded, c)
	}
	return string(decoded)
}

// appendIPv6 appends an address in brackets (section 3.5). The standard library parses
// as the URL Standard does, except for zones, and writes the same form, except for the
// dots of an embedded IPv4 address.
func appendIPv6(dst []byte, host string) ([]byte, bool) {
	if host[len(host)-1] != ']' {
		return dst, false
	}
	addr, err := netip.ParseAddr(host[1 : len(host)-1])
	if err != nil || !addr.Is6() || addr.Zone() != "" {
		return dst, false
	}
	if addr.Is4In6() {
		data := addr.As16()
		dst = append(dst, "[::ffff:"...)
		dst = strconv.AppendUint(dst, uint64(data[12])<<8|uint64(data[13]), 16)
		dst = append(dst, ':')
		dst = strconv.AppendUint(dst, uint64(data[14])<<8|uint64(data[15]), 16)
		return append(dst, ']'), true
	}
	dst = append(dst, '[')
	dst = addr.AppendTo(dst)
	return append(dst, ']'), true
}
