package lint

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// A valueClass is the mistake in the whole value of a rule, so that only one check
// reports the value.
type valueClass uint8

const (
	valueFine       valueClass = iota
	valueRecord                // it contains another record
	valueTemplate              // it begins with the source of a template
	valueMarkup                // it contains HTML
	valueQuoted                // it is in quotes
	valueURL                   // it is a URL with a host
	valueList                  // it is a list of paths
	valueTranslated            // it has blanks after its slashes, as in machine translation
	valueStart                 // it starts with neither "/" nor "*", so nothing matches it
	valueBlank                 // it contains a blank
)

// classOf returns the class of the value of a rule.
func classOf(value string) valueClass {
	if value == "" {
		return valueFine
	}
	if i, _ := recordIn(value); i >= 0 {
		return valueRecord
	}
	if at := templates().FindStringIndex(value); at != nil && at[0] == 0 {
		return valueTemplate
	}
	if markupIn(value) {
		return valueMarkup
	}
	blank := strings.ContainsAny(value, " \t")
	switch first, _ := utf8.DecodeRuneInString(value); {
	case isQuote(foldedRune(first)):
		return valueQuoted
	case hostBytes(value) > 0:
		return valueURL
	case blank && pathsIn(value) != nil, joinedPaths(value) != nil:
		return valueList
	case blank && strings.Contains(value, "/ "):
		return valueTranslated
	case first != '/' && first != '*':
		return valueStart
	case blank:
		return valueBlank
	}
	return valueFine
}

func isQuote(c rune) bool { return c == '"' || c == '\'' || c == '`' }

// recordIn returns the index of another record within a value, and its field, or -1. The text
// before the record may be joined with it, as in "/pureDisallow: /glee".
func recordIn(value string) (start int, field string) {
	at := 0
	for {
		i := strings.IndexByte(value[at:], ':')
		if i < 0 {
			return -1, ""
		}
		i += at
		at = i + 1
		before := strings.TrimRight(value[:i], " \t")
		for _, f := range commonFields {
			start := len(before) - len(f)
			if start < 0 || !strings.EqualFold(before[start:], f) {
				continue
			}
			if f == "Allow" && start >= 3 && strings.EqualFold(before[start-3:start], "dis") {
				continue
			}
			// Paths of wikis contain colons, but no blank or path after them.
			glued := start > 0 && before[start-1] != ' ' && before[start-1] != '\t'
			after := value[at:]
			if glued && !(strings.HasPrefix(after, " ") || strings.HasPrefix(after, "/") ||
				strings.HasPrefix(after, "http")) {
				continue
			}
			return start, f
		}
	}
}

// hostBytes returns the length in bytes of the scheme and host at the start of a URL, or 0 if
// the value is not a URL.
func hostBytes(value string) int {
	lower := lowerASCII(value[:min(len(value), 300)])
	rest := lower
	switch {
	case strings.HasPrefix(lower, "http://"):
		rest = lower[7:]
	case strings.HasPrefix(lower, "https://"):
		rest = lower[8:]
	case strings.HasPrefix(lower, "www.") && strings.Contains(lower[4:], "."):
	default:
		return 0
	}
	host := strings.IndexAny(rest, "/?*# \t")
	if host < 0 {
		host = len(rest)
	}
	return len(lower) - len(rest) + host
}

// lowerASCII returns s with its ASCII letters in lower case. Unlike [strings.ToLower], it never
// changes the length of s.
func lowerASCII(s string) string {
	b := []byte(s)
	for i, c := range b {
		if 'A' <= c && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
	return string(b)
}

// pathsIn returns the paths of a value that is a list of paths, separated by blanks or commas,
// or nil for other values. A value with the path "/" is not a list: that would have a grave
// effect, and is likelier a slip.
func pathsIn(value string) []string {
	paths := strings.FieldsFunc(value, func(c rune) bool { return c == ' ' || c == '\t' })
	if len(paths) < 2 {
		return nil
	}
	for i, path := range paths {
		path = strings.TrimRight(path, ",;")
		if !isListed(path) {
			return nil
		}
		paths[i] = path
	}
	return paths
}

// isListed reports whether a text is likely one path of a list.
func isListed(path string) bool { return len(path) > 1 && path[0] == '/' && path != "/*" }

// joinedPaths returns the paths of a value that is a list of paths, separated only by
// semicolons or commas, or nil for other values. A URL may contain both: semicolons precede
// parameters of a segment ("/a;jsessionid=1") and end HTML's names of characters
// ("/caf&eacute;/menu"). So each separator must be followed by a path from the root.
func joinedPaths(value string) []string {
	paths := strings.FieldsFunc(value, func(c rune) bool { return c == ';' || c == ',' })
	if len(paths) < 2 || strings.ContainsAny(value, " \t?") {
		return nil
	}
	for _, path := range paths {
		last := path[strings.LastIndexByte(path, '/')+1:]
		if !isListed(path) || last == ".." || strings.Contains(last, "&") {
			return nil
		}
	}
	return paths
}

// oddCharacter returns the index of the first character in a value that is invisible or looks
// like a blank, and that URLs are unlikely to contain. Joiners between letters of scripts that
// need them are allowed.
func oddCharacter(value string) (from, to int) {
	for i, c := range value {
		if c < utf8.RuneSelf || !isInvisible(c) && !isOddBlank(c) {
			continue
		}
		to := i + utf8.RuneLen(c)
		before, _ := utf8.DecodeLastRuneInString(value[:i])
		after, _ := utf8.DecodeRuneInString(value[to:])
		if before >= utf8.RuneSelf && after >= utf8.RuneSelf && unicode.IsLetter(before) && unicode.IsLetter(after) {
			continue
		}
		return i, to
	}
	return 0, 0
}
