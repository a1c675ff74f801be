package fetch

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/robotsexclusion/robots/internal/printable"
)

const (
	// maxRedirects is the maximum number of consecutive redirects (RFC 9309, section 2.3.1.2).
	maxRedirects = 5

	// maxLocation is the maximum length of a redirect's URL, in bytes.
	maxLocation = 8 << 10
)

// redirect returns the URL to which an answer redirects.
func (a *attempt) redirect(h http.Header) (next string, err error) {
	a.redirects = append(a.redirects, Redirect{a.url, a.status})
	location := h.Get("Location")
	switch a.status {
	case 300, 301, 302, 303, 307, 308:
	default:
		return "", statusError(a.status)
	}
	switch {
	case location == "":
		return "", fmt.Errorf("%w without a place to go to", statusError(a.status))
	case len(location) > maxLocation:
		return "", fmt.Errorf("redirect to a URL of %d bytes: more than %d", len(location), maxLocation)
	case len(a.redirects) > maxRedirects:
		return "", fmt.Errorf("more than %d redirects", maxRedirects)
	}
	if next, err = resolve(a.url, location); err != nil {
		return "", fmt.Errorf("redirect to %s: %w", printable.Quoted(location, 200), err)
	}
	return next, nil
}

// resolve returns the absolute URL of a Location header: an HTTP URL, with the host as [Origin]
// writes it, without user information and fragment.
func resolve(base, location string) (string, error) {
	u, err := url.Parse(base)
	if err == nil {
		u, err = u.Parse(strings.ReplaceAll(location, "\t", "")) // as browsers do
	}
	if err != nil {
		return "", errors.New("not a URL")
	}
	origin, err := Origin(u.Scheme + "://" + u.Host)
	if err != nil {
		if wrong, ok := errors.AsType[*URLError](err); ok {
			err = errors.New(wrong.Reason)
		}
		return "", err
	}
	path := u.EscapedPath()
	if !strings.HasPrefix(path, "/") {
		path = "/" + path
	}
	if u.RawQuery != "" {
		path += "?" + escapeQuery(u.RawQuery)
	}
	return origin + path, nil
}

// escapeQuery percent-encodes the bytes that a query must not have.
func escapeQuery(query string) string {
	var b strings.Builder
	for _, c := range []byte(query) {
		if c <= ' ' || c >= 0x7f || c == '"' || c == '<' || c == '>' {
			fmt.Fprintf(&b, "%%%02X", c)
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}
