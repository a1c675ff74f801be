package htmltoken

// EqualFold reports whether s equals lower, ignoring the case of ASCII letters. Lower must be
// in lower case.
func EqualFold[T string | []byte](s T, lower string) bool {
	if len(s) != len(lower) {
		return false
	}
	for i := 0; i < len(lower); i++ {
		if lowerByte(s[i]) != lower[i] {
			return false
		}
	}
	return true
}

// ContainsFold reports whether text contains lower, ignoring the case of ASCII letters. Lower
// must be in lower case and begin with a letter.
func ContainsFold(text []byte, lower string) bool {
	for i := 0; i+len(lower) <= len(text); i++ {
		if text[i]|0x20 == lower[0] && EqualFold(text[i:i+len(lower)], lower) {
			return true
		}
	}
	return false
}

// Lower returns s with the ASCII letters in lower case.
func Lower(s string) string {
	for i := 0; i < len(s); i++ {
		if 'A' <= s[i] && s[i] <= 'Z' {
			b := []byte(s)
			for ; i < len(b); i++ {
				b[i] = lowerByte(b[i])
			}
			return string(b)
		}
	}
	return s
}

// AppendLower appends s to b, with the ASCII letters in lower case.
func AppendLower(b, s []byte) []byte {
	for _, c := range s {
		b = append(b, lowerByte(c))
	}
	return b
}

func lowerByte(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}

// IsTag reports whether raw, which begins with one byte and the name of a tag, has the given
// name, which must be in lower case.
func IsTag(raw []byte, name string) bool {
	if len(raw) < len(name)+2 || !EqualFold(raw[1:1+len(name)], name) {
		return false
	}
	return endsTagName[raw[1+len(name)]]
}
