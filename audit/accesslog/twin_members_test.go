package accesslog

import (
	"encoding/json"
	"encoding/xml"
	"io"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// slowCloudFront are the fields of "Standard log file fields" in the documentation of CloudFront.
// The host is that which the client asked for, x-host-header. Dates and times are in UTC, the
// duration in seconds.
var slowCloudFront = []string{"date", "clock", "", "size", "client", "method", "", "stem", "status", "referrer",
	"agent", "query",
	"", "", "", "host", "", "", "seconds"}

// slowIISLog are the fields of the log of IIS with its usual extended fields: "W3C Logging" in its
// documentation. Times are in UTC, durations in milliseconds, and paths are written after decoding.
const iisDirective = "#Fields: date time s-ip cs-method cs-uri-stem cs-uri-query s-port cs-username c-ip cs(User-Agent) cs(Referer) sc-status sc-substatus sc-win32-status time-taken"

var slowIISLog = []string{"date", "clock", "", "method", "stem", "query", "", "", "client", "agent", "referrer",
	"status", "", "", "millis"}

// slowToken is a value of the W3C Extended Log File Format: a text in quotes, in which a quote is
// doubled, or a text without blanks.
var slowToken = regexp.MustCompile(`(?s)[ \t]*(?:"((?:[^"]|"")*)"(?:[ \t]|$)|([^ \t]+))`)

// slowW3C reads a line whose fields have names. After a number of fields, if any, others may
// follow.
func slowW3C(names []string, open int, line string) (*Request, bool) {
	tokens := slowToken.FindAllStringSubmatchIndex(line, -1)
	if len(tokens) < len(names) || open == 0 && len(tokens) > len(names) {
		return nil, false
	}
	values := []slowField{{"utc", "1"}}
	for i, name := range names {
		m, v := tokens[i], ""
		if m[2] >= 0 {
			v = strings.ReplaceAll(line[m[2]:m[3]], `""`, `"`)
		} else {
			v = line[m[4]:m[5]]
		}
		if name == "agent" || name == "referrer" {
			v = slowHeader(name, v)
		}
		values = append(values, slowField{name, v})
	}
	return slowRequest(values)
}

// slowHeader decodes a header field. CloudFront writes a header field as in a URL, and did so twice
// before 2014; IIS writes "+" for a blank.
func slowHeader(name, v string) string {
	decode := func(s string) string {
		return slowPercentExpr.ReplaceAllStringFunc(s, func(e string) string { return slowUnhash("#" + e[1:]) })
	}
	switch {
	case strings.Contains(v, " "):
		return v
	case strings.Contains(v, "%25"):
		return decode(decode(v))
	case strings.Contains(v, "%"):
		return decode(v)
	case name == "agent":
		return strings.ReplaceAll(v, "+", " ")
	}
	return v
}

var slowPercentExpr = regexp.MustCompile(`%[0-9a-fA-F]{2}`)

// slowIISExpr is "IIS Log File Format" in the documentation of IIS: fifteen fields with commas, the
// date as month, day and year.
var slowIISExpr = regexp.MustCompile(`(?s)^(.*?), (?:.*?), ([0-9]{1,2})/([0-9]{1,2})/([0-9]{2}|[0-9]{4}), (.*?), (?:.*?), (?:.*?), (?:.*?), (.*?), (?:.*?), (.*?), (.*?), (?:.*?), (.*?), (.*?), (.*?)(?:,|, )?$`)

func slowIIS(line string) (*Request, bool) {
	// Each of the fifteen fields ends with a comma. The expression could find other places for
	// more.
	if fields := strings.Split(line, ", "); len(fields) > 16 || len(fields) == 16 && fields[15] != "" {
		return nil, false
	}
	m := slowIISExpr.FindStringSubmatch(line)
	if m == nil {
		return nil, false
	}
	year := m[4]
	if len(year) == 2 {
		year = "19" + year
		if m[4] < "90" {
			year = "20" + m[4]
		}
	}
	clock := m[5]
	if len(clock) == len("7:55:20") {
		clock = "0" + clock
	}
	month, day := ("0" + m[2])[len(m[2])-1:], ("0" + m[3])[len(m[3])-1:]
	return slowRequest([]slowField{{"client", m[1]}, {"date", year + "-" + month + "-" + day}, {"clock", clock},
		{"millis", m[6]},
		{"size", m[7]}, {"status", m[8]}, {"method", m[9]}, {"stem", m[10]}, {"query", m[11]}})
}

// slowXML reads an event with package encoding/xml. Its names are those of "W3C Logging", without
// brackets.
func slowXML(line string) (*Request, bool) {
	names := map[string]string{"date": "date", "time": "clock", "c-ip": "client", "cs-method": "method",
		"cs-uri-stem":  "stem",
		"cs-uri-query": "query", "sc-status": "status", "sc-bytes": "size", "time-taken": "millis", "cs-host": "host",
		"csUser-Agent": "agent", "csReferer": "referrer", "cs-version": "proto"}
	values := []slowField{{"utc", "1"}}
	decoder := xml.NewDecoder(strings.NewReader(line))
	if token, err := decoder.Token(); err != nil || !isEvent(token) {
		return nil, false
	}
	for {
		token, err := decoder.Token()
		if err == io.EOF {
			r, ok := slowRequest(values)
			return r, ok && r.Target != nil
		}
		if err != nil {
			return nil, false
		}
		start, ok := token.(xml.StartElement)
		if !ok || start.Name.Local != "Data" {
			continue
		}
		var v string
		if decoder.DecodeElement(&v, &start) != nil {
			return nil, false
		}
		name := names[start.Attr[0].Value]
		if name == "agent" || name == "referrer" {
			v = slowHeader(name, v)
		}
		values = append(values, slowField{name, v})
	}
}

func isEvent(token xml.Token) bool {
	start, ok := token.(xml.StartElement)
	return ok && start.Name.Local == "Event"
}

// slowMembers are the members of JSON objects and their fields, the best first.
var slowMembers = map[string][][2]string{
	// Caddy, "Logging": client_ip is the address that trusted proxies tell; remote_addr is that of
	// versions before 2.5.
	"caddy": {{"client", "request.remote_ip"}, {"client", "request.remote_addr"}, {"forwarded", "request.client_ip"},
		{"forwarded", "request.headers.x_forwarded_for"}, {"host", "request.host"}, {"endtime", "ts"},
		{"method", "request.method"}, {"target", "request.uri"}, {"proto", "request.proto"}, {"status", "status"},
		{"size", "size"}, {"seconds", "duration"},
		{"referrer", "request.headers.referer"}, {"agent", "request.headers.user_agent"}},
	// Traefik, "Access logs, available fields". Durations are in nanoseconds.
	"traefik": {{"client", "clienthost"}, {"client", "clientaddr"}, {"forwarded", "request_x_forwarded_for"},
		{"host", "requesthost"}, {"host", "requestaddr"}, {"time", "startutc"}, {"time", "startlocal"},
		{"method", "requestmethod"}, {"target", "requestpath"}, {"proto", "requestprotocol"},
		{"status", "downstreamstatus"}, {"size", "downstreamcontentsize"}, {"nanos", "duration"},
		{"referrer", "request_referer"}, {"agent", "request_user_agent"}},
	// Envoy Gateway, "Proxy access logs", default format. Durations are in milliseconds.
	"envoy-json": {{"client", "downstream_remote_address"}, {"forwarded", "x_forwarded_for"}, {"host", ":authority"},
		{"host", "authority"}, {"time", "start_time"}, {"method", "method"}, {"method", ":method"},
		{"target", "x_envoy_origin_path"}, {"target", "path"}, {"target", ":path"}, {"proto", "protocol"},
		{"status", "response_code"}, {"size", "bytes_sent"}, {"millis", "duration"}, {"referrer", "referer"},
		{"agent", "user_agent"}},
	// Cloudflare, "HTTP requests" of Logpush.
	"cloudflare": {{"client", "clientip"}, {"host", "clientrequesthost"}, {"time", "edgestarttimestamp"},
		{"method", "clientrequestmethod"}, {"target", "clientrequesturi"},
		{"proto", "clientrequestprotocol"}, {"status", "edgeresponsestatus"}, {"size", "edgeresponsebytes"},
		{"referrer", "clientrequestreferer"}, {"agent", "clientrequestuseragent"}},
	// Google Cloud, "LogEntry", HttpRequest.
	"google-cloud": {{"client", "httprequest.remoteip"}, {"endtime", "timestamp"},
		{"method", "httprequest.requestmethod"}, {"target", "httprequest.requesturl"},
		{"proto", "httprequest.protocol"}, {"status", "httprequest.status"}, {"size", "httprequest.responsesize"},
		{"referrer", "httprequest.referer"}, {"agent", "httprequest.useragent"}},
	// doc/guard.md, "The log".
	"robots-guard": {{"client", "client"}, {"host", "host"}, {"time", "begin"}, {"method", "method"},
		{"target", "target"}, {"proto", "proto"}, {"status", "status"},
		{"size", "size"}, {"seconds", "request_time"}, {"referrer", "referer"}, {"agent", "user_agent"}},
}

// slowJSON reads a JSON object with package encoding/json. Of several members with a field the
// first in the list counts.
func slowJSON(members [][2]string, line string) (*Request, bool) {
	if !json.Valid([]byte(line)) || !strings.HasPrefix(line, "{") {
		return nil, false
	}
	var values []slowField
	seen, path := map[string]bool{}, false
	for _, m := range members {
		dec := json.NewDecoder(strings.NewReader(line))
		dec.UseNumber()
		v, ok := slowMember(dec, "", m[1], 0)
		if !ok || seen[m[0]] {
			continue
		}
		seen[m[0]] = true
		path = path || (m[0] == "request" || m[0] == "target") && v != "" && v != "-"
		values = append(values, slowField{m[0], v})
	}
	if !path {
		return nil, false
	}
	return slowRequest(values)
}

// twinReads reports whether a twin of a format says something about a line: the twins of JSON and
// XML read only what is well-formed, and replace what is not UTF-8.
func twinReads(format, line string) bool {
	switch {
	case slowCollect[format] != nil:
		_, ok := slowCollect[format](line)
		return ok && utf8.ValidString(line) && !strings.Contains(line, `\u`)
	case slowMembers[format] != nil:
		return json.Valid([]byte(line)) && utf8.ValidString(line) && !strings.Contains(line, `\u`)
	case format == "iis-xml":
		return plainEvent(line)
	}
	return true
}

// plainEvent reports whether a line is XML without what Windows never writes in an event: comments,
// sections, instructions and prefixes, and elements Data with elements in them or without a name.
func plainEvent(line string) bool {
	if strings.Contains(line, "<!") || strings.Contains(line, "<?") || strings.Contains(line, ":Data") {
		return false
	}
	decoder := xml.NewDecoder(strings.NewReader(line))
	inData := false
	for {
		token, err := decoder.Token()
		switch v := token.(type) {
		case xml.StartElement:
			if inData {
				return false
			}
			inData = v.Name.Local == "Data"
			if inData && (len(v.Attr) != 1 || v.Attr[0].Name != (xml.Name{Local: "Name"}) ||
				!strings.Contains(line, v.Attr[0].Value)) {
				return false
			}
		case xml.EndElement:
			inData = false
		}
		if err != nil {
			return err == io.EOF
		}
	}
}

// placesOf are the fields in lines of formats whose twins are more than one expression.
var placesOf = map[string]*regexp.Regexp{
	"forwarded-combined": regexp.MustCompile(`^(?:(?P<host>\S+\.example\S*) )?"?(?P<chain>[^ "]+(?:, [^ "]+)*)"? ` +
		`(?P<client>\S+) (?P<ident>\S+) (?P<user>\S+) \[(?P<time>[^]]*)\] "(?P<request>[^"]*)" (?P<status>\S+) ` +
		`(?P<size>\S+) "(?P<referrer>[^"]*)" "(?P<agent>[^"]*)"$`),
	"iis":        regexp.MustCompile(`^(?P<client>.*?), (?:.*?), (?P<date>.*?), (?P<clock>.*?), (?:.*?), (?:.*?), (?:.*?), (?P<millis>.*?), (?:.*?), (?P<size>.*?), (?P<status>.*?), (?:.*?), (?P<method>.*?), (?P<target>.*?), (?P<query>.*),$`),
	"iis-xml":    regexp.MustCompile(`"c-ip">(?P<client>[^<]*)<.*"cs-method">(?P<method>[^<]*)<.*"cs-uri-stem">(?P<target>[^<]*)<.*"sc-status">(?P<status>[^<]*)<.*"time-taken">(?P<millis>[^<]*)<.*"csUser-Agent">(?P<agent>[^<]*)<`),
	"cloudfront": regexp.MustCompile(`^(?P<date>[^\t]*)\t(?P<clock>[^\t]*)\t[^\t]*\t(?P<size>[^\t]*)\t(?P<client>[^\t]*)\t(?P<method>[^\t]*)\t[^\t]*\t(?P<target>[^\t]*)\t(?P<status>[^\t]*)\t(?P<referrer>[^\t]*)\t(?P<agent>[^\t]*)\t(?P<query>[^\t]*)\t[^\t]*\t[^\t]*\t[^\t]*\t(?P<host>[^\t]*)\t[^\t]*\t[^\t]*\t(?P<seconds>[^\t]*)`),
}

// memberExpr is a member of an object whose value is a text or a number.
var memberExpr = regexp.MustCompile(`"([-\w:]+)":\[?("(?:[^"\\]|\\.)*"|[-0-9.e]+|null)`)

// memberPlaces returns the places of the values of known members.
func memberPlaces(format, line string) (places []valuePlace) {
	for _, m := range memberExpr.FindAllStringSubmatchIndex(line, -1) {
		name := strings.ToLower(strings.ReplaceAll(line[m[2]:m[3]], "-", "_"))
		for _, member := range slowMembers[format] {
			if member[1] == name || strings.HasSuffix(member[1], "."+name) {
				places = append(places, valuePlace{member[0], m[4], m[5]})
				break
			}
		}
	}
	return places
}

// TestW3CTwin compares the reader of a log of IIS with its twin.
func TestW3CTwin(t *testing.T) {
	if _, err := ParseFormat("#Software: Microsoft Internet Information Services 10.0\n" + iisDirective); err == nil {
		t.Fatal("#Fields is to be the first directive of a format")
	}
	f, err := ParseFormat(iisDirective)
	fatal.If(t, err)
	compareMany(t, f, func(line string) (*Request, bool) { return slowW3C(slowIISLog, 0, line) },
		regexp.MustCompile(`^(?P<date>\S*) (?P<clock>\S*) \S* (?P<method>\S*) (?P<target>\S*) (?P<query>\S*) \S* \S* (?P<client>\S*) (?P<agent>\S*) (?P<referrer>\S*) (?P<status>\S*) \S* \S* (?P<millis>\S*)$`),
		`2015-05-17 10:05:03 10.0.0.1 GET /x a=b 443 - 192.0.2.7 Example+Bot/1.0+(%2B) - 404 0 2 15`,
		`2015-05-17 10:05:03 10.0.0.1 GET /x - 443 "joe ""d""" 192.0.2.7 "Example Bot ""x""" http://a.example/ 200 0 0 15`)
}
