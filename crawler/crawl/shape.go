package crawl

import (
	"slices"
	"strings"

	"github.com/robotsexclusion/robots/crawler/internal/weburl"
	"github.com/robotsexclusion/robots/internal/url/percent"
)

// A shape is the common form of the URLs of one program: a URL with "#" for each number, "*" for
// each token, and the names of its parameters without their values, such as "/cal/#",
// "/s/*/page#" and "/list?page&sort". Wider shapes have all URLs with the path, all URLs in its
// folder, or all URLs below one of its folders.
type shape struct {
	text   string // the path, or a part of the path for wider shapes
	params string // the names of parameters after a "?", or ""
	width  width
}

// A width says how many URLs a shape has. Widths are stored in keys of shapes: never renumber.
type width uint8

const (
	sameParams width = 0 // URLs with this path and these parameters
	anyParams  width = 1 // URLs with this path
	inFolder   width = 2 // URLs in this folder, without its subfolders
	below      width = 3 // URLs in this folder and below it
)

// String returns the shape as text for people.
func (s shape) String() string {
	switch s.width {
	case anyParams:
		return s.text + "?…"
	case inFolder:
		return s.text + "…"
	case below:
		return s.text + "…/…"
	}
	return s.text + s.params
}

// key returns a hash of the shape. The hash is stored: it must never change.
func (s shape) key() uint64 {
	h := uint64(0xcbf29ce484222325)
	for _, text := range [...]string{s.text, s.params} {
		for i := range len(text) {
			h = (h ^ uint64(text[i])) * 0x100000001b3
		}
	}
	return mix(h + uint64(s.width))
}

// maxWiths is how many parameters of a URL, and how many folders above it, count.
const maxWiths = 24

// shapesOf appends the shapes of a URL, from the narrowest to the widest below the whole host.
func shapesOf(dst []shape, u weburl.URL) []shape {
	path := string(appendShape(nil, u.Pathname()))
	if query := u.Query(); query != "" {
		dst = append(dst, shape{path, paramNames(query), sameParams}, shape{path, "", anyParams})
	} else {
		dst = append(dst, shape{path, "", sameParams})
	}
	folder := path[:strings.LastIndexByte(path, '/')+1]
	dst = append(dst, shape{folder, "", inFolder})
	for range maxWiths {
		if folder == "/" {
			break
		}
		dst = append(dst, shape{folder, "", below})
		folder = folder[:strings.LastIndexByte(folder[:len(folder)-1], '/')+1]
	}
	return dst
}

// pathShape returns the narrowest shape of a URL, without its parameters.
func pathShape(u weburl.URL) string { return string(appendShape(nil, u.Pathname())) }

// paramNames returns the names of the parameters of a query, each once and in order, with
// numbers and tokens replaced.
func paramNames(query string) string {
	var names []string
	for param := range strings.SplitSeq(query, "&") {
		name, _, named := strings.Cut(param, "=")
		if !named {
			name = "…" // the whole query may be a number, or the name of a page
		}
		if name = string(appendShape(nil, name)); !slices.Contains(names, name) && len(names) < maxWiths {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return "?" + strings.Join(names, "&")
}

// appendShape appends a path with numbers and tokens replaced, so that all URLs of one program
// come out the same. It removes unnecessary percent-encoding, and the values of parameters in
// the path (RFC 3986, section 3.3).
func appendShape(dst []byte, path string) []byte {
	for len(path) > 0 {
		c, n := unescaped(path)
		switch {
		case c == ';':
			dst = append(dst, ';')
			path = path[n:]
			end := len(path)
			if i := strings.IndexAny(path, "/;"); i >= 0 {
				end = i
			}
			name, _, _ := strings.Cut(path[:end], "=")
			dst = appendShape(dst, name)
			path = path[end:]
		case isWordByte(c):
			dst, path = appendWordShape(dst, path)
		default:
			dst = append(dst, c)
			path = path[n:]
		}
	}
	return dst
}

// appendWordShape appends the first word of a text, and returns the rest. A number becomes "#",
// also at the start or the end of a word. A word with more changes between letters and digits
// is a token, and becomes "*".
func appendWordShape(dst []byte, text string) ([]byte, string) {
	start, turns, digits := len(dst), 0, false
	for len(text) > 0 {
		c, n := unescaped(text)
		if !isWordByte(c) {
			break
		}
		isDigit := '0' <= c && c <= '9'
		if len(dst) == start || isDigit != digits {
			turns++
			if digits = isDigit; isDigit {
				dst = append(dst, '#')
			}
		}
		if !isDigit {
			dst = append(dst, c)
		}
		text = text[n:]
	}
	if turns > 2 {
		dst = append(dst[:start], '*')
	}
	return dst, text
}

func isWordByte(c byte) bool {
	return 'a' <= c|0x20 && c|0x20 <= 'z' || '0' <= c && c <= '9' || c >= 0x80
}

// unescaped returns the first byte of a text, percent-decoded, and its length in the text. An
// encoded slash is not decoded.
func unescaped(text string) (c byte, n int) {
	if value, ok := percent.Byte(text); ok && value != '/' {
		return value, 3
	}
	return text[0], 1
}
