package userfile_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots/internal/userfile"
)

// TestParseRequest reads one request in all forms.
func TestParseRequest(t *testing.T) {
	const head = "GET /a%2Fb?x=1 HTTP/1.1\nHost: Example.com:8443\nAccept: a\nSignature-Input: sig1=()\naccept:  b \n"
	const pseudo = ":method: GET\n:authority: Example.com:8443\n:scheme: https\n:path: /a%2Fb?x=1\naccept: a\nsignature-input: sig1=()\naccept: b\n"
	marked := "> " + strings.ReplaceAll(strings.TrimSuffix(head, "\n"), "\n", "\n> ") +
		"\n>\n* done\n< HTTP/1.1 200 OK\n"
	for name, text := range map[string]string{
		"LF": head, "CRLF": strings.ReplaceAll(head, "\n", "\r\n"), "with an end": head + "\n", "with a body": head +
			"\r\nHost: other.example\n",
		"with a mark of order": "\uFEFF\n" + head, "without the last line end": strings.TrimSuffix(head, "\n"),
		"of curl": marked, "of curl with CRLF": strings.ReplaceAll(marked, "\n", "\r\n"), "of HTTP/2": pseudo,
		"absolute":    strings.Replace(head, "/a", "https://Example.com:8443/a", 1),
		"of HTTP/1.0": strings.Replace(head, "/1.1", "/1.0", 1),
	} {
		r, err := userfile.ParseRequest([]byte(text))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if r.Method != "GET" || r.Host != "Example.com:8443" || r.URL.RequestURI() != "/a%2Fb?x=1" &&
			name != "absolute" ||
			!slices.Equal(r.Header["Accept"], []string{"a", "b"}) || r.Header.Get("Signature-Input") != "sig1=()" ||
			len(r.Header) != 2 {
			t.Errorf("%s: got %s %s %s %v", name, r.Method, r.Host, r.URL.RequestURI(), r.Header)
		}
	}
	for _, test := range []struct{ text, err string }{
		{"", "it is empty"},
		{"\n\n", "it is empty"},
		{"<html>\n", "not the head of an HTTP request"},
		{"HTTP/1.1 200 OK\nHost: a\n", "not the head of an HTTP request"},
		{`192.0.2.7 - - [01/Jan/2026:00:00:00 +0000] "GET / HTTP/1.1" 200 1`, "not the head of an HTTP request"},
		{"GET / HTTP/1.1\nAccept: a\n", "it names no host"},
		{"GET / HTTP/1.1\nHost: a\nhost: b\n", "several Host fields"},
		{"GET / HTTP/1.1\nHost: a\nX\n", "not the head of an HTTP request"},
		{"GET / HTTP/1.1\nHost: a\nX: a\rY: b\n", "line 3 has a character"},
		{"GET / HTTP/2.0\nHost: a\n", "request of HTTP/2.0"},
		{":method: GET\n:path: /\n", ":authority is missing"},
		{":method: GET\n:method: PUT\n:authority: a\n:path: /\n", "stands twice"},
		{":method: GET\n:authority: a\n:path: / HTTP/1.1\n", ":path is missing, or has a blank"},
		{":method: GET\n:authority: a\n:path: /\nhost: b\n", "several Host fields"},
		{":method\n", "is wrong"},
		{"GET / HTTP/1.1\nHost: a\n b\n", "line 3 starts with a blank"},
		{"GET / HTTP/1.1\nHost: a/b\n", "its host \"a/b\" is none"},
	} {
		if _, err := userfile.ParseRequest([]byte(test.text)); err == nil || !strings.Contains(err.Error(), test.err) {
			t.Errorf("%q: got %v, want %s", test.text, err, test.err)
		}
	}
}

// FuzzParseRequest looks for a panic, and for a request whose parts, written down as a client would
// send them, are another request.
func FuzzParseRequest(f *testing.F) {
	f.Add("GET /a?x=1 HTTP/1.1\r\nHost: example.com\r\nSignature: a=:AAAA:\r\n\r\n")
	f.Add("> GET / HTTP/1.1\n> Host: example.com\n>\n< HTTP/1.1 200 OK\n")
	f.Add(":method: GET\n:authority: example.com\n:path: /\nuser-agent: ExampleBot/1.0\n")
	f.Add("GET http://a/b HTTP/1.0\nHost: c\n folded\n")
	f.Fuzz(func(t *testing.T, text string) {
		r, err := userfile.ParseRequest([]byte(text))
		if err != nil {
			return
		}
		if r.Host == "" {
			t.Fatal("the request has no host")
		}
		var b strings.Builder
		fmt.Fprintf(&b, "%s %s HTTP/1.1\r\nHost: %s\r\n", r.Method, r.RequestURI, r.Host)
		for name, values := range r.Header {
			for _, value := range values {
				fmt.Fprintf(&b, "%s: %s\r\n", name, value)
			}
		}
		again, err := userfile.ParseRequest([]byte(b.String()))
		if err != nil {
			t.Fatalf("%q: %v", b.String(), err)
		}
		if again.Method != r.Method || again.Host != r.Host || again.RequestURI != r.RequestURI ||
			!equal(again.Header, r.Header) {
			t.Fatalf("%q: got %s %s %s %v, and again %s %s %s %v", text, r.Method, r.Host, r.RequestURI, r.Header,
				again.Method, again.Host, again.RequestURI, again.Header)
		}
	})
}

func equal(a, b http.Header) bool {
	for name := range a {
		if !slices.Equal(a[name], b[name]) {
			return false
		}
	}
	return len(a) == len(b)
}
