// Package weburl brings the links of pages into one form: an absolute URL of
// http or https, in the bytes that the URL Standard of the WHATWG gives it. The
// crawler compares, keeps and requests these bytes.
//
//	page, err := form.Parse("https://example.com/docs/")
//	...
//	buf, u, why := form.AppendResolved(buf[:0], page, "../news?id=7#top")
//	// u is https://example.com/news?id=7
//
// A browser would request the same URL, but for what a [Form] leaves out:
// parameters that only tell how a visitor came, and session ids. Nothing is
// sorted, no slash is dropped, and percent-encoding stays as it was written.
//
// A link that leads to no such URL has a [Refusal]: why it is not visited.
//
// All that is here takes time linear in the length of the link, and does not
// allocate for a link in clean ASCII.
package weburl

import (
	"net/netip"
	"strings"
)

// A URL is an absolute URL of http or https in canonical form, without user
// information and fragment. It is immutable and comparable: two of them are the
// same if they are equal. The zero URL is none.
//
// It takes 24 bytes besides its text. One that [Form.AppendResolved] returned
// shares the memory of the buffer.
type URL struct {
	text string
	// Offsets in text: where the host ends, where the path begins, and where
	// "?" is, or the end. Between the host and the path is the port.
	host, path, query uint16
}

// IsZero reports whether u is no URL.
func (u URL) IsZero() bool { return u.text == "" }

// String returns the whole URL, in printable ASCII.
func (u URL) String() string { return u.text }

// Scheme returns "http" or "https", or nothing for the zero URL.
func (u URL) Scheme() string {
	switch {
	case u.text == "":
		return ""
	case u.text[4] == 's':
		return "https"
	}
	return "http"
}

// hostStart returns where the host begins: after "http://" or "https://".
func (u URL) hostStart() int {
	if u.text == "" {
		return 0
	}
	return len(u.Scheme()) + len("://")
}

// Host returns the host without the port: a name in lower case and A-labels, an
// IPv4 address, or an IPv6 address in brackets.
func (u URL) Host() string { return u.text[u.hostStart():u.host] }

// Port returns the port if it is not that of the scheme, or else nothing.
func (u URL) Port() string { return strings.TrimPrefix(u.text[u.host:u.path], ":") }

// Origin returns scheme, host and port, such as "https://example.com:8443": what
// one robots.txt covers (RFC 9309, section 2.3).
func (u URL) Origin() string { return u.text[:u.path] }

// Path returns the path with the query, such as "/news?id=7": what the rules of
// robots.txt are compared with, and what a request asks for. It starts with "/".
func (u URL) Path() string { return u.text[u.path:] }

// Query returns the query without its "?", or nothing.
func (u URL) Query() string { return strings.TrimPrefix(u.text[u.query:], "?") }

// Pathname returns the path without the query. It starts with "/".
func (u URL) Pathname() string { return u.text[u.path:u.query] }

// Addr returns the address that the host is, if it is one.
func (u URL) Addr() (addr netip.Addr, ok bool) {
	host := u.Host()
	if host == "" {
		return addr, false
	}
	if host[0] == '[' {
		host = host[1 : len(host)-1]
	} else if c := host[len(host)-1]; c < '0' || c > '9' {
		return addr, false // as for nearly all: a name that ends in a digit is rare
	}
	addr, err := netip.ParseAddr(host)
	return addr, err == nil
}

// Clone returns the same URL with a text of its own, for one that is kept
// longer than the buffer that [Form.AppendResolved] wrote it to.
func (u URL) Clone() URL {
	u.text = strings.Clone(u.text)
	return u
}
