package fetch_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/robotsexclusion/robots/fetch"
)

// TestFromResponse reads answers as RFC 9309, section 2.3.1 says.
func TestFromResponse(t *testing.T) {
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	io.WriteString(z, "User-agent: *\nDisallow: /a\nDisallow: /b\n")
	z.Close()
	long := "User-agent: *\nDisallow: /a\n" + strings.Repeat("#", 500<<10-30) + "\nDisallow: /b\n"
	for _, test := range []struct {
		name   string
		status int
		coding string
		body   io.Reader
		a, b   bool // whether /a and /b are allowed
		err    string
	}{
		{"a text", 200, "", strings.NewReader("User-agent: *\nDisallow: /a"), false, true, ""},
		{"another 2xx", 206, "", strings.NewReader("User-agent: *\nDisallow: /a"), false, true, ""},
		{"an empty text", 200, "", http.NoBody, true, true, ""},
		{"a text over the limit", 200, "", strings.NewReader(long), false, true, ""},
		{"gzip", 200, "gzip", &packed, false, false, ""},
		{"broken gzip", 200, "gzip", strings.NewReader("no gzip, but as long as a header"), false, false, "gzip"},
		{"a body that breaks off", 200, "", iotest.ErrReader(errors.New("reset")), false, false, "reset"},
		{"a redirect", 302, "", strings.NewReader(closed), true, true, ""},
		{"not modified", 304, "", http.NoBody, false, false, "304"},
		{"forbidden", 403, "", strings.NewReader(closed), true, true, ""},
		{"missing", 404, "", strings.NewReader(closed), true, true, ""},
		{"too many requests", 429, "", http.NoBody, false, false, ""},
		{"server error", 503, "", http.NoBody, false, false, ""},
		{"no such status", 999, "", http.NoBody, false, false, ""},
	} {
		answer := &http.Response{StatusCode: test.status, Header: http.Header{}, Body: io.NopCloser(test.body)}
		if test.coding != "" {
			answer.Header.Set("Content-Encoding", test.coding)
		}
		policy, err := fetch.FromResponse(answer)
		if a, b := allowed(policy, "/a"), allowed(policy, "/b"); a != test.a || b != test.b {
			t.Errorf("%s: /a and /b allowed: %t, %t, want %t, %t", test.name, a, b, test.a, test.b)
		}
		if test.err == "" && err != nil || test.err != "" && (err == nil || !strings.Contains(err.Error(), test.err)) {
			t.Errorf("%s: error %v, want %q", test.name, err, test.err)
		}
	}
}
