package seeds

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/robotsexclusion/robots/internal/printable"
)

// ErrNoURL means that a text is not an http or https URL, with or without its scheme.
var ErrNoURL = errors.New("name a host and perhaps a path, such as example.com/docs")

// Address returns the URL that a user means with a text on a command line or in a list:
// it puts https:// before a text without a scheme, such as "example.com/docs". The URL
// may be in angle brackets, as in <URL:http://example.com/> (RFC 3986, appendix C).
func Address(text string) (string, error) {
	url := strings.TrimFunc(text, isWhite)
	if inner, ok := strings.CutPrefix(url, "<"); ok {
		if inner, ok = strings.CutSuffix(inner, ">"); ok {
			url = inner
			if len(url) > 4 && strings.EqualFold(url[:4], "URL:") {
				url = url[4:]
			}
			url = strings.TrimFunc(url, isWhite)
		}
	}
	bad := func(why string) (string, error) {
		return "", fmt.Errorf("%s is not a URL: %s: %w", printable.Quoted(text, 100), why, ErrNoURL)
	}
	n := hasScheme(url)
	if n == 0 {
		url = strings.TrimPrefix(url, "//")
	}
	rest := url[n:]
	switch at := strings.IndexFunc(url, isWhite); {
	case url == "":
		return bad("it is empty")
	case len(url) > maxURL:
		return bad("it is too long")
	case at >= 0:
		return bad("it has white space in it")
	}
	authority := rest
	if i := strings.IndexAny(rest, `/?#\`); i >= 0 {
		authority = rest[:i]
	}
	if n > 0 {
		if host := authority[strings.LastIndexByte(authority, '@')+1:]; !isHost(host) {
			return bad("it has no host")
		}
		return url, nil
	}
	host, port, _ := strings.Cut(authority, ":")
	if authority != "" && authority[0] == '[' {
		host, port, _ = strings.Cut(authority, "]:")
	}
	switch {
	case strings.IndexFunc(port, func(c rune) bool { return c < '0' || c > '9' }) >= 0,
		strings.HasSuffix(authority, ":"):
		return bad("its scheme is not http or https")
	case strings.Contains(authority, "@"):
		return bad("it is the address of somebody")
	case !isHost(authority):
		return bad("it does not begin with a host")
	case !strings.Contains(strings.Trim(host, "."), ".") && !strings.EqualFold(host, "localhost") && host[0] != '[' &&
		port == "":
		return bad("the host has no dot")
	}
	return scheme + url, nil
}

// isWhite reports whether a character is white space, or one of the invisible
// characters in texts.
func isWhite(c rune) bool { return unicode.IsSpace(c) || c == '\ufeff' || c == '\u200b' }

// isHost reports whether a text is a host, with or without a port.
func isHost(text string) bool {
	text = strings.TrimSuffix(text, ".")
	return text != "" && hostEnd([]byte(text)) == len(text)
}

// hostEnd returns the end of the host, with its port, at the start of a text: 0 if
// there is none. The host may be a name in letters of any script, or an address.
func hostEnd(text []byte) int {
	i := 0
	if len(text) > 0 && text[0] == '[' {
		for i = 1; i < len(text) && (isHex(text[i]) || text[i] == ':' || text[i] == '.'); i++ {
		}
		if i < len("[::") || i >= len(text) || text[i] != ']' {
			return 0
		}
		i++
	} else if i = nameEnd(text); i == 0 {
		return 0
	}
	if i+1 < len(text) && text[i] == ':' && isDigit(text[i+1]) {
		for i++; i < len(text) && isDigit(text[i]); i++ {
		}
	}
	return i
}

// nameEnd returns the end of the host name at the start of a text. No top-level domain
// has ASCII letters followed by others, but texts in Chinese or Japanese continue after
// a name without a blank: the name ends there.
func nameEnd(text []byte) int {
	end, label := 0, 0 // end of the name, and start of its last label
	for i := 0; i < len(text); {
		c, n := utf8.DecodeRune(text[i:])
		switch {
		case c == '.' || c == '-':
			if i == label {
				i = len(text)
			} else if c == '.' {
				label = i + 1
			}
		case isNamePart(c) && (c != utf8.RuneError || n > 1):
			end = i + n
		default:
			n = len(text)
		}
		i += n
	}
	last := bytes.LastIndexByte(text[:end], '.') + 1
	for i := last; i < end && last > 0; i++ {
		if text[i] >= utf8.RuneSelf {
			if i > last {
				end = i
			}
			break
		}
	}
	return len(bytes.TrimRight(text[:end], "-"))
}

// isNamePart reports whether a character may occur in a host name.
func isNamePart(c rune) bool {
	if c < utf8.RuneSelf {
		return isWord(byte(c)) || c == '_'
	}
	return unicode.IsLetter(c) || unicode.IsMark(c) || unicode.IsDigit(c) || c == '\u00b7' || c == '\u200c' ||
		c == '\u200d'
}

func isDigit(c byte) bool  { return '0' <= c && c <= '9' }
func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }
func isHex(c byte) bool    { return isDigit(c) || 'a' <= c|0x20 && c|0x20 <= 'f' }
