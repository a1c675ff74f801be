package fetch

import (
	"cmp"
	"net/http"
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

// lifetime returns how long an answer may be used without asking again: see
// [httpfield.Lifetime]. RFC 9309 allows 24 hours.
func lifetime(h http.Header, received time.Time, onTheWay time.Duration) time.Duration {
	return httpfield.Lifetime(h, received, onTheWay, maxAge)
}

// cacheControlOf returns what of Cache-Control is to be kept, or nothing. A field that has
// none of the directives that count here is "public": it replaces an older one too.
func cacheControlOf(h http.Header) string {
	values := h.Values("Cache-Control")
	if len(values) == 0 {
		return ""
	}
	return cmp.Or(httpfield.ParseCacheControl(values).String(), "public")
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
