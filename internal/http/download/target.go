package download

import (
	"errors"
	"fmt"
	"net/url"
	"strings"

	"github.com/robotsexclusion/robots/fetch"
	"github.com/robotsexclusion/robots/internal/printable"
)

// A target is a URL split for a request.
type target struct {
	origin    string // such as "https://example.com:8443"
	secure    bool   // the scheme is https
	authority string // for the Host header: the host, and the port if it is not the default of the scheme
	host      string // without brackets
	port      string
	path      string // with the query
}

// parseTarget splits a URL. It changes nothing in it: the request must match the URL
// that was checked against robots.txt.
func parseTarget(u string) (t target, err error) {
	for _, c := range []byte(u) {
		if c <= ' ' || c > '~' || c == '#' {
			return t, fmt.Errorf("it has %q: bring it into canonical form before", c)
		}
	}
	scheme, rest, ok := strings.Cut(u, "://")
	if !ok || scheme != "http" && scheme != "https" {
		return t, errors.New("it is not an absolute URL of http or https")
	}
	end := strings.IndexAny(rest, "/?")
	if end < 0 {
		end = len(rest)
	}
	t.origin = u[:len(scheme)+3+end]
	canonical, err := fetch.Origin(t.origin)
	if err != nil {
		if e, ok := errors.AsType[*fetch.URLError](err); ok {
			err = errors.New(e.Reason)
		}
		return t, err
	}
	if canonical != t.origin {
		return t, fmt.Errorf("its origin is %s, which is written %s", printable.Quoted(t.origin, 200), canonical)
	}
	t.secure = scheme == "https"
	t.authority, t.path = rest[:end], rest[end:]
	if !strings.HasPrefix(t.path, "/") {
		t.path = "/" + t.path
	}
	t.host, t.port = t.authority, "80"
	if t.secure {
		t.port = "443"
	}
	if colon := strings.LastIndexByte(t.authority, ':'); colon > strings.LastIndexByte(t.authority, ']') {
		t.host, t.port = t.authority[:colon], t.authority[colon+1:]
	}
	t.host = strings.Trim(t.host, "[]")
	return t, nil
}

// url returns the target in a form that makes net/http send the path unchanged.
func (t *target) url() *url.URL {
	scheme, _, _ := strings.Cut(t.origin, ":")
	return &url.URL{Scheme: scheme, Host: t.authority, Opaque: "//" + t.authority + t.path}
}

// resolve returns the URL that the value of a Location header means, as text. It only
// joins the bytes of both (RFC 3986, section 5.2.2, without removing dot segments), so
// that the code that canonicalizes the URL sees all of them. A backslash at the start
// of the path counts as a slash, and tabs do not count, as in browsers.
func (t *target) resolve(location string) string {
	location = escape(strings.Trim(strings.ReplaceAll(location, "\t", ""), " "))
	if location == "" {
		return ""
	}
	scheme, _, _ := strings.Cut(t.origin, ":")
	path, _, _ := strings.Cut(t.path, "?")
	switch slash := func(i int) bool { return i < len(location) && (location[i] == '/' || location[i] == '\\') }; {
	case hasScheme(location):
		return location
	case slash(0) && slash(1):
		return scheme + ":" + location
	case slash(0):
		return t.origin + location
	case location[0] == '?':
		return t.origin + path + location
	case location[0] == '#':
		return t.origin + t.path + location
	}
	return t.origin + path[:strings.LastIndexByte(path, '/')+1] + location
}

// hasScheme reports whether a reference begins with a scheme (RFC 3986, section
// 3.1).
func hasScheme(s string) bool {
	for i, c := range []byte(s) {
		switch {
		case 'a' <= c|0x20 && c|0x20 <= 'z':
		case i > 0 && ('0' <= c && c <= '9' || c == '+' || c == '-' || c == '.'):
		default:
			return i > 0 && c == ':'
		}
	}
	return false
}

// escape percent-encodes the bytes that are not printable ASCII.
func escape(s string) string {
	const digits = "0123456789ABCDEF"
	for i := range len(s) {
		if s[i] > ' ' && s[i] <= '~' {
			continue
		}
		b := make([]byte, 0, len(s)+16)
		for _, c := range []byte(s) {
			if c > ' ' && c <= '~' {
				b = append(b, c)
			} else {
				b = append(b, '%', digits[c>>4], digits[c&15])
			}
		}
		return string(b)
	}
	return s
}
