package accesslog

import (
	"fmt"
	"testing"

	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// TestDamagedLines checks how damaged lines are read that a format and its twin once read
// differently. See decision 138.
func TestDamagedLines(t *testing.T) {
	const (
		combined = `%s - - [17/May/2015:10:05:03 +0000] "GET / HTTP/1.1" 200 1 "-" "-"`
		ovh      = `192.0.2.7 %s - [17/May/2015:10:05:03 +0000] "GET / HTTP/1.1" 200 1 "-" "-"`
		gandi    = `www.example.com 192.0.2.7 - - [17/May/2015:10:05:03 +0000] (%s s) "GET / HTTP/1.1" 200 1 "-" "-"`
		iis      = `192.0.2.7, -, 3/20/01, 7:55:20, W3SVC2, SERVER, 172.21.13.45, 4502, 163, 3223, 200, 0, GET, %s`
		event    = `<Event xmlns="x"><EventData><Data Name="date">2022-10-01</Data><Data Name="time">11:25:51</Data>%s</EventData></Event>`
		npm      = `[10/Oct/2000:13:55:36 -0700] - %s - GET https a.example "/" [Client 192.0.2.7] [Length 1] [Gzip -] [Sent-to x] "-" "-"`
		own      = `%k, %t "%r"` // a LogFormat
		last     = `%t "%r" %u %a`
		listed   = `198.51.100.4, 10.0.0.9%s [17/May/2015:10:05:03 +0000] "GET / HTTP/1.1" 200 1 "-" "-"`
		haproxy  = `%s [10/Oct/2000:13:55:36.584] front~ back/0 0/0/0/72/72 200 1 - - ---- 1/1/0/0/0 0/0 "GET / HTTP/1.1"`
		object   = `{"time":"2015-05-17T10:05:03Z","remote_addr":"%s","request":"GET / HTTP/1.1","status":200}`
		pairs    = `time=2015-05-17T10:05:03Z method=GET uri=%s status=200 remote_addr=192.0.2.7`
	)
	for _, c := range []struct {
		format, line, value string
		want                string // client, host, target, duration and status, or "unread"
	}{
		// The port is not part of a host only where its beginning is certain: RFC 3986, section
		// 3.2.
		{"ovh", ovh, "[2001:db8::9]:80", "192.0.2.7 [2001:db8::9] / -1ns 200"},
		{"ovh", ovh, "[2001:db8::9-:80", "192.0.2.7 [2001:db8::9-:80 / -1ns 200"},
		{"ovh", ovh, "[2001:db8::9]::80", "192.0.2.7 [2001:db8::9]::80 / -1ns 200"},
		{"ovh", ovh, "2001:db8::9:80", "192.0.2.7 2001:db8::9:80 / -1ns 200"},
		{"ovh", ovh, "www.example.com:80", "192.0.2.7 www.example.com / -1ns 200"},
		// The port of an address is a port.
		{"combined", combined, "192.0.2.7:65535", "192.0.2.7  / -1ns 200"},
		{"combined", combined, "192.0.2.7:65536", "unread"},
		{"combined", combined, "192.0.2.7:033319", "unread"},
		// Only a list of times may follow a time.
		{"gandi", gandi, "2", "192.0.2.7 www.example.com / 2s 200"},
		{"gandi", gandi, "0.002, 0.001 : -", "192.0.2.7 www.example.com / 2ms 200"},
		{"gandi", gandi, "2 s) (2", "unread"},
		{"gandi", gandi, "-1 s) GET", "unread"},
		{"gandi", gandi, "12 m", "unread"},
		// The format has fifteen fields, each with a comma after it. A blank in a path moves the
		// others.
		{"iis", iis, "/x, a=b,", "192.0.2.7  /x?a=b 4.502s 200"},
		{"iis", iis, "/x, a,b,", "192.0.2.7  /x?a,b 4.502s 200"},
		{"iis", iis, "/x, a=b,, a=b,", "unread"},
		{"iis", iis, "/a, b, -,", "unread"},
		// XML allows white space and both quotes.
		{"iis-xml", event, "<Data Name=\t\"cs-uri-stem\">/x</Data>", "invalid IP  /x -1ns 0"},
		{"iis-xml", event, "<Data Name='cs-uri-stem' >/&#x78;&lt;</Data >", "invalid IP  /x< -1ns 0"},
		{"iis-xml", event, "<Data Name='CustomFields'/><Data Name='cs-uri-stem'>/x</Data>", "invalid IP  /x -1ns 0"},
		{"iis-xml", event, "<Data Name='date'/><Data Name='cs-uri-stem'>/x</Data>", "unread"},
		{"iis-xml", event, "<Database Name='cs-uri-stem'>/x</Database>", "unread"},
		{"iis-xml", event, "<Data Name='cs-uri-stem'>/x", "unread"},
		{"iis-xml", event, "<Data Name='cs-uri-stem", "unread"},
		// The bracket of Apache's %t belongs to the text after the field before.
		{own, `%s, [17/May/2015:10:05:03 +0000] "GET / HTTP/1.1"`, "1, ", "invalid IP  / -1ns 0"},
		// nginx writes a status for each upstream that it asked.
		{"nginx-proxy-manager", npm, "- 200", "192.0.2.7 a.example / -1ns 200"},
		{"nginx-proxy-manager", npm, "502, 504 : 200 200", "192.0.2.7 a.example / -1ns 200"},
		{"nginx-proxy-manager", npm, "502, -, 200 200", "192.0.2.7 a.example / -1ns 200"},
		{"nginx-proxy-manager", npm, "502 200 200", "unread"},
		{"nginx-proxy-manager", npm, "502, 504 : : 200 200", "unread"},
		{"nginx-proxy-manager", npm, "502, 200", "unread"},
		// A comma and a blank continue a list of addresses.
		{"combined-forwarded", listed, " - -", "198.51.100.4  / -1ns 200"},
		{"combined-forwarded", listed, ", - ", "unread"},
		{"combined-forwarded", listed, ", - -", "unread"},
		// One address has a port, and a list has none.
		{"haproxy", haproxy, "192.0.2.7:55008", "192.0.2.7  / -1ns 200"},
		{"haproxy", haproxy, "2001:db8::7:4711", "2001:db8::7  / -1ns 200"},
		{"haproxy", haproxy, "2001:db8:::7:4711", "unread"},
		{"haproxy", haproxy, "192.0.2.7,:55008", "unread"},
		{"haproxy", haproxy, "192.0.2.7,192.0.2.8:55008", "unread"},
		{"haproxy", haproxy, "192.0.2.7,192.0.2.8", "unread"},
		// An address has no blank: a digit may be missing there. A list has a comma.
		{"json", object, "92.0.2.7", "92.0.2.7  / -1ns 200"},
		{"json", object, " 92.0.2.7", "invalid IP  / -1ns 200"},
		{"json", object, "192.0.2.7 ", "invalid IP  / -1ns 200"},
		{"json", object, "192.0.2.7, 10.0.0.9", "192.0.2.7  / -1ns 200"},
		{"json", object, ` 92.0.2.7","client_ip":"198.51.100.4`, "198.51.100.4  / -1ns 200"},
		// A target begins with a slash, a scheme or the name of a host.
		{"logfmt", pairs, "/x", "192.0.2.7  /x -1ns 200"},
		{"logfmt", pairs, "www.example.com/x", "192.0.2.7 www.example.com /x -1ns 200"},
		{"logfmt", pairs, "|/x", "unread"},
		{"logfmt", pairs, "a/x", "unread"},
		{"logfmt", pairs, "|/x request=|/x", "unread"},
		{"logfmt", pairs, "|/x url=/y", "192.0.2.7  /y -1ns 200"},
		// Apache writes a hyphen for what it does not know: an empty field at the end was cut.
		{last, `[17/May/2015:10:05:03 +0000] "GET / HTTP/1.1" joe %s`, "-", "invalid IP  / -1ns 0"},
		{last, `[17/May/2015:10:05:03 +0000] "GET / HTTP/1.1" joe %s`, "", "unread"},
	} {
		f, err := ParseFormat(c.format)
		fatal.If(t, err)
		w, got := newWorker(&Reader{}), "unread"
		line := fmt.Sprintf(c.line, c.value)
		if w.try(form{format: f}, []byte(line)) == "" {
			r := w.request
			got = fmt.Sprintf("%v %s %s %v %d", r.Client, r.Host, r.Target, r.Duration, r.Status)
		}
		if got != c.want {
			t.Errorf("%s, %q: got %q, want %q", c.format, line, got, c.want)
		}
	}
}
