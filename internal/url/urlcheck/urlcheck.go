// Package urlcheck finds texts that robots.txt cannot answer for: neither the path of a URL, with
// its query, nor a whole http or https URL. It is apart from package robots for the packages that
// describe the mistakes in other languages.
package urlcheck

import (
	"strconv"
	"strings"

	"github.com/robotsexclusion/robots/internal/printable"
)

// A Fault is the reason why a text is not a URL.
type Fault uint8

// The faults.
const (
	Empty       Fault = iota + 1
	TwoSlashes        // before a path or a host
	NeitherForm       // neither a path nor a URL
	OtherScheme       // the detail is the scheme
	NoSlashes         // after the scheme, which is the detail
	NoHost
	BadAddress // an IPv6 address that is not valid
	BadBracket // the text after a bracket is not a port
	BadPort    // the detail is the port
	BadByte    // the detail is a byte that no host has
)

// messages has the message of each fault in English, for the URL and the detail.
var messages = map[Fault]string{
	Empty:       `the URL is empty: write a path such as /index.html, or a whole URL`,
	TwoSlashes:  `"%[1]s" starts with two slashes: write "https:" before them if a host follows, or one slash if it is a path`,
	NeitherForm: `"%[1]s" is neither a path nor a URL: write "/%[1]s" if it is a path, or "https://%[1]s" if it starts with a host`,
	OtherScheme: `"%[1]s" has the scheme %[2]s: robots.txt speaks of http and https URLs, and of their paths`,
	NoSlashes:   `"%[1]s" names no host: write %[2]s://HOST/PATH`,
	NoHost:      `"%[1]s" names no host`,
	BadAddress:  `"%[1]s" has no valid host: an IPv6 address stands in brackets, as in http://[2001:db8::1]/`,
	BadBracket:  `"%[1]s" has no valid host: only a port may follow the bracket`,
	BadPort:     `"%[1]s" has no valid port: %[2]s`,
	BadByte:     `"%[1]s" has no valid host: %[2]s cannot stand in it`,
}

// An Error describes a mistake in a text.
type Error struct {
	Fault  Fault
	URL    string // the text, shortened and safe to show
	Detail string // of some faults, safe to show
}

// Error returns the message in English, which says what to write instead.
func (e *Error) Error() string {
	if e.Fault == Empty {
		return messages[Empty]
	}
	// Package fmt would be a tenth of a small program. The detail has no "%[1]s": it is a scheme, a
	// port or a byte.
	return strings.ReplaceAll(strings.ReplaceAll(messages[e.Fault], "%[2]s", e.Detail), "%[1]s", e.URL)
}

// host stands before a target in a URL of this host.
const host = "http://host"

// OfHost returns a URL of this host with the target of a request in origin form (RFC 9112, section
// 3.2.1). A server reads the target //x/y as a path of its own; in a link, and for
// robots.Group.Match, the same text is the path /y of a host x.
func OfHost(target string) string {
	if strings.HasPrefix(target, "//") {
		return host + target
	}
	return target
}

// Check returns the mistake in a URL, or nil. It checks the URL only up to the host. Check does not
// allocate if the URL is valid.
func Check(url string) *Error {
	f, detail := check(url)
	if f == 0 {
		return nil
	}
	return &Error{f, clipped(url), detail}
}

// check returns the fault of a URL and its detail. The fault is 0 if there is none.
func check(url string) (f Fault, detail string) {
	if url != "" && url[0] == '/' {
		if len(url) == 1 || url[1] != '/' {
			return 0, ""
		}
		return TwoSlashes, ""
	}
	for _, web := range [...]string{"https://", "http://"} {
		if strings.HasPrefix(url, web) && startsWithName(url[len(web):]) {
			return 0, ""
		}
	}
	return checkWhole(url)
}

// checkWhole is check for a text that does not begin with a slash. It reads every form of an
// authority, and takes longer.
func checkWhole(url string) (f Fault, detail string) {
	scheme, rest, ok := strings.Cut(url, ":")
	switch {
	case url == "":
		return Empty, ""
	case !ok || !isScheme(scheme) || !isWeb(scheme) && startsWithPort(rest):
		return NeitherForm, ""
	case !isWeb(scheme):
		return OtherScheme, clipped(strings.ToLower(scheme))
	case !strings.HasPrefix(rest, "//"):
		return NoSlashes, strings.ToLower(scheme)
	}
	rest = rest[len("//"):]
	authority := rest
	if i := strings.IndexAny(rest, "/?#"); i >= 0 {
		authority = rest[:i]
	}
	return checkAuthority(authority)
}

// clipped returns a text for a message, shortened and safe to show.
func clipped(s string) string { return printable.Clipped(s, 80) }

// startsWithName reports whether s starts with a host name of letters, digits, "-" and ".", with or
// without a port, and nothing else before the path. Most hosts are such names, and need no other
// check.
func startsWithName(s string) bool {
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case 'a' <= c|0x20 && c|0x20 <= 'z', '0' <= c && c <= '9', c == '-', c == '.':
		case c == ':':
			return i > 0 && startsWithShortPort(s[i+1:])
		default:
			return i > 0 && endsAuthority(c)
		}
	}
	return s != ""
}

// startsWithShortPort reports whether s starts with five digits at most, and nothing else before
// the path.
func startsWithShortPort(s string) bool {
	for i := range min(len(s), len("65535")+1) {
		if c := s[i]; c < '0' || '9' < c {
			return endsAuthority(c)
		}
	}
	return len(s) <= len("65535")
}

// endsAuthority reports whether c is the first byte after an authority (RFC 3986, section 3.2).
func endsAuthority(c byte) bool { return c == '/' || c == '?' || c == '#' }

// isWeb reports whether a scheme, which is ASCII, is http or https.
func isWeb(scheme string) bool {
	return strings.EqualFold(scheme, "https") || strings.EqualFold(scheme, "http")
}

// isScheme reports whether s has the form of a scheme (RFC 3986, section 3.1).
func isScheme(s string) bool {
	for i := 0; i < len(s); i++ {
		c := s[i]
		letter := 'a' <= c|0x20 && c|0x20 <= 'z'
		if !letter && (i == 0 || (c < '0' || c > '9') && c != '+' && c != '-' && c != '.') {
			return false
		}
	}
	return s != ""
}

// startsWithPort reports whether s, the text after a colon, starts with a port number: then the
// text before the colon is a host, and not a scheme.
func startsWithPort(s string) bool {
	digits := len(s) - len(strings.TrimLeft(s, "0123456789"))
	return digits > 0 && (digits == len(s) || strings.IndexByte("/?#", s[digits]) >= 0)
}

// checkAuthority returns the fault of an authority (RFC 3986, section 3.2) that names no host that
// a URL can have, with its detail. The fault is 0 if there is none.
func checkAuthority(authority string) (f Fault, detail string) {
	host := authority[strings.LastIndexByte(authority, '@')+1:]
	port := ""
	if strings.HasPrefix(host, "[") {
		end := strings.IndexByte(host, ']')
		if end < 0 || strings.Count(host[:end], ":") < 2 ||
			strings.Trim(host[1:end], "0123456789abcdefABCDEF:.") != "" {
			return BadAddress, ""
		}
		host, port = host[:end+1], host[end+1:]
		if port != "" && port[0] != ':' {
			return BadBracket, ""
		}
	} else if i := strings.IndexByte(host, ':'); i >= 0 {
		host, port = host[:i], host[i:]
	}
	if host == "" {
		return NoHost, ""
	}
	if strings.Trim(strings.TrimPrefix(port, ":"), "0123456789") != "" || len(port) > len(":65535") {
		return BadPort, strconv.Quote(clipped(strings.TrimPrefix(port, ":")))
	}
	for i := 0; i < len(authority); i++ {
		// Bytes that no host may have, and ";", at which all dialects start the path.
		if c := authority[i]; c <= ' ' || c == 0x7F || strings.IndexByte("\"<>\\^`{|};", c) >= 0 {
			return BadByte, strconv.Quote(printable.Text(authority[i : i+1]))
		}
	}
	return 0, ""
}
