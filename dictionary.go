package robots

import (
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// parseDictionary parses a Dictionary of RFC 9651 (structured field values), section 4.2.2. For
// each key it returns the value if the value is a Token, and "" otherwise. The last member with a
// key counts. One mistake anywhere fails the whole Dictionary.
func parseDictionary(s string) (map[string]string, error) {
	d := &dictionary{rest: strings.Trim(s, " ")}
	members := make(map[string]string)
	for d.rest != "" {
		key, err := d.key()
		if err != nil {
			return nil, err
		}
		members[key] = ""
		if d.skip('=') {
			if members[key], err = d.member(); err != nil {
				return nil, fmt.Errorf("%s: %w", key, err)
			}
		}
		if err := d.parameters(); err != nil {
			return nil, fmt.Errorf("%s: %w", key, err)
		}
		d.rest = strings.TrimLeft(d.rest, " \t")
		if d.rest == "" {
			return members, nil
		}
		if !d.skip(',') {
			return nil, fmt.Errorf("%q where a comma was expected", d.rest[:1])
		}
		if d.rest = strings.TrimLeft(d.rest, " \t"); d.rest == "" {
			return nil, errors.New("nothing after the last comma")
		}
	}
	return members, nil
}

// A dictionary is the unparsed rest of a Dictionary.
type dictionary struct{ rest string }

// skip drops c if c is the next byte.
func (d *dictionary) skip(c byte) bool {
	if d.rest == "" || d.rest[0] != c {
		return false
	}
	d.rest = d.rest[1:]
	return true
}

// take drops and returns the next bytes that satisfy ok.
func (d *dictionary) take(ok func(c byte) bool) string {
	i := 0
	for i < len(d.rest) && ok(d.rest[i]) {
		i++
	}
	taken := d.rest[:i]
	d.rest = d.rest[i:]
	return taken
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }
func isLower(c byte) bool { return 'a' <= c && c <= 'z' }
func isAlpha(c byte) bool { return isLower(lower(c)) }

// key parses a key (section 4.2.3.3).
func (d *dictionary) key() (string, error) {
	if d.rest == "" || !isLower(d.rest[0]) && d.rest[0] != '*' {
		return "", errors.New("a key must start with a small letter, as in train-ai=n")
	}
	return d.take(func(c byte) bool {
		return isLower(c) || isDigit(c) || strings.IndexByte("_-.*", c) >= 0
	}), nil
}

// member parses an item or an inner list, without its parameters. It returns the item if that is a
// Token.
func (d *dictionary) member() (token string, err error) {
	if !d.skip('(') {
		return d.item()
	}
	for {
		d.rest = strings.TrimLeft(d.rest, " ")
		if d.skip(')') {
			return "", nil
		}
		if _, err := d.item(); err != nil {
			return "", err
		}
		if err := d.parameters(); err != nil {
			return "", err
		}
		if d.rest == "" || d.rest[0] != ' ' && d.rest[0] != ')' {
			return "", errors.New("an inner list without an end")
		}
	}
}

// parameters parses parameters and ignores their values (section 4.2.3.2).
func (d *dictionary) parameters() error {
	for d.skip(';') {
		d.rest = strings.TrimLeft(d.rest, " ")
		if _, err := d.key(); err != nil {
			return err
		}
		if d.skip('=') {
			if _, err := d.item(); err != nil {
				return err
			}
		}
	}
	return nil
}

// item parses a bare item and returns the item if it is a Token (section 4.2.3.1).
func (d *dictionary) item() (token string, err error) {
	if d.rest == "" {
		return "", errors.New("a value is missing after \"=\"")
	}
	switch c := d.rest[0]; {
	case c == '-' || isDigit(c):
		return "", d.number()
	case c == '"':
		_, err := d.quoted()
		return "", err
	case c == '*' || isAlpha(c):
		return d.take(func(c byte) bool {
			return isAlpha(c) || isDigit(c) || strings.IndexByte("!#$%&'*+-.^_`|~:/", c) >= 0
		}), nil
	case c == ':':
		return "", d.byteSequence()
	case c == '?':
		d.rest = d.rest[1:]
		if !d.skip('0') && !d.skip('1') {
			return "", errors.New("a boolean is ?0 or ?1")
		}
		return "", nil
	case c == '@':
		d.rest = d.rest[1:]
		number := d.rest
		if err := d.number(); err != nil {
			return "", err
		}
		if strings.Contains(number[:len(number)-len(d.rest)], ".") {
			return "", errors.New("a date is a whole number of seconds")
		}
		return "", nil
	case c == '%':
		return "", d.display()
	}
	return "", fmt.Errorf("a value cannot start with %q", d.rest[:1])
}

// number parses an Integer or a Decimal (section 4.2.4).
func (d *dictionary) number() error {
	d.skip('-')
	whole := d.take(isDigit)
	if whole == "" || len(whole) > 15 {
		return errors.New("a number has 1 to 15 digits")
	}
	if d.skip('.') {
		if part := d.take(isDigit); part == "" || len(part) > 3 || len(whole) > 12 {
			return errors.New("a decimal has 1 to 12 digits, a point and 1 to 3 more")
		}
	}
	return nil
}

// quoted parses a String (section 4.2.5).
func (d *dictionary) quoted() (string, error) {
	for i := 1; i < len(d.rest); i++ {
		switch c := d.rest[i]; {
		case c == '"':
			s := d.rest[1:i]
			d.rest = d.rest[i+1:]
			return s, nil
		case c == '\\':
			if i++; i == len(d.rest) || d.rest[i] != '"' && d.rest[i] != '\\' {
				return "", errors.New("a backslash in a string escapes only a quote or itself")
			}
		case c < 0x20 || c > 0x7e:
			return "", errors.New("a string holds printable ASCII only")
		}
	}
	return "", errors.New("a string without an end")
}

// byteSequence parses a Byte Sequence (section 4.2.7).
func (d *dictionary) byteSequence() error {
	encoded, rest, ok := strings.Cut(d.rest[1:], ":")
	if !ok {
		return errors.New("a byte sequence without an end")
	}
	d.rest = rest
	if _, err := base64.StdEncoding.DecodeString(encoded); err != nil {
		if _, err := base64.RawStdEncoding.DecodeString(encoded); err != nil {
			return errors.New("a byte sequence is not base64")
		}
	}
	return nil
}

// display parses a Display String (section 4.2.10).
func (d *dictionary) display() error {
	d.rest = d.rest[1:]
	if !strings.HasPrefix(d.rest, `"`) {
		return errors.New("a display string starts with %\"")
	}
	var text []byte
	for i := 1; i < len(d.rest); i++ {
		switch c := d.rest[i]; {
		case c == '"':
			d.rest = d.rest[i+1:]
			if !utf8.Valid(text) {
				return errors.New("a display string is not UTF-8")
			}
			return nil
		case c == '%':
			char, ok := escape(d.rest, i)
			if !ok || d.rest[i+1:i+3] != lowered(d.rest[i+1:i+3]) {
				return errors.New("a % in a display string is followed by two small hex digits")
			}
			text = append(text, char)
			i += 2
		case c < 0x20 || c > 0x7e:
			return errors.New("a display string holds printable ASCII only")
		default:
			text = append(text, c)
		}
	}
	return errors.New("a display string without an end")
}
