package page

// equalFold reports whether s is lower, which is in lower case, in letters of
// any case. Only the letters of ASCII have a case here.
func equalFold[T string | []byte](s T, lower string) bool {
	if len(s) != len(lower) {
		return false
	}
	for i := 0; i < len(lower); i++ {
		if lowerOctet(s[i]) != lower[i] {
			return false
		}
	}
	return true
}

// containsFold reports whether text has lower in it, which begins with a letter and is
// in lower case, in letters of any case.
func containsFold(text []byte, lower string) bool {
	for i := 0; i+len(lower) <= len(text); i++ {
		if text[i]|0x20 == lower[0] && equalFold(text[i:i+len(lower)], lower) {
			return true
		}
	}
	return false
}

// lowered returns s with the letters of ASCII in lower case.
func lowered(s string) string {
	for i := 0; i < len(s); i++ {
		if 'A' <= s[i] && s[i] <= 'Z' {
			b := []byte(s)
			for ; i < len(b); i++ {
				b[i] = lowerOctet(b[i])
			}
			return string(b)
		}
	}
	return s
}

func lowerOctet(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}
