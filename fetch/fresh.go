package fetch

import (
	"cmp"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/robotsexclusion/robots/internal/httpfield"
)

const (
	// maxAge is how long a text is used without asking again, at most (RFC
	// 9309, section 2.4).
	maxAge = 24 * time.Hour

	// patience is for how long an origin is unreachable until it is taken as
	// unavailable (RFC 9309, section 2.3.1.4).
	patience = 30 * 24 * time.Hour

	// The pause after a failure doubles from the first to the second.
	firstPause, lastPause = time.Minute, 4 * time.Hour
)

// lifetime returns how long after it arrived an answer may be used without
// asking again, by RFC 9111, section 4.2, inside the 24 hours of RFC 9309.
//
//   - Directives no-store and no-cache, an Expires that is no date, and a
//     max-age that is no number mean that it may not.
//   - Else max-age counts, else Expires less Date. What the Age header and the
//     time on the way say is taken off; Date alone says nothing about age,
//     because servers with a wrong clock are more common than caches that do
//     not speak HTTP/1.1.
//   - An answer that says nothing of this is fresh for 24 hours. RFC 9111 lets
//     a cache guess, and this is what RFC 9309 makes everyone expect.
//
// Directives for shared caches, must-revalidate and the like change nothing:
// RFC 9309 itself says what is done with a stale text.
func lifetime(h http.Header, received time.Time, onTheWay time.Duration) time.Duration {
	control := parseCacheControl(h.Values("Cache-Control"))
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
		return maxAge
	}
	age, _ := httpfield.Seconds(h.Get("Age"))
	return min(max(0, fresh-age-onTheWay), maxAge)
}

// cacheControl is what of a Cache-Control header counts here.
type cacheControl struct {
	noStore, noCache bool
	hasMaxAge        bool
	maxAge           time.Duration // the least that is given; 0 if one is no number
}

// String returns the directives as a header has them.
func (c cacheControl) String() string {
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

// cacheControlOf returns what of Cache-Control is to be kept, or nothing. A field that has
// none of the directives that count here is "public": it replaces an older one too.
func cacheControlOf(h http.Header) string {
	values := h.Values("Cache-Control")
	if len(values) == 0 {
		return ""
	}
	return cmp.Or(parseCacheControl(values).String(), "public")
}

// expiresOf returns the Expires of an answer, "0" if it is no date, or nothing.
func expiresOf(h http.Header) string {
	values := h.Values("Expires")
	if len(values) == 0 {
		return ""
	}
	if t, err := http.ParseTime(values[0]); err == nil && len(values) == 1 {
		return t.UTC().Format(http.TimeFormat)
	}
	return "0"
}

// parseCacheControl reads the directives of RFC 9111, section 5.2.2. What does
// not parse is skipped up to the next comma outside quotes.
func parseCacheControl(values []string) (c cacheControl) {
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
				age, _ := httpfield.Seconds(unquote(strings.Trim(argument, " \t")))
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

// pause returns how long an origin is left alone after so many failures in a
// row, from 1 on.
func pause(failures int) time.Duration {
	d := firstPause
	for range failures - 1 {
		if d *= 2; d >= lastPause {
			return lastPause
		}
	}
	return d
}
