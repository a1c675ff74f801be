package httpfield

import (
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Lifetime returns how long after its arrival an answer may be used without asking again,
// according to RFC 9111, section 4.2, and never more than most.
//
//   - A lifetime that the answer states, as [Stated] returns it, is reduced by the Age header and
//     the transfer time. Date alone does not count as age, because servers with a wrong clock are
//     more common than caches that do not speak HTTP/1.1.
//   - An answer that states none is fresh for unstated: RFC 9111 lets a cache guess.
//
// Directives for shared caches, must-revalidate and the like have no effect: callers have their
// own rules for a stale answer.
func Lifetime(h http.Header, received time.Time, onTheWay, unstated, most time.Duration) time.Duration {
	fresh, ok := Stated(h, received)
	if !ok {
		return unstated
	}
	age, _ := Seconds(h.Get("Age"))
	return min(max(0, fresh-age-onTheWay), most)
}

// Stated returns the lifetime that an answer states, 0 or more. ok is false if it states none.
//
//   - The directives no-store and no-cache, an Expires that is not a date, and a max-age that
//     is not a number give 0.
//   - Otherwise max-age is used, or without a max-age the time from Date, or else from received,
//     until Expires.
func Stated(h http.Header, received time.Time) (fresh time.Duration, ok bool) {
	control := ParseCacheControl(h.Values("Cache-Control"))
	switch {
	case control.noStore || control.noCache:
		return 0, true
	case control.hasMaxAge:
		return control.maxAge, true
	case len(h.Values("Expires")) == 0:
		return 0, false
	}
	expires, err := http.ParseTime(h.Get("Expires"))
	if err != nil || len(h.Values("Expires")) > 1 {
		return 0, true
	}
	date, err := http.ParseTime(h.Get("Date"))
	if err != nil {
		date = received
	}
	return max(0, expires.Sub(date)), true
}

// CacheControl has the directives of a Cache-Control header that Stated uses.
type CacheControl struct {
	noStore, noCache bool
	hasMaxAge        bool
	maxAge           time.Duration // the smallest given value; 0 if a value is not a number
}

// String returns the directives in the syntax of the header.
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

// ParseCacheControl parses the directives of RFC 9111, section 5.2.2. Invalid parts are skipped
// up to the next comma outside quotes.
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
				// With an argument, no-cache applies to some headers only, but caches may
				// ignore the argument.
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

// cutDirective splits s at the first comma outside quotes.
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

// unquote removes the quotes of a quoted string. Numbers need no escapes.
func unquote(s string) string {
	if len(s) >= 2 && s[0] == '"' && s[len(s)-1] == '"' {
		return s[1 : len(s)-1]
	}
	return s
}
