package robots

import (
	"math/bits"
	"strings"
	"unsafe"

	"github.com/robotsexclusion/robots/internal/ruleindex/byteclass"
	"github.com/robotsexclusion/robots/internal/ruleindex/word"
	"github.com/robotsexclusion/robots/internal/url/percent"
	"github.com/robotsexclusion/robots/internal/url/urlcheck"
)

// target returns the part of a URL that is compared with patterns, and the classes of its bytes.
// The part is the path with parameters and query, in the dialect's form, and starts with "/". If it
// has to be rewritten for that, ok is false, path is the part as it stands in the URL, and normal
// rewrites it.
//
// A URL may be absolute, or a path. Every text has a target. All dialects share the rules of
// Google's parser, because its answers for texts that are not URLs ("foo/bar" is a host with a
// path) are as good as any. [CheckURL] finds such texts.
func (r *dialectSpec) target(url string) (path string, has byteclass.Set, ok bool) {
	start := 0
	if len(url) < 2 || url[0] != '/' || url[1] == '/' {
		start = pathStart(url)
	}
	if start == len(url) {
		return "/", byteclass.Table['/'], true
	}
	path = url[start:]
	has = byteclass.Of(path)
	if has&byteclass.Hash != 0 {
		path = path[:strings.IndexByte(path, '#')]
		has = byteclass.Of(path)
	}
	ok = has&r.abnormal == 0 && path[0] == '/' || has&r.abnormal == byteclass.Percent && r.path == encodedPath &&
		normalEscapes(path)
	return path, has, ok
}

// normalEscapes reports whether path starts with "/", and its escapes are in the form encodedPath.
func normalEscapes(path string) bool {
	for i := 0; i < len(path); i++ {
		if path[i] != '%' {
			continue
		}
		c, ok := escape(path, i)
		if !ok {
			continue // a percent sign that encodes nothing stays
		}
		if path[i+1] >= 'a' || path[i+2] >= 'a' || percent.Unreserved(c) {
			return false
		}
		i += 2
	}
	return path[0] == '/'
}

// pathOf returns the part of a URL that is compared with patterns.
func (r *dialectSpec) pathOf(url string) string {
	path, _, ok := r.target(url)
	if !ok {
		path = inPlace(r.normal(make([]byte, 0, 1+3*len(path)), path))
	}
	return path
}

// inPlace returns b as a string without a copy. b must not be modified afterwards.
func inPlace(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

// normal is the rare last step of target, for a path that must be rewritten. It appends the path to
// b, which is empty.
func (r *dialectSpec) normal(b []byte, path string) []byte {
	if r.google {
		// In dialect Google the path is a C string: it ends at a NUL.
		if i := strings.IndexByte(path, 0); i >= 0 {
			path = path[:i]
		}
	}
	if path[0] != '/' {
		b = append(b, '/')
	}
	return r.path.append(b, path)
}

// pathStart returns the start of the path in url, or of the parameters or query if url has no path.
// It returns len(url) if url has none of them.
func pathStart(url string) int {
	from := 0
	if strings.HasPrefix(url, "//") {
		from = 2 // the authority of another host follows, without a scheme
	}
	i := delimiter(url, from)
	if i > from && i+1 < len(url) && url[i] == '/' && url[i-1] == ':' && url[i+1] == '/' {
		i = delimiter(url, i+2) // the authority follows
	}
	if i < len(url) && url[i] == '#' {
		return len(url)
	}
	return i
}

// delimiter returns the index of the first "/", "?", ";" or "#" of s from byte i on, or len(s). It
// tests eight bytes at once.
func delimiter(s string, i int) int {
	for ; i+8 <= len(s); i += 8 {
		v := word.Load8(s[i:])
		slash, query, params, hash := v^word.Ones*'/', v^word.Ones*'?', v^word.Ones*';', v^word.Ones*'#'
		// The lowest high bit of each term is that of its first zero byte.
		found := ((slash-word.Ones)&^slash | (query-word.Ones)&^query | (params-word.Ones)&^params | (hash-word.Ones)&^hash) & word.High
		if found != 0 {
			return i + bits.TrailingZeros64(found)>>3
		}
	}
	for i < len(s) && s[i] != '/' && s[i] != '?' && s[i] != ';' && s[i] != '#' {
		i++
	}
	return i
}

// CheckURL returns an error if url is a text that robots.txt cannot answer for: neither the path of
// a URL, with its query, nor a whole http or https URL. The error says what to write instead.
//
// [Group.Allowed] disallows such a text without a reason, and CheckURL says why. [Group.Match]
// answers for every text, and for a text that is not a URL the answer is often "allowed":
// "private/x", a path without its first slash, is the path /x of a host named private. Check the
// URLs that people type, that files contain and that other programs send.
//
// CheckURL refuses the hosts and ports that package fetch refuses, such as port 0 and the host
// 0x7f.1. It does not check whether IDNA allows an international name. It accepts any text after
// the port, because Match normalizes the rest. CheckURL allocates nothing for a URL, unless its
// host has escapes.
func CheckURL(url string) error {
	if err := urlcheck.Check(url); err != nil {
		return err
	}
	return nil
}
