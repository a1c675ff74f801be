package httpfield

import (
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Lifetime returns how long after it arrived an answer may be used without
// asking again, by RFC 9111, section 4.2, and at most the given time.
//
//   - Directives no-store and no-cache, an Expires that is no date, and a
//     max-age that is no number mean that it may not.
//   - Else max-age counts, else Expires less Date. Lifetime subtracts the Age header
//     and the time on the way. Date alone says nothing about age, because servers with
//     a wrong clock are more common than caches that do not speak HTTP/1.1.
//   - An answer without any of these is fresh for the maximum. RFC 9111 lets a cache
//     guess, and RFC 9309 makes everyone expect this of robots.txt.
//
// Directives for shared caches, must-revalidate and the like change nothing: the
// callers have rules of their own for a stale answer.
func Lifetime(h http.Header, received time.Time, onTheWay, most time.Duration) time.Duration {
	control := ParseCacheControl(h.Values("Cache-Control"))
	var fresh time.Duration
	switch {
	case control.noStore || control.noCache:
		return 0
	case control.hasMaxAge:
		fresh = control.maxAge
	case len(h.Values("Expires")) > 0:
		expires, err := http.ParseTime(h.Get("Expires"))
		if err != nil || len(h.Values("Expires")) > 1 {
			return 0
		}
		date, err := http.ParseTime(h.Get("Date"))
		if err != nil {
			date = received
		}
		fresh = expires.Sub(date)
	default:
		return most
	}
	age, _ := Seconds(h.Get("Age"))
	return min(max(0, fresh-age-onTheWay), most)
}

// CacheControl has the directives of a Cache-Control header that count here.
type CacheControl struct {
	noStore, noCache bool
	hasMaxAge        bool
	maxAge           time.Duration // the least that is given; 0 if one is no number
}

// String returns the directives as a header has them.
func (c CacheControl) String() string {
	var list []string
	if c.noStore {
		list = append(list, "no-store")
	}
	if c.noCache {
		list = append(list, "no-cache")
	}
	if c.hasMaxAge {
		list = append(list, "max-age="+strconv.FormatInt(int64(c.maxAge/time.Second), 10))
	}
	return strings.Join(list, ", ")
}

// ParseCacheControl reads the directives of RFC 9111, section 5.2.2. What does
// not parse is skipped up to the next comma outside quotes.
func ParseCacheControl(values []string) (c CacheControl) {
	for _, value := range values {
		for value != "" {
			var directive string
			directive, value = cutDirective(value)
			name, argument, _ := strings.Cut(directive, "=")
			switch strings.ToLower(strings.Trim(name, " \t")) {
			case "no-store":
				c.noStore = true
			case "no-cache":
				// With an argument it is about some headers only, but caches
				// may take it as if it had none.
				c.noCache = true
			case "max-age":
				age, _ := Seconds(unquote(strings.Trim(argument, " \t")))
				if !c.hasMaxAge || age < c.maxAge {
					c.maxAge = age
				}
				c.hasMaxAge = true
			}
		}
	}
	return c
}

// cutDirective cuts s after the first comma that is not in quotes.
func cutDirective(s string) (directive, rest string) {
	in := false
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == ',' && !in:
			return s[:i], s[i+1:]
		case c == '"':
			in = !in
		case c == '\\' && in:
			i++
		}
	}
	return s, ""
}

// unquote drops the quotes of a quoted string. A number in it needs no escapes.
func unquote(s string) string {
	if len(s) >= 2 && s[0] == '"' && s[len(s)-1] == '"' {
		return s[1 : len(s)-1]
	}
	return s
}
