package accesslog

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"net/netip"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
)

// slowFormats are the formats of servers as regular expressions, written from the servers'
// documentation.
//
// Apache: "%h %l %u %t \"%r\" %>s %b \"%{Referer}i\" \"%{User-agent}i\"". Quotes and
// backslashes in quoted values are escaped by a backslash.
var slowFormats = map[string]*regexp.Regexp{
	"combined":       regexp.MustCompile(`(?s)^(?P<client>[^ ]*) (?P<ident>[^ ]*) (?P<user>.*?) \[(?P<time>[^\]]*)\] "(?P<request>(?:[^"\\]|\\.)*)" (?P<status>[^ ]*) (?P<size>[^ ]*) "(?P<referrer>(?:[^"\\]|\\.)*)" "(?P<agent>(?:[^"\\]|\\.)*)"(?: .*)?$`),
	"common":         regexp.MustCompile(`(?s)^(?P<client>[^ ]*) (?P<ident>[^ ]*) (?P<user>.*?) \[(?P<time>[^\]]*)\] "(?P<request>(?:[^"\\]|\\.)*)" (?P<status>[^ ]*) (?P<size>.*)$`),
	"vhost-combined": regexp.MustCompile(`(?s)^(?P<host>[^ ]*) (?P<client>[^ ]*) (?P<ident>[^ ]*) (?P<user>.*?) \[(?P<time>[^\]]*)\] "(?P<request>(?:[^"\\]|\\.)*)" (?P<status>[^ ]*) (?P<size>[^ ]*) "(?P<referrer>(?:[^"\\]|\\.)*)" "(?P<agent>(?:[^"\\]|\\.)*)"(?: .*)?$`),
}

// slowRead reads a line as [worker.try] does, without a zone.
func slowRead(format, line string) (*Request, bool) {
	re := slowFormats[format]
	m := re.FindStringSubmatch(line)
	if m == nil {
		return nil, false
	}
	r := &Request{Bytes: -1, Duration: -1}
	for i, name := range re.SubexpNames() {
		v := m[i]
		switch name {
		case "request", "referrer", "agent":
			v = slowUnescape(v)
		}
		if v == "-" || v == "" {
			if name == "time" {
				return nil, false
			}
			continue
		}
		ok := true
		switch name {
		case "client":
			// The last of a list counts.
			r.Client, ok = slowAddr(strings.Trim(v[strings.LastIndexByte(v, ',')+1:], " "))
		case "ident":
			ok = !strings.ContainsAny(v, ".:")
		case "host":
			ok = regexp.MustCompile(`^(?s:[-._:\[\]0-9a-zA-Z]|[^\x00-\x7f])+$`).MatchString(strings.ToValidUTF8(v, "\u00e9")) && len(v) <= 260
			if v != "_" {
				r.Host = []byte(slowHost(v))
			}
		case "time":
			if r.Time, r.Zoned, ok = slowTime(v); !ok {
				// slowTime knows fewer forms.
				m, read := parseTime([]byte(v))
				r.Time, r.Zoned, ok = m.in(nil), m.zoned, read
			}
		case "request":
			slowRequestLine(r, v)
		case "status":
			r.Status, ok = slowNumber(v, 3)
		case "size":
			var n int
			n, ok = slowNumber(v, 19)
			r.Bytes = int64(n)
		case "referrer":
			r.Referrer = []byte(v)
		case "agent":
			r.UserAgent = []byte(v)
		}
		if !ok {
			return nil, false
		}
	}
	return r, true
}

func slowNumber(s string, most int) (int, bool) {
	if !regexp.MustCompile(`^[0-9]+$`).MatchString(s) || len(s) > most {
		return 0, false
	}
	n, err := strconv.ParseInt(s, 10, 64)
	return int(n), err == nil
}

// slowUnescape uses a regular expression for each kind of escape.
func slowUnescape(s string) string {
	re := regexp.MustCompile(`(?s)\\(?:x[0-9a-fA-F]{2}|u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|["\\/'ntrbfv])`)
	return re.ReplaceAllStringFunc(s, func(e string) string {
		switch e[1] {
		case 'x':
			n, _ := strconv.ParseUint(e[2:], 16, 8)
			return string([]byte{byte(n)})
		case 'u':
			var out string
			json.Unmarshal([]byte(`"`+e+`"`), &out)
			return out
		case '\'':
			return "'"
		case 'v':
			return "\v"
		}
		var out string
		if err := json.Unmarshal([]byte(`"`+e+`"`), &out); err != nil {
			panic(err)
		}
		return out
	})
}

// slowAddr reads an address with the standard library.
func slowAddr(s string) (netip.Addr, bool) {
	if p, err := netip.ParseAddrPort(s); err == nil {
		return p.Addr().WithZone("").Unmap(), true
	}
	if strings.HasPrefix(s, "[") && strings.HasSuffix(s, "]") {
		s = s[1 : len(s)-1]
		if !strings.Contains(s, ":") {
			return netip.Addr{}, false
		}
	}
	a, err := netip.ParseAddr(s)
	return a.WithZone("").Unmap(), err == nil
}

func slowHost(s string) string {
	if m := regexp.MustCompile(`(?s)^(\[.*\]|[^:]*):[0-9]*$`).FindStringSubmatch(s); m != nil && m[1] != "" {
		return m[1]
	}
	return s
}

func slowMethod(s string) bool {
	return regexp.MustCompile("^[-!#$%&'*+.^_`|~0-9A-Za-z]{1,32}$").MatchString(s)
}

func slowRequestLine(r *Request, s string) {
	m := regexp.MustCompile(`(?s)^([^ ]*) (.*)$`).FindStringSubmatch(s)
	if m == nil || !slowMethod(m[1]) {
		r.Target = []byte(s)
		return
	}
	r.Method = []byte(m[1])
	target := m[2]
	if p := regexp.MustCompile(`(?s)^(.*) ([A-Z]+/[0-9.]+)$`).FindStringSubmatch(target); p != nil && len(p[2]) <= 16 {
		target = p[1]
		r.Proto = []byte(p[2])
	}
	slowTarget(r, target)
}

func slowTarget(r *Request, target string) {
	r.Target = []byte(target)
	if strings.HasPrefix(target, "/") {
		r.Path = r.Target
		return
	}
	if string(r.Method) == "CONNECT" {
		return
	}
	m := regexp.MustCompile(`(?is)^https?://([^/?#]*)(.*)$`).FindStringSubmatch(target)
	if m == nil {
		return
	}
	path := m[2]
	if !strings.HasPrefix(path, "/") {
		path = "/" + path
	}
	r.Path = []byte(path)
	if r.Host == nil {
		authority := m[1][strings.LastIndex(m[1], "@")+1:]
		r.Host = []byte(slowHost(authority))
	}
}

// slowTime reads a time with the standard library, in a list of layouts.
func slowTime(s string) (t time.Time, zoned, ok bool) {
	layouts := []struct {
		layout string
		zoned  bool
	}{
		{"02/Jan/2006:15:04:05 -0700", true},
		{"02/Jan/2006:15:04:05", false},
		{"2006-01-02T15:04:05Z07:00", true},
		{"2006-01-02T15:04:05", false},
	}
	for _, l := range layouts {
		t, err := time.Parse(l.layout, s)
		if _, offset := t.Zone(); err == nil && t.Format(l.layout) == s && max(offset, -offset) < 15*3600 {
			return t.UTC(), l.zoned, true
		}
	}
	return t, false, false
}

// sameRequest compares what two readers say about a line.
func sameRequest(a, b *Request) error {
	for _, p := range []struct {
		name string
		a, b any
	}{
		{"Time", a.Time, b.Time}, {"Zoned", a.Zoned, b.Zoned}, {"Client", a.Client, b.Client},
		{"ClientName", string(a.ClientName), string(b.ClientName)},
		{"Host", string(a.Host), string(b.Host)}, {"Method", string(a.Method), string(b.Method)},
		{"Target", string(a.Target), string(b.Target)}, {"Proto", string(a.Proto), string(b.Proto)},
		{"Path", string(a.Path), string(b.Path)}, {"Path == nil", a.Path == nil, b.Path == nil},
		{"Status", a.Status, b.Status}, {"Bytes", a.Bytes, b.Bytes}, {"Duration", a.Duration, b.Duration},
		{"Referrer", string(a.Referrer), string(b.Referrer)}, {"UserAgent", string(a.UserAgent), string(b.UserAgent)},
	} {
		if p.a != p.b {
			return fmt.Errorf("%s: %#v and %#v", p.name, p.a, p.b)
		}
	}
	return nil
}

// FuzzTemplate compares templates with regular expressions.
func FuzzTemplate(f *testing.F) {
	for _, line := range []string{
		`66.249.66.1 - - [17/May/2015:10:05:03 +0200] "GET /a?b=c HTTP/1.1" 200 203023 "http://example.com/" "Mozilla/5.0 (compatible; Googlebot/2.1)"`,
		`66.249.66.1:80 - John Begood [17/May/2015:10:05:03 -0330] "GET http://a@example.com:80?x HTTP/1.1" 200 - "-" "a\"b\\" 17 more`,
		`2001:db8::1 - - [29/Feb/2016:23:59:59 +0000] "\x16\x03\x01\u00e9\ud83d\ude00\q" 400 0 "-" "-"`,
		`example.com:443 [::ffff:1.2.3.4]:8080 - - [31/Dec/1969:23:59:59 +0000] "OPTIONS * HTTP/2.0" 200 0 "-" "-"`,
		`1.2.3.4 - - [10/Feb/2012:16:42:07 -0500] "GET / HTTP/1.0" 301 368`,
		`1.2.3.4 - - [10/Feb/2012:16:42:07] "CONNECT a:443 HTTP/1.0" 301 9223372036854775808`,
		`1.2.3.4 - - [10/Feb/2012:16:42:07] "GET" / HTTP/1.0" 301 1 "" ""`,
	} {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line string) {
		if strings.ContainsAny(line, "\r\n") {
			return
		}
		w := newWorker(&Reader{})
		for name := range slowFormats {
			// A user may have " [" in his name: the expressions then try another end of the name, if
			// the rest of the line does not fit.
			if strings.Count(line, " [") > 1 || strings.Count(line, `] "`) > 1 {
				continue
			}
			format, err := ParseFormat(name)
			if err != nil {
				t.Fatal(err)
			}
			reason := w.try(form{format: format}, []byte(line))
			want, ok := slowRead(name, line)
			if (reason == "") != ok {
				t.Errorf("%s, %q: read %v (%s); by the regular expression %v", name, line, reason == "", reason, ok)
				continue
			}
			if ok {
				if err := sameRequest(&w.request, want); err != nil {
					t.Errorf("%s, %q: %v", name, line, err)
				}
			}
		}
	})
}

// FuzzAddr compares parseAddr with package netip.
func FuzzAddr(f *testing.F) {
	for _, s := range []string{"1.2.3.4", "1.2.3.4:80", "::", "::1", "1::", "2001:db8::1.2.3.4", "[::1]:80", "[::1]", "::ffff:1.2.3.4",
		"1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7::", "::2:3:4:5:6:7:8", "1:2:3:4:5:6:1.2.3.4", "01.2.3.4", "256.1.1.1", "fe80::1%eth0", ":::", "1::2::3", "[1.2.3.4]:80", "1.2.3.4:", "1.2.3.4:65536"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got, ok := parseAddr([]byte(s))
		want, wantOK := slowAddr(s)
		if strings.Contains(s, "]:") || strings.Count(s, ":") == 1 {
			// A port may be any number of up to five digits.
			if _, port, err := cutPort(s); err == nil && port > math.MaxUint16 {
				return
			}
		}
		if ok != wantOK || ok && got != want {
			t.Errorf("parseAddr(%q) = %v, %v; netip says %v, %v", s, got, ok, want, wantOK)
		}
	})
}

func cutPort(s string) (string, int, error) {
	i := strings.LastIndexByte(s, ':')
	n, err := strconv.Atoi(s[i+1:])
	return s[:i], n, err
}

// FuzzTime compares parseTime with package time.
func FuzzTime(f *testing.F) {
	for _, s := range []string{"17/May/2015:10:05:03 +0000", "29/Feb/1900:10:05:03 -0730", "2015-05-17T10:05:03Z", "2015-05-17T24:00:00Z", "2015-05-17 10:05:03.123", "0000-01-01T00:00:00Z", "1431857103.123", "9999-12-31T23:59:59+02:00"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		m, ok := parseTime([]byte(s))
		want, zoned, wantOK := slowTime(s)
		if !wantOK {
			return // other forms than those in the list
		}
		if !ok || !m.in(nil).Equal(want) || m.zoned != zoned {
			t.Errorf("parseTime(%q) = %v %v %v, want %v %v", s, m.in(nil), m.zoned, ok, want, zoned)
		}
	})
}

// FuzzJSON compares the walk through an object with package encoding/json.
func FuzzJSON(f *testing.F) {
	for _, s := range []string{
		`{"ts":1,"request":{"uri":"/a\u00e9\n","headers":{"User-Agent":["a","b"]}},"status":200}`,
		`{"request":{"method":"GET","uri":"/"},"ts":1.5,"x":[[[[[[[[[[[[1]]]]]]]]]]]],"y":null} `,
		`{"ts":"2015-05-17T10:05:03Z","request":{"uri":"/","uri":"/b"}}`, `{}`, `{"a":}`, `{"a":1,}`, `[1]`, `{"ts":true}`,
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		var v any
		if !json.Valid([]byte(s)) || json.Unmarshal([]byte(s), &v) != nil {
			// What is not JSON may be read or not; it must not panic.
			newWorker(&Reader{}).try(form{format: &Format{reader: caddy}}, []byte(s))
			return
		}
		if o, ok := v.(map[string]any); !ok || o == nil || !strings.HasPrefix(s, "{") {
			return
		}
		var buffer []byte
		var w jsonWalk
		w.start([]byte(strings.TrimRight(s, " \t\r\n")), map[string]jsonMember{"a.b": {target, 0}}, &buffer)
		if w.bad || w.at != len(w.text) {
			t.Fatalf("%q is JSON, and the walk fails at byte %d", s, w.at)
		}
		dec := json.NewDecoder(bytes.NewReader([]byte(s)))
		dec.UseNumber()
		want, found := slowMember(dec, "", "a.b", 0)
		got := w.values[target].text
		if found != (got != nil) || found && !sameText(want, string(got)) {
			t.Errorf("%q: a.b is %q, want %q, %v", s, got, want, found)
		}
	})
}

// sameText compares texts as far as encoding/json keeps them: it replaces what is not UTF-8.
func sameText(want, got string) bool {
	return want == strings.ToValidUTF8(got, "\ufffd") || strings.ContainsRune(want, '\ufffd')
}

// slowMember returns the first value of the member with a path, going through tokens.
func slowMember(dec *json.Decoder, at, path string, depth int) (value string, found bool) {
	token, err := dec.Token()
	if err != nil {
		return "", false
	}
	switch v := token.(type) {
	case json.Delim:
		for dec.More() {
			name := at
			if v == '{' {
				key, err := dec.Token()
				if err != nil {
					return "", false
				}
				name = strings.TrimPrefix(at+"."+string(appendKey(nil, []byte(slowRaw(key.(string))))), ".")
				if at != "" && !strings.HasPrefix(name, at+".") {
					name = at + "." + name
				}
			}
			inner, ok := slowMember(dec, name, path, depth+1)
			if ok && !found && depth < maxDepth {
				value, found = inner, true
			}
		}
		dec.Token()
		return value, found
	case nil:
		return "", false
	default:
		return fmt.Sprint(v), at == path
	}
}

// slowRaw returns a key; keys with escapes are compared as they are written, so that no
// key with an escape is one of ours.
func slowRaw(key string) string { return key }
