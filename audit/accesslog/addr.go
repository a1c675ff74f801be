package accesslog

import (
	"bytes"
	"encoding/binary"
	"math"
	"net/netip"

	"github.com/robotsexclusion/robots/internal/url/percent"
)

// parseAddr reads an IP address, with or without a port, with or without brackets. It is
// netip.ParseAddr and netip.ParseAddrPort without an allocation and without zones. An IPv4
// address in IPv6 form becomes the IPv4 address.
func parseAddr(b []byte) (netip.Addr, bool) {
	if a, rest, ok := parseIPv4(b); ok {
		return a, len(rest) == 0 || isPort(rest)
	}
	if len(b) > 0 && b[0] == '[' {
		end := bytes.IndexByte(b, ']')
		if end < 0 {
			return netip.Addr{}, false
		}
		if rest := b[end+1:]; len(rest) > 0 && !isPort(rest) {
			return netip.Addr{}, false
		}
		return parseIPv6(b[1:end])
	}
	if a, ok := parseIPv6(b); ok {
		return a, true
	}
	// Eight numbers and a port, or a number with too many digits: the last one is a port.
	if before := cutPort(b); len(before) < len(b) {
		return parseIPv6(before)
	}
	return netip.Addr{}, false
}

// cutPort cuts a port from the end of an address that is followed by one, also of an address in
// IPv6 without brackets. If the rest is not an address, it returns the whole.
func cutPort(b []byte) []byte {
	i := bytes.LastIndexByte(b, ':')
	if i <= 0 || !isPort(b[i:]) {
		return b
	}
	if before := b[:i]; bytes.IndexByte(before, ':') < 0 || before[0] == '[' && before[i-1] == ']' {
		return before
	} else if _, ok := parseIPv6(before); ok {
		return before
	}
	return b
}

// isPort reports whether b is a colon and a port.
func isPort(b []byte) bool {
	if len(b) < 2 || len(b) > 6 || b[0] != ':' {
		return false
	}
	port := 0
	for _, c := range b[1:] {
		if c < '0' || c > '9' {
			return false
		}
		port = port*10 + int(c-'0')
	}
	return port <= math.MaxUint16
}

// parseIPv4 reads an IPv4 address at the beginning of b.
func parseIPv4(b []byte) (a netip.Addr, rest []byte, ok bool) {
	var address uint32
	i := 0
	for part := range 4 {
		if part > 0 {
			if i == len(b) || b[i] != '.' {
				return a, nil, false
			}
			i++
		}
		n, start := uint32(0), i
		for i < len(b) && i-start < 3 && b[i]-'0' <= 9 {
			n = n*10 + uint32(b[i]-'0')
			i++
		}
		if i == start || n > 255 || b[start] == '0' && i-start > 1 {
			return a, nil, false
		}
		address = address<<8 | n
	}
	return netip.AddrFrom4([4]byte(binary.BigEndian.AppendUint32(make([]byte, 0, 4), address))), b[i:], true
}

// parseIPv6 reads an IPv6 address: RFC 4291, section 2.2.
func parseIPv6(b []byte) (netip.Addr, bool) {
	var address [16]byte
	if zone := bytes.IndexByte(b, '%'); zone > 0 && zone < len(b)-1 {
		b = b[:zone]
	}
	n, ellipsis := 0, -1
	if bytes.HasPrefix(b, doubleColon) {
		ellipsis = 0
		b = b[2:]
		if len(b) == 0 {
			return netip.IPv6Unspecified(), true
		}
	}
	for n < 16 {
		group, length := uint32(0), 0
		for length < len(b) && length < 5 {
			d, ok := percent.Unhex(b[length])
			if !ok {
				break
			}
			group = group<<4 | uint32(d)
			length++
		}
		if length == 0 || length > 4 {
			return netip.Addr{}, false
		}
		if length < len(b) && b[length] == '.' {
			v4, rest, ok := parseIPv4(b)
			if !ok || len(rest) > 0 || n > 12 || ellipsis < 0 && n != 12 {
				return netip.Addr{}, false
			}
			four := v4.As4()
			copy(address[n:], four[:])
			n += 4
			b = nil
			break
		}
		binary.BigEndian.PutUint16(address[n:], uint16(group))
		n += 2
		b = b[length:]
		if len(b) == 0 {
			break
		}
		if b[0] != ':' || len(b) == 1 {
			return netip.Addr{}, false
		}
		b = b[1:]
		if b[0] == ':' {
			if ellipsis >= 0 {
				return netip.Addr{}, false
			}
			ellipsis = n
			b = b[1:]
			if len(b) == 0 {
				break
			}
		}
	}
	if len(b) > 0 || n < 16 && ellipsis < 0 || n == 16 && ellipsis >= 0 {
		return netip.Addr{}, false
	}
	if n < 16 {
		moved := copy(address[16-(n-ellipsis):], address[ellipsis:n])
		clear(address[ellipsis : 16-moved])
	}
	return netip.AddrFrom16(address).Unmap(), true
}

var doubleColon = []byte("::")

// parseClient reads the address of a client, which may have a port. It refuses an address with the
// number of a line before it.
func parseClient(b []byte) (netip.Addr, bool) {
	a, ok := parseAddr(b)
	return a, ok && (a.Is4() || numberBefore(b) == 0)
}

// numberBefore returns the length of the number of a line and its colon, as grep -n writes them,
// before an address, or 0. In "11:2001:db8::7" the number could be one of the address; but nobody
// has such an address.
func numberBefore(b []byte) int {
	i := bytes.IndexByte(b, ':')
	if i <= 0 {
		return 0
	}
	if _, ok := digits(b[:i]); !ok {
		return 0
	}
	rest, ok := parseAddr(b[i+1:])
	if !ok {
		return 0
	}
	whole, ok := parseAddr(b)
	if ok && (isAssigned(whole) || !isAssigned(rest) && numberBefore(b[i+1:]) == 0) {
		return 0
	}
	return i + 1
}

// isAssigned reports whether an address is in a block that somebody may have: IPv4, the blocks of
// 2000::/3 that IANA gave to the registries, and addresses of networks of their own.
//
// https://www.iana.org/assignments/ipv6-unicast-address-assignments
func isAssigned(a netip.Addr) bool {
	if a.Is4() {
		return true
	}
	b := a.As16()
	first := binary.BigEndian.Uint16(b[:])
	switch first >> 4 {
	case 0x240, 0x241, 0x260, 0x263, 0x280, 0x2a0, 0x2a1, 0x2c0:
		return true
	}
	switch first {
	case 0x2001, 0x2002, 0x2003, 0x2610, 0x2620:
		return true
	}
	return a.IsLoopback() || a.IsPrivate() || a.IsLinkLocalUnicast() || first == 0x64 && b[2] == 0xff && b[3] == 0x9b
}
