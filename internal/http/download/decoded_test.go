package download_test

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"compress/gzip"

	"github.com/andybalholm/brotli"
	"github.com/robotsexclusion/robots/internal/http/download"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// TestDecoded decodes bodies as sent, and compares them with what the client decodes.
func TestDecoded(t *testing.T) {
	text := strings.Repeat("<p>as it is\n", 5000)
	packed := func(wrap func(io.Writer) io.WriteCloser, s string) string {
		var b bytes.Buffer
		w := wrap(&b)
		io.WriteString(w, s)
		w.Close()
		return b.String()
	}
	zip := func(w io.Writer) io.WriteCloser { return gzip.NewWriter(w) }
	br := func(w io.Writer) io.WriteCloser { return brotli.NewWriter(w) }
	for _, test := range []struct {
		name, encoding, sent, want string
		most                       int64
		broken                     bool // reading ends with an error, or Decoded returns one
	}{
		{name: "as it is", sent: text, want: text, most: 1 << 20},
		{name: "empty", want: "", most: 1 << 20},
		{name: "a charset", encoding: "utf-8", sent: text, want: text, most: 1 << 20},
		{name: "gzip", encoding: "gzip", sent: packed(zip, text), want: text, most: 1 << 20},
		{name: "br", encoding: "BR", sent: packed(br, text), want: text, most: 1 << 20},
		{name: "both", encoding: "br, gzip", sent: packed(zip, packed(br, text)), want: text, most: 1 << 20},
		{name: "nothing packed", encoding: "gzip", want: "", most: 1 << 20},
		{name: "too many", encoding: "gzip, gzip, gzip", broken: true, most: 1 << 20},
		{name: "unknown", encoding: "compress", sent: text, broken: true, most: 1 << 20},
		{name: "no gzip", encoding: "gzip", sent: text, broken: true, most: 1 << 20},
		{name: "long", sent: text, want: text[:100], most: 100, broken: true},
		{name: "packed and long", encoding: "gzip", sent: packed(zip, text), want: text[:100], most: 100, broken: true},
	} {
		r, err := download.Decoded(http.Header{"Content-Encoding": {test.encoding}}, strings.NewReader(test.sent),
			test.most)
		if err != nil {
			if !test.broken || test.want != "" {
				t.Errorf("%s: %v", test.name, err)
			}
			continue
		}
		got, err := io.ReadAll(r)
		if string(got) != test.want || (err != nil) != test.broken {
			t.Errorf("%s: %d bytes, %v; want %d", test.name, len(got), err, len(test.want))
		}
		r.Close()
		r.Close()
		if n, err := r.Read(make([]byte, 1)); n != 0 || err != io.EOF {
			t.Errorf("%s: closed, it reads %d bytes, %v", test.name, n, err)
		}
	}

	// The client's Sent decodes to the client's Body.
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Encoding", "br")
		w.Header().Set("Content-Type", "text/html")
		io.WriteString(w, packed(br, text))
	}))
	defer server.Close()
	x := visit(t, local(t), download.Request{URL: server.URL + "/", KeepSent: true})
	defer x.Close()
	r, err := download.Decoded(x.Header, x.Sent.Reader(), 1<<20)
	fatal.If(t, err)
	defer r.Close()
	got, err := io.ReadAll(r)
	fatal.If(t, err)
	if want, _ := x.Body.Bytes(); string(got) != string(want) || string(got) != text {
		t.Errorf("%d bytes, the client has %d", len(got), len(want))
	}
}
