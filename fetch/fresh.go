package fetch

import (
	"cmp"
	"net/http"
	"time"

	"github.com/robotsexclusion/robots/internal/http/httpfield"
)

const (
	// maxAge is the maximum time for which a text is used without asking again (RFC 9309,
	// section 2.4).
	maxAge = 24 * time.Hour

	// patience is the time after which an unreachable origin counts as unavailable (RFC 9309,
	// section 2.3.1.4).
	patience = 30 * 24 * time.Hour

	// The pause after a failure doubles from firstPause to lastPause.
	firstPause, lastPause = time.Minute, 4 * time.Hour
)

// lifetime returns how long an answer may be used without asking again, at most the 24 hours
// that RFC 9309 allows, and makes everyone expect of an answer that does not say: see
// [httpfield.Lifetime].
func lifetime(h http.Header, received time.Time, onTheWay time.Duration) time.Duration {
	return httpfield.Lifetime(h, received, onTheWay, maxAge, maxAge)
}

// cacheControlOf returns the part of Cache-Control to store, or "". A header without relevant
// directives is stored as "public", because such a header replaces an earlier one too.
func cacheControlOf(h http.Header) string {
	values := h.Values("Cache-Control")
	if len(values) == 0 {
		return ""
	}
	return cmp.Or(httpfield.ParseCacheControl(values).String(), "public")
}

// expiresOf returns the Expires header, "0" if it is not a date, or "" if there is none.
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

// pause returns the pause after the given number of consecutive failures, 1 or more.
func pause(failures int) time.Duration {
	d := firstPause
	for range failures - 1 {
		if d *= 2; d >= lastPause {
			return lastPause
		}
	}
	return d
}
