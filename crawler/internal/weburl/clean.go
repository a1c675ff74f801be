package weburl

import "strings"

// clean resolves the most common links in one pass and one copy: clean ASCII, with
// nothing to encode, to drop or to remove, that are a path, a path relative to the base
// without dot segments, or absolute with a plain host. It reports whether the link is
// such a link; all others are for [Form.resolve].
func (f Form) clean(dst []byte, base *URL, ref string, has marks) ([]byte, URL, bool) {
	if ref == "" || len(ref) > maxWritten || has&(markOdd|markParam) != 0 {
		return dst, URL{}, false
	}
	u := URL{host: base.host, path: base.path}
	var prefix string // the part of the base to copy before ref
	path := 0         // start of the path in ref
	absolute := false // ref has a scheme or an authority
	switch {
	case strings.HasPrefix(ref, "https://"):
		path, absolute = len("https://"), true
	case strings.HasPrefix(ref, "http://"):
		path, absolute = len("http://"), true
	case base.IsZero(): // a relative link needs a base
		return dst, URL{}, false
	case ref[0] == '/' && (len(ref) == 1 || ref[1] != '/'):
		prefix = base.Origin()
	case ref[0] == '/':
		prefix = base.Scheme() + ":"
		path, absolute = len("//"), true
	case has&markColon != 0 || ref[0] == '?' || ref[0] == '.':
		return dst, URL{}, false
	default:
		prefix = base.text[:strings.LastIndexByte(base.text[:base.query], '/')+1]
	}
	if absolute {
		host := ref[path:]
		if i := strings.IndexByte(host, '/'); i >= 0 {
			host = host[:i]
		}
		if (host == "" || host != base.Host()) && kindOf(host) != plain {
			return dst, URL{}, false
		}
		path += len(host)
		u.host = uint16(len(prefix) + path)
		u.path = u.host
	}
	rest := ref[path:]
	if has&markDot != 0 && strings.Contains(rest, "/.") || has&markPercent != 0 && hasEncodedDot(rest) {
		return dst, URL{}, false
	}
	u.query = uint16(len(prefix) + len(ref))
	if has&markQuery != 0 {
		if i := strings.IndexByte(rest, '?'); i >= 0 {
			if f == Links && dropsAny(rest[i+1:]) {
				return dst, URL{}, false
			}
			u.query = uint16(len(prefix) + path + i)
		}
	}
	dst = append(dst, prefix...)
	dst = append(dst, ref...)
	if rest == "" {
		dst = append(dst, '/')
		u.query++
	}
	return dst, u, true
}

// hasEncodedDot reports whether there is a percent-encoded dot in s.
func hasEncodedDot(s string) bool {
	for {
		i := strings.IndexByte(s, '%')
		if i < 0 {
			return false
		}
		if s = s[i:]; isEncodedDot(s) {
			return true
		}
		s = s[1:]
	}
}
