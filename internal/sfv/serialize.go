package sfv

import (
	"encoding/base64"
	"fmt"
	"strconv"
	"strings"
)

// String returns the dictionary as it is serialized (section 4.1.2).
func (d *Dictionary) String() string {
	var b []byte
	for i, m := range d.Members {
		if i > 0 {
			b = append(b, ", "...)
		}
		b = append(b, m.Key...)
		if m.Value == true {
			b = appendParams(b, m.Params)
		} else {
			b = m.append(append(b, '='))
		}
	}
	return string(b)
}

// String returns the item as it is serialized (sections 4.1.1.1 and 4.1.3).
func (i Item) String() string { return string(i.append(nil)) }

func (i Item) append(b []byte) []byte { return appendParams(appendValue(b, i.Value), i.Params) }

func appendParams(b []byte, params []Param) []byte {
	for _, p := range params {
		b = append(b, ';')
		b = append(b, p.Key...)
		if p.Value != true {
			b = append(b, '=')
			b = appendValue(b, p.Value)
		}
	}
	return b
}

// appendValue appends a bare item (section 4.1.3.1), or the items of an inner list.
func appendValue(b []byte, value any) []byte {
	switch v := value.(type) {
	case List:
		b = append(b, '(')
		for i, item := range v {
			if i > 0 {
				b = append(b, ' ')
			}
			b = item.append(b)
		}
		return append(b, ')')
	case int64:
		return strconv.AppendInt(b, v, 10)
	case Decimal:
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
	case Token:
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
	case Date:
		return strconv.AppendInt(append(b, '@'), int64(v), 10)
	case Display:
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
	panic("sfv: no value of an item")
}
