// Package urlcheck says which texts are URLs: the path of one, with its query, or a whole http or
// https URL with a host and a port that a client can ask. Packages robots and fetch share it, so
// that both take the same texts, as do the packages that describe the mistakes in other languages.
//
// It does not know the international names, whose tables are large: package urlhost does.
package urlcheck

import (
	"net/netip"
	"strconv"
	"strings"

	"github.com/robotsexclusion/robots/internal/printable"
	"github.com/robotsexclusion/robots/internal/url/percent"
)

// MaxName and MaxLabel are the maximum lengths of a name, without the dot of the root, and of one
// of its labels, in bytes (RFC 1035, section 2.3.4).
const (
	MaxName  = 253
	MaxLabel = 63
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
	BadLabel   // a label of a name is empty or too long, or the name is too long
	BadNumber  // the detail is a name that ends in a number and is not an IPv4 address
	BadByte    // the detail is a byte that no host has
)

// messages has the message of each fault in English, for the URL and the detail.
var messages = map[Fault]string{
	Empty: `the URL is empty: write a path such as /index.html, or a whole URL`,
	TwoSlashes: `"%[1]s" starts with two slashes: write "https:" before them if a host follows, or ` +
		`one slash if it is a path`,
	NeitherForm: `"%[1]s" is neither a path nor a URL: write "/%[1]s" if it is a path, or ` +
		`"https://%[1]s" if it starts with a host`,
	OtherScheme: `"%[1]s" has the scheme %[2]s: robots.txt has rules for http and https URLs only`,
	NoSlashes:   `"%[1]s" names no host: write %[2]s://HOST/PATH`,
	NoHost:      `"%[1]s" names no host`,
	BadAddress:  `"%[1]s" has no valid host: an IPv6 address stands in brackets, as in http://[2001:db8::1]/`,
	BadBracket:  `"%[1]s" has no valid host: only a port may follow the bracket`,
	BadPort:     `"%[1]s" has no valid port: %[2]s is not a number from 1 to 65535`,
	BadLabel: `"%[1]s" has no valid host: the text between two dots is empty or has more than 63 ` +
		`bytes, or the name has more than 253`,
	BadNumber: `"%[1]s" has no valid host: %[2]s ends in a number but is not an IPv4 address: write ` +
		`four decimal numbers with dots`,
	BadByte: `"%[1]s" has no valid host: %[2]s cannot stand in it`,
}

// An Error describes a mistake in a text.
type Error struct {
	Fault  Fault
	URL    string // the text, shortened and safe to show
	Detail string // of some faults, safe to show
}

// Error returns the message in English, which says what to write instead.
func (e *Error) Error() string { return e.message("%[1]s", e.URL) }

// Reason returns the message for a reader who has the URL before him: "it" takes its place.
func (e *Error) Reason() string { return e.message(`"%[1]s"`, "it") }

// message returns the message with a text in the place of the URL.
func (e *Error) message(place, url string) string {
	if e.Fault == Empty {
		return messages[Empty]
	}
	// Package fmt would be a tenth of a small program. The detail may be a part of the URL, so the
	// places of the URL are marked before the detail is put in.
	text := strings.ReplaceAll(messages[e.Fault], place, "\x00")
	return strings.ReplaceAll(strings.ReplaceAll(text, "%[2]s", e.Detail), "\x00", url)
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

// startsWithName reports whether s starts with a host name of letters, digits, "-" and "." whose
// last label starts with none of the digits, with or without a port, and nothing else before the
// path. Most hosts are such names, and need no other check.
func startsWithName(s string) bool {
	label, i := 0, 0
loop:
	for ; i < len(s); i++ {
		switch c := s[i]; {
		case 'a' <= c|0x20 && c|0x20 <= 'z', '0' <= c && c <= '9', c == '-':
		case c == '.':
			if i == label || i-label > MaxLabel {
				return false
			}
			label = i + 1
		default:
			break loop
		}
	}
	if i == label || i-label > MaxLabel || i > MaxName || s[label] <= '9' && s[label] != '-' {
		return false
	}
	return i == len(s) || endsAuthority(s[i]) || s[i] == ':' && startsWithShortPort(s[i+1:])
}

// startsWithShortPort reports whether s starts with the number of a port, of five digits at most,
// and nothing else before the path. The port may be empty.
func startsWithShortPort(s string) bool {
	n := 0
	for i := range min(len(s), len("65535")+1) {
		c := s[i]
		if c < '0' || '9' < c {
			return (i == 0 || 0 < n && n <= 65535) && endsAuthority(c)
		}
		n = 10*n + int(c-'0')
	}
	return len(s) <= len("65535") && (s == "" || 0 < n && n <= 65535)
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

// checkAuthority returns the fault of an authority (RFC 3986, section 3.2) that no client can ask,
// with its detail. The fault is 0 if there is none.
func checkAuthority(authority string) (f Fault, detail string) {
	for i := 0; i < len(authority); i++ {
		// Bytes that no authority may have, and ";", at which all dialects start the path.
		if c := authority[i]; c <= ' ' || c == 0x7F || strings.IndexByte("\"<>\\^`{|};", c) >= 0 {
			return badByte(c)
		}
	}
	host, port := Split(authority)
	if strings.HasPrefix(host, "[") {
		addr, err := netip.ParseAddr(strings.TrimSuffix(host[1:], "]"))
		if !strings.HasSuffix(host, "]") || err != nil || !addr.Is6() || addr.Zone() != "" {
			return BadAddress, ""
		}
		if port != "" && port[0] != ':' {
			return BadBracket, ""
		}
	} else if strings.LastIndexByte(port, ':') > 0 {
		return BadAddress, ""
	} else if f, detail := checkHost(host); f != 0 {
		return f, detail
	}
	if port = strings.TrimPrefix(port, ":"); !isPort(port) {
		return BadPort, strconv.Quote(clipped(port))
	}
	return 0, ""
}

// Split splits an authority into the host, which may be an IPv6 address in brackets, and what
// follows, which is a colon and the port in a valid one. It drops user information.
func Split(authority string) (host, port string) {
	host = authority[strings.LastIndexByte(authority, '@')+1:]
	end := strings.IndexByte(host, ':')
	if strings.HasPrefix(host, "[") {
		end = strings.IndexByte(host, ']') + 1
	}
	if end <= 0 && !strings.HasPrefix(host, ":") {
		return host, ""
	}
	return host[:end], host[end:]
}

// isPort reports whether s is a port of TCP, or empty, which means that of the scheme.
func isPort(s string) bool {
	if s == "" {
		return true
	}
	n := strings.TrimLeft(s, "0")
	return n != "" && strings.Trim(n, "0123456789") == "" &&
		(len(n) < len("65535") || len(n) == len("65535") && n <= "65535")
}

// checkHost returns the fault of a host, which may have escapes. It does not look for mistakes in
// international names other than in their ASCII bytes.
func checkHost(host string) (f Fault, detail string) {
	if host == "" {
		return NoHost, ""
	}
	if strings.IndexByte(host, '%') >= 0 {
		decoded := make([]byte, 0, len(host))
		for i := 0; i < len(host); i++ {
			c := host[i]
			if c == '%' {
				var ok bool
				if c, ok = percent.Byte(host[i:]); !ok {
					return badByte('%')
				}
				i += 2
			}
			decoded = append(decoded, c)
		}
		host = string(decoded)
	}
	return checkName(host)
}

// CheckName returns the mistake in a host in ASCII, without escapes, that is not in brackets, or
// nil.
func CheckName(name string) *Error {
	f, detail := checkName(name)
	if f == 0 {
		return nil
	}
	return &Error{f, clipped(name), detail}
}

// checkName returns the fault of a host without escapes that is not in brackets, and its detail.
// The fault is 0 if there is none. An international name can be wrong in more ways.
func checkName(name string) (f Fault, detail string) {
	// The name may end with the dot of the root, which makes it a different origin.
	relative := strings.TrimSuffix(name, ".")
	ascii, wrong, label, last := true, false, 0, 0
	for i := 0; i <= len(relative); i++ {
		if i == len(relative) || relative[i] == '.' {
			wrong = wrong || i == label || i-label > MaxLabel
			label, last = i+1, label
			continue
		}
		switch c := relative[i]; {
		case c >= 0x80:
			ascii = false
		case 'a' <= c|0x20 && c|0x20 <= 'z', '0' <= c && c <= '9', c == '-', c == '_':
		default:
			return badByte(c)
		}
	}
	switch {
	case !ascii:
		return 0, ""
	case wrong || len(relative) > MaxName:
		return BadLabel, ""
	case IsNumber(relative[last:]):
		// Resolvers read "127.1", "0x7f.1" and "017700000001" as addresses, each in its own way.
		if _, err := netip.ParseAddr(name); err != nil {
			return BadNumber, strconv.Quote(clipped(name))
		}
	}
	return 0, ""
}

// IsNumber reports whether a label is a number, decimal, octal or hexadecimal. A host whose last
// label is a number is an IPv4 address, or wrong (URL Standard, section 3.5).
func IsNumber(label string) bool {
	if len(label) > 1 && label[0] == '0' && label[1]|0x20 == 'x' {
		return strings.Trim(label[2:], "0123456789abcdefABCDEF") == ""
	}
	return label != "" && strings.Trim(label, "0123456789") == ""
}

// badByte returns the fault of a host with this byte.
func badByte(c byte) (Fault, string) { return BadByte, printable.Quoted(string([]byte{c}), 1) }
