package botauth

import (
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/robotsexclusion/robots/internal/sfv"
)

// maxBase is the maximum size of a signature base in bytes.
const maxBase = 64 << 10

// errUnsupported means that this package cannot tell what a signature covers, not that the
// signature is wrong.
var errUnsupported = errors.New("not supported")

// base returns the bytes that a signature with these parameters signs (RFC 9421, section 2.5). The
// signature is the value of a member of Signature-Input, an inner list.
func (m *message) base(signature sfv.Item) (string, error) {
	var b strings.Builder
	seen := make(map[string]bool)
	covered, _ := signature.Value.(sfv.List)
	for _, component := range covered {
		id := component.String()
		if seen[id] {
			return "", fmt.Errorf("%s is covered twice", id)
		}
		seen[id] = true
		value, err := m.component(component)
		if err != nil {
			return "", fmt.Errorf("%s: %w", id, err)
		}
		for i := range len(value) {
			if c := value[i]; c < ' ' && c != '\t' || c > '~' {
				return "", fmt.Errorf("%s: its value has a byte that is not printable ASCII", id)
			}
		}
		if b.Len()+len(id)+len(value) > maxBase {
			return "", fmt.Errorf("%w: more than %d bytes are covered", errUnsupported, maxBase)
		}
		b.WriteString(id)
		b.WriteString(": ")
		b.WriteString(value)
		b.WriteByte('\n')
	}
	b.WriteString(`"@signature-params": `)
	b.WriteString(signature.String())
	return b.String(), nil
}

// component returns the value of a covered component.
func (m *message) component(c sfv.Item) (string, error) {
	name, ok := c.Value.(string)
	if !ok {
		return "", errors.New("the name of a component is not a string")
	}
	if m.response != nil && c.Param("req") == true { // section 2.4
		c.Params = slices.DeleteFunc(slices.Clone(c.Params), func(p sfv.Param) bool { return p.Key == "req" })
		request := *m
		request.response = nil
		return request.component(c)
	}
	for _, p := range c.Params {
		switch p.Key {
		case "key", "name":
			if _, ok := p.Value.(string); !ok {
				return "", fmt.Errorf("the parameter %s is not a string", p.Key)
			}
		case "sf", "bs":
			if p.Value != true {
				return "", fmt.Errorf("the parameter %s has a value", p.Key)
			}
		case "req":
			return "", errors.New("the parameter req is for responses, and has no value")
		default:
			return "", fmt.Errorf("%w: the parameter %s", errUnsupported, p.Key)
		}
	}
	switch {
	case name == "@query-param":
		param, ok := c.Param("name").(string)
		if !ok || len(c.Params) != 1 {
			return "", errors.New("it has one parameter, name")
		}
		return m.queryParam(param)
	case strings.HasPrefix(name, "@"):
		if len(c.Params) > 0 {
			return "", errors.New("it has no parameters")
		}
		return m.derived(name)
	}
	return m.field(name, c)
}

// field returns the value of a field (section 2.1).
func (m *message) field(name string, c sfv.Item) (string, error) {
	if name == "" || name != strings.ToLower(name) || strings.Trim(name, fieldNameChars) != "" {
		return "", errors.New("not the name of a field in lower case")
	}
	if c.Param("name") != nil {
		return "", errors.New("a field has no parameter name")
	}
	values, err := m.values(name)
	if err != nil {
		return "", err
	}
	key, member := c.Param("key").(string)
	strict, binary := c.Param("sf") != nil, c.Param("bs") != nil
	switch {
	case binary && (member || strict):
		return "", errors.New("the parameter bs excludes key and sf")
	case binary:
		encoded := make([]string, len(values))
		for i, v := range values {
			encoded[i] = ":" + base64.StdEncoding.EncodeToString([]byte(v)) + ":"
		}
		return strings.Join(encoded, ", "), nil
	case member:
		d, err := sfv.ParseDictionary(strings.Join(values, ", "))
		if err != nil {
			return "", refused(err)
		}
		value, ok := d.Member(key)
		if !ok {
			return "", errors.New("the field has no such member")
		}
		return value.String(), nil
	case strict && !isDictionary[name]:
		return "", fmt.Errorf("%w: the type of the field is not known", errUnsupported)
	case strict:
		d, err := sfv.ParseDictionary(strings.Join(values, ", "))
		if err != nil {
			return "", refused(err)
		}
		return d.String(), nil
	}
	return strings.Join(values, ", "), nil
}

const fieldNameChars = "abcdefghijklmnopqrstuvwxyz0123456789!#$%&'*+-.^_`|~"

// isDictionary has the fields known to be dictionaries.
var isDictionary = map[string]bool{"signature": true, "signature-input": true, "signature-agent": true,
	"content-digest": true}

// refused wraps an error of the parser of structured fields, and marks an error caused by a limit
// of this package.
func refused(err error) error {
	if errors.Is(err, sfv.ErrTooLong) {
		return fmt.Errorf("%w: %w", errUnsupported, err)
	}
	return err
}

// values returns the values of all lines of a field, without white space around
// them.
func (m *message) values(name string) ([]string, error) {
	header, what := m.req.Header, "request"
	if m.response != nil {
		header, what = m.response, "response"
	}
	switch {
	case name == "host" && m.response == nil: // net/http keeps it in Request.Host
		return []string{m.host()}, nil
	case name == "transfer-encoding" || name == "trailer":
		return nil, fmt.Errorf("%w: net/http does not keep this field", errUnsupported)
	}
	lines := header.Values(http.CanonicalHeaderKey(name))
	if len(lines) == 0 {
		return nil, fmt.Errorf("the %s has no such field", what)
	}
	values := make([]string, len(lines))
	for i, line := range lines {
		values[i] = strings.Trim(line, " \t")
	}
	return values, nil
}
