// Package sfv reads and writes the structured fields (RFC 9651) that this module uses:
// dictionaries, and single items. The record Content-Usage is a dictionary, and so are the fields
// of signed requests.
package sfv

import (
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Fields come from strangers, so they have limits. Those of numbers are the smallest that RFC 9651
// allows (sections 3.1 and 3.2): no field that this module knows needs more.
const (
	MaxMembers = 1024 // members of a dictionary
	MaxItems   = 256  // items of an inner list
	MaxParams  = 256  // parameters of an item

	// MaxField is the bytes of a field. A parser must read a byte sequence of 16,384 bytes
	// (section 3.3.5), which are 21,848 bytes of base64.
	MaxField = 32 << 10
)

// ErrTooLong means that a field is larger than MaxField, not that the field is wrong. It is made
// without package fmt, which the smallest engine for JavaScript would link for it.
var ErrTooLong = errors.New("longer than " + strconv.Itoa(MaxField) + " bytes")

// A Dictionary is a Dictionary (section 3.2), in its order. Of members with one
// key only the last is in it.
type Dictionary struct {
	Members  []Member
	Repeated string // a key that stands twice in it, or twice among the parameters of an item
}

// A Member is a member of a dictionary. The parameters of an inner list are those of the item.
type Member struct {
	Key string
	Item
}

// An Item is an Item (section 3.3). Its value is an int64, a Decimal, a string,
// a Token, a []byte, a bool, a Date or a Display; or, of a member of a dictionary only, a List.
type Item struct {
	Value  any
	Params []Param
}

// A Param is a parameter of an item (section 3.1.2). Its value is as of an item, but not a List.
type Param struct {
	Key   string
	Value any
}

// The types of values that have no type of their own in Go.
type (
	List    []Item // an inner list (section 3.1.1)
	Decimal int64  // in thousandths
	Token   string
	Date    int64  // in seconds since 1970
	Display string // a Display String
)

// Param returns the value of a parameter, or nil if there is none.
func (i Item) Param(key string) any {
	for _, p := range i.Params {
		if p.Key == key {
			return p.Value
		}
	}
	return nil
}

// Member returns the member with a key.
func (d *Dictionary) Member(key string) (m Member, ok bool) {
	for _, m := range d.Members {
		if m.Key == key {
			return m, true
		}
	}
	return m, false
}

// ParseDictionary parses a Dictionary (section 4.2.2). One mistake anywhere fails the whole
// Dictionary.
func ParseDictionary(s string) (*Dictionary, error) {
	p, err := newParser(s)
	if err != nil {
		return nil, err
	}
	d := new(Dictionary)
	places := make(map[string]int)
	for p.rest != "" {
		m, err := p.member()
		if err != nil {
			return nil, err
		}
		if i, ok := places[m.Key]; ok {
			d.Members[i] = m
			p.repeated = m.Key
		} else {
			places[m.Key] = len(d.Members)
			d.Members = append(d.Members, m)
		}
		if len(d.Members) > MaxMembers {
			return nil, fmt.Errorf("more than %d members", MaxMembers)
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
	d.Repeated = p.repeated
	return d, nil
}

// ParseItem parses an Item (section 4.2.3).
func ParseItem(s string) (Item, error) {
	p, err := newParser(s)
	if err != nil {
		return Item{}, err
	}
	i, err := p.item()
	if err == nil && p.rest != "" {
		err = fmt.Errorf("%q after the end", p.rest[:1])
	}
	return i, err
}

// IsKey reports whether s is a key (section 3.1.2).
func IsKey(s string) bool {
	p := parser{rest: s}
	_, err := p.key()
	return err == nil && p.rest == ""
}

// A parser has the rest of a field.
type parser struct{ rest, repeated string }

func newParser(s string) (*parser, error) {
	if len(s) > MaxField {
		return nil, ErrTooLong
	}
	return &parser{rest: strings.Trim(s, " ")}, nil
}

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
func (p *parser) member() (m Member, err error) {
	if m.Key, err = p.key(); err != nil {
		return m, err
	}
	switch {
	case !p.skip('='):
		m.Value = true
		m.Params, err = p.params()
	case p.skip('('):
		if m.Value, err = p.innerList(); err == nil {
			m.Params, err = p.params()
		}
	default:
		m.Item, err = p.item()
	}
	if err != nil {
		return m, fmt.Errorf("%s: %w", m.Key, err)
	}
	return m, nil
}

// key parses a key (section 4.2.3.3).
func (p *parser) key() (string, error) {
	if p.rest == "" || !isLower(p.rest[0]) && p.rest[0] != '*' {
		return "", errors.New("a key must start with a small letter or a star, as in key=value")
	}
	return p.take(isKey), nil
}

// innerList parses the text after the opening parenthesis of an inner list, up to the closing one
// (section 4.2.1.2).
func (p *parser) innerList() (list List, err error) {
	for {
		p.rest = strings.TrimLeft(p.rest, " ")
		if p.skip(')') {
			return list, nil
		}
		i, err := p.item()
		if err != nil {
			return nil, err
		}
		if list = append(list, i); len(list) > MaxItems {
			return nil, fmt.Errorf("more than %d items", MaxItems)
		}
		if p.rest == "" || p.rest[0] != ' ' && p.rest[0] != ')' {
			return nil, errors.New("an inner list without an end")
		}
	}
}

// params parses parameters (section 4.2.3.2).
func (p *parser) params() (params []Param, err error) {
	places := make(map[string]int)
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
		if i, ok := places[key]; ok {
			params[i].Value = value
			p.repeated = key
			continue
		}
		places[key] = len(params)
		if params = append(params, Param{key, value}); len(params) > MaxParams {
			return nil, fmt.Errorf("more than %d parameters", MaxParams)
		}
	}
	return params, nil
}

// item parses an item with its parameters.
func (p *parser) item() (i Item, err error) {
	if i.Value, err = p.bare(); err == nil {
		i.Params, err = p.params()
	}
	return i, err
}

// bare parses a bare item (section 4.2.3.1).
func (p *parser) bare() (any, error) {
	if p.rest == "" {
		return nil, errors.New(`a value is missing after "="`)
	}
	switch c := p.rest[0]; {
	case c == '-' || isDigit(c):
		return p.number()
	case c == '"':
		return p.string()
	case c == '*' || isAlpha(c):
		return Token(p.take(isToken)), nil
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
		return Date(seconds), nil
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
	return Decimal(sign * n), nil
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
func (p *parser) display() (Display, error) {
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
			return Display(text), nil
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
