package weburl

import (
	"bytes"
	"strconv"
	"strings"
)

// resolve is [Form.clean] for any link. It is the basic URL parser of the URL Standard,
// section 4.4, restricted to the states that can end in a URL of http or https. If it
// refuses the link, the appended bytes are meaningless. It does not check the length.
func (f Form) resolve(dst []byte, base *URL, ref string, has marks) ([]byte, URL, Refusal) {
	ref = trim(ref)
	// A "#" anywhere starts the fragment.
	if i := strings.IndexByte(ref, '#'); i >= 0 {
		ref = ref[:i]
	}
	if has&markWhite != 0 {
		ref = withoutWhite(ref)
	}
	scheme, rest, ok := cutScheme(ref)
	switch {
	case !ok:
		if base.IsZero() {
			return dst, URL{}, Relative
		}
		scheme = base.Scheme()
	case strings.EqualFold(scheme, "https"):
		scheme = "https"
	case strings.EqualFold(scheme, "http"):
		scheme = "http"
	default:
		return dst, URL{}, OtherScheme
	}
	if len(rest) > maxWritten {
		return dst, URL{}, TooLong
	}
	// A relative reference may have the scheme of the base, as in "https:page.html",
	// unless two slashes follow.
	if ok && (scheme != base.Scheme() || strings.HasPrefix(rest, "//")) {
		return f.authority(dst, base, scheme, rest)
	}

	start := len(dst)
	switch {
	case rest == "":
		dst = append(dst, base.text...)
		return dst, *base, None
	case rest[0] == '?':
		dst = append(dst, base.text[:base.query]...)
		u := *base
		return f.appendQuery(dst, rest[1:]), u, None
	case isSlash(rest[0]):
		if len(rest) > 1 && isSlash(rest[1]) {
			return f.authority(dst, base, scheme, rest)
		}
		dst = append(dst, base.Origin()...)
		rest = rest[1:]
	default:
		dir := strings.LastIndexByte(base.text[:base.query], '/')
		dst = append(dst, base.text[:dir]...)
	}
	u := URL{host: base.host, path: base.path}
	dst = f.appendPath(dst, start, &u, rest)
	return dst, u, None
}

// trim returns s without leading and trailing controls and blanks.
func trim(s string) string {
	for s != "" && s[0] <= ' ' {
		s = s[1:]
	}
	for s != "" && s[len(s)-1] <= ' ' {
		s = s[:len(s)-1]
	}
	return s
}

// withoutWhite returns s without tabs and line ends.
func withoutWhite(s string) string {
	kept := make([]byte, 0, len(s))
	for i := range len(s) {
		if markOf[s[i]]&markWhite == 0 {
			kept = append(kept, s[i])
		}
	}
	return string(kept)
}

// cutScheme cuts the part before the first colon, if it is a valid scheme.
func cutScheme(ref string) (scheme, rest string, ok bool) {
	for i := range len(ref) {
		switch c := ref[i]; {
		case isAlpha(c), i > 0 && (isDigit(c) || c == '+' || c == '-' || c == '.'):
		case i > 0 && c == ':':
			return ref[:i], ref[i+1:], true
		default:
			return "", ref, false
		}
	}
	return "", ref, false
}

// authority resolves the rest of an absolute URL after the scheme: any number of
// slashes, the authority, the path and the query.
func (f Form) authority(dst []byte, base *URL, scheme, rest string) ([]byte, URL, Refusal) {
	for rest != "" && isSlash(rest[0]) {
		rest = rest[1:]
	}
	end := 0
	for end < len(rest) && !isSlash(rest[end]) && rest[end] != '?' {
		end++
	}
	name, rest := rest[:end], rest[end:]
	if at := strings.LastIndexByte(name, '@'); at >= 0 {
		user := name[:at]
		name = name[at+1:]
		// An empty name and password would send nothing.
		if user != "" && user != ":" {
			return dst, URL{}, UserInfo
		}
	}
	name, port, hasPort := cutPort(name)
	start := len(dst)
	dst = append(dst, scheme...)
	dst = append(dst, "://"...)
	dst, ok := appendHost(dst, base, name)
	if !ok {
		return dst, URL{}, BadHost
	}
	u := URL{host: uint16(len(dst) - start)}
	if hasPort && port != "" {
		n, err := parsePort(port)
		if err != nil || n == 0 {
			return dst, URL{}, BadPort
		}
		if scheme == "http" && n != 80 || scheme == "https" && n != 443 {
			dst = append(dst, ':')
			dst = strconv.AppendUint(dst, n, 10)
		}
	}
	u.path = uint16(len(dst) - start)
	if rest != "" && isSlash(rest[0]) {
		rest = rest[1:]
	}
	dst = f.appendPath(dst, start, &u, rest)
	return dst, u, None
}

// cutPort cuts the part after the first colon outside the brackets of an IPv6 address.
func cutPort(s string) (host, port string, ok bool) {
	bracket := false
	for i := range len(s) {
		switch s[i] {
		case '[':
			bracket = true
		case ']':
			bracket = false
		case ':':
			if !bracket {
				return s[:i], s[i+1:], true
			}
		}
	}
	return s, "", false
}

// parsePort returns the number of a port, which may have leading zeros.
func parsePort(s string) (uint64, error) {
	if !isDigit(s[0]) {
		return 0, strconv.ErrSyntax // ParseUint rejects signs today; do not depend on that
	}
	return strconv.ParseUint(s, 10, 16)
}

// appendPath appends a path, and the query if there is one, to a URL that begins at
// start. The URL may already have segments: those of rest follow them, and only ".."
// removes them.
func (f Form) appendPath(dst []byte, start int, u *URL, rest string) []byte {
	first := start + int(u.path)
	params := false
	for {
		i, needs := 0, part(0)
		for i < len(rest) && rest[i] != '/' && rest[i] != '\\' && rest[i] != '?' {
			needs |= encodes[rest[i]]
			params = params || rest[i] == ';'
			i++
		}
		segment := rest[:i]
		more := i < len(rest) && rest[i] != '?'
		switch dots(segment) {
		case 2:
			if last := bytes.LastIndexByte(dst[first:], '/'); last >= 0 {
				dst = dst[:first+last]
			}
			fallthrough
		case 1:
			if !more {
				dst = append(dst, '/')
			}
		default:
			dst = append(dst, '/')
			if needs&inPath != 0 {
				dst = appendEncoded(dst, segment, inPath)
			} else {
				dst = append(dst, segment...)
			}
		}
		if rest = rest[i:]; !more {
			break
		}
		rest = rest[1:]
	}
	if params && f == Links {
		dst = withoutPathSession(dst, first)
	}
	u.query = uint16(len(dst) - start)
	if rest != "" {
		dst = f.appendQuery(dst, rest[1:])
	}
	return dst
}

// dots returns 1 for a segment that means the current folder, 2 for its parent, and 0
// for others. A dot may be percent-encoded.
func dots(segment string) (n int) {
	if len(segment) > len("%2e%2e") {
		return 0
	}
	for segment != "" {
		switch {
		case segment[0] == '.':
			segment = segment[1:]
		case isEncodedDot(segment):
			segment = segment[len("%2e"):]
		default:
			return 0
		}
		n++
	}
	if n > 2 {
		return 0
	}
	return n
}

func isEncodedDot(s string) bool {
	return len(s) >= 3 && s[0] == '%' && s[1] == '2' && s[2]|0x20 == 'e'
}

// appendQuery appends "?" and the query without the dropped parameters. If dropping
// leaves nothing, the "?" is dropped too.
func (f Form) appendQuery(dst []byte, query string) []byte {
	at := len(dst)
	dst = append(dst, '?')
	needs := part(0)
	for i := range len(query) {
		needs |= encodes[query[i]]
	}
	if needs&inQuery != 0 {
		dst = appendEncoded(dst, query, inQuery)
		query = string(dst[at+1:])
	} else {
		dst = append(dst, query...)
	}
	if f == Exact || !dropsAny(query) {
		return dst
	}
	dst = dst[:at]
	separator := byte('?')
	coldFusion := hasFold(query, "cftoken=")
	for param := range strings.SplitSeq(query, "&") {
		if !drops(param, coldFusion) {
			dst = append(dst, separator)
			dst = append(dst, param...)
			separator = '&'
		}
	}
	if len(dst) == at+1 {
		dst = dst[:at] // a single empty parameter is left
	}
	return dst
}
