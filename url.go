package robots

import (
	"errors"
	"fmt"
	"strings"

	"github.com/robotsexclusion/robots/internal/printable"
)

// CheckURL returns an error if url is a text that robots.txt cannot answer for: neither the path of
// a URL, with its query, nor a whole http or https URL. The error says what to write instead.
//
// [Group.Match] answers for every text, and for a text that is not a URL the answer is often
// "allowed": "private/x", a path without its first slash, is the path /x of a host named private.
// Check the URLs that people type, that files contain and that other programs send.
//
// CheckURL checks the URL only up to the host: Match normalizes the rest. CheckURL does not
// allocate if the URL is valid.
func CheckURL(url string) error {
	if url != "" && url[0] == '/' {
		if len(url) == 1 || url[1] != '/' {
			return nil
		}
		return badURL(url, `starts with two slashes: write "https:" before them if a host follows, or one slash if it is a path`)
	}
	for _, web := range [...]string{"https://", "http://"} {
		if strings.HasPrefix(url, web) && startsWithName(url[len(web):]) {
			return nil
		}
	}
	scheme, rest, ok := strings.Cut(url, ":")
	switch {
	case url == "":
		return errors.New("the URL is empty: write a path such as /index.html, or a whole URL")
	case !ok || !isScheme(scheme) || !isWeb(scheme) && startsWithPort(rest):
		return badURL(url, fmt.Sprintf(`is neither a path nor a URL: write "/%s" if it is a path, or "https://%[1]s" if it starts with a host`, clipped(url)))
	case !isWeb(scheme):
		return badURL(url, fmt.Sprintf("has the scheme %s: robots.txt speaks of http and https URLs, and of their paths", clipped(lowered(scheme))))
	case !strings.HasPrefix(rest, "//"):
		return badURL(url, fmt.Sprintf("names no host: write %s://HOST/PATH", lowered(scheme)))
	}
	rest = rest[len("//"):]
	authority := rest
	if i := strings.IndexAny(rest, "/?#"); i >= 0 {
		authority = rest[:i]
	}
	if err := checkAuthority(authority); err != nil {
		return badURL(url, err.Error())
	}
	return nil
}

// startsWithName reports whether s starts with a host name of letters, digits, "-" and ".", and
// nothing else before the path. Most hosts are such names, and need no other check.
func startsWithName(s string) bool {
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case 'a' <= c|0x20 && c|0x20 <= 'z', '0' <= c && c <= '9', c == '-', c == '.':
		default:
			return i > 0 && (c == '/' || c == '?' || c == '#')
		}
	}
	return s != ""
}

// badURL returns the error for a text that robots.txt cannot answer for.
func badURL(url, why string) error { return fmt.Errorf(`"%s" %s`, clipped(url), why) }

// clipped returns a text for a message, shortened and safe to show.
func clipped(s string) string { return printable.Clipped(s, 80) }

// isWeb reports whether a scheme is http or https.
func isWeb(scheme string) bool { return equalFold(scheme, "https") || equalFold(scheme, "http") }

// isScheme reports whether s has the form of a scheme (RFC 3986, section 3.1).
func isScheme(s string) bool {
	for i := 0; i < len(s); i++ {
		c := lower(s[i])
		letter := 'a' <= c && c <= 'z'
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

// checkAuthority returns an error unless an authority (RFC 3986, section 3.2) names a host that a
// URL can have.
func checkAuthority(authority string) error {
	host := authority[strings.LastIndexByte(authority, '@')+1:]
	port := ""
	if strings.HasPrefix(host, "[") {
		end := strings.IndexByte(host, ']')
		if end < 0 || strings.Count(host[:end], ":") < 2 || strings.Trim(host[1:end], "0123456789abcdefABCDEF:.") != "" {
			return errors.New(`has no valid host: an IPv6 address stands in brackets, as in http://[2001:db8::1]/`)
		}
		host, port = host[:end+1], host[end+1:]
		if port != "" && port[0] != ':' {
			return errors.New("has no valid host: only a port may follow the bracket")
		}
	} else if i := strings.IndexByte(host, ':'); i >= 0 {
		host, port = host[:i], host[i:]
	}
	if host == "" {
		return errors.New("names no host")
	}
	if strings.Trim(strings.TrimPrefix(port, ":"), "0123456789") != "" || len(port) > len(":65535") {
		return fmt.Errorf("has no valid port: %q", clipped(strings.TrimPrefix(port, ":")))
	}
	for i := 0; i < len(authority); i++ {
		// Bytes that no host may have, and ";", at which all dialects start the path.
		if c := authority[i]; c <= ' ' || c == 0x7F || strings.IndexByte("\"<>\\^`{|};", c) >= 0 {
			return fmt.Errorf("has no valid host: %q cannot stand in it", printable.Text(authority[i:i+1]))
		}
	}
	return nil
}
