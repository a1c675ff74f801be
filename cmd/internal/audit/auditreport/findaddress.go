package auditreport

import (
	"net/netip"
	"strings"

	"github.com/robotsexclusion/robots/internal/url/percent"
)

// replaceAddresses replaces the IP addresses in a text. Numbers that may be several addresses, such
// as 1.2.3.4.5, become "-".
//
// Percent-encoded text is decoded first. If the decoded text has no address, the original is
// searched, because a "%" may also be literal.
func replaceAddresses(text string, hide func(netip.Addr) string) string {
	return replaceIn(text, decodeByte, hide, func(rest string) string {
		return replaceIn(rest, plainByte, hide, strings.Clone)
	})
}

// A byteReader returns the first byte of a text that is not empty, and how long its encoding is.
type byteReader func(text string) (c byte, size int)

// plainByte is the byteReader of texts without an encoding.
func plainByte(text string) (c byte, size int) { return text[0], 1 }

// decodeByte is the byteReader of texts in percent-encoding, also repeated: %2E and %252E are a
// dot.
func decodeByte(text string) (c byte, size int) {
	if text[0] != '%' {
		return text[0], 1
	}
	i := 1
	for strings.HasPrefix(text[i:], "25") {
		i += 2
	}
	if c, ok := percent.Byte("%" + text[i:min(i+2, len(text))]); ok {
		return c, i + 2
	}
	return text[0], 1
}

// replaceIn replaces the addresses in a text that a byteReader reads, and the texts between them by
// a function.
func replaceIn(text string, read byteReader, hide func(netip.Addr) string, between func(string) string) string {
	var b strings.Builder
	written := 0
	for i := 0; i < len(text); {
		run := readRun(text, i, read)
		for _, found := range run.addresses() {
			begin, end := run.at[found.begin], run.at[found.end]
			if isVersion(text, begin, end) {
				b.WriteString(between(text[written:begin]))
				b.WriteString(text[begin:end])
				written = end
				continue
			}
			b.WriteString(between(text[written:begin]))
			if found.address.IsValid() {
				b.WriteString(hide(found.address.Unmap()))
			} else {
				b.WriteString("-")
			}
			written = end
		}
		i = run.at[len(run.at)-1]
		if i < len(text) {
			_, size := read(text[i:])
			i += size
		}
	}
	return b.String() + between(text[written:])
}

// A run is bytes of addresses that stand together, decoded, and where each of them begins in the
// text. The last member of at is the end of the run.
type run struct {
	text string
	at   []int
}

// readRun returns the longest run at an index of a text. It may be empty.
func readRun(text string, i int, read byteReader) (r run) {
	var decoded []byte
	for i < len(text) {
		c, size := read(text[i:])
		if !isHex(c) && c != '.' && c != ':' {
			break
		}
		decoded, r.at = append(decoded, c), append(r.at, i)
		i += size
	}
	r.text, r.at = string(decoded), append(r.at, i)
	return r
}

// A foundAddress is a part of a run that is an address. The address is not valid if several
// addresses overlap in the part.
type foundAddress struct {
	begin, end int
	address    netip.Addr
}

// addresses returns the addresses in a run, in order.
func (r *run) addresses() (all []foundAddress) {
	if strings.Count(r.text, ".") < 3 && strings.Count(r.text, ":") < 2 {
		return nil
	}
	for i := range r.text {
		n, address := longestAddress(r.text[i:])
		if n == 0 {
			continue
		}
		if last := len(all) - 1; last >= 0 && i < all[last].end {
			if i+n > all[last].end {
				all[last].end, all[last].address = i+n, netip.Addr{}
			}
			continue
		}
		all = append(all, foundAddress{i, i + n, address})
	}
	return all
}

// maxAddressText is the length of the longest address, which is six groups of four digits and an
// IPv4 address.
const maxAddressText = 45

// longestAddress returns the longest address at the beginning of a text, and its length. The
// address "::" is skipped: no client has it.
func longestAddress(text string) (n int, a netip.Addr) {
	text = text[:min(maxAddressText, len(text))]
	if !strings.Contains(text, "::") && strings.Count(text, ":") < 6 {
		text = text[:min(len("255.255.255.255"), len(text))]
		if strings.Count(text, ".") < 3 {
			return 0, a
		}
	}
	for n := len(text); n >= len("::1"); n-- {
		if a, err := netip.ParseAddr(text[:n]); err == nil {
			return n, a
		}
	}
	return 0, a
}

// isVersion reports whether four numbers are the version of a product in a User-Agent header, as in
// Chrome/120.0.0.0. They have to end with three zeros, as no address of a client does: other
// versions of four small numbers look like addresses.
func isVersion(text string, begin, end int) bool {
	major, ok := strings.CutSuffix(text[begin:end], ".0.0.0")
	if !ok || strings.Trim(major, "0123456789") != "" || end < len(text) &&
		(isHex(text[end]) || strings.IndexByte(".:%", text[end]) >= 0) {
		return false
	}
	product, ok := strings.CutSuffix(text[:begin], "/")
	if !ok {
		return false
	}
	name := strings.TrimRight(product, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
	return name != product && (name == "" || strings.IndexByte(` "(;+`, name[len(name)-1]) >= 0 ||
		strings.HasSuffix(name, "%20"))
}

func isHex(c byte) bool {
	_, ok := percent.Unhex(c)
	return ok
}
