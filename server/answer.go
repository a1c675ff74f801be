package server

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strconv"
	"sync"

	"github.com/robotsexclusion/robots/server/api"
)

// health answers GET /healthz.
func (s *Server) health(_ *boundRoute, w http.ResponseWriter, _ *http.Request) error {
	b, _ := json.Marshal(api.Health{Status: "ok"}) // it has a JSON form
	w.Header().Set("Cache-Control", "no-store")
	return writeJSON(w, append(b, '\n'))
}

// A buffer has the bytes of an answer while the answer is written.
type buffer struct{ bytes []byte }

// maxBuffer is the maximum size of a buffer that is kept for another answer.
const maxBuffer = 64 << 10

var buffers = sync.Pool{New: func() any { return &buffer{make([]byte, 0, 1<<10)} }}

// newBuffer returns an empty buffer.
func newBuffer() *buffer { return buffers.Get().(*buffer) }

// free lets another answer use the buffer. It must not be called after a failed write: if an HTTP/2
// stream was closed meanwhile, net/http returns from the write but may still read the bytes, which
// another client's answer would overwrite.
func (b *buffer) free() {
	if cap(b.bytes) <= maxBuffer {
		b.bytes = b.bytes[:0]
		buffers.Put(b)
	}
}

// maxShort is the maximum size in bytes of an answer whose length net/http adds itself, which takes
// less time.
const maxShort = 1 << 10

// writeJSON answers with JSON. An error of the connection ends the request.
func writeJSON(w http.ResponseWriter, b []byte) error {
	sendJSON(w, b)
	return nil
}

// sendJSON answers with JSON, and returns an error of the connection.
func sendJSON(w http.ResponseWriter, b []byte) error {
	b = withoutTags(b)
	header := w.Header()
	header["Content-Type"] = mediaJSON
	if len(b) > maxShort {
		header["Content-Length"] = []string{strconv.Itoa(len(b))}
	}
	_, err := w.Write(b)
	return err
}

// withoutTags escapes "<" and ">", which are only in the strings of JSON, so that no program takes
// a part of the answer for HTML.
func withoutTags(b []byte) []byte {
	if bytes.IndexByte(b, '<') >= 0 || bytes.IndexByte(b, '>') >= 0 {
		b = bytes.ReplaceAll(b, []byte("<"), []byte(`\u003c`))
		b = bytes.ReplaceAll(b, []byte(">"), []byte(`\u003e`))
	}
	return b
}

var mediaJSON = []string{"application/json"}
