// Package weburl brings the links of pages into canonical form: an absolute URL of http
// or https, in the bytes that the URL Standard of the WHATWG defines. The crawler
// compares, stores and requests these bytes.
//
//	page, err := weburl.Links.Parse("https://example.com/docs/")
//	...
//	buf, u, why := weburl.Links.AppendResolved(buf[:0], page, "../news?id=7#top")
//	// u is https://example.com/news?id=7
//
// A browser would request the same URL, except for the parts that the form [Links] drops:
// parameters that only say how a visitor came, and session ids. Nothing is sorted, no
// slash is dropped, and percent-encoding stays as written.
//
// A link without such a URL has a [Refusal]: the reason why it is not visited.
//
// All functions take time linear in the length of the link, and do not allocate for a
// link in clean ASCII.
package weburl

import (
	"net/netip"
	"strings"
)

// A URL is an absolute URL of http or https in canonical form, without user information
// and fragment. It is immutable and comparable with ==. The zero URL is not valid.
//
// A URL takes 24 bytes besides its text. A URL from [Form.AppendResolved] shares the
// memory of the buffer.
type URL struct {
	text string
	// Offsets in text: the end of the host, the start of the path, and the "?" or the
	// end. The port is between the host and the path.
	host, path, query uint16
}

// IsZero reports whether u is the zero URL.
func (u URL) IsZero() bool { return u.text == "" }

// String returns the whole URL, in printable ASCII.
func (u URL) String() string { return u.text }

// Scheme returns "http" or "https", or "" for the zero URL.
func (u URL) Scheme() string {
	switch {
	case u.text == "":
		return ""
	case u.text[4] == 's':
		return "https"
	}
	return "http"
}

// hostStart returns the start of the host, after "http://" or "https://".
func (u URL) hostStart() int {
	if u.text == "" {
		return 0
	}
	return len(u.Scheme()) + len("://")
}

// Host returns the host without the port: a name in lower case and A-labels, an
// IPv4 address, or an IPv6 address in brackets.
func (u URL) Host() string { return u.text[u.hostStart():u.host] }

// Port returns the port, or "" if it is the default of the scheme.
func (u URL) Port() string { return strings.TrimPrefix(u.text[u.host:u.path], ":") }

// Origin returns scheme, host and port, such as "https://example.com:8443": the scope
// of one robots.txt (RFC 9309, section 2.3).
func (u URL) Origin() string { return u.text[:u.path] }

// Path returns the path with the query, such as "/news?id=7": the rules of robots.txt
// are matched against it, and requests use it. It starts with "/".
func (u URL) Path() string { return u.text[u.path:] }

// Query returns the query without its "?", or "".
func (u URL) Query() string { return strings.TrimPrefix(u.text[u.query:], "?") }

// Pathname returns the path without the query. It starts with "/".
func (u URL) Pathname() string { return u.text[u.path:u.query] }

// Addr returns the host as an IP address, if it is one.
func (u URL) Addr() (addr netip.Addr, ok bool) {
	host := u.Host()
	if host == "" {
		return addr, false
	}
	if host[0] == '[' {
		host = host[1 : len(host)-1]
	} else if c := host[len(host)-1]; c < '0' || c > '9' {
		return addr, false // the common case: few names end in a digit
	}
	addr, err := netip.ParseAddr(host)
	return addr, err == nil
}

// Clone returns the same URL with its own copy of the text. Use it to keep a URL longer
// than the buffer of [Form.AppendResolved].
func (u URL) Clone() URL {
	u.text = strings.Clone(u.text)
	return u
}
