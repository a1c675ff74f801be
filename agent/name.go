package agent

import "strings"

// unversioned returns a word without the version at its end, as in "Nutch-1.9"
// and "bingbot2.0".
func unversioned(word string) string {
	n := len(word)
	for n > 0 && ('0' <= word[n-1] && word[n-1] <= '9' || word[n-1] == '.') {
		n--
	}
	if n == len(word) {
		return word
	}
	return strings.TrimRight(word[:n], "-_")
}

// isName reports whether a word that stands in no list can be a name: it has
// two letters and another byte at least, or a version, and is not a language.
func isName(word string, version bool) bool {
	letters := 0
	for i := 0; i < len(word); i++ {
		if isLetter(word[i]) || word[i] >= 0x80 {
			letters++
		}
	}
	return version && letters > 0 || letters > 1 && len(word) > 2 && !isLanguage(word)
}

// isLanguage reports whether a word is of the form of "en" and "en-US".
func isLanguage(word string) bool {
	if len(word) != 2 && (len(word) != 5 || word[2] != '-' && word[2] != '_') {
		return false
	}
	return isLetter(word[0]) && isLetter(word[1]) && (len(word) == 2 || isLetter(word[3]) && isLetter(word[4]))
}

// isHostName reports whether a word is the name of a host, as far as it can be
// told from names like Node.js.
func isHostName(word string) bool {
	dot := strings.LastIndexByte(word, '.')
	if dot < 2 {
		return false
	}
	for _, top := range []string{"com", "net", "org", "io", "ai", "info", "eu", "de", "fr", "ru"} {
		if equalFold(word[dot+1:], top) {
			return true
		}
	}
	return false
}

// isAppName reports whether a word is the name of a program for mail, music,
// films, or of another app, by how it ends: KMail, SamsungEmail, MPlayer,
// ExampleApp; but not "Email" and "App" themselves.
func isAppName(word string) bool {
	switch {
	case strings.HasSuffix(word, "Player"):
		return true
	case strings.HasSuffix(word, "App"):
		return len(word) > len("App")
	case strings.HasSuffix(word, "Mail"):
		return len(word) > len("Mail") && !equalFold(word, "email")
	}
	return strings.HasSuffix(word, "Email") && len(word) > len("Email")
}

// isSmall reports whether s has small letters only.
func isSmall(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] < 'a' || s[i] > 'z' {
			return false
		}
	}
	return true
}

// endsFold reports whether s ends with suffix, as names are compared.
func endsFold(s, suffix string) bool {
	return len(s) >= len(suffix) && startsFold(s[len(s)-len(suffix):], suffix)
}

func isDigit(c byte) bool  { return '0' <= c && c <= '9' }
func isUpper(c byte) bool  { return 'A' <= c && c <= 'Z' }
func isLetter(c byte) bool { return 'A' <= c && c <= 'Z' || 'a' <= c && c <= 'z' }
