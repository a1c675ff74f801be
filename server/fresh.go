package server

import (
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"strconv"
	"time"

	"github.com/robotsexclusion/robots/internal/http/httpfield"
)

// writeFresh answers with JSON that follows from the robots.txt of an origin. The error is that of
// the connection.
func writeFresh(w http.ResponseWriter, r *http.Request, b []byte, from *version, results []byte) error {
	if unchanged(w, r, from, results) {
		return nil
	}
	return sendJSON(w, b)
}

// unchanged sets the headers of an answer that follows from the robots.txt of an origin, which
// caches may keep as long as the service does. If the client has the answer, unchanged says so and
// reports true.
func unchanged(w http.ResponseWriter, r *http.Request, from *version, results []byte) bool {
	var space [64]byte
	text := appendEntityTag(space[:0], from, results)
	end := len(text)
	text = append(text, "max-age="...)
	text = strconv.AppendInt(text, max(0, int64(time.Until(from.result.FreshUntil)/time.Second)), 10)
	both := string(text) // two fields in one string, which is allocated once
	tag := both[:end]
	values := []string{tag, both[end:]}
	header := w.Header()
	header["Etag"], header["Cache-Control"] = values[:1:1], values[1:]
	if httpfield.HasTag(r.Header["If-None-Match"], tag) {
		w.WriteHeader(http.StatusNotModified)
		return true
	}
	return false
}

// appendEntityTag appends the ETag that follows from the state, the text in force, and the results.
// The tag is weak, because the times of an answer change when the origin confirms the text.
func appendEntityTag(b []byte, from *version, results []byte) []byte {
	var space [512]byte // most results fit
	sum := sha256.Sum256(append(append(space[:0], from.sum[:]...), results...))
	return append(base64.RawURLEncoding.AppendEncode(append(b, `W/"`...), sum[:12]), '"')
}
