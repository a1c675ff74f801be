package fetch

import (
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"strings"

	"github.com/robotsexclusion/robots/internal/printable"
	"github.com/robotsexclusion/robots/internal/url/urlcheck"
	"github.com/robotsexclusion/robots/internal/url/urlhost"
)

// A URLError says why a URL has no origin with a robots.txt. The URL is wrong, so retrying does
// not help.
type URLError struct {
	URL    string // as given
	Reason string // the mistake, and how to mend it
}

// Error returns the URL, escaped and shortened to 200 bytes, and the reason.
func (e *URLError) Error() string {
	return fmt.Sprintf("fetch: wrong URL %s: %s", printable.Quoted(e.URL, 200), e.Reason)
}

// Origin returns the origin of an absolute URL: scheme, host and port, such as
// "https://example.com" or "http://xn--bcher-kva.example:8080". One robots.txt covers one
// origin (RFC 9309, section 2.3). Letters are lower case, an international name is in A-labels,
// an IPv6 address is in its shortest form, and user information and the default port are left
// out. The part after the authority is ignored and may be anything. The error is a [*URLError].
func Origin(rawURL string) (string, error) {
	scheme, rest, ok := strings.Cut(rawURL, "://")
	if !ok {
		return "", &URLError{rawURL, "it is not absolute: write https://, the host, and the path"}
	}
	scheme = strings.ToLower(scheme)
	if scheme != "http" && scheme != "https" {
		return "", &URLError{rawURL, fmt.Sprintf("scheme %s: robots.txt is fetched by http and https only",
			printable.Quoted(scheme, 20))}
	}
	if wrong := urlcheck.Check(rawURL); wrong != nil {
		return "", &URLError{rawURL, wrong.Reason()}
	}
	if i := strings.IndexAny(rest, "/?#"); i >= 0 {
		rest = rest[:i]
	}
	host, port := urlcheck.Split(rest)
	name, err := canonicalHost(host)
	if err != nil {
		return "", &URLError{rawURL, err.Error()}
	}
	return scheme + "://" + name + canonicalPort(scheme, port), nil
}

// canonicalHost returns the host of a URL in the form in which hosts are compared.
func canonicalHost(host string) (string, error) {
	if strings.HasPrefix(host, "[") {
		addr, err := netip.ParseAddr(strings.Trim(host, "[]"))
		return "[" + addr.String() + "]", err
	}
	name, err := url.PathUnescape(host)
	if err != nil {
		return "", err
	}
	if isASCII(name) { // a name in A-labels stays as it is, as does one with an underscore
		return strings.ToLower(name), nil
	}
	switch name, err = urlhost.ToASCII(name); {
	case errors.Is(err, urlhost.ErrTooLong):
		return "", err
	case err != nil:
		return "", fmt.Errorf("host %s is not a name of IDNA: %v", printable.Quoted(host, 60), err)
	}
	name = strings.ToLower(name)
	if wrong := urlcheck.CheckName(name); wrong != nil {
		return "", errors.New(wrong.Reason())
	}
	return name, nil
}

// canonicalPort returns ":" and the port of a URL, or "" for the default port of the scheme. An
// empty port means the default too (RFC 3986, section 3.2.3).
func canonicalPort(scheme, port string) string {
	switch port = strings.TrimLeft(port, ":0"); {
	case port == "", scheme == "http" && port == "80", scheme == "https" && port == "443":
		return ""
	}
	return ":" + port
}

func isASCII(s string) bool {
	for _, c := range []byte(s) {
		if c >= 0x80 {
			return false
		}
	}
	return true
}

// literal returns the IP address of an origin whose host is an address.
func literal(origin string) (netip.Addr, bool) {
	_, authority, _ := strings.Cut(origin, "://")
	name, _ := urlcheck.Split(authority)
	if last := name[len(name)-1]; last != ']' && (last < '0' || last > '9') {
		return netip.Addr{}, false // true of nearly all
	}
	addr, err := netip.ParseAddr(strings.Trim(name, "[]"))
	return addr, err == nil
}
