package server

import (
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"strconv"
	"time"

	"github.com/robotsexclusion/robots/internal/http/httpfield"
)

// writeFresh answers with JSON that follows from the robots.txt of an origin. Caches may keep the
// answer as long as the service does. The error is that of the connection.
func writeFresh(w http.ResponseWriter, r *http.Request, b []byte, from *version, results []byte) error {
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
		return nil
	}
	return sendJSON(w, b)
}

// appendEntityTag appends the ETag that follows from the state, the text in force, and the results.
// The tag is weak, because the times of an answer change when the origin confirms the text.
func appendEntityTag(b []byte, from *version, results []byte) []byte {
	var space [512]byte // most results fit
	sum := sha256.Sum256(append(append(space[:0], from.sum[:]...), results...))
	return append(base64.RawURLEncoding.AppendEncode(append(b, `W/"`...), sum[:12]), '"')
}
