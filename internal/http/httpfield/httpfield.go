// Package httpfield reads fields of HTTP answers for several packages: validators,
// content codings, and retry delays.
package httpfield

import (
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/robotsexclusion/robots/internal/printable"
)

// EntityTag returns the ETag of an answer if it is valid (RFC 9110, section 8.8.3), so
// that it may be sent back.
func EntityTag(h http.Header) string {
	tag := h.Get("ETag")
	opaque := strings.TrimPrefix(tag, "W/")
	if len(tag) > 1<<10 || len(opaque) < 2 || opaque[0] != '"' || opaque[len(opaque)-1] != '"' {
		return ""
	}
	for _, c := range []byte(opaque[1 : len(opaque)-1]) {
		if c <= ' ' || c == '"' || c >= 0x7f {
			return ""
		}
	}
	return tag
}

// LastModified returns the Last-Modified of an answer if it is a valid date.
func LastModified(h http.Header) string {
	date := h.Get("Last-Modified")
	if _, err := http.ParseTime(date); err != nil || !printable.IsText(date) {
		return ""
	}
	return date
}

// maxCodings limits the content codings of a body, one over the other.
const maxCodings = 2

// ContentCodings returns the content codings of a body, in lower case and in the order
// in which they were applied, as Content-Encoding lists them (RFC 9110, section 8.4).
// Only names in IANA's registry count as codings: "identity" does not, and unregistered
// names, such as "none" or "utf-8", are mistakes that browsers ignore. The latter are
// returned in odd: a body with one may be in an unknown form. More than two codings are
// an error.
func ContentCodings(h http.Header) (codings, odd []string, err error) {
	for _, value := range h.Values("Content-Encoding") {
		for name := range strings.SplitSeq(value, ",") {
			switch name = strings.ToLower(strings.Trim(name, " \t")); name {
			case "", "identity":
			case "gzip", "x-gzip", "deflate", "br", "zstd",
				"aes128gcm", "compress", "x-compress", "dcb", "dcz", "exi", "pack200-gzip":
				codings = append(codings, name)
			default:
				odd = append(odd, name)
			}
			if len(codings) > maxCodings {
				return nil, nil, fmt.Errorf("the body has more than %d content encodings: %s", maxCodings,
					printable.Quoted(value, 60))
			}
		}
	}
	return codings, odd, nil
}

// maxRetryAfter limits the result of RetryAfter.
const maxRetryAfter = 24 * time.Hour

// RetryAfter returns the delay that a server asks for, in seconds or until a date (RFC
// 9110, section 10.2.3), or 0. It returns at most a day: with "in a year", a new
// robots.txt would be noticed far too late, and a good answer is valid for a day. A date is one of
// the server's clock: if its Date says that this clock is behind ours, the delay counts from there.
func RetryAfter(h http.Header, now time.Time) time.Duration {
	value := strings.Trim(h.Get("Retry-After"), " \t")
	wait, ok := Seconds(value)
	if !ok {
		date, err := http.ParseTime(value)
		if err != nil {
			return 0
		}
		wait = date.Sub(now)
		if sent, err := http.ParseTime(h.Get("Date")); err == nil {
			wait = max(wait, date.Sub(sent))
		}
	}
	return min(max(0, wait), maxRetryAfter)
}

// Seconds parses a number of seconds in the form of HTTP, in digits. More than 68 years
// become 68 years, as RFC 9111, section 1.2.2 asks.
func Seconds(s string) (d time.Duration, ok bool) {
	const limit = 1<<31 - 1
	n := int64(0)
	for _, c := range []byte(s) {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = min(10*n+int64(c-'0'), limit)
	}
	return time.Duration(n) * time.Second, s != ""
}
