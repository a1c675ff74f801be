package server

import (
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/robotsexclusion/robots/fetch"
)

// writeFresh answers with JSON that follows from the robots.txt of an origin. Caches may keep the
// answer as long as the service does. The ETag follows from the state, the text in force, and the
// results: it is weak, because the times of the answer change when the origin confirms the text.
func writeFresh(w http.ResponseWriter, r *http.Request, b []byte, from *fetch.Result, results []byte) error {
	hash := sha256.New()
	hash.Write([]byte(from.Origin + " " + string(from.State) + " "))
	if f := inForce(from); f != nil {
		hash.Write([]byte(f.SHA256))
	}
	hash.Write(results)
	var sum [sha256.Size]byte
	tag := `W/"` + base64.RawURLEncoding.EncodeToString(hash.Sum(sum[:0])[:12]) + `"`
	age := max(0, int64(time.Until(from.FreshUntil)/time.Second))
	header := w.Header()
	header["Etag"] = []string{tag}
	header["Cache-Control"] = []string{"max-age=" + strconv.FormatInt(age, 10)}
	if matches(r.Header.Values("If-None-Match"), tag) {
		w.WriteHeader(http.StatusNotModified)
		return nil
	}
	return writeJSON(w, b)
}

// matches reports whether If-None-Match has an entity tag (RFC 9110, section 13.1.2).
func matches(values []string, tag string) bool {
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
