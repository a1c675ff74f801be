package crawl

import (
	"slices"
	"strings"

	"github.com/robotsexclusion/robots/internal/percent"
	"github.com/robotsexclusion/robots/internal/weburl"
)

// A shape is what URLs of one program have in common: a URL with "#" for each number, "*"
// for each token, and the names of its parameters without their values, such as
// "/cal/#", "/s/*/page#" and "/list?page&sort". Wider shapes are all that has the path,
// all that stands in its folder, and all that is below one of its folders.
type shape struct {
	text   string // the path; of what is wider, a part of it
	params string // the names of parameters with a "?" before them, or nothing
	width  width
}

// A width is how much a shape has in it. Widths are stored in keys of shapes: never
// renumber.
type width uint8

const (
	sameParams width = 0 // URLs with this path and these parameters
	anyParams  width = 1 // those with this path
	inFolder   width = 2 // those in this folder, without its folders
	below      width = 3 // those in this folder and below it
)

// String returns the shape as it is shown to people.
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

// key returns a hash of the shape, which is stored: it never changes.
func (s shape) key() uint64 {
	h := uint64(0xcbf29ce484222325)
	for _, text := range [...]string{s.text, s.params} {
		for i := range len(text) {
			h = (h ^ uint64(text[i])) * 0x100000001b3
		}
	}
	return mix(h + uint64(s.width))
}

// maxWiths is how many parameters of a URL, and folders above it, count.
const maxWiths = 24

// shapesOf appends the shapes of a URL, from the narrowest to the widest but its host.
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

// appendShape appends a path in which numbers and tokens are replaced, so that URLs
// that one program makes are the same. Percent-encoding that is not needed goes, and so do
// the values of parameters in the path (RFC 3986, section 3.3).
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
		case isWordOctet(c):
			dst, path = appendWordShape(dst, path)
		default:
			dst = append(dst, c)
			path = path[n:]
		}
	}
	return dst
}

// appendWordShape appends the first word of a text: a number is "#", a word that ends in
// one or begins with one has it in its place, and what mixes both more often is a token.
func appendWordShape(dst []byte, text string) ([]byte, string) {
	start, turns, digits := len(dst), 0, false
	for len(text) > 0 {
		c, n := unescaped(text)
		if !isWordOctet(c) {
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

func isWordOctet(c byte) bool {
	return 'a' <= c|0x20 && c|0x20 <= 'z' || '0' <= c && c <= '9' || c >= 0x80
}

// unescaped returns the first byte of a text, and how much of the text it is. A slash
// that is encoded is none.
func unescaped(text string) (c byte, n int) {
	if value, ok := percent.Byte(text); ok && value != '/' {
		return value, 3
	}
	return text[0], 1
}
