// Package accesslog reads the access logs of web servers.
//
// A [Reader] reads logs of any usual format: it finds the format from the first lines of a
// log, decompresses the log if necessary, and yields a [Request] for each line:
//
//	var reader accesslog.Reader
//	for request, err := range reader.Open("access.log", "access.log.1.gz").Requests() {
//		if err != nil {
//			log.Print(err) // access.log:17: combined: there is no time in brackets
//			continue
//		}
//		fmt.Printf("%s %s %s\n", request.Client, request.Path, request.UserAgent)
//	}
//
// Every line is accounted for: a line is a request, a line that cannot be read (a
// [SyntaxError]), a directive or a comment, or empty. [Scan.Logs] has the numbers.
//
// # Formats
//
// [Formats] lists the formats with a name. [ParseFormat] makes a format from the text that the
// server itself is configured with, a log_format of nginx or a LogFormat of Apache, and also
// from a list of names of members of JSON objects.
//
// Logs in the W3C Extended Log File Format, as IIS and CloudFront write them, name their fields
// in the log itself; JSON logs name them in each line.
//
// Lines may be in an envelope: the prefix of syslog or of a container runtime, or a JSON object
// with the line in its member "log" or "message".
//
// # Memory and cost
//
// Reading takes memory for a few blocks and for one line per worker, regardless of the size of the
// log. Reading a line in normal form allocates nothing: the fields of a Request are parts of the
// block.
package accesslog

import (
	"bytes"
	"fmt"
	"net/netip"
	"time"
)

// A Request is what one line of a log says about one request. Its byte slices are valid until the
// next Request is read, and must not be modified. A caller has to copy the bytes that it keeps.
//
// Escapes of the log are decoded. A field that the line does not have, or has as "-", is
// nil.
type Request struct {
	// Log is the name of the log, Line the number of the line, starting at 1.
	Log  string
	Line int

	// Time is when the request began, or the time in the line if the line does not tell how long
	// the request took, in UTC. Zoned says whether the log or its format states the zone; if not,
	// Time was read in Reader.Zone.
	Time  time.Time
	Zoned bool

	// Host is the name of the virtual host, without a port, as written in the log. If Target is in
	// absolute form, it is the host there, which the client asked for.
	Host []byte

	// Client is the address of the client, without a zone. It is invalid if the log has no
	// address; ClientName is then the name that a server wrote after looking it up
	// (HostnameLookups).
	Client     netip.Addr
	ClientName []byte

	// Method, Target and Proto are the parts of the request line. If the request line is
	// not of HTTP, such as a TLS handshake sent to a plain port, Method and Proto are nil
	// and Target is all of the line.
	Method, Target, Proto []byte

	// Path is the path and query of Target, as robots.txt compares them. It is nil if Target has no
	// path: "*", an authority, or not of HTTP. Decoded says that the server wrote Path after
	// decoding percent-escapes, as IIS does, and nginx for $uri and Apache for %U, so that "%2F"
	// and "/" look the same.
	Path    []byte
	Decoded bool

	// Status is the status code of the answer, or 0. Bytes is the size of the answer as
	// the log counts it, or -1.
	Status int
	Bytes  int64

	// Duration is the time from the first byte of the request to the last byte of the
	// answer, or -1.
	Duration time.Duration

	Referrer, UserAgent []byte

	// Text is the line, without its end and without its envelope.
	Text []byte
}

// A SyntaxError reports a line that cannot be read. The lines after it are read.
type SyntaxError struct {
	Log  string
	Line int
	// Text is the beginning of the line, up to 1,024 bytes. It is valid until the next
	// Request is read.
	Text []byte
	// Reason says in English why the line cannot be read in the format of its log.
	Reason string
}

// Error returns the log, the line and the reason.
func (e *SyntaxError) Error() string { return fmt.Sprintf("%s:%d: %s", e.Log, e.Line, e.Reason) }

// reset prepares r for another line.
func (r *Request) reset() {
	log, line := r.Log, r.Line
	*r = Request{} // a literal with values would be copied
	r.Log, r.Line, r.Bytes, r.Duration = log, line, -1, -1
}

// setRequestLine reads a request line: RFC 9112, section 3.
func (r *Request) setRequestLine(line []byte) {
	end := methodEnd(line)
	if end == 1 && line[0] == '-' { // Varnish and load balancers of AWS, where there was no request
		end = 0
	}
	if end == 0 || end > maxMethod || end == len(line) || line[end] != ' ' {
		r.Target = line
		return
	}
	rest := line[end+1:]
	if i := len(rest) - len(" HTTP/1.1"); i >= 0 && isHTTP(rest[i:]) {
		r.Proto, rest = rest[i+1:], rest[:i]
	} else if i = bytes.LastIndexByte(rest, ' '); i >= 0 && isProto(rest[i+1:]) {
		r.Proto, rest = rest[i+1:], rest[:i]
	}
	r.Method = line[:end]
	r.setTarget(rest)
}

// methodEnd returns the length of the token at the beginning of a request line.
func methodEnd(line []byte) int {
	if len(line) > len("GET ") && string(line[:len("GET ")]) == "GET " { // as in most lines
		return len("GET")
	}
	end := 0
	for end < len(line) && tokenByte[line[end]] {
		end++
	}
	return end
}

var blank = []byte(" ")

// setTarget reads the target of a request of HTTP, RFC 9112, section 3.2.
func (r *Request) setTarget(target []byte) {
	r.Target = target
	if len(target) > 0 && target[0] == '/' {
		r.Path = target
	} else if string(r.Method) != "CONNECT" {
		r.setAbsolute(target)
	}
}

var schemeEnd = []byte("://")

// setAbsolute reads a target in absolute form. A target that is none of the four forms
// has no path.
func (r *Request) setAbsolute(target []byte) {
	scheme, rest, ok := bytes.Cut(target, schemeEnd)
	if !ok || !isScheme(scheme) {
		return
	}
	end := bytes.IndexAny(rest, "/?#")
	switch {
	case end < 0 && bytes.HasSuffix(rest, asterisk): // Varnish writes the host before each target
		end = len(rest) - 1
		r.Target = rest[end:]
	case end < 0:
		end = len(rest)
		r.Path = slash
	case rest[end] == '/':
		r.Path = rest[end:]
	default:
		// A query without a path: the path is "/", which is not in the line.
		r.Path = append([]byte("/"), rest[end:]...)
	}
	authority := rest[:end]
	if i := bytes.LastIndexByte(authority, '@'); i >= 0 {
		authority = authority[i+1:]
	}
	if len(authority) > 0 { // it was asked for, whatever virtual host answered: RFC 9112, section 3.2.2
		r.Host = trimPort(authority)
	}
}

var (
	slash    = []byte("/")
	asterisk = []byte("*")
)

// isScheme reports whether b is a scheme whose URLs robots.txt covers.
func isScheme(b []byte) bool {
	return bytes.EqualFold(b, []byte("http")) || bytes.EqualFold(b, []byte("https"))
}

// isMethod reports whether b is a token, RFC 9110, section 5.6.2, of a usual length.
func isMethod(b []byte) bool {
	for _, c := range b {
		if !tokenByte[c] {
			return false
		}
	}
	return len(b) > 0 && len(b) <= maxMethod
}

// maxMethod is the maximum length of a method.
const maxMethod = 32

// isHTTP reports whether b is a blank and a version of HTTP with one digit before and after its
// dot, as in nearly all requests.
func isHTTP(b []byte) bool {
	return len(b) == 9 && string(b[:6]) == " HTTP/" && b[6]-'0' <= 9 && b[7] == '.' && b[8]-'0' <= 9
}

// isProto reports whether b is a version of a protocol, like "HTTP/1.1". Icecast writes
// ICY and RTSP.
func isProto(b []byte) bool {
	i := bytes.IndexByte(b, '/')
	if i <= 0 || i == len(b)-1 || len(b) > 16 {
		return false
	}
	for _, c := range b[:i] {
		if c < 'A' || c > 'Z' {
			return false
		}
	}
	for _, c := range b[i+1:] {
		if (c < '0' || c > '9') && c != '.' {
			return false
		}
	}
	return true
}

// tokenByte are the bytes of a token.
var tokenByte = func() (table [256]bool) {
	for _, c := range "!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ" {
		table[c] = true
	}
	return table
}()

// trimPort returns a host without its port. A host that is not a name or an address in brackets,
// perhaps with a port, is returned as it is: it is unknown where its port begins.
func trimPort(host []byte) []byte {
	i := bytes.IndexByte(host, ':')
	if len(host) > 0 && host[0] == '[' {
		i = bytes.IndexByte(host, ']') + 1
	}
	if i <= 0 || i == len(host) || host[i] != ':' {
		return host
	}
	for _, c := range host[i+1:] {
		if c < '0' || c > '9' {
			return host
		}
	}
	return host[:i]
}
