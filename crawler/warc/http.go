package warc

import (
	"bytes"
	"fmt"
	"net/http"
	"strconv"
	"strings"
)

// ResponseHead returns the status line and the header of a response in the form of an
// archived record. net/http does not keep the original bytes, so ResponseHead writes a
// head of its own: as HTTP/1.1, also for HTTP/2 and 3, without Transfer-Encoding, which
// net/http has decoded, and with sorted fields. Fields that net/http removes when it
// decompresses the body are missing: set [http.Transport.DisableCompression] to archive the
// bytes that the server sent.
func ResponseHead(r *http.Response) []byte {
	var b bytes.Buffer
	status := strings.TrimSpace(strings.TrimPrefix(r.Status, strconv.Itoa(r.StatusCode)))
	if status == "" {
		status = http.StatusText(r.StatusCode)
	}
	b.Write(appendText(nil, fmt.Sprintf("%s %03d %s", version(r.ProtoMajor, r.ProtoMinor), r.StatusCode, status)))
	b.WriteString("\r\n")
	r.Header.WriteSubset(&b, undone)
	b.WriteString("\r\n")
	return b.Bytes()
}

// RequestHead returns the request line and the header of a request in the form of an
// archived record. Like [ResponseHead], it rewrites the head as HTTP/1.1. Fields that net/http
// adds on its own are missing, except Host: set User-Agent and Accept-Encoding to have
// them in the record.
func RequestHead(r *http.Request) []byte {
	var b bytes.Buffer
	method, host := r.Method, r.Host
	if method == "" {
		method = http.MethodGet
	}
	if host == "" {
		host = r.URL.Host
	}
	b.WriteString(escapedURI(method) + " " + escapedURI(r.URL.RequestURI()) + " HTTP/1.1\r\n")
	b.Write(appendField(nil, "Host", host))
	r.Header.WriteSubset(&b, undone)
	b.WriteString("\r\n")
	return b.Bytes()
}

// undone are fields about the transfer of a body over a connection.
var undone = map[string]bool{"Transfer-Encoding": true, "Trailer": true}

// version returns the HTTP version to write for a received version.
func version(major, minor int) string {
	if major == 1 && minor == 0 {
		return "HTTP/1.0"
	}
	return "HTTP/1.1"
}

// headEnd returns the length of the head of an HTTP message, including the empty line
// that ends it, or -1 if the empty line is missing.
func headEnd(b []byte) int {
	for at := 0; ; {
		i := bytes.IndexByte(b[at:], '\n')
		if i < 0 {
			return -1
		}
		if i == 0 || i == 1 && b[at] == '\r' {
			return at + i + 1
		}
		at += i + 1
	}
}

// splitHead returns the head of a message, ended by an empty line, and the bytes after
// the first empty line of the given head, which belong to the body.
func splitHead(head []byte) (whole, body []byte) {
	if end := headEnd(head); end >= 0 {
		return head[:end:end], head[end:]
	}
	if !bytes.HasSuffix(head, []byte("\n")) {
		head = append(head[:len(head):len(head)], '\r', '\n')
	}
	return append(head[:len(head):len(head)], '\r', '\n'), nil
}

// statusAndType reads the head of an HTTP response: its status, 0 if it is none, and
// its media type without parameters.
func statusAndType(head []byte) (status int, mediaType string) {
	line, rest, _ := strings.Cut(string(head), "\n")
	if proto, after, ok := strings.Cut(line, " "); ok && strings.HasPrefix(proto, "HTTP/") {
		if code, _, _ := strings.Cut(strings.TrimSpace(after), " "); len(code) == 3 {
			if n, err := strconv.ParseUint(code, 10, 16); err == nil {
				status = int(n)
			}
		}
	}
	for line := range strings.SplitSeq(rest, "\n") {
		name, value, ok := strings.Cut(line, ":")
		if ok && strings.EqualFold(strings.TrimSpace(name), "Content-Type") {
			value, _, _ = strings.Cut(value, ";")
			value, _, _ = strings.Cut(strings.TrimSpace(value), " ")
			return status, strings.ToLower(value)
		}
	}
	return status, ""
}
