package fetch

import (
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"strconv"
	"strings"

	"github.com/robotsexclusion/robots/internal/printable"
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
	authority := rest
	if i := strings.IndexAny(rest, `/?#\`); i >= 0 {
		// Some programs read a backslash as a slash and some do not, so they disagree about the
		// host.
		if authority = rest[:i]; rest[i] == '\\' {
			return "", &URLError{rawURL, `there is a "\" in the authority: use "/"`}
		}
	}
	authority = authority[strings.LastIndexByte(authority, '@')+1:]
	name, port, err := splitPort(authority)
	if err == nil {
		if name, err = canonicalHost(name); err == nil {
			port, err = canonicalPort(scheme, port)
		}
	}
	if err != nil {
		return "", &URLError{rawURL, err.Error()}
	}
	return scheme + "://" + name + port, nil
}

// splitPort splits the authority into the host, which may be an IPv6 address in brackets, and
// the port.
func splitPort(authority string) (name, port string, err error) {
	end := 0
	if strings.HasPrefix(authority, "[") {
		if end = strings.IndexByte(authority, ']') + 1; end == 0 {
			return "", "", fmt.Errorf("the IPv6 address has no closing bracket")
		}
	}
	name, port, _ = strings.Cut(authority[end:], ":")
	switch {
	case end > 0 && name != "":
		return "", "", fmt.Errorf("%s stands after the IPv6 address: only a port may", printable.Quoted(name, 20))
	case strings.Contains(port, ":"):
		return "", "", fmt.Errorf("more than one colon: an IPv6 address stands in brackets, as in [2001:db8::1]")
	}
	return authority[:end] + name, port, nil
}

// canonicalHost returns a host in the form in which hosts are compared.
func canonicalHost(host string) (string, error) {
	if strings.HasPrefix(host, "[") {
		addr, err := netip.ParseAddr(strings.Trim(host, "[]"))
		switch {
		case err != nil || !addr.Is6():
			return "", fmt.Errorf("%s is not an IPv6 address", printable.Quoted(host, 60))
		case addr.Zone() != "":
			return "", fmt.Errorf("the zone of the address has a meaning on one machine only: leave it out")
		}
		return "[" + addr.String() + "]", nil
	}
	name, err := url.PathUnescape(host)
	if err != nil {
		return "", fmt.Errorf("host %s has a broken %%-escape", printable.Quoted(host, 60))
	}
	if !isASCII(name) { // a name in A-labels stays as it is, as does one with an underscore
		switch name, err = urlhost.ToASCII(name); {
		case errors.Is(err, urlhost.ErrTooLong):
			return "", err
		case err != nil:
			return "", fmt.Errorf("host %s is not a name of IDNA: %v", printable.Quoted(host, 60), err)
		}
	}
	name = strings.ToLower(name)
	if err := checkName(name); err != nil {
		return "", err
	}
	return name, nil
}

// checkName returns the reason why a lower-case ASCII name is not a host, or nil.
func checkName(name string) error {
	if name == "" {
		return fmt.Errorf("it has no host")
	}
	// The name may end with the dot of the root, which makes it a different origin.
	relative := strings.TrimSuffix(name, ".")
	if len(relative) > urlhost.MaxName {
		return urlhost.ErrTooLong
	}
	last := ""
	for label := range strings.SplitSeq(relative, ".") {
		if label == "" || len(label) > urlhost.MaxLabel {
			return fmt.Errorf("host %s has a label that is empty or has more than 63 bytes", printable.Quoted(name, 60))
		}
		for _, c := range []byte(label) {
			if !('a' <= c && c <= 'z' || '0' <= c && c <= '9' || c == '-' || c == '_') {
				return fmt.Errorf("host %s has the character %q: a host has letters, digits, hyphens and dots",
					printable.Quoted(name, 60), c)
			}
		}
		last = label
	}
	// Resolvers read "127.1", "0x7f.1" and "017700000001" as addresses, each in its own way.
	if urlhost.IsNumber(last) {
		if _, err := netip.ParseAddr(name); err != nil {
			return fmt.Errorf("host %s ends in a number but is not an IPv4 address: write four decimal numbers with dots", printable.Quoted(name, 60))
		}
	}
	return nil
}

// canonicalPort returns ":" and the port, or "" for the default port of the scheme. An empty
// port means the default too (RFC 3986, section 3.2.3).
func canonicalPort(scheme, port string) (string, error) {
	if port == "" {
		return "", nil
	}
	n, err := strconv.ParseUint(port, 10, 16)
	switch {
	case err != nil || n == 0 || !allDigits(port):
		return "", fmt.Errorf("port %s is not a number from 1 to 65535", printable.Quoted(port, 20))
	case scheme == "http" && n == 80, scheme == "https" && n == 443:
		return "", nil
	}
	return ":" + strconv.FormatUint(n, 10), nil
}

func allDigits(s string) bool {
	for _, c := range []byte(s) {
		if c < '0' || c > '9' {
			return false
		}
	}
	return s != ""
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
	name, _, _ := splitPort(authority)
	if last := name[len(name)-1]; last != ']' && (last < '0' || last > '9') {
		return netip.Addr{}, false // true of nearly all
	}
	addr, err := netip.ParseAddr(strings.Trim(name, "[]"))
	return addr, err == nil
}
