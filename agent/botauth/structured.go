package botauth

import (
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Structured fields (RFC 9651) are read here, as far as HTTP message signatures
// have them: dictionaries, and single items.

const (
	maxField   = 16 << 10 // bytes of a field that is read
	maxMembers = 128      // members of a dictionary, items of a list, parameters of an item
)

// A dictionary is a Dictionary (section 3.2), in its order. Of members with one
// key only the last is in it.
type dictionary struct {
	members  []member
	repeated string // a key that stands twice in it, or twice among the parameters of an item
}

// A member is a member of a dictionary: an item, or an inner list of items. The
// parameters of an inner list are those of the item.
type member struct {
	key   string
	inner bool
	list  []item
	item
}

// An item is an Item (section 3.3). Its value is an int64, a decimal, a string,
// a token, a []byte, a bool, a date or a displayString.
type item struct {
	value  any
	params []param
}

// A param is a parameter of an item (section 3.1.2).
type param struct {
	key   string
	value any
}

type (
	decimal       int64 // in thousandths
	token         string
	date          int64 // in seconds since 1970
	displayString string
)

// param returns the value of a parameter, or nil if there is none.
func (i item) param(key string) any {
	for _, p := range i.params {
		if p.key == key {
			return p.value
		}
	}
	return nil
}

// member returns the member with a key.
func (d *dictionary) member(key string) (m member, ok bool) {
	i := slices.IndexFunc(d.members, func(m member) bool { return m.key == key })
	if i < 0 {
		return m, false
	}
	return d.members[i], true
}

// parseDictionary parses a Dictionary (section 4.2.2).
func parseDictionary(s string) (*dictionary, error) {
	p, err := newParser(s)
	if err != nil {
		return nil, err
	}
	d := new(dictionary)
	for p.rest != "" {
		m, err := p.member()
		if err != nil {
			return nil, err
		}
		if i := slices.IndexFunc(d.members, func(n member) bool { return n.key == m.key }); i >= 0 {
			d.members[i] = m
			p.repeated = m.key
		} else {
			d.members = append(d.members, m)
		}
		if len(d.members) > maxMembers {
			return nil, fmt.Errorf("more than %d members", maxMembers)
		}
		p.rest = strings.TrimLeft(p.rest, " \t")
		if p.rest == "" {
			break
		}
		if !p.skip(',') {
			return nil, fmt.Errorf("%q where a comma was expected", p.rest[:1])
		}
		if p.rest = strings.TrimLeft(p.rest, " \t"); p.rest == "" {
			return nil, errors.New("nothing after the last comma")
		}
	}
	d.repeated = p.repeated
	return d, nil
}

// parseItem parses an Item (section 4.2.3).
func parseItem(s string) (item, error) {
	p, err := newParser(s)
	if err != nil {
		return item{}, err
	}
	i, err := p.item()
	if err == nil && p.rest != "" {
		err = fmt.Errorf("%q after the end", p.rest[:1])
	}
	return i, err
}

// A parser has what is left of a field.
type parser struct{ rest, repeated string }

func newParser(s string) (*parser, error) {
	if len(s) > maxField {
		return nil, errTooLong
	}
	return &parser{rest: strings.Trim(s, " ")}, nil
}

// errTooLong says that a field is larger than what we read, not that it is wrong.
var errTooLong = fmt.Errorf("longer than %d bytes", maxField)

// skip drops c if it comes next.
func (p *parser) skip(c byte) bool {
	if p.rest == "" || p.rest[0] != c {
		return false
	}
	p.rest = p.rest[1:]
	return true
}

// take drops and returns the bytes that come next and satisfy ok.
func (p *parser) take(ok func(c byte) bool) string {
	i := 0
	for i < len(p.rest) && ok(p.rest[i]) {
		i++
	}
	taken := p.rest[:i]
	p.rest = p.rest[i:]
	return taken
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }
func isLower(c byte) bool { return 'a' <= c && c <= 'z' }
func isAlpha(c byte) bool { return isLower(c | 0x20) }

func isKey(c byte) bool { return isLower(c) || isDigit(c) || strings.IndexByte("_-.*", c) >= 0 }
func isToken(c byte) bool {
	return isAlpha(c) || isDigit(c) || strings.IndexByte("!#$%&'*+-.^_`|~:/", c) >= 0
}

// member parses a member of a dictionary.
func (p *parser) member() (m member, err error) {
	if m.key, err = p.key(); err != nil {
		return m, err
	}
	switch {
	case !p.skip('='):
		m.value = true
		m.params, err = p.params()
	case p.skip('('):
		m.inner = true
		if m.list, err = p.innerList(); err == nil {
			m.params, err = p.params()
		}
	default:
		m.item, err = p.item()
	}
	if err != nil {
		return m, fmt.Errorf("%s: %w", m.key, err)
	}
	return m, nil
}

// key parses a key (section 4.2.3.3).
func (p *parser) key() (string, error) {
	if p.rest == "" || !isLower(p.rest[0]) && p.rest[0] != '*' {
		return "", errors.New("a key must start with a small letter or a star")
	}
	return p.take(isKey), nil
}

// innerList parses what follows the parenthesis of an inner list, up to the
// next (section 4.2.1.2).
func (p *parser) innerList() (list []item, err error) {
	for {
		p.rest = strings.TrimLeft(p.rest, " ")
		if p.skip(')') {
			return list, nil
		}
		i, err := p.item()
		if err != nil {
			return nil, err
		}
		if list = append(list, i); len(list) > maxMembers {
			return nil, fmt.Errorf("more than %d items", maxMembers)
		}
		if p.rest == "" || p.rest[0] != ' ' && p.rest[0] != ')' {
			return nil, errors.New("an inner list without an end")
		}
	}
}

// params parses parameters (section 4.2.3.2).
func (p *parser) params() (params []param, err error) {
	for p.skip(';') {
		p.rest = strings.TrimLeft(p.rest, " ")
		key, err := p.key()
		if err != nil {
			return nil, err
		}
		var value any = true
		if p.skip('=') {
			if value, err = p.bare(); err != nil {
				return nil, fmt.Errorf("%s: %w", key, err)
			}
		}
		if i := slices.IndexFunc(params, func(o param) bool { return o.key == key }); i >= 0 {
			params[i].value = value
			p.repeated = key
		} else if params = append(params, param{key, value}); len(params) > maxMembers {
			return nil, fmt.Errorf("more than %d parameters", maxMembers)
		}
	}
	return params, nil
}

// item parses an item with its parameters.
func (p *parser) item() (i item, err error) {
	if i.value, err = p.bare(); err == nil {
		i.params, err = p.params()
	}
	return i, err
}

// bare parses a bare item (section 4.2.3.1).
func (p *parser) bare() (any, error) {
	if p.rest == "" {
		return nil, errors.New("a value is missing")
	}
	switch c := p.rest[0]; {
	case c == '-' || isDigit(c):
		return p.number()
	case c == '"':
		return p.string()
	case c == '*' || isAlpha(c):
		return token(p.take(isToken)), nil
	case c == ':':
		return p.byteSequence()
	case c == '?':
		p.rest = p.rest[1:]
		switch {
		case p.skip('1'):
			return true, nil
		case p.skip('0'):
			return false, nil
		}
		return nil, errors.New("a boolean is ?0 or ?1")
	case c == '@':
		p.rest = p.rest[1:]
		n, err := p.number()
		if err != nil {
			return nil, err
		}
		seconds, ok := n.(int64)
		if !ok {
			return nil, errors.New("a date is a whole number of seconds")
		}
		return date(seconds), nil
	case c == '%':
		return p.display()
	}
	return nil, fmt.Errorf("a value cannot start with %q", p.rest[:1])
}

// number parses an Integer or a Decimal (section 4.2.4).
func (p *parser) number() (any, error) {
	sign := int64(1)
	if p.skip('-') {
		sign = -1
	}
	whole := p.take(isDigit)
	if whole == "" || len(whole) > 15 {
		return nil, errors.New("a number has 1 to 15 digits")
	}
	if !p.skip('.') {
		n, _ := strconv.ParseInt(whole, 10, 64)
		return sign * n, nil
	}
	part := p.take(isDigit)
	if part == "" || len(part) > 3 || len(whole) > 12 {
		return nil, errors.New("a decimal has 1 to 12 digits, a point and 1 to 3 more")
	}
	n, _ := strconv.ParseInt(whole+(part + "00")[:3], 10, 64)
	return decimal(sign * n), nil
}

// string parses a String (section 4.2.5).
func (p *parser) string() (string, error) {
	var text []byte
	for i := 1; i < len(p.rest); i++ {
		switch c := p.rest[i]; {
		case c == '"':
			p.rest = p.rest[i+1:]
			return string(text), nil
		case c == '\\':
			if i++; i == len(p.rest) || p.rest[i] != '"' && p.rest[i] != '\\' {
				return "", errors.New("a backslash in a string escapes only a quote or itself")
			}
			text = append(text, p.rest[i])
		case c < 0x20 || c > 0x7e:
			return "", errors.New("a string holds printable ASCII only")
		default:
			text = append(text, c)
		}
	}
	return "", errors.New("a string without an end")
}

// byteSequence parses a Byte Sequence (section 4.2.7). As it asks for, padding may be
// missing, and bits after the last byte are ignored.
func (p *parser) byteSequence() ([]byte, error) {
	encoded, rest, ok := strings.Cut(p.rest[1:], ":")
	if !ok {
		return nil, errors.New("a byte sequence without an end")
	}
	digits := strings.TrimRight(encoded, "=")
	if n := len(encoded) - len(digits); n > 0 && len(encoded)%4 != 0 || n > 2 || strings.ContainsAny(digits, "\r\n") {
		return nil, errors.New("a byte sequence is not base64")
	}
	data, err := base64.RawStdEncoding.DecodeString(digits)
	if err != nil {
		return nil, errors.New("a byte sequence is not base64")
	}
	p.rest = rest
	return data, nil
}

// display parses a Display String (section 4.2.10).
func (p *parser) display() (displayString, error) {
	if !strings.HasPrefix(p.rest, `%"`) {
		return "", errors.New(`a display string starts with %"`)
	}
	var text []byte
	for i := 2; i < len(p.rest); i++ {
		switch c := p.rest[i]; {
		case c == '"':
			p.rest = p.rest[i+1:]
			if !utf8.Valid(text) {
				return "", errors.New("a display string is not UTF-8")
			}
			return displayString(text), nil
		case c == '%':
			digits := p.rest[i+1 : min(i+3, len(p.rest))]
			b, err := hex.DecodeString(digits)
			if err != nil || len(digits) < 2 || digits != strings.ToLower(digits) {
				return "", errors.New("a % in a display string is followed by two small hex digits")
			}
			text = append(text, b...)
			i += 2
		case c < 0x20 || c > 0x7e:
			return "", errors.New("a display string holds printable ASCII only")
		default:
			text = append(text, c)
		}
	}
	return "", errors.New("a display string without an end")
}
