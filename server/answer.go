package server

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strconv"

	"github.com/robotsexclusion/robots/server/api"
)

// health answers GET /healthz.
func (s *Server) health(_ *boundRoute, w http.ResponseWriter, _ *http.Request) error {
	b, _ := json.Marshal(api.Health{Status: "ok"}) // it has a JSON form
	w.Header().Set("Cache-Control", "no-store")
	return writeJSON(w, append(b, '\n'))
}

// writeJSON answers with JSON. An error of the connection ends the request.
func writeJSON(w http.ResponseWriter, b []byte) error {
	b = withoutTags(b)
	header := w.Header()
	header["Content-Type"] = mediaJSON
	header["Content-Length"] = []string{strconv.Itoa(len(b))}
	w.Write(b)
	return nil
}

// withoutTags escapes "<" and ">", which are only in the strings of JSON, so that no program takes a
// part of the answer for HTML.
func withoutTags(b []byte) []byte {
	if bytes.IndexByte(b, '<') >= 0 || bytes.IndexByte(b, '>') >= 0 {
		b = bytes.ReplaceAll(b, []byte("<"), []byte(`\u003c`))
		b = bytes.ReplaceAll(b, []byte(">"), []byte(`\u003e`))
	}
	return b
}

var mediaJSON = []string{"application/json"}
