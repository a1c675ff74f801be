package htmltoken

import "bytes"

// An AttributeReader reads the attributes of a tag, as written.
type AttributeReader struct {
	tag []byte // to its ">"
	at  int
}

// AttributesOf reads the attributes of a start tag.
func AttributesOf(tag []byte) AttributeReader {
	i := 1
	for i < len(tag) && !endsTagName[tag[i]] {
		i++
	}
	return AttributeReader{tag, i}
}

// Next returns the next attribute. ok is false after the last one. The value of an attribute
// without a value is empty. [Value] decodes values. If several attributes have the same name,
// only the first is valid.
func (r *AttributeReader) Next() (name, value []byte, ok bool) {
	t, i := r.tag, r.at
	for i < len(t) && (isWhite[t[i]] || t[i] == '/') {
		i++
	}
	if i == len(t) || t[i] == '>' {
		return nil, nil, false
	}
	start := i
	for i++; i < len(t) && !endsName[t[i]]; i++ {
	}
	name = t[start:i]
	i = skipWhite(t, i)
	if i == len(t) || t[i] != '=' {
		r.at = i
		return name, nil, true
	}
	i = skipWhite(t, i+1)
	start = i
	switch {
	case i == len(t):
	case t[i] == '"' || t[i] == '\'':
		start++
		n := bytes.IndexByte(t[start:], t[i])
		if n < 0 {
			n = len(t) - start
		}
		value = t[start : start+n]
		i = min(start+n+1, len(t))
	default:
		for i < len(t) && t[i] != '>' && !isWhite[t[i]] {
			i++
		}
		value = t[start:i]
	}
	r.at = i
	return name, value, true
}

func skipWhite(t []byte, i int) int {
	for i < len(t) && isWhite[t[i]] {
		i++
	}
	return i
}

// Sets of the bytes that are significant in tags.
var (
	isWhite     = set(" \t\n\f\r")
	endsTagName = set(" \t\n\f\r/>")
	endsName    = set(" \t\n\f\r/>=")
)

func set(s string) (set [256]bool) {
	for i := range len(s) {
		set[s[i]] = true
	}
	return set
}
