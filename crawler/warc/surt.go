package warc

import (
	"bytes"
	"net/netip"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// surtKey returns the key of a URL in an index: its host reversed, followed by its path
// and query, such as "com,example)/a?b=c" for "http://www.example.com/a/?b=c". URLs
// that are probably the same page have the same key, and the keys of a host and of its
// subdomains sort together (Sort-friendly URI Reordering Transform). The key is for
// lookups, not for fetching.
//
// It follows the default of the Python package surt, which pywb and cdxj-indexer use:
//
//   - white space around, tabs and ends of lines, the fragment and the user are
//     dropped; http:// is put before a URL without a scheme
//   - percent-encoding is undone, over and over, in host, path and query; then "#", "%"
//     and everything except visible ASCII are encoded once
//   - "." and ".." in the path are resolved, repeated slashes become one, and
//     the slash at the end is dropped
//   - www., www1. and the like before the host, dots around it and the default
//     port of the scheme are dropped; a host that is one number is an IPv4 address
//   - session IDs as PHP, Java, ASP and ColdFusion write them are dropped
//   - everything is in lower case; parameters of the query are sorted
//   - the scheme is not in the key, unless the URL has no host
//
// Unlike surt, surtKey does not convert a host to its ASCII form: the URLs that a robot
// requests already have it.
func surtKey(url string) string {
	if url == "" {
		return "-"
	}
	if strings.HasPrefix(url, "filedesc") {
		return url
	}
	u := strings.TrimSpace(url)
	if strings.ContainsAny(u, "\n\r\t") {
		u = strings.NewReplacer("\n", "", "\r", "", "\t", "").Replace(u)
	}
	scheme, rest, ok := cutScheme(u)
	if !ok {
		scheme, rest = "http", "//"+u
	}
	// http://https://example.com/ is a frequent typing error.
	for isHTTP(scheme) && strings.HasPrefix(rest, "//") {
		inner, after, ok := cutScheme(rest[2:])
		if !ok || !isHTTP(inner) || !strings.HasPrefix(after, "//") {
			break
		}
		scheme, rest = inner, after
	}
	rest, _, _ = strings.Cut(rest, "#")
	rest, query, _ := strings.Cut(rest, "?")
	authority, path := "", rest
	if strings.HasPrefix(rest, "//") {
		authority, path = rest[2:], ""
		if i := strings.IndexByte(authority, '/'); i >= 0 {
			authority, path = authority[:i], authority[i:]
		}
	}
	if authority == "" && strings.HasPrefix(scheme, "http") {
		authority, path, _ = strings.Cut(strings.TrimLeft(path, "/"), "/")
		path = "/" + path
	}
	if i := strings.LastIndexByte(authority, '@'); i >= 0 {
		authority = authority[i+1:]
	}
	host, port := cutPort(authority, scheme)
	key := surtHost(host)
	if key == "" {
		key = scheme + ":"
	} else {
		key += port + ")"
	}
	return key + surtPath(path, host != "") + surtQuery(query)
}

// cutScheme cuts the scheme, in lower case, and its colon off a URL.
func cutScheme(u string) (scheme, rest string, ok bool) {
	for i, c := range []byte(u) {
		switch {
		case 'a' <= c|0x20 && c|0x20 <= 'z':
		case i > 0 && ('0' <= c && c <= '9' || c == '+' || c == '-' || c == '.'):
		case i > 0 && c == ':':
			return strings.ToLower(u[:i]), u[i+1:], true
		default:
			return "", u, false
		}
	}
	return "", u, false
}

func isHTTP(scheme string) bool { return scheme == "http" || scheme == "https" }

// cutPort cuts the port off an authority. It returns the port with its colon, or "" for
// the default port of the scheme.
func cutPort(authority, scheme string) (host, port string) {
	authority = strings.TrimRight(authority, ":")
	if end := strings.LastIndexByte(authority, ']'); strings.HasPrefix(authority, "[") && end > 0 {
		host, port = authority[1:end], authority[end+1:]
	} else if i := strings.IndexByte(authority, ':'); i >= 0 {
		host, port = authority[:i], authority[i:]
	} else {
		host = authority
	}
	n, err := strconv.ParseUint(strings.TrimPrefix(port, ":"), 10, 16)
	if err != nil || scheme == "http" && n == 80 || scheme == "https" && n == 443 {
		return host, ""
	}
	return host, ":" + strconv.FormatUint(n, 10)
}

// surtHost returns a host reversed, with commas.
func surtHost(host string) string {
	h := string(unescape([]byte(host)))
	h = strings.Trim(strings.ReplaceAll(h, "..", "."), ".")
	if n, err := strconv.ParseUint(h, 10, 64); err == nil {
		h = netip.AddrFrom4([4]byte{byte(n >> 24), byte(n >> 16), byte(n >> 8), byte(n)}).String()
	}
	h = strings.ToLower(string(escape(nil, []byte(h))))
	if after, ok := strings.CutPrefix(h, "www"); ok {
		if after = strings.TrimLeft(after, "0123456789"); strings.HasPrefix(after, ".") {
			h = after[1:]
		}
	}
	reversed := make([]byte, 0, len(h))
	for {
		i := strings.LastIndexByte(h, '.')
		reversed = append(reversed, h[i+1:]...)
		if i < 0 {
			return string(reversed)
		}
		reversed = append(reversed, ',')
		h = h[:i]
	}
}

// Session IDs in paths of ASP.NET.
var pathSessions = []*regexp.Regexp{
	regexp.MustCompile(`(?i)^(.*/)(?:\((?:[a-z]\([0-9a-z]{24}\))+\)/)([^?]+\.aspx.*)$`),
	regexp.MustCompile(`(?i)^(.*/)(?:\([0-9a-z]{24}\)/)([^?]+\.aspx.*)$`),
}

// surtPath returns the path in the form of a key.
func surtPath(path string, hasHost bool) string {
	b := unescape([]byte(path))
	if hasHost {
		b = resolve(b)
	}
	p := strings.ToLower(string(escape(nil, b)))
	if strings.Contains(p, ")/") {
		for _, session := range pathSessions {
			p = session.ReplaceAllString(p, "$1$2")
		}
	}
	if len(p) > 1 {
		p = strings.TrimSuffix(p, "/")
	}
	return p
}

// resolve resolves dot segments and repeated slashes in a path that begins with a slash.
func resolve(path []byte) []byte {
	if !bytes.Contains(path, []byte("//")) && !bytes.Contains(path, []byte("/.")) && len(path) > 0 {
		return path
	}
	var kept [][]byte
	segments := bytes.Split(path, []byte("/"))
	for _, s := range segments[1:] {
		switch string(s) {
		case ".":
		case "..":
			if len(kept) > 0 {
				kept = kept[:len(kept)-1]
				continue
			}
			kept = append(kept, s)
		default:
			kept = append(kept, s)
		}
	}
	resolved := []byte("/")
	for i, s := range kept {
		resolved = append(resolved, s...)
		if i < len(kept)-1 && len(s) > 0 {
			resolved = append(resolved, '/')
		}
	}
	return resolved
}

// Session IDs in queries.
var querySessions = []*regexp.Regexp{
	regexp.MustCompile(`(?i)^(.*)(?:jsessionid=[0-9a-z]{32})(?:&(.*))?$`),
	regexp.MustCompile(`(?i)^(.*)(?:phpsessid=[0-9a-z]{32})(?:&(.*))?$`),
	regexp.MustCompile(`(?i)^(.*)(?:sid=[0-9a-z]{32})(?:&(.*))?$`),
	regexp.MustCompile(`(?i)^(.*)(?:aspsessionid[a-z]{8}=[a-z]{24})(?:&(.*))?$`),
	regexp.MustCompile(`(?i)^(.*)(?:cfid=[^&]+&cftoken=[^&]+)(?:&(.*))?$`),
}

// surtQuery returns the query in the form of a key, with its question mark.
func surtQuery(query string) string {
	if query == "" {
		return ""
	}
	q := strings.ToLower(string(escape(nil, unescape([]byte(query)))))
	if strings.Contains(q, "id=") || strings.Contains(q, "aspsessionid") {
		for _, session := range querySessions {
			q = session.ReplaceAllString(q, "$1$2")
		}
	}
	if len(q) > 1 {
		params := strings.Split(q, "&")
		slices.SortStableFunc(params, compareParams)
		q = strings.Join(params, "&")
	}
	if q == "" {
		return ""
	}
	return "?" + q
}

// compareParams compares by name, and then by value; a missing value sorts before an
// empty one.
func compareParams(a, b string) int {
	nameA, valueA, okA := strings.Cut(a, "=")
	nameB, valueB, okB := strings.Cut(b, "=")
	switch c := strings.Compare(nameA, nameB); {
	case c != 0:
		return c
	case okA != okB && okB:
		return -1
	case okA != okB:
		return 1
	}
	return strings.Compare(valueA, valueB)
}

// unescape repeats percent-decoding until no escape is left, in linear time: an escape
// completed by a decoded byte is decoded at once. It works in place.
func unescape(b []byte) []byte {
	if bytes.IndexByte(b, '%') < 0 {
		return b
	}
	out := b[:0]
	for _, c := range b {
		out = append(out, c)
		for n := len(out); n >= 3 && out[n-3] == '%'; n = len(out) {
			hi, lo := fromHex(out[n-2]), fromHex(out[n-1])
			if hi < 0 || lo < 0 {
				break
			}
			out = append(out[:n-3], byte(hi<<4|lo))
		}
	}
	return out
}

func fromHex(c byte) int {
	switch {
	case '0' <= c && c <= '9':
		return int(c - '0')
	case 'a' <= c|0x20 && c|0x20 <= 'f':
		return int(c|0x20-'a') + 10
	}
	return -1
}

// escape appends s to b, and percent-encodes "#", "%" and everything except visible
// ASCII.
func escape(b, s []byte) []byte {
	const hex = "0123456789ABCDEF"
	for _, c := range s {
		if c <= ' ' || c >= 0x7f || c == '#' || c == '%' {
			b = append(b, '%', hex[c>>4], hex[c&15])
		} else {
			b = append(b, c)
		}
	}
	return b
}
