package accesslog

import (
	"bytes"
	"strings"
)

// A general reads lines whose fields have names, by the names that programs and people give them.
// It collects the values with a jsonWalk.
type general struct {
	// collect puts the values of a line into the walk. It returns why the line is in another form,
	// or "".
	collect func(line []byte, w *jsonWalk, buffer *[]byte) (reason string)
}

func (general) has(field) bool { return true }

// generalNames are the names of fields without case and without other bytes than letters and
// digits, best first. A name with dots, and the path to a member in objects, is one name.
var generalNames = map[field]string{
	beginTime: "startutc startlocal starttime startedat start begin requesttimestamp edgestarttimestamp reqtimesec",
	endTime: "timeiso8601 timelocal msec timestamp time datetime date ts eventtime logtime eventtimestamp " +
		"timereceived receivedat timestampms timems requesttimeepoch timegenerated t",
	client: "remoteaddr clientip clientaddr clientaddress remoteip remoteaddress sourceip srcip cip cliip src " +
		"clienthost client ip source remote remotehost sourceaddress calleraddress callerip " +
		"downstreamremoteaddress peer",
	forwarded: "xforwardedfor httpxforwardedfor xff forwardedfor fwd xrealip httpxrealip realip " +
		"cfconnectingip trueclientip requestxforwardedfor",
	host: "requesthost httphost reqhost clientrequesthost proxyhost vhost virtualhost csshost cshost xhostheader " +
		"hostheader originalhost headershost authority fqdn domainname requestaddr domain urldomain servername host " +
		"dhost site hostname sni tlssni tlsservername sitename " + weakHosts,
	requestLine: "request requestline req",
	method:      "requestmethod method httpmethod verb reqmethod csmethod httprequestmethod httpverb",
	target: "requesturi clientrequesturi uri url requesturl target urloriginal originalurl urlfull requestpath path " +
		"httppath rawpath httpurl csuri uripath urlpath clientrequestpath",
	stem: "reqpath csuristem uristem",
	query: "query querystring args queryparams querystr urlquery csuriquery requestquery reqquery clientrequestquery " +
		"rawquery rawquerystring requestquerystring urlquerystring uriquery httpquery urlquerystr",
	proto: "serverprotocol protocol proto httpversion requestprotocol",
	status: "status statuscode responsestatus responsestatuscode responsecode httpstatus httpstatuscode " +
		"httpresponsestatuscode scstatus downstreamstatus edgeresponsestatus responsecodesent code response rescode",
	size: "bodybytessent bytessent bytes size length responsesize contentlength responsebodysize responselength " +
		"scbytes sentbytes responsebytes httpresponsebodybytes totalbytes",
	seconds:  "requesttime reqtime timetaken",
	millis:   "responsetimems durationms elapsedms latencyms",
	referrer: "httpreferer httpreferrer referer referrer requestreferer refererurl csreferer httprequestreferrer",
	agent: "httpuseragent useragent useragentoriginal requestuseragent agent ua csuseragent clientrequestuseragent " +
		"clientua requestua reqheaderua httpua csua uastring requestclientapplication",
}

// weakHosts are names of hosts that may be of something else: a machine, a version, the domain
// around the host. They count if the value is the name of a host of the Internet and no other name
// is known: a request to a host that is not known accuses nobody, and one without a host is judged
// by the robots.txt of another.
const weakHosts = "server zonename zone v"

// generalKeys are the generalNames.
var generalKeys = func() map[string]jsonMember {
	keys := map[string]jsonMember{}
	for f, names := range generalNames {
		for rank, name := range strings.Fields(names) {
			keys[name] = jsonMember{f, rank}
		}
	}
	return keys
}()

// generalParts are texts in the middle of names that say what a field is, whatever stands around
// them.
var generalParts = []struct {
	text  []byte
	field field
}{
	{[]byte("useragent"), agent}, {[]byte("referer"), referrer}, {[]byte("referrer"), referrer},
	{[]byte("forwardedfor"), forwarded}, {[]byte("remoteaddr"), client}, {[]byte("clientip"), client},
	{[]byte("remoteip"), client}, {[]byte("requesturi"), target}, {[]byte("requesturl"), target},
	{[]byte("requestpath"), target}, {[]byte("requestmethod"), method}, {[]byte("httpmethod"), method},
	{[]byte("status"), status}, {[]byte("fqdn"), host}, {[]byte("authority"), host}, {[]byte("domain"), host},
	{[]byte("host"), host},
}

// machines are texts in the names of hosts that are not those of the request.
var machines = []string{"upstream", "origin", "backend", "remote", "client", "local", "peer", "dest", "node", "machine",
	"container", "pod", "agent", "log", "proxy", "sys", "server"}

// others are parts of paths whose members are not of the request: those of the server behind, of
// the machine and of the program that writes the log.
var others = map[string]bool{
	"upstream": true, "origin": true, "backend": true, "server": true, "destination": true, "dest": true, "agent": true,
	"host": true, "kubernetes": true, "container": true, "cloud": true, "geo": true, "geoip": true, "tls": true,
	"ssl": true, "observer": true, "process": true, "log": true, "file": true, "input": true, "fields": true,
}

// answers are parts of paths whose members are of the answer.
var answers = map[string]bool{"response": true, "res": true, "resp": true, "reply": true}

// The ranks of names that are known only in part come after those of all names.
const (
	partRank   = 100  // for each part before the name
	insideRank = 1000 // for a name with another text around it
)

// appendParts appends a name to a path as generalNames have it, and the places where its parts
// begin. Dots divide a name into parts.
func appendParts(b []byte, parts []int, name []byte) ([]byte, []int) {
	parts = append(parts, len(b))
	for _, c := range name[:min(len(name), 64)] {
		switch {
		case 'A' <= c && c <= 'Z':
			b = append(b, c|0x20)
		case 'a' <= c && c <= 'z', c-'0' <= 9:
			b = append(b, c)
		case c == '.' && len(b) > parts[len(parts)-1]:
			parts = append(parts, len(b))
		}
	}
	return b, parts
}

// find returns the field of the name at w.key.
func (w *jsonWalk) find() (m jsonMember, ok bool) {
	ofAnswer := false
	for i, begin := range w.parts {
		if i+1 < len(w.parts) && others[string(w.key[begin:w.parts[i+1]])] {
			return m, false
		}
		if m, ok = generalKeys[string(w.key[begin:])]; ok && (!ofAnswer || m.field == status || m.field == size) {
			return jsonMember{m.field, m.rank + i*partRank}, true
		}
		if i+1 == len(w.parts) {
			break
		}
		ofAnswer = ofAnswer || answers[string(w.key[begin:w.parts[i+1]])]
	}
	last := w.key[w.parts[len(w.parts)-1]:]
	if ofAnswer || bytes.Contains(last, upstreamName) || bytes.Contains(last, originName) {
		return m, false
	}
	for _, p := range generalParts {
		if bytes.Contains(last, p.text) && (p.field != host || !ofMachine(last)) {
			return jsonMember{p.field, insideRank + len(last)}, true
		}
	}
	return m, false
}

// ofMachine reports whether a name with a host in it is of something else than of the request.
func ofMachine(name []byte) bool {
	for _, text := range machines {
		if i := bytes.Index(name, []byte(text)); i >= 0 && !bytes.HasPrefix(name[i+len(text):], requestName) {
			return true
		}
	}
	return false
}

var (
	requestName  = []byte("request")
	distribution = []byte(".cloudfront.net")
	upstreamName = []byte("upstream")
	originName   = []byte("origin")
)

// keepGeneral keeps the value of the name at w.key if it can be one of its field.
func (w *jsonWalk) keepGeneral(v []byte, escaped bool) {
	if w.bad || len(w.parts) == 0 {
		return
	}
	m, ok := w.find()
	if len(v) == 0 || len(v) == 1 && v[0] == '-' {
		w.root = w.root || ok && m.field == stem // Akamai writes nothing for "/"
		return
	}
	dated := len(v) > 18 && (v[0] == '[' || v[2] == '/' || v[4] == '-')
	if !ok && !dated {
		return
	}
	if escaped && bytes.IndexByte(v, '\\') >= 0 {
		start := len(*w.buffer)
		*w.buffer = appendUnescaped(*w.buffer, v)
		v = (*w.buffer)[start:len(*w.buffer):len(*w.buffer)]
	}
	if dated && w.dated == nil {
		if _, ok := parseTime(trimBrackets(v)); ok {
			w.dated = v
		}
	}
	if !ok {
		return
	}
	switch {
	case m.field == host && isWeak(m) && !isDomain(v):
		return
	case m.field == host && bytes.HasSuffix(v, distribution):
		m.rank += partRank // CloudFront has the name of the site beside it
	case m.field == host && w.labels && string(w.key) == "host": // of LTSV: the client, if it is an address
		if _, isAddr := parseAddr(v); isAddr {
			m.field = client
		}
	case m.field != beginTime && m.field != endTime:
	case isTimeOfDay(v):
		w.clock = v
		return
	case len(v) == 10 && isDate(v):
		w.day = v
		return
	}
	if value := &w.values[m.field]; (value.text == nil || value.rank > m.rank) && mayBe(m.field, v) {
		value.text, value.rank = v, m.rank
	}
}

// isWeak reports whether the name of a host may be of something else.
func isWeak(m jsonMember) bool {
	return m.rank >= weakRank && m.rank < partRank || m.rank >= insideRank
}

// weakRank is the rank of the first of weakHosts.
var weakRank = generalKeys[strings.Fields(weakHosts)[0]].rank

// mayBe reports whether a value can be one of a field that has a form.
func mayBe(f field, v []byte) (ok bool) {
	switch f {
	case beginTime, endTime:
		v = trimBrackets(v)
		m, ok := parseTime(v)
		return ok && (m.seconds > 1e8 || !m.zoned)
	case client:
		_, ok = parseAddr(v)
		return ok || bytes.IndexByte(v, ',') >= 0 && isChain(v)
	case forwarded:
		return isChain(v)
	case status:
		_, rest, ok := leadingNumber(v, 3)
		return ok && len(rest) == 0 && len(v) == 3
	case size, seconds, millis:
		_, rest, ok := leadingNumber64(v)
		if f != size && len(rest) > 1 && rest[0] == '.' {
			_, rest = fraction(rest[1:])
		}
		return ok && len(rest) == 0
	case method:
		return isMethod(v) && !(v[0]-'0' <= 9)
	case host:
		return isHostName(v) && !isClock(v)
	case target:
		return v[0] == '/' || bytes.Contains(v, schemeEnd) || bareHost(v) > 0 || string(v) == "*"
	case requestLine:
		return bytes.IndexByte(v, ' ') > 0 || mayBe(target, v)
	}
	return true
}

// trimBrackets returns a time without the brackets of Apache's %t.
func trimBrackets(v []byte) []byte {
	if n := len(v); n > 1 && v[0] == '[' && v[n-1] == ']' {
		return v[1 : n-1]
	}
	return v
}

// isTimeOfDay reports whether b is a time of day alone.
func isTimeOfDay(b []byte) bool { return len(b) >= 8 && b[2] == ':' && b[5] == ':' && b[0]-'0' <= 9 }

func (g general) read(line []byte, d *draft) (reason string) {
	w := &d.walk
	if reason = g.collect(line, w, &d.buffer); reason != "" {
		return reason
	}
	d.setGeneralTime(w)
	for f := range fields {
		v := w.values[f].text
		if v == nil || f == beginTime || f == endTime || f == requestLine || f == target || f == stem {
			continue
		}
		if f == agent || f == referrer {
			v = d.urlDecoded(v)
		}
		if !d.set(f, v) && (f == seconds || f == millis) { // a duration of months
			d.Duration = -1
		}
	}
	line = w.values[requestLine].text
	switch {
	case bytes.IndexByte(line, ' ') > 0:
		d.set(requestLine, line)
	case w.values[target].text != nil:
		d.setGeneralTarget(w.values[target].text)
	case w.values[stem].text != nil:
		d.setPath(w.values[stem].text)
	case line != nil:
		d.setGeneralTarget(line)
	case w.root:
		d.set(target, slash)
	}
	if d.Target == nil {
		return "no name of the line is known as that of a target or a path of a request"
	}
	if len(d.query) > 0 && bytes.IndexByte(d.Target, '?') < 0 && d.Path != nil {
		d.stem = d.Target
	}
	return ""
}

// setGeneralTime stores the time. A date and a time of day may stand apart, in UTC if the names are
// those of the W3C format.
func (d *draft) setGeneralTime(w *jsonWalk) {
	for _, f := range [...]field{beginTime, endTime} {
		if v := w.values[f].text; v != nil {
			d.set(f, v)
		}
	}
	switch {
	case d.at != ignored:
	case w.dated != nil:
		d.set(endTime, w.dated)
	default:
		d.date, d.clock, d.utc = w.day, w.clock, w.values[stem].text != nil
	}
}

// setGeneralTarget stores the target of a URL, which may lack its scheme.
func (d *draft) setGeneralTarget(v []byte) {
	if i := bareHost(v); i > 0 {
		d.set(host, v[:i])
		v = v[i:]
	}
	d.set(target, v)
}

// bareHost returns the length of the name of a host with which a URL without its scheme begins, or
// 0. Such a name has a dot: another text before the first slash may be anything.
func bareHost(v []byte) int {
	i := bytes.IndexByte(v, '/')
	if i > 0 && v[i-1] != ':' && bytes.IndexByte(v[:i], '.') > 0 && isHostName(v[:i]) {
		return i
	}
	return 0
}

// setPath stores a path, which may lack its first slash.
func (d *draft) setPath(v []byte) {
	if v[0] != '/' && v[0] != '*' && !bytes.Contains(v, schemeEnd) {
		from := len(d.buffer)
		d.buffer = append(append(d.buffer, '/'), v...)
		v = d.since(from)
	}
	d.set(target, v)
}

// urlDecoded decodes a header field that a content delivery network wrote as in a URL. A header
// without blanks that has %20, or "+" where only a blank can be, was written so.
func (d *draft) urlDecoded(v []byte) []byte {
	if bytes.IndexByte(v, ' ') >= 0 {
		return v
	}
	plus := bytes.Contains(v, []byte("+(")) || bytes.Contains(v, []byte(";+"))
	percents := bytes.IndexByte(v, '%') >= 0
	if !plus && !percents {
		return v
	}
	from := len(d.buffer)
	d.buffer = append(d.buffer, v...)
	if plus = plus || bytes.IndexByte(v, '+') >= 0 && bytes.Contains(v, []byte("%2")); plus &&
		!bytes.Contains(v, []byte("%20")) {
		for i := from; i < len(d.buffer); i++ {
			if d.buffer[i] == '+' {
				d.buffer[i] = ' '
			}
		}
	}
	for range 2 { // twice, where the first makes escapes of "%25"
		if escaped := d.since(from); bytes.IndexByte(escaped, '%') >= 0 {
			from = len(d.buffer)
			d.buffer = appendPercentDecoded(d.buffer, escaped)
		}
		if !bytes.Contains(v, []byte("%25")) {
			break
		}
	}
	return d.since(from)
}

// readObject collects the members of a JSON object.
func readObject(line []byte, w *jsonWalk, buffer *[]byte) (reason string) {
	if len(line) == 0 || line[0] != '{' {
		return "the line is not a JSON object"
	}
	w.start(line, nil, buffer)
	if w.skipBlanks(); w.bad || w.at != len(line) {
		return "the line is not a whole JSON object"
	}
	return ""
}

// begin prepares the walk for pairs.
func (w *jsonWalk) begin(buffer *[]byte) {
	w.general, w.bad, w.buffer, w.labels = true, false, buffer, false
	w.dated, w.day, w.clock, w.root = nil, nil, nil, false
	clear(w.values[:])
}

// keepPair keeps the value of a name.
func (w *jsonWalk) keepPair(name, value []byte, escaped bool) {
	w.key, w.parts = w.key[:0], w.parts[:0]
	w.push(name)
	w.keepGeneral(value, escaped)
}

// readPairs collects the pairs of logfmt: name=value, with quotes around values that have blanks. A
// value without quotes ends before the next name, as in the Common Event Format.
func readPairs(line []byte, w *jsonWalk, buffer *[]byte) (reason string) {
	w.begin(buffer)
	length := pairName(line)
	if length == 0 {
		return "the line does not begin with a name and \"=\""
	}
	for length > 0 {
		name := line[:length]
		line = line[length+1:]
		if len(line) > 0 && line[0] == '"' {
			end := closingQuote(line[1:])
			if end < 0 {
				return "a quote is not closed"
			}
			w.keepPair(name, line[1:1+end:1+end], true)
			line = line[end+2:]
		} else {
			end := pairEnd(line)
			w.keepPair(name, line[:end:end], false)
			line = line[end:]
		}
		line = line[pairEnd(line):] // words without a name
		line = trimBlanks(line)
		length = pairName(line)
	}
	return ""
}

// pairName returns the length of the name before "=" at the beginning of b, or 0.
func pairName(b []byte) int {
	for i, c := range b {
		switch {
		case c == '=':
			return i
		case !tokenByte[c] && c != '@' && c != '[' && c != ']' && c != '(' && c != ')' || i > 64:
			return 0
		}
	}
	return 0
}

// pairEnd returns the index of the blank before the next name, or the length of b.
func pairEnd(b []byte) int {
	for from := 0; ; {
		i := bytes.IndexByte(b[from:], ' ')
		if i < 0 {
			return len(b)
		}
		if i += from; pairName(b[i+1:]) > 0 {
			return i
		}
		from = i + 1
	}
}

// readLabels collects the fields of LTSV (http://ltsv.org): label:value, with tabs between.
func readLabels(line []byte, w *jsonWalk, buffer *[]byte) (reason string) {
	w.begin(buffer)
	if bytes.IndexByte(line, '\t') < 0 {
		return "the line has no tab between labels"
	}
	w.labels = true
	for len(line) > 0 {
		pair, rest, _ := bytes.Cut(line, tab)
		name, value, ok := bytes.Cut(pair, colon)
		if !ok || len(name) == 0 || bytes.ContainsAny(name, " \"{[") {
			return "a field has no label and \":\""
		}
		w.keepPair(name, value, bytes.IndexByte(value, '\\') >= 0)
		line = rest
	}
	return ""
}

var (
	tab   = []byte("\t")
	colon = []byte(":")
)
