package trap

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/robotsexclusion/robots/internal/url/percent"
)

// effect returns the part of a URL which shows that a visit has an effect.
func effect(path []string, query string) string {
	for i, segment := range path {
		switch what := meaningOf(segment); {
		case what&isDoing != 0:
			// A wiki has a page about each of these words.
			if i == 0 || path[i-1] != "wiki" {
				return segment
			}
		case what&(isAct|isDone|isMild) != 0 && i > 0 && meaningOf(path[i-1])&isCart != 0:
			return segment
		case what&(isDone|isMild) != 0:
			beside := i > 0 && isObject(path[i-1]) && !endsDate(path[:i]) || i+1 < len(path) && isObject(path[i+1])
			if beside || i == len(path)-1 && (i == 0 || path[i-1] != "wiki") && hasTarget(query, what&isDone != 0) {
				return segment
			}
		case what&isCart != 0 && i == len(path)-1 && hasAct(query):
			return segment
		}
	}
	for query != "" {
		var param string
		param, query, _ = strings.Cut(query, "&")
		name, value, _ := strings.Cut(param, "=")
		ofName := meaningOf(name)
		if ofName&isName != 0 || ofName&isDone != 0 && isVote(value) {
			return param
		}
		// Some sites put the path into a parameter, such as q=user/logout or
		// task=user.logout.
		act := value[strings.LastIndexAny(value, "/.")+1:]
		if len(act) == len(value) && ofName&isQuestion != 0 {
			continue
		}
		what := meaningOf(act)
		if what&isDoing != 0 || ofName&isActor != 0 && what&(isDone|isMild|isAct) != 0 {
			return param
		}
	}
	return ""
}

// isObject reports whether a segment names a single object and not a kind of objects: a
// number, but not a year, or a hexadecimal ID.
func isObject(segment string) bool {
	if n, ok := number(segment); ok {
		return len(segment) != 4 || n < 1900 || n > 2100
	}
	digits := 0
	for _, c := range []byte(segment) {
		if _, ok := percent.Unhex(c); !ok && c != '-' {
			return false
		}
		if '0' <= c && c <= '9' {
			digits++
		}
	}
	return len(segment) >= 8 && digits > 0
}

// endsDate reports whether a path ends in a year and a month, or in a date: then its last
// number is not an object.
func endsDate(path []string) bool {
	if n := len(path); n > 1 {
		if _, ok := monthOf(path[n-2], path[n-1]); ok {
			return true
		}
		if n > 2 && between(path[n-1], 1, 31) {
			_, ok := monthOf(path[n-3], path[n-2])
			return ok
		}
	}
	return false
}

// hasTarget reports whether the query has a parameter for the target of an act, such as
// id, post_id or item, or, if loose, any parameter that is not about the display of a
// page.
func hasTarget(query string, loose bool) bool {
	for query != "" {
		var param string
		param, query, _ = strings.Cut(query, "&")
		name, value, _ := strings.Cut(param, "=")
		if value == "" {
			continue
		}
		if n := len(name); n >= 2 && strings.EqualFold(name[n-2:], "id") {
			return true
		}
		what := meaningOf(name)
		if what&isThing != 0 || loose && what&(isShow|isQuestion) == 0 && !strings.HasPrefix(name, "utm_") {
			return true
		}
	}
	return false
}

// hasAct reports whether the query has a parameter whose name is an act, as for a cart.
func hasAct(query string) bool {
	for param := range strings.SplitSeq(query, "&") {
		if name, value, _ := strings.Cut(param, "="); value != "" && meaningOf(name)&(isAct|isDone) != 0 {
			return true
		}
	}
	return false
}

// isVote reports whether the value of a parameter such as vote is a vote, or names its
// target: a number, but not a year, or one of some words.
func isVote(value string) bool {
	if n, ok := number(strings.TrimLeft(value, "+-")); ok {
		return n < 1900 || n > 2100
	}
	for _, word := range [...]string{"up", "down", "yes", "no", "true", "plus", "minus", "%2B1"} {
		if strings.EqualFold(value, word) {
			return true
		}
	}
	return false
}

// maxWord is the maximum length of a word in bytes.
const maxWord = 64

// meaningOf returns the meaning of a segment, or of the name or value of a parameter.
func meaningOf(s string) senses {
	if s == "" || len(s) > 3*maxWord || !mayBegin(s) {
		return 0
	}
	var buffer [maxWord]byte
	return meanings[string(appendWord(buffer[:0], s))]
}

// begins has, for the first byte of each word, the set of the lower five bits of the
// second byte. These bits are the same in both cases.
var begins = func() (table [256]uint32) {
	for word := range meanings {
		second := byte(0)
		if len(word) > 1 {
			second = word[1]
		}
		table[word[0]] |= 1 << (second & 31)
	}
	return table
}()

// mayBegin reports whether a word may begin like s; few segments do.
func mayBegin(s string) bool {
	first := plain(s[0])
	if len(s) == 1 {
		return begins[first]&1 != 0
	}
	return first == '%' || s[1] == '%' || begins[first]&(1<<(plain(s[1])&31)) != 0
}

// plain returns a byte of ASCII in lower case, or a hyphen for a separator of words.
func plain(c byte) byte {
	switch {
	case 'A' <= c && c <= 'Z':
		return c | 0x20
	case c == '_' || c == ' ' || c == '+':
		return '-'
	}
	return c
}

// appendWord appends s in the form for comparing words: decoded, in lower case, with a
// hyphen for each blank and underscore, and without the extension of a program. A text
// too long for a word is cut.
func appendWord(dst []byte, s string) []byte {
	for len(s) > 0 && len(dst)+utf8.UTFMax <= maxWord {
		c, n := s[0], 1
		if value, ok := percent.Byte(s); ok {
			c, n = value, 3
		}
		if c < utf8.RuneSelf {
			dst = append(dst, plain(c))
			s = s[n:]
			continue
		}
		// The bytes of one character, each of which is encoded in a canonical URL.
		var char [utf8.UTFMax]byte
		size := 0
		for size < len(char) && size*3 < len(s) {
			value, ok := percent.Byte(s[size*3:])
			if !ok {
				break
			}
			char[size] = value
			size++
		}
		r, size := utf8.DecodeRune(char[:size])
		if r == utf8.RuneError {
			return dst[:0] // not UTF-8
		}
		dst = utf8.AppendRune(dst, unicode.ToLower(r))
		s = s[3*size:]
	}
	if dot := bytes.LastIndexByte(dst, '.'); dot > 0 {
		switch string(dst[dot:]) {
		case ".php", ".asp", ".aspx", ".jsp", ".do", ".action", ".cgi", ".cfm", ".pl", ".py":
			return dst[:dot]
		}
	}
	return dst
}
