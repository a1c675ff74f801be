package accesslog

import (
	"bytes"
	"fmt"
	"strings"
)

// A jsonFormat reads lines that are JSON objects.
type jsonFormat struct {
	// members says which field a member has. A member is named by its path, in lower case
	// and with "_" for "-": "request.headers.user_agent".
	members map[string]jsonMember
}

// A jsonMember is the field that a member has, and its rank among the members with this field.
// The first rank counts.
type jsonMember struct {
	field field
	rank  int
}

// maxDepth is the maximum depth of objects and arrays where a jsonFormat looks for members. It
// skips deeper ones.
const maxDepth = 8

// jsonNames makes a format of pairs of a field and the members that may have it, best first.
func jsonNames(pairs map[field]string) *jsonFormat {
	j := &jsonFormat{members: map[string]jsonMember{}}
	for f, paths := range pairs {
		for rank, path := range strings.Fields(paths) {
			j.members[path] = jsonMember{f, rank}
		}
	}
	return j
}

// Formats of servers. Caddy: https://caddyserver.com/docs/logging. Traefik:
// https://doc.traefik.io/traefik/observability/access-logs. Envoy's names are those of Envoy
// Gateway. Cloudflare:
// https://developers.cloudflare.com/logs/reference/log-fields/zone/http_requests.
var (
	caddy = jsonNames(map[field]string{
		endTime: "ts", client: "request.remote_ip request.remote_addr", host: "request.host",
		forwarded: "request.client_ip request.headers.x_forwarded_for", method: "request.method", target: "request.uri",
		proto: "request.proto", status: "status", size: "size", seconds: "duration",
		agent: "request.headers.user_agent", referrer: "request.headers.referer",
	})
	traefik = jsonNames(map[field]string{
		beginTime: "startutc startlocal", client: "clienthost clientaddr", host: "requesthost requestaddr",
		method: "requestmethod", target: "requestpath", proto: "requestprotocol", status: "downstreamstatus",
		size: "downstreamcontentsize", nanos: "duration", agent: "request_user_agent", referrer: "request_referer",
		forwarded: "request_x_forwarded_for",
	})
	envoyJSON = jsonNames(map[field]string{
		beginTime: "start_time", client: "downstream_remote_address", forwarded: "x_forwarded_for",
		host: ":authority authority", method: "method :method", target: "x_envoy_origin_path path :path",
		proto: "protocol", status: "response_code", size: "bytes_sent", millis: "duration",
		agent: "user_agent", referrer: "referer",
	})
	cloudflare = jsonNames(map[field]string{
		beginTime: "edgestarttimestamp", client: "clientip", host: "clientrequesthost", method: "clientrequestmethod",
		target: "clientrequesturi", proto: "clientrequestprotocol", status: "edgeresponsestatus",
		size: "edgeresponsebytes", agent: "clientrequestuseragent", referrer: "clientrequestreferer",
	})
	googleCloud = jsonNames(map[field]string{
		endTime: "timestamp", client: "httprequest.remoteip", method: "httprequest.requestmethod",
		target: "httprequest.requesturl", proto: "httprequest.protocol", status: "httprequest.status",
		size: "httprequest.responsesize", agent: "httprequest.useragent", referrer: "httprequest.referer",
	})
	// The log of robots guard, of this module.
	robotsGuard = jsonNames(map[field]string{
		beginTime: "begin", client: "client", host: "host", method: "method", target: "target", proto: "proto",
		status: "status",
		size:   "size", seconds: "request_time", referrer: "referer", agent: "user_agent",
	})
)

// jsonFields are the names of fields in the text of a format.
var jsonFields = map[string]field{
	"time": endTime, "client": client, "forwarded": forwarded, "host": host, "request": requestLine,
	"method": method, "target": target, "path": stem, "query": query, "protocol": proto, "status": status,
	"size": size, "seconds": seconds, "millis": millis, "referrer": referrer, "agent": agent,
}

// parseJSONNames reads "json time=ts client=req.ip …".
func parseJSONNames(text string) (*jsonFormat, error) {
	j := &jsonFormat{members: map[string]jsonMember{}}
	for _, pair := range strings.Fields(text)[1:] {
		name, path, ok := strings.Cut(pair, "=")
		f, known := jsonFields[name]
		if !ok || !known || path == "" {
			return nil,
				fmt.Errorf("format %q: %q is not a field, \"=\" and the name of a member; fields are time, client, forwarded, host, request, method, target, path, query, protocol, status, size, seconds, millis, referrer and agent", text, pair)
		}
		j.members[string(appendKey(nil, []byte(path)))] = jsonMember{f, len(j.members)}
	}
	if !j.has(endTime) {
		return nil, fmt.Errorf("format %q has no time=", text)
	}
	if !j.has(requestLine) && !j.has(target) && !j.has(stem) {
		return nil, fmt.Errorf("format %q has no request=, target= or path=", text)
	}
	return j, nil
}

func (j *jsonFormat) has(f field) bool {
	for _, m := range j.members {
		if m.field == f {
			return true
		}
	}
	return false
}

func (j *jsonFormat) read(line []byte, d *draft) (reason string) {
	if len(line) == 0 || line[0] != '{' {
		return "the line is not a JSON object"
	}
	w := &d.walk
	w.start(line, j.members, &d.buffer)
	if w.skipBlanks(); w.bad || w.at != len(line) {
		return "the line is not a whole JSON object"
	}
	for f := range fields {
		if v := w.values[f].text; v != nil && !d.set(f, v) {
			return jsonReasons[f]
		}
	}
	if d.Target == nil && d.stem == nil {
		return "no member of the object has a target or a path of a request"
	}
	if d.Target != nil && len(d.query) > 0 && bytes.IndexByte(d.Target, '?') < 0 {
		d.stem = d.Target
	}
	return ""
}

var jsonReasons = func() (reasons [fields]string) {
	for f, name := range fieldNames {
		reasons[f] = "a member that should have the " + name + " has not"
	}
	return reasons
}()

// A jsonWalk goes through one JSON object and keeps the values of known members. It checks the
// structure of the text, but only those parts of values that it needs.
type jsonWalk struct {
	text    []byte
	at      int
	bad     bool
	members map[string]jsonMember
	general bool   // whether members are found by the parts of their paths, as general.go says
	key     []byte // the path to the value
	parts   []int  // where the parts of the path begin, if general
	root    bool   // whether a member with a path is empty, if general
	labels  bool   // whether the names are labels of LTSV
	dated   []byte // the first value that is a date and time, if general
	day     []byte // a date alone, and a time of day alone, if general
	clock   []byte
	values  [fields]struct {
		text []byte
		rank int
	}
	buffer *[]byte
}

// start walks through a text. It puts values without their escapes into the buffer.
func (w *jsonWalk) start(text []byte, members map[string]jsonMember, buffer *[]byte) {
	w.text, w.members, w.general, w.buffer = text, members, members == nil, buffer
	w.at, w.bad, w.labels, w.key, w.parts = 0, false, false, w.key[:0], w.parts[:0]
	w.dated, w.day, w.clock, w.root = nil, nil, nil, false
	clear(w.values[:])
	w.object(0)
}

func (w *jsonWalk) skipBlanks() {
	for w.at < len(w.text) && (w.text[w.at] == ' ' || w.text[w.at] == '\t' || w.text[w.at] == '\r' ||
		w.text[w.at] == '\n') {
		w.at++
	}
}

// next skips blanks and returns the byte after them, or 0 at the end.
func (w *jsonWalk) next() byte {
	w.skipBlanks()
	if w.at == len(w.text) {
		return 0
	}
	return w.text[w.at]
}

// object reads an object, whose "{" is next.
func (w *jsonWalk) object(depth int) {
	w.at++
	if w.next() == '}' {
		w.at++
		return
	}
	var named []byte // headers may be objects with a name and a value
	for !w.bad {
		if w.next() != '"' {
			w.bad = true
			return
		}
		length, parts := len(w.key), len(w.parts)
		name := w.string()
		isName := w.general && string(name) == "name"
		if named != nil && string(name) == "value" {
			name = named
		}
		w.push(name)
		if w.next() != ':' {
			w.bad = true
			return
		}
		w.at++
		w.skipBlanks()
		start := w.at
		w.value(depth + 1)
		if isName && w.at-start > 2 && w.text[start] == '"' {
			named = w.text[start+1 : w.at-1]
		}
		w.key, w.parts = w.key[:length], w.parts[:parts]
		if !w.more('}') {
			return
		}
	}
}

// push adds the name of a member to the path.
func (w *jsonWalk) push(name []byte) {
	if w.general {
		w.key, w.parts = appendParts(w.key, w.parts, name)
		return
	}
	if len(w.key) > 0 {
		w.key = append(w.key, '.')
	}
	w.key = appendKey(w.key, name)
}

// more reads the comma before another element, or the end.
func (w *jsonWalk) more(end byte) bool {
	switch w.next() {
	case ',':
		w.at++
		return true
	case end:
		w.at++
		return false
	}
	w.bad = true
	return false
}

// value reads a value, and keeps it if its member is known. An array has the value of its first
// element; but one of objects that are requests is bad.
func (w *jsonWalk) value(depth int) {
	switch c := w.next(); {
	case depth > maxDepth && (c == '{' || c == '['):
		w.skip()
	case c == '{':
		w.object(depth)
	case c == '[':
		w.array(depth)
	case c == '"':
		w.keep(w.string(), true)
	default:
		start := w.at
		for w.at < len(w.text) && !jsonEnd[w.text[w.at]] {
			w.at++
		}
		token := w.text[start:w.at:w.at]
		if len(token) == 0 {
			w.bad = true
		}
		if string(token) != "null" {
			w.keep(token, false)
		}
	}
}

// jsonEnd are the bytes that end a number, true, false and null.
var jsonEnd = [256]bool{',': true, '}': true, ']': true, ' ': true, '\t': true, '\r': true, '\n': true, '"': true,
	'{': true, '[': true, ':': true}

func (w *jsonWalk) array(depth int) {
	w.at++
	if w.next() == ']' {
		w.at++
		return
	}
	for before := w.hasTarget(); !w.bad; {
		object := w.next() == '{'
		w.value(depth + 1)
		if !w.more(']') {
			return
		}
		if object && !before && w.hasTarget() && w.next() == '{' {
			w.bad = true // it may be another request, and a line has one
		}
	}
}

// hasTarget reports whether a member that was read has what a request, or a log, asks for.
func (w *jsonWalk) hasTarget() bool {
	return w.values[target].text != nil || w.values[stem].text != nil || w.values[requestLine].text != nil
}

// skip skips an object or an array of any depth.
func (w *jsonWalk) skip() {
	for depth := 0; w.at < len(w.text); {
		switch w.text[w.at] {
		case '"':
			w.string()
			if w.bad {
				return
			}
			continue
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		}
		w.at++
		if depth == 0 {
			return
		}
	}
	w.bad = true
}

// string reads a string, whose quote is next, and returns the text between the quotes.
func (w *jsonWalk) string() []byte {
	w.at++
	n := closingQuote(w.text[w.at:])
	if n < 0 {
		w.bad = true
		w.at = len(w.text)
		return nil
	}
	s := w.text[w.at : w.at+n : w.at+n]
	w.at += n + 1
	return s
}

// keep keeps the value of the member at w.key.
func (w *jsonWalk) keep(v []byte, escaped bool) {
	if w.general {
		w.keepGeneral(v, escaped)
		return
	}
	m, ok := w.members[string(w.key)]
	if !ok || w.bad {
		return
	}
	value := &w.values[m.field]
	if value.text != nil && value.rank <= m.rank {
		return
	}
	if escaped && bytes.IndexByte(v, '\\') >= 0 {
		start := len(*w.buffer)
		*w.buffer = appendUnescaped(*w.buffer, v)
		v = (*w.buffer)[start:len(*w.buffer):len(*w.buffer)]
	}
	value.text, value.rank = v, m.rank
}

// appendKey appends the name of a member in lower case, with "_" for "-", to b. Only the
// first 64 bytes count.
func appendKey(b, name []byte) []byte {
	for _, c := range name[:min(len(name), 64)] {
		switch {
		case 'A' <= c && c <= 'Z':
			c |= 0x20
		case c == '-':
			c = '_'
		}
		b = append(b, c)
	}
	return b
}
