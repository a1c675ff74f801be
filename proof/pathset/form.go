package pathset

import (
	"strings"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/url/percent"
)

// A form says which bytes may follow each other in paths in the normal form of a dialect. Only
// such paths can be examples. Its states record how much of a percent-encoded byte was read.
type form uint8

// The forms. Paths in several normal forms have them joined by "|".
const (
	encoded form = 1 << iota // of RFC 9309
	given                    // of dialect Google
	decoded                  // of the earlier documents
)

func formOf(d robots.Dialect) form {
	switch d.Path("/<%3B") {
	case "/%3C%3B":
		return encoded
	case "/<;":
		return decoded
	}
	return given
}

// The states of a form: the last bytes that were read.
const (
	plain uint8 = iota // not a part of "%" and two hex digits
	sign               // "%"
	digit              // "%" and a hex digit: digit plus its value
)

// step returns the state after byte c, or false if no path in the form continues with c.
func (f form) step(s uint8, c byte) (next uint8, ok bool) {
	if c == '#' && f != decoded {
		return 0, false // a fragment, because it is not encoded
	}
	if c == 0 && f&given != 0 {
		return 0, false // the end of a C string
	}
	if f&encoded != 0 && (!percent.Allowed(c) || c == '*' || c == '$') {
		return 0, false // these bytes are encoded
	}
	if f&(encoded|decoded) == 0 {
		return plain, true
	}
	value, hex := percent.Unhex(c)
	switch {
	case s == sign && hex:
		next = digit + value
		if f&decoded != 0 && c != '2' {
			return 0, false
		}
		if f&encoded != 0 && c >= 'a' {
			next |= lower
		}
		return next, true
	case s == sign:
		if f&decoded != 0 {
			return 0, false
		}
	case s >= digit:
		high := s&^lower - digit
		if hex && f&encoded != 0 && (s&lower != 0 || c >= 'a' || percent.Unreserved(high<<4|value)) {
			return 0, false
		}
		if f&decoded != 0 && c != 'F' && c != '5' {
			return 0, false
		}
		if hex {
			return plain, true
		}
	}
	if c == '%' {
		return sign, true
	}
	return plain, true
}

// lower marks states after a lower-case hex digit.
const lower = 0x40

// ends reports whether a path may end in state s.
func (f form) ends(s uint8) bool { return s == plain || f&decoded == 0 }

// has reports whether a path is in the form and so can be an example.
func (f form) has(path string) bool {
	s, ok := plain, strings.HasPrefix(path, "/")
	for i := 0; i < len(path) && ok; i++ {
		s, ok = f.step(s, path[i])
	}
	return ok && f.ends(s)
}

// telling adds to set the bytes that are relevant in state s, in addition to those of patterns.
func (f form) telling(s uint8, set *byteSet) {
	if f&(encoded|decoded) == 0 {
		return
	}
	set.add('%')
	if s != plain {
		for _, c := range []byte("0123456789ABCDEF") {
			set.add(c)
		}
	}
}
