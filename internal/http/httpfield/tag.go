package httpfield

import (
	"crypto/sha256"
	"encoding/base64"
	"strings"
)

// StrongTag returns the strong entity tag of an answer with a body (RFC 9110, section 8.8.3).
func StrongTag(body []byte) string {
	sum := sha256.Sum256(body)
	return `"` + base64.RawURLEncoding.EncodeToString(sum[:12]) + `"`
}

// HasTag reports whether the values of If-None-Match have an entity tag (RFC 9110, section 13.1.2).
func HasTag(values []string, tag string) bool {
	for _, value := range values {
		for one := range strings.SplitSeq(value, ",") {
			one = strings.TrimSpace(one)
			if one == "*" || strings.TrimPrefix(one, "W/") == strings.TrimPrefix(tag, "W/") {
				return true
			}
		}
	}
	return false
}
