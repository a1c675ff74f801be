package trap

import (
	"strings"
	"time"

	"github.com/robotsexclusion/robots/crawler/internal/weburl"
)

// firstYear is the first year near enough to be accepted: before it there was no Web, and
// earlier dates are mostly in calendars that go back for ever.
const firstYear = 1970

// farDate returns the part of a URL that is a date far from now.
func farDate(path []string, query string, now func() time.Time) string {
	last := now().Year() + maxYears
	return dateIn(path, query, func(year int) bool { return far(year, last) })
}

// Dated returns the prefix of a URL for a date: the part before the date, if its path
// ends in one, or the path if a parameter is a date, as in a calendar. The rule
// [Calendar] refuses only dates far from now; for the others a crawler may count how many
// give no page.
func Dated(u weburl.URL) (prefix string, ok bool) {
	if u.IsZero() {
		return "", false
	}
	var few [32]string
	path := u.Pathname()
	part := dateIn(segments(few[:0], path), u.Query(), func(year int) bool { return year > 0 })
	if part == "" {
		return "", false
	}
	if i := strings.LastIndex(path, "/"+part); i >= 0 {
		return path[:i+1], true
	}
	return path, true
}

// dateIn returns the part of a URL that is a date, or has its year, if the year is
// wanted.
func dateIn(path []string, query string, wanted func(year int) bool) string {
	// A date followed by more segments is that of an article, which may be of any year; a
	// date at the end is a list for that time.
	if n := len(path); n > 0 {
		if year, ok := date(path[n-1]); ok && wanted(year) {
			return path[n-1]
		}
		if n > 1 {
			if year, ok := monthOf(path[n-2], path[n-1]); ok && wanted(year) {
				return path[n-2]
			}
		}
		if n > 2 && between(path[n-1], 1, 31) {
			if year, ok := monthOf(path[n-3], path[n-2]); ok && wanted(year) {
				return path[n-3]
			}
		}
	}

	ofYear, month := "", false
	for query != "" {
		var param string
		param, query, _ = strings.Cut(query, "&")
		name, value, _ := strings.Cut(param, "=")
		if year, ok := date(value); ok && wanted(year) {
			return param
		}
		switch {
		case isAbout(name, "year", "y", "yr"):
			if year, ok := yearOf(value); ok && wanted(year) {
				ofYear = param
			}
		case isAbout(name, "month", "m", "mon"):
			month = month || between(value, 1, 12)
		}
	}
	if month {
		return ofYear
	}
	return ""
}

// far reports whether a year is far from now. Implausible years, such as 0412, are parts
// of other numbers; but 0001 and 9999 are where calendars end.
func far(year, last int) bool {
	return (year < firstYear || year > last) && (1600 <= year && year < 3000 || year <= 1 || year == 9999)
}

// date returns the year of a text that is YYYY-MM or YYYY-MM-DD, with or without a time
// of the day.
func date(s string) (year int, ok bool) {
	if len(s) < len("2006-01") || s[4] != '-' {
		return 0, false
	}
	if year, ok = monthOf(s[:4], s[5:7]); !ok || len(s) == 7 {
		return year, ok
	}
	if len(s) < len("2006-01-02") || s[7] != '-' || !between(s[8:10], 1, 31) {
		return 0, false
	}
	rest := s[10:]
	return year, rest == "" || rest[0] == 'T' || rest[0] == '+' || strings.HasPrefix(rest, "%20")
}

// monthOf returns the year, if the year and the month are valid.
func monthOf(year, month string) (int, bool) {
	if !between(month, 1, 12) {
		return 0, false
	}
	return yearOf(year)
}

// yearOf returns the year s, of four digits.
func yearOf(s string) (year int, ok bool) {
	if len(s) != 4 {
		return 0, false
	}
	return number(s)
}

// between reports whether s is a number in this range, of one or two digits.
func between(s string, least, most int) bool {
	n, ok := number(s)
	return ok && len(s) <= 2 && least <= n && n <= most
}

// number returns the number s, of at most nine digits.
func number(s string) (n int, ok bool) {
	if s == "" || len(s) > 9 {
		return 0, false
	}
	for _, c := range []byte(s) {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = 10*n + int(c-'0')
	}
	return n, true
}

// isAbout reports whether the name of a parameter contains a word, in letters of any
// case, or is one of its short forms.
func isAbout(name, word string, short ...string) bool {
	for i := 0; i+len(word) <= len(name); i++ {
		if strings.EqualFold(name[i:i+len(word)], word) {
			return true
		}
	}
	for _, s := range short {
		if strings.EqualFold(name, s) {
			return true
		}
	}
	return false
}
