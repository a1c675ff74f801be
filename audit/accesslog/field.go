package accesslog

import (
	"bytes"
	"net/netip"
	"strconv"
	"time"

	"github.com/robotsexclusion/robots/audit/internal/edge"
)

// A field is a fact about a request that a part of a line states.
type field uint8

const (
	ignored      field = iota
	client             // address, with or without a port
	clientPort         // address and a port behind a colon, also of an address in IPv6 without brackets
	clientOrName       // address, or the name that the server looked up
	forwarded          // addresses in the order of X-Forwarded-For
	chain              // the same, where only such a list can stand: anything else is an error
	user               // name of a user, where an address in it shows that fields have moved
	captures           // headers that HAProxy captured, among them a User-Agent
	braces             // the same, where there may be no headers
	capture            // one of those headers alone
	ident              // name that RFC 1413 gives, which is "-" nearly always
	host               // name, with or without a port
	firstHost          // the same before the client, where an envelope may stand as well
	beginTime          // date and time of the beginning of the request
	endTime            // date and time of its end, or of the line
	date               // date alone, as ISO 8601 writes it
	timeOfDay          // time of day alone
	requestLine        // method, target and protocol
	hashedLine         // the same, with the escapes of HAProxy
	method
	target
	uriArgs  // path and query, as nginx writes $uri$is_args$args
	stem     // path without a query
	query    // query, with or without its question mark
	proto    // version of HTTP
	status   // code of the answer
	size     // bytes of the answer
	part     // part of the duration, in seconds with a fraction
	seconds  // duration, also with a fraction
	millis   // duration
	micros   // duration
	nanos    // duration
	referrer // header field Referer
	agent    // header field User-Agent
	fields   // number of fields
)

// fieldNames are the names of fields in messages.
var fieldNames = [fields]string{
	ignored: "text", client: "address of the client", clientPort: "address of the client",
	clientOrName: "address or name of the client",
	forwarded:    "X-Forwarded-For", chain: "X-Forwarded-For", user: "name of the user",
	captures: "captured User-Agent", braces: "text", capture: "text", ident: "ident", host: "host",
	firstHost: "host", beginTime: "time", endTime: "time", date: "date",
	timeOfDay: "time of day", requestLine: "request line", hashedLine: "request line", method: "method",
	target: "target", uriArgs: "target", stem: "path",
	query: "query", proto: "protocol", status: "status", size: "size in bytes", seconds: "duration",
	part: "duration", millis: "duration", micros: "duration", nanos: "duration", referrer: "referrer",
	agent: "User-Agent",
}

// A draft gathers the fields of a line before they become a [Request].
type draft struct {
	*Request
	moment    moment
	at        field // beginTime or endTime, or ignored while the line has no time
	date      []byte
	clock     []byte
	stem      []byte
	query     []byte
	forwarded []byte
	utc       bool // whether a date and a time apart are in UTC
	lists     bool // whether the line has the field X-Forwarded-For, if only as "-"
	torn      bool // whether it is not known which of several addresses is that of X-Forwarded-For

	bare bool // whether the line is known to have no backslash

	stamp   moment // the time in the envelope of the line, if stamped
	stamped bool

	// These are kept from line to line.
	times  timeCache
	buffer []byte // texts that are not in the line, such as a text without its escapes
	opened int    // length of the line from its envelope in the buffer
	walk   jsonWalk
}

// reset prepares d for another line.
func (d *draft) reset() {
	d.Request.reset()
	d.moment, d.at, d.buffer = moment{}, ignored, d.buffer[:d.opened]
	d.date, d.clock, d.stem, d.query, d.forwarded, d.utc, d.lists = nil, nil, nil, nil, nil, false, false
	d.torn = false
}

// since returns what was put into the buffer since it had a length.
func (d *draft) since(length int) []byte {
	return d.buffer[length:len(d.buffer):len(d.buffer)]
}

// set stores the value of a field, and reports whether the value is one. Of several values for
// one field the first counts.
func (d *draft) set(f field, v []byte) bool {
	if f == forwarded || f == chain {
		d.lists = true
	}
	if len(v) == 0 || len(v) == 1 && v[0] == '-' {
		return f != beginTime && f != endTime && f != date && f != timeOfDay
	}
	switch f {
	case client, clientPort, clientOrName:
		return d.setClient(f, v)
	case forwarded, chain:
		if f == chain && !isChain(v) {
			return false
		}
		if d.forwarded == nil {
			d.forwarded = v
		}
	case user:
		return d.Client.IsValid() || isUser(v)
	case captures:
		return bytes.IndexByte(v, '{') >= 0 && d.setCaptures(v)
	case braces:
		if bytes.IndexByte(v, '{') >= 0 {
			d.setCaptures(v)
		}
	case capture:
		d.setCaptures(v)
	case ident:
		// An address or the name of a host stands here in other formats.
		return bytes.IndexByte(v, '.') < 0 && bytes.IndexByte(v, ':') < 0
	case host:
		return d.setHost(v)
	case firstHost:
		return !isPrefix(v) && d.setHost(v)
	case beginTime, endTime:
		return d.setTime(f, v)
	case date:
		d.date = v
	case timeOfDay:
		d.clock = v
	case requestLine:
		if d.Target == nil {
			d.setRequestLine(v)
		}
	case hashedLine:
		if bytes.IndexByte(v, '#') >= 0 {
			start := len(d.buffer)
			d.buffer = appendHexDecoded(d.buffer, v, '#')
			v = d.since(start)
		}
		d.setRequestLine(v)
	case method:
		if !isMethod(v) {
			return false
		}
		d.Method = v
	case target:
		d.setTarget(v)
	case uriArgs:
		if bytes.IndexByte(v, '?') < 0 { // nginx writes "-" for the empty $args
			v = bytes.TrimSuffix(v, hyphen)
		}
		d.setTarget(v)
	case stem:
		d.stem = v
	case query:
		d.query = v
	case proto:
		d.Proto = v
	case referrer:
		d.Referrer = v
	case agent:
		if d.UserAgent == nil {
			d.UserAgent = v
		}
	default:
		return d.setNumber(f, v)
	}
	return true
}

// unixSocket is what nginx writes in place of the address of a client that has none, since it
// connected to a socket of Unix.
const unixSocket = "unix:"

func (d *draft) setClient(f field, v []byte) bool {
	if d.Client.IsValid() {
		return true
	}
	if string(v) == unixSocket {
		return true
	}
	if f == clientPort {
		v = cutPort(v)
	}
	a, ok := parseClient(v)
	if !ok && f != clientPort && bytes.IndexByte(v, ',') >= 0 { // Traefik may have a list here
		return d.set(chain, v)
	}
	if ok {
		d.Client = a
		return true
	}
	// A name has no port, and a time is none.
	if f != clientOrName || !isHostName(v) || bytes.IndexByte(v, ':') >= 0 || isClock(v) {
		return false
	}
	d.ClientName = v
	return true
}

// isUser reports whether b can be the name of a user. In a line with other fields before the
// client, what stands where a user should be begins with an address, or has the hyphen of another
// field.
func isUser(b []byte) bool {
	word, _, _ := bytes.Cut(b, blank)
	if _, ok := parseAddr(word); ok {
		return false
	}
	return !bytes.Contains(b, noIdent) && !bytes.HasSuffix(b, noIdent[:2])
}

// isChain reports whether b is a list of addresses, as X-Forwarded-For has them.
func isChain(b []byte) bool {
	known := false
	for len(b) > 0 {
		one, rest, _ := bytes.Cut(b, comma)
		one = bytes.Trim(one, " ")
		_, ok := parseClient(one)
		if !ok && string(one) != "unknown" {
			return false
		}
		known = known || ok
		b = rest
	}
	return known
}

func (d *draft) setHost(v []byte) bool {
	if d.Host != nil || len(v) == 1 && v[0] == '_' { // nginx's name for any host
		return true
	}
	if !isHostName(v) {
		return false
	}
	d.Host = trimPort(v)
	return true
}

// isPrefix reports whether b is what programs that move logs write before a line, and no host: a
// time, the level of a message, a number, the name of a file or a process and a colon.
func isPrefix(b []byte) bool {
	if isClock(b) || bytes.HasSuffix(b, colon) || isLevel(b) || isNumber(b) {
		return true
	}
	if i := bytes.LastIndexByte(b, '-'); i > 0 { // of grep -C
		if _, isAddr := parseAddr(b[i+1:]); isAddr {
			return true
		}
	}
	name := trimPort(b)
	if bytes.IndexByte(name, ':') < 0 && name[0] != '[' {
		return false
	}
	_, ok := parseClient(name)
	return !ok
}

// isClock reports whether b is a time, as programs write it before the lines that they move.
func isClock(b []byte) bool {
	if len(b) < 8 || b[0]-'0' > 9 {
		return false
	}
	_, ok := parseTime(b)
	return ok
}

func (d *draft) setTime(f field, v []byte) bool {
	if d.at == beginTime {
		return true
	}
	if n := len(v); v[0] == '[' && v[n-1] == ']' { // %t of Apache in a member of JSON
		v = v[1 : n-1]
	}
	m, ok := parseTime(v)
	if !ok {
		return false
	}
	d.moment, d.at = m, f
	return true
}

// setNumber stores a status, a size or a duration.
func (d *draft) setNumber(f field, v []byte) bool {
	switch f {
	case status:
		if string(v) == "-1" { // HAProxy, where the client left before there was an answer
			return true
		}
		n, rest, ok := leadingNumber(v, 3)
		if !ok || len(rest) > 0 {
			return false
		}
		d.Status = n
	case size:
		if v[0] == '+' { // HAProxy, where more may have followed
			v = v[1:]
		}
		n, rest, ok := leadingNumber64(v)
		if !ok || len(rest) > 0 {
			return false
		}
		d.Bytes = n
	case part:
		before := d.Duration
		d.Duration = -1
		ok := d.setDuration(time.Second, v)
		switch {
		case d.Duration < 0: // a part that the line does not have
			d.Duration = before
		case before > 0:
			d.Duration += before
		}
		return ok
	default:
		return d.setDuration([...]time.Duration{time.Second, time.Millisecond, time.Microsecond,
			time.Nanosecond}[f-seconds], v)
	}
	return true
}

// longest is the longest duration that is read, a month.
const longest = 30 * 24 * time.Hour

func (d *draft) setDuration(unit time.Duration, v []byte) bool {
	n, rest, ok := leadingNumber64(v)
	if !ok {
		return v[0] == '-' && isTimes(v) // ALB writes -1 where there was no answer
	}
	if bytes.IndexByte(v, 'e') > 0 { // JSON may write 0.0000005 as 5e-7
		f, err := strconv.ParseFloat(string(v), 64)
		d.Duration = time.Duration(f * float64(unit))
		return err == nil && f <= float64(longest/unit)
	}
	if n > int64(longest/unit) {
		return false
	}
	d.Duration = time.Duration(n) * unit
	if len(rest) > 1 && rest[0] == '.' {
		nanos, tail := fraction(rest[1:])
		d.Duration += time.Duration(nanos) * unit / time.Second
		rest = tail
	}
	return len(rest) == 0 || (rest[0] == ',' || rest[0] == ' ') && isTimes(rest)
}

// isTimes reports whether b can be the rest of a list of times: nginx writes "0.002, 0.001 : -" for
// several upstreams.
func isTimes(b []byte) bool {
	for _, c := range b {
		if (c < '0' || c > '9') && c != '.' && c != ',' && c != ':' && c != '-' && c != ' ' {
			return false
		}
	}
	return true
}

// finish makes the request from the fields. It returns the missing field, or "".
func (d *draft) finish(zone *time.Location, by Forwarded) string {
	if d.at == ignored && !d.joinDate() {
		if !d.stamped {
			return "there is no date and time"
		}
		d.moment, d.at = d.stamp, endTime
	}
	if d.stem != nil {
		d.joinQuery()
	}
	d.Time, d.Zoned = d.moment.in(zone), d.moment.zoned
	if d.at == endTime && d.Duration > 0 {
		d.Time = d.Time.Add(-d.Duration)
	}
	if d.forwarded != nil && (by != Peer || !d.torn && (!d.Client.IsValid() || edge.Proxy(d.Client))) {
		if a, ok := by.choose(d.forwarded); ok {
			d.Client, d.ClientName = a, nil
		}
	}
	return ""
}

// joinDate reads a date and a time of day that the line has apart.
func (d *draft) joinDate() bool {
	if d.date == nil || d.clock == nil {
		return false
	}
	start := len(d.buffer)
	d.buffer = append(append(append(d.buffer, d.date...), ' '), d.clock...)
	m, ok := parseTime(d.buffer[start:])
	d.buffer = d.buffer[:start]
	m.zoned = m.zoned || d.utc
	d.moment, d.at = m, endTime
	return ok
}

// joinQuery makes the target of a path and a query.
func (d *draft) joinQuery() {
	path := d.stem
	if len(d.query) > 0 {
		start := len(d.buffer)
		d.buffer = append(d.buffer, path...)
		if d.query[0] != '?' {
			d.buffer = append(d.buffer, '?')
		}
		d.buffer = append(d.buffer, d.query...)
		path = d.since(start)
	}
	d.setTarget(path)
}

// Forwarded says which address counts as the client's if the log has the header field
// X-Forwarded-For.
type Forwarded uint8

const (
	// Peer is the address that connected to the server, which cannot be forged. If that is a
	// proxy's, because it is private or stands in the published ranges of a content delivery
	// network, or if the log does not have it, the last address of X-Forwarded-For that is not a
	// proxy's counts: the proxies wrote it.
	Peer Forwarded = iota
	// Nearest is the last address of X-Forwarded-For: the address that connected to
	// the proxy before the server.
	Nearest
	// Farthest is the first address of X-Forwarded-For: the client's, if every proxy tells the
	// truth. Otherwise it is any text that the client wrote.
	Farthest
)

// choose returns the address of a list that counts.
func (f Forwarded) choose(list []byte) (a netip.Addr, ok bool) {
	if f == Farthest {
		first, _, _ := bytes.Cut(list, comma)
		return parseClient(bytes.Trim(first, " "))
	}
	for found := false; ; {
		i := bytes.LastIndexByte(list, ',')
		next, valid := parseClient(bytes.Trim(list[i+1:], " "))
		if !valid { // what stands before it is a client's word
			return a, found
		}
		if a, found = next, true; i < 0 || f == Nearest || !edge.Proxy(a) {
			return a, true
		}
		list = list[:i]
	}
}

var (
	comma  = []byte(",")
	hyphen = []byte("-")
)

// isHostName reports whether b can be the name or the address of a host, with or
// without a port.
func isHostName(b []byte) bool {
	for _, c := range b {
		if !hostByte[c] {
			return false
		}
	}
	return len(b) > 0 && len(b) <= 260
}

// isDomain reports whether b can be nothing but the name of a host: it has a port, or a dot and a
// letter behind it.
func isDomain(b []byte) bool {
	name := trimPort(b)
	if !isHostName(b) || isPrefix(b) || bytes.IndexByte(name, ':') >= 0 {
		return false
	}
	i := bytes.LastIndexByte(name, '.')
	return len(name) < len(b) || i > 0 && i+1 < len(name) && name[i+1] > '9'
}

// hostByte are the bytes of a host and a port, with those of names in other scripts.
var hostByte = func() (table [256]bool) {
	for c := range 256 {
		table[c] = c >= 0x80
	}
	for _, c := range ".-_:[]0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ" {
		table[c] = true
	}
	return table
}()
