package botauth

import (
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"unicode/utf8"
)

// A message is a request with its target as sent over the wire, or the response to that request.
type message struct {
	req      *http.Request
	scheme   string      // http or https
	target   string      // the request target
	response http.Header // nil if the message is the request
}

// newMessage returns a request as its client saw it. A request received by a server has the request
// target as it was sent, even if handlers changed its URL.
func newMessage(req *http.Request, scheme string) *message {
	m := &message{req: req, scheme: scheme, target: req.RequestURI}
	if m.target == "" && req.URL != nil {
		m.target = req.URL.RequestURI()
	}
	if m.scheme == "" {
		switch {
		case req.TLS != nil:
			m.scheme = "https"
		case req.URL != nil && req.URL.Scheme != "":
			m.scheme = strings.ToLower(req.URL.Scheme)
		default:
			m.scheme = "http"
		}
	}
	return m
}

// absolute returns what follows the scheme and the slashes in a target in absolute form.
func (m *message) absolute() (rest string, ok bool) {
	_, rest, ok = strings.Cut(m.target, "://")
	return strings.TrimLeft(rest, "/"), ok && !strings.HasPrefix(m.target, "/")
}

// host returns the host of a target in absolute form, or else the Host field (RFC 9112, section
// 3.2.2): the two may differ if another server passed the target on.
func (m *message) host() string {
	if rest, ok := m.absolute(); ok {
		host, _, _ := strings.Cut(rest, "/")
		host, _, _ = strings.Cut(host, "?")
		return host[strings.LastIndexByte(host, '@')+1:]
	}
	if m.req.Host == "" && m.req.URL != nil {
		return m.req.URL.Host
	}
	return m.req.Host
}

// authority returns the authority in lower case, without the default port of the scheme (RFC 9421,
// section 2.2.3).
func (m *message) authority() string {
	port := ":80"
	if m.scheme == "https" {
		port = ":443"
	}
	host := strings.ToLower(m.host())
	return strings.TrimSuffix(strings.TrimSuffix(host, port), ":")
}

// split returns the path and the query, with its question mark, of the request target. An empty
// path becomes "/".
func (m *message) split() (path, query string, err error) {
	target := m.target
	if rest, ok := m.absolute(); ok {
		target = rest
		if i := strings.IndexAny(target, "/?"); i < 0 {
			target = "/"
		} else if target = target[i:]; target[0] == '?' {
			target = "/" + target
		}
	}
	if !strings.HasPrefix(target, "/") {
		return "", "", fmt.Errorf("the request target %q has no path", m.target)
	}
	path, query, ok := strings.Cut(target, "?")
	if ok {
		query = "?" + query
	}
	return path, query, nil
}

// derived returns the value of a component whose name starts with "@"
// (section 2.2).
func (m *message) derived(name string) (string, error) {
	if m.response != nil {
		return "", fmt.Errorf("%w: %s of a response", errUnsupported, name)
	}
	switch name {
	case "@method":
		if m.req.Method == "" {
			return http.MethodGet, nil
		}
		return m.req.Method, nil
	case "@authority":
		return m.authority(), nil
	case "@scheme":
		return m.scheme, nil
	case "@request-target":
		return m.target, nil
	case "@target-uri":
		if _, ok := m.absolute(); ok {
			return m.target, nil
		}
		path, query, err := m.split()
		return m.scheme + "://" + m.host() + path + query, err
	case "@path":
		path, _, err := m.split()
		return path, err
	case "@query":
		_, query, err := m.split()
		if query == "" {
			query = "?" // section 2.2.7
		}
		return query, err
	case "@status":
		return "", errors.New("a request has no status")
	}
	return "", fmt.Errorf("%w: %s", errUnsupported, name)
}

// queryParam returns the value of the query parameter with a name, both encoded as in the signature
// base (section 2.2.8). The parameter must occur exactly once.
func (m *message) queryParam(name string) (value string, err error) {
	_, query, err := m.split()
	if err != nil {
		return "", err
	}
	found := 0
	for pair := range strings.SplitSeq(strings.TrimPrefix(query, "?"), "&") {
		n, v, _ := strings.Cut(pair, "=")
		if pair == "" || formEncode(formDecode(n)) != name {
			continue
		}
		text := formDecode(v)
		if !utf8.ValidString(text) {
			return "", fmt.Errorf("%w: a parameter of the query that is not UTF-8", errUnsupported)
		}
		value = formEncode(text)
		found++
	}
	if found != 1 {
		return "", fmt.Errorf("the query has %d parameters %q, not one", found, name)
	}
	return value, nil
}

// formDecode decodes a name or value of application/x-www-form-urlencoded. A
// stray "%" stands for itself.
func formDecode(s string) string {
	s = strings.ReplaceAll(s, "+", " ")
	if decoded, err := url.PathUnescape(s); err == nil {
		return decoded
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '%' && i+2 < len(s) {
			if c, err := hex.DecodeString(s[i+1 : i+3]); err == nil {
				b.Write(c)
				i += 2
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// formEncode encodes all bytes except letters, digits and four others; it encodes a blank too.
func formEncode(s string) string {
	var b strings.Builder
	for i := range len(s) {
		if c := s[i]; 'a' <= c|0x20 && c|0x20 <= 'z' || '0' <= c && c <= '9' || strings.IndexByte("*-._", c) >= 0 {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}
