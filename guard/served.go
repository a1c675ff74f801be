package guard

import (
	"bytes"
	"strings"

	"github.com/robotsexclusion/robots/internal/percent"
)

// plain reports whether a server can only take a target for what it says: its path has no empty segment, no segment
// of dots, and no escape but those that robots.txt does not distinguish from their bytes.
func plain(target string) bool {
	for i := 0; i < len(target); i++ {
		switch target[i] {
		case '?':
			return true
		case '#':
			return false
		case '/':
			if i+1 < len(target) && (target[i+1] == '/' || target[i+1] == '.') {
				return false
			}
		case '%':
			if value, ok := percent.Byte(target[i:]); ok && value < 0x80 && (value == '.' || !percent.Unreserved(value)) {
				return false
			}
		}
	}
	return true
}

// servedForms returns the forms of a target that a server may take the target for, without the target itself. Servers
// differ in whether "%2F" separates segments and whether several slashes are one.
func servedForms(target string) (forms []string) {
	path, query := target, ""
	if i := strings.IndexByte(target, '?'); i >= 0 {
		path, query = target[:i], target[i:]
	}
	// Most targets are short: they are decoded without memory, and only forms that differ become strings.
	var list [4]string
	var decodedSpace, formSpace [256]byte
	forms = list[:0]
	for _, slashes := range []bool{false, true} {
		decoded := decodePath(decodedSpace[:0], path, slashes)
		for _, merge := range []bool{false, true} {
			form := append(removeDots(formSpace[:0], decoded, merge), query...)
			if string(form) != target && !hasForm(forms, form) {
				forms = append(forms, string(form))
			}
		}
	}
	return forms
}

// hasForm reports whether forms has a form.
func hasForm(forms []string, form []byte) bool {
	for _, f := range forms {
		if f == string(form) {
			return true
		}
	}
	return false
}

// decodePath appends a path to b. It decodes the escapes of a path, and "%2F" if slashes is set. The bytes that would end the path, and those that
// no URL has, stay escaped.
func decodePath(b []byte, path string, slashes bool) []byte {
	const digits = "0123456789ABCDEF"
	for i := 0; i < len(path); i++ {
		c := path[i]
		if value, ok := percent.Byte(path[i:]); ok {
			if value == '/' && !slashes {
				b = append(b, path[i:i+3]...)
				i += 2
				continue
			}
			c = value
			i += 2
			if c == '%' {
				b = append(b, "%25"...)
				continue
			}
		}
		if c == '?' || c == '#' || !percent.Allowed(c) {
			b = append(b, '%', digits[c>>4], digits[c&15])
		} else {
			b = append(b, c)
		}
	}
	return b
}

// removeDots appends a path to out. It removes the dot segments of a path, as RFC 3986, section 5.2.4 does, and the empty segments
// before the last one if merge is set.
func removeDots(out, path []byte, merge bool) []byte {
	for at := 0; at < len(path); {
		// A segment begins with its slash.
		end := at + 1
		for end < len(path) && path[end] != '/' {
			end++
		}
		segment, last := path[at+1:end], end == len(path)
		switch {
		case string(segment) == "." || string(segment) == "..":
			if string(segment) == ".." {
				out = out[:max(0, bytes.LastIndexByte(out, '/'))]
			}
			if last {
				out = append(out, '/')
			}
		case len(segment) == 0 && merge && !last:
		default:
			out = append(out, path[at:end]...)
		}
		at = end
	}
	return out
}
