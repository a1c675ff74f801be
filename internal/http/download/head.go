package download

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/robotsexclusion/robots/internal/http/httpfield"
	"github.com/robotsexclusion/robots/internal/printable"
)

const (
	// defaultAccept prefers pages, as browsers do.
	defaultAccept = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.5"

	// acceptEncoding names the encodings that decode can undo.
	acceptEncoding = "gzip, deflate, br, zstd"
)

// sameFields returns the header fields that all requests of the client share, as text.
func (c *Client) sameFields() string {
	s := "User-Agent: " + c.UserAgent + "\r\n"
	if c.From != "" {
		s += "From: " + c.From + "\r\n"
	}
	if c.AcceptLanguage != "" {
		s += "Accept-Language: " + c.AcceptLanguage + "\r\n"
	}
	return s + "Accept-Encoding: " + acceptEncoding + "\r\n"
}

// conditional returns the conditions of a request that may be sent.
func (r *Request) conditional() (tag, date string) {
	if r.ETag != "" {
		tag = httpfield.EntityTag(http.Header{"Etag": {r.ETag}})
	}
	if r.LastModified != "" {
		date = httpfield.LastModified(http.Header{"Last-Modified": {r.LastModified}})
	}
	return tag, date
}

// requestHead returns the head of the request in HTTP/1.1.
func (v *visit) requestHead() []byte {
	t, tag, date := &v.target, v.tag, v.date
	accept := cmp.Or(v.request.Accept, defaultAccept)
	b := make([]byte, 0, len("GET  HTTP/1.1\r\nHost: \r\nAccept: \r\nIf-None-Match: \r\nIf-Modified-Since: \r\n\r\n")+
		len(t.path)+len(t.authority)+len(v.client.fields)+len(accept)+len(tag)+len(date))
	b = append(append(append(b, "GET "...), t.path...), " HTTP/1.1\r\n"...)
	b = appendField(b, "Host", t.authority)
	b = append(b, v.client.fields...)
	b = appendField(b, "Accept", accept)
	if tag != "" {
		b = appendField(b, "If-None-Match", tag)
	}
	if date != "" {
		b = appendField(b, "If-Modified-Since", date)
	}
	return append(b, "\r\n"...)
}

// sign adds the fields of [Client.Sign] to the head of the request.
func (v *visit) sign() error {
	if v.client.Sign == nil {
		return nil
	}
	before := requestHeader(v.RequestHead)
	r := &http.Request{Method: http.MethodGet, URL: v.target.url(), Host: v.target.authority,
		Header: maps.Clone(before)}
	if err := v.client.Sign(r); err != nil {
		return &Error{URL: v.URL, Failure: WrongURL, Err: fmt.Errorf("sign the request: %w", err)}
	}
	head := bytes.TrimSuffix(v.RequestHead, []byte("\r\n"))
	for _, name := range slices.Sorted(maps.Keys(r.Header)) {
		if _, ok := before[name]; ok {
			continue
		}
		for _, value := range r.Header[name] {
			if !isValue(value) {
				return &Error{URL: v.URL, Failure: WrongURL, Err: fmt.Errorf("sign the request: %s is %s", name,
					printable.Quoted(value, 60))}
			}
			head = appendField(head, name, value)
		}
	}
	v.RequestHead = append(head, "\r\n"...)
	return nil
}

func appendField(b []byte, name, value string) []byte {
	b = append(append(b, name...), ": "...)
	return append(append(b, value...), "\r\n"...)
}

// requestHeader returns the fields of a request head without Host.
func requestHeader(head []byte) http.Header {
	h := make(http.Header, 8)
	_, fields, _ := strings.Cut(string(head), "\r\n")
	for line := range strings.SplitSeq(fields, "\r\n") {
		if name, value, ok := strings.Cut(line, ": "); ok && name != "Host" {
			h[name] = append(h[name], value)
		}
	}
	return h
}

// withoutTransfer returns a copy of an answer's head without the fields about the
// transfer of its body, because the body is kept without its transfer encoding.
func withoutTransfer(head []byte) []byte {
	kept := make([]byte, 0, len(head))
	drop := false
	for line := range bytes.Lines(head) {
		if folded := line[0] == ' ' || line[0] == '\t'; !folded {
			name, _, _ := bytes.Cut(line, []byte(":"))
			name = bytes.TrimSpace(name)
			drop = bytes.EqualFold(name, []byte("Transfer-Encoding")) || bytes.EqualFold(name, []byte("Trailer"))
		}
		if !drop {
			kept = append(kept, line...)
		}
	}
	return kept
}

// writtenHead returns the head of an HTTP/2 answer as HTTP/1.1 would write it, with its
// fields sorted.
func writtenHead(r *http.Response) []byte {
	b := fmt.Appendf(nil, "HTTP/1.1 %03d %s\r\n", r.StatusCode, http.StatusText(r.StatusCode))
	names := make([]string, 0, len(r.Header))
	for name := range r.Header {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		for _, value := range r.Header[name] {
			b = appendField(b, name, value)
		}
	}
	return append(b, "\r\n"...)
}
