package botauth

import (
	"encoding/base64"
	"fmt"
	"strconv"
	"strings"
)

// String returns the dictionary as it is serialized (section 4.1.2).
func (d *dictionary) String() string {
	var b []byte
	for i, m := range d.members {
		if i > 0 {
			b = append(b, ", "...)
		}
		b = append(b, m.key...)
		switch {
		case m.inner:
			b = append(b, '=')
			b = m.appendValue(b)
		case m.value == true:
			b = appendParams(b, m.params)
		default:
			b = append(b, '=')
			b = m.appendValue(b)
		}
	}
	return string(b)
}

// appendValue appends the value of a member, without its key.
func (m member) appendValue(b []byte) []byte {
	if !m.inner {
		return m.item.append(b)
	}
	b = append(b, '(')
	for i, it := range m.list {
		if i > 0 {
			b = append(b, ' ')
		}
		b = it.append(b)
	}
	b = append(b, ')')
	return appendParams(b, m.params)
}

// String returns the item as it is serialized (section 4.1.3).
func (i item) String() string { return string(i.append(nil)) }

func (i item) append(b []byte) []byte { return appendParams(appendBare(b, i.value), i.params) }

func appendParams(b []byte, params []param) []byte {
	for _, p := range params {
		b = append(b, ';')
		b = append(b, p.key...)
		if p.value != true {
			b = append(b, '=')
			b = appendBare(b, p.value)
		}
	}
	return b
}

// appendBare appends a bare item (section 4.1.3.1).
func appendBare(b []byte, value any) []byte {
	switch v := value.(type) {
	case int64:
		return strconv.AppendInt(b, v, 10)
	case decimal:
		if v < 0 {
			b, v = append(b, '-'), -v
		}
		b = strconv.AppendInt(b, int64(v/1000), 10)
		part := strings.TrimRight(fmt.Sprintf("%03d", v%1000), "0")
		if part == "" {
			part = "0"
		}
		return append(append(b, '.'), part...)
	case string:
		b = append(b, '"')
		for i := range len(v) {
			if v[i] == '"' || v[i] == '\\' {
				b = append(b, '\\')
			}
			b = append(b, v[i])
		}
		return append(b, '"')
	case token:
		return append(b, v...)
	case []byte:
		b = append(b, ':')
		b = base64.StdEncoding.AppendEncode(b, v)
		return append(b, ':')
	case bool:
		if v {
			return append(b, "?1"...)
		}
		return append(b, "?0"...)
	case date:
		return strconv.AppendInt(append(b, '@'), int64(v), 10)
	case displayString:
		b = append(b, `%"`...)
		for i := range len(v) {
			if c := v[i]; c < 0x20 || c > 0x7e || c == '%' || c == '"' {
				b = fmt.Appendf(b, "%%%02x", c)
			} else {
				b = append(b, c)
			}
		}
		return append(b, '"')
	}
	panic("botauth: no bare item")
}
