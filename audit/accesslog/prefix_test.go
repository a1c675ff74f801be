package accesslog_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots/audit/accesslog"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// prefixes are what programs write before the lines of servers.
var prefixes = []string{
	"Nov 26 10:00:00 web1 nginx: ",
	"Nov  6 10:00:00 web1 nginx[812]: ",
	"nov  6 10:00:00 web1 nginx[812]: ",
	"Nov 26 10:00:00.123456 10.0.0.5 nginx: ",
	"Nov 26 2026 10:00:00 web1 nginx: ",
	"<134>Nov  6 10:00:00 web1 nginx: ",
	"<134>Nov 26 10:00:00 nginx: ",
	"<134>nginx: ",
	"<190>1 2026-11-26T10:00:00.123Z web1 nginx 812 - - ",
	"<190>1 2026-11-26T10:00:00Z web1 nginx - - [a@1 b=\"c] d\"] ",
	"2026-11-26T10:00:00+00:00 web1 nginx: ",
	"2026-11-26T10:00:00.123456+01:00 web1 nginx[812]: ",
	"2026-11-26T10:00:00+0000 web1 nginx[1]: ", // journalctl -o short-iso
	"Thu 2026-11-26 10:00:00 UTC web1 nginx[812]: ",
	"2026-11-26T10:00:00.123456789Z stdout F ",
	"2026-11-26T10:00:00.123456789+02:00 stderr F ",
	"2026-11-26T10:00:00.123456789Z ",
	"2026-11-26T10:00:00.123Z app/web/0f1e ", // aws logs tail
	"2026-11-26T10:00:00.123456+00:00 app[web.1]: ",
	"2026-11-26 10:00:00,123 INFO ",
	"2026-11-26 10:00:00 [info] ",
	"2026-11-26 10:00:00 +0000 web.access: ",
	"26.11.2026 10:00:00 ",
	"2026/11/26 10:00:00 ",
	"1795687200.123 ",
	"1795687200123\t",
	"web-1  | ",
	"web_1 | ",
	"web.1.x2f@node1    | ",
	"web-1  | 2026-11-26T10:00:00.123456789Z ",
	"[pod/web-5d7f/nginx] ",
	"[pod/web-5d7f/nginx] 2026-11-26T10:00:00.123456789Z ",
	"web-5d7f nginx ", // stern
	"web-5d7f › nginx ",
	"nginx: ",
	"nginx[812]: ",
	"access.log:",
	"access.log:12:",
	"/var/log/nginx/access.log.1:12:",
	"./shop-access_log:",
	"12:",
	"access.log:12:5:", // rg --vimgrep
	"265:",             // grep -b
	"access.log-",      // grep -C
	"access.log-12-",
	"12-",
	"     12\t", // cat -n, nl
	"[INFO] ",
	"INFO ",
	"INFO:     ",
	"\x1b[36mweb-1  | \x1b[0m",                       // docker compose in a terminal
	"2026-11-26T10:00:00Z {app=\"web\", pod=\"a\"} ", // logcli of Loki
	"2026-11-26T10:00:00Z {} ",
	"2026-11-26T10:00:00Z web1 nginx 812 - - ", // RFC 5424 in a file
	"2026-11-26T10:00:00Z web1 nginx - id [a@1 b=\"c] d\"] ",
	"99 <190>1 2026-11-26T10:00:00Z web1 nginx - - - ",
	"265 <190>1 2026-11-26T10:00:00.123456+00:00 host app web.1 - ", // drains of Heroku
	"2026-11-26T10:00:00.123000+00:00 ecs/web/0a1b2c3d4e5f ",        // aws logs tail
	"2026-11-26T10:00:00Z app[e784927c] fra [info] ",                // fly logs
	"   2026-11-26T10:00:00.12+0000 [APP/PROC/WEB/0] OUT ",          // cf logs
	"0|web  | ",                  // pm2
	"10:00:00 web.1   | ",        // foreman
	"2026-11-26_10:00:00.12345 ", // svlogd
	"access.log:Nov  6 10:00:00 web1 nginx: ",
	"2026-11-26T10:00:00.1Z stdout F Nov  6 10:00:00 web1 nginx[1]: ",
}

// afterUser is a line in the combined format after the name of its user.
const afterUser = ` [26/Nov/2026:10:00:00 +0000] "GET /a HTTP/1.1" 200 512 "-" "ExampleBot/1.0"`

// TestPrefixes reads a line behind each prefix alone, and several of them in one log. The client is
// that of the line, whatever it calls itself, and the host is that before the client.
func TestPrefixes(t *testing.T) {
	for _, prefix := range prefixes {
		for _, client := range []string{"203.0.113.7", "2001:db8::7", "2001:db8:1:2:3:4:5:7", "2a02:2f0b::7"} {
			checkClient(t, prefix+client+" - -"+afterUser, client, "")
			host := "shop.example"
			if prefix == "12-" || strings.HasPrefix(prefix, "access.log-") {
				host = prefix + host // as it could be
			}
			for _, port := range []string{"", ":443"} {
				checkClient(t, prefix+"shop.example"+port+" "+client+" - -"+afterUser, client, host)
			}
		}
		for _, user := range []string{"joe doe", "66.249.66.1 - -"} {
			checkClient(t, prefix+"203.0.113.7 - "+user+afterUser, "203.0.113.7", "")
			checkClient(t, prefix+"203.0.113.7 - "+user+afterUser+` "-"`, "203.0.113.7", "")
		}
		if !strings.HasPrefix(prefix, "access.log-") && prefix != "12-" {
			checkClient(t, prefix+`shop.example unix: - -`+afterUser+` "203.0.113.7"`, "203.0.113.7", "shop.example")
			checkClient(t, prefix+`unix: - -`+afterUser+` "203.0.113.7"`, "203.0.113.7", "")
		}
	}
}

// TestFluentBit reads the records that Fluent Bit writes to its standard output, before and since
// version 2.1.
func TestFluentBit(t *testing.T) {
	line := strings.ReplaceAll("203.0.113.7 - -"+afterUser, `"`, `\"`)
	for _, record := range []string{
		`[0] nginx: [[1795687200.123456789, {}], {"log"=>"` + line + `"}]`,
		`[12] kube.var.log.web: [1795687200.123456789, {"stream"=>"stdout", "message"=>"` + line + `\n"}]`,
	} {
		checkClient(t, record, "203.0.113.7", "")
	}
}

// TestNotOneOfMany requires that a line with several requests, or with a part of one, is refused
// with its reason, alone and in a log of other lines.
func TestNotOneOfMany(t *testing.T) {
	const object = `{"time":"2026-11-26T10:00:00Z","remote_addr":"203.0.113.7","request":"GET /a HTTP/1.1",` +
		`"status":200,"http_user_agent":"ExampleBot/1.0"}`
	const record = `{"timeUnixNano":"1795687200000000000","body":{"stringValue":"203.0.113.7 - - x"}}`
	for _, c := range []struct{ line, want string }{
		{`{"records":[` + object + `,` + object + `]}`, "several objects in an array"},
		{`{"records": [` + object + `, ` + object + `]}`, "several objects in an array"},
		{`[` + object + `,` + object + `]`, "several objects in an array"},
		{`{"resourceLogs":[{"scopeLogs":[{"logRecords":[` + record + `]}]}]}`, "OpenTelemetry"},
		{`{"resourceLogs":[{"scopeLogs":[{"logRecords":[` + record + `,` + record + `]}]}]}`, "OpenTelemetry"},
		{`2026-11-26T10:00:00.1Z stdout P 203.0.113.7 - - [26/Nov/2026:1`, "parts (P) are not joined"},
		{`2026-11-26T10:00:00.1Z stderr P 203.0.113.7 - -` + afterUser, "parts (P) are not joined"},
	} {
		for _, before := range []string{"", "2026-11-26T10:00:00.1Z stdout F 203.0.113.8 - -" + afterUser + "\n"} {
			var r accesslog.Reader
			requests, faults := 0, ""
			for _, err := range r.From("log", strings.NewReader(before+c.line+"\n")).Requests() {
				if err == nil {
					requests++
				} else {
					faults += err.Error()
				}
			}
			known := before != "" && !strings.Contains(c.want, "(P)") // its format is the reason
			if requests != strings.Count(before, "\n") || !known && !strings.Contains(faults, c.want) {
				t.Errorf("%s%s: %d requests, %s", before, c.line, requests, faults)
			}
		}
	}
}

// TestNumberedLines reads lines of HAProxy behind the prefixes of grep.
func TestNumberedLines(t *testing.T) {
	const line = ` [26/Nov/2026:10:00:00.123] fe~ be/s1 0/0/1/2/3 200 512 - - ---- 1/1/0/0/0 0/0 ` +
		`{shop.example|ExampleBot/1.0} "GET /a HTTP/1.1"`
	for _, prefix := range []string{"", "1:", "3999:", "123456:", "haproxy.log:1:", "haproxy.log-1-", "1-",
		"1:Nov  6 10:00:00 lb haproxy[1]: "} {
		for _, client := range []string{"203.0.113.7", "2001:db8::7"} {
			checkClient(t, prefix+client+":51234"+line, client, "shop.example")
		}
	}
}

// TestNumberBefore tells the number of a line from the first number of an address.
func TestNumberBefore(t *testing.T) {
	for _, c := range []struct{ line, client string }{
		{"11:2001:4860:4801:10::3", "2001:4860:4801:10::3"},
		{"2150:2001:db8::7", "2001:db8::7"},
		{"12:fd00::7", "fd00::7"},
		{"12:::1", "::1"},
		{"64:ff9b::203.0.113.7", "64:ff9b::cb00:7107"},
		{"2001:2003:db8::7", "2001:2003:db8::7"}, // Arelion has these
		{"2804:2a02:1::7", "2804:2a02:1::7"},
		{"1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7:8"},
	} {
		checkClient(t, c.line+" - -"+afterUser, c.client, "")
	}
	// The other lines of a log show what the number is.
	log := ""
	for n := range 20 {
		log += strconv.Itoa(n+2000) + ":203.0.113.7 - -" + afterUser + "\n"
	}
	var r accesslog.Reader
	for q, err := range r.From("log", strings.NewReader(log+"2020:2001:db8::7 - -"+afterUser)).Requests() {
		fatal.If(t, err)
		if q.Line == 21 && q.Client.String() != "2001:db8::7" {
			t.Errorf("the client behind a number is %v", q.Client)
		}
	}
}

// TestEnvelopes reads lines in objects, in quotes and in columns.
func TestEnvelopes(t *testing.T) {
	const line = "203.0.113.7 - -" + afterUser
	quoted := strings.ReplaceAll(line, `"`, `\"`)
	doubled := strings.ReplaceAll(line, `"`, `""`)
	for _, c := range []struct{ line, host string }{
		{`{"log":"` + quoted + `\n","stream":"stdout","time":"2026-11-26T10:00:00Z"}`, ""},
		{`{"log":"2026-11-26T10:00:00Z stdout F ` + quoted + `","kubernetes":{"host":"node1"}}`, ""},
		{`{"@timestamp":"2026-11-26T10:00:00Z","message":"` + quoted +
			`","host":{"name":"web1"},"path":"/var/log/access.log"}`, ""},
		{`{"MESSAGE":"` + quoted + `","_HOSTNAME":"web1","SYSLOG_IDENTIFIER":"nginx"}`, ""},
		{`{"textPayload":"` + quoted + `","timestamp":"2026-11-26T10:00:00Z","insertId":"x"}`, ""},
		{`web-1  | {"log":"` + quoted + `"}`, ""},
		{`2026-11-26T10:00:00Z stdout F {"message":"` + quoted + `"}`, ""},
		{"2026-11-26T10:00:00+00:00\tweb.access\t" + `{"message":"` + quoted + `"}`, ""},
		{`"` + line + `"`, ""}, // LiteSpeed
		{`"` + line, ""},       // also LiteSpeed
		{`"shop.example ` + line + `"`, "shop.example"}, // and with the host
		{`"` + doubled + `"`, ""},                       // a CSV file
		{`1795687200123,"` + doubled + `"`, ""},
		{`2026-11-26T10:00:00Z,"` + doubled + `",web1`, ""},
		{`"` + quoted + `"`, ""},
		{`shop.example ` + line, "shop.example"},
		{`shop.example:443 ` + line, "shop.example"},
		{`Nov  6 10:00:00 web1 nginx: shop.example:443 ` + line, "shop.example"},
		{`2026-11-26T10:00:00Z stdout F shop.example ` + line, "shop.example"},
		{`access.log:shop.example ` + line, "shop.example"},
		{`2026-11-26 10:00:00.123,"` + doubled + `"`, ""}, // CloudWatch Logs Insights
		{`"2026-11-26T10:00:00.123Z","web1","` + doubled + `"`, ""},
		{`"2026-11-26T10:00:00.123Z",web1,"` + doubled + `",x`, ""},
		{`web1,"2026-11-26T10:00:00.123Z","` + doubled + `","a, b"`, ""},
		{`"web1","{""log"":""` + strings.ReplaceAll(quoted, `"`, `""`) + `""}"`, ""},
		{`{"version":"1.1","host":"web1","short_message":"` + quoted + `","timestamp":1795687200.1}`, ""}, // GELF
		{`{"body":{"stringValue":"` + quoted + `"},"timeUnixNano":"1795687200000000000"}`, ""},
		{`[{"textPayload":"` + quoted + `"},`, ""},
		{`{"textPayload":"` + quoted + `"},`, ""},
		{`{"textPayload":"` + quoted + `"}]`, ""},
	} {
		checkClient(t, c.line, "203.0.113.7", c.host)
	}
}

func checkClient(t *testing.T, line, client, host string) {
	t.Helper()
	var r accesslog.Reader
	for q, err := range r.From("log", strings.NewReader(line+"\n")).Requests() {
		if err != nil {
			t.Errorf("%s: %v", line, err)
		} else if q.Client.String() != client || string(q.Host) != host || string(q.Path) != "/a" ||
			string(q.UserAgent) != "ExampleBot/1.0" {
			t.Errorf("%s\nis read as client %v %q, host %q, path %q, User-Agent %q", line, q.Client,
				q.ClientName, q.Host, q.Path, q.UserAgent)
		}
	}
}

// TestGeneralNames reads lines of products by the names of their fields.
func TestGeneralNames(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("testdata", "products.txt"))
	fatal.If(t, err)
	for line := range strings.Lines(string(data)) {
		if line = strings.TrimSuffix(line, "\n"); line[0] == '#' {
			continue
		}
		checkProduct(t, line)
	}
}

// TestHostNames reads the host by the names that programs give it, in JSON, logfmt and LTSV.
// Without it, a request to another host could be judged by the wrong robots.txt.
func TestHostNames(t *testing.T) {
	for name, want := range map[string]string{
		"host": "shop.example", "Host": "shop.example", "http_host": "shop.example",
		"clientRequestHost": "shop.example", "domainName": "shop.example", "hostHeader": "shop.example",
		"fqdn": "shop.example", "sni": "shop.example",
		"zoneName": "shop.example", "server": "shop.example", "v": "shop.example", "x-forwarded-host": "shop.example",
		"target_host": "shop.example", "edge_hostname": "shop.example", "tenantDomain": "shop.example",
		"cdn.request.host": "shop.example", "reqAuthority": "shop.example", "proxy.host": "shop.example",
		"backend_host": "", "upstream_host": "", "remote_host": "", "node_hostname": "", "origin.host": "",
		"kubernetes.host": "", "upstream_fqdn": "",
	} {
		for _, format := range []string{
			`{"time":"2026-11-26T10:00:00Z","ip":"203.0.113.7","%s":"%s","path":"/a","ua":"ExampleBot/1.0"}`,
			`time=2026-11-26T10:00:00Z ip=203.0.113.7 %s=%s path=/a ua=ExampleBot/1.0`,
			"time:2026-11-26T10:00:00Z\tip:203.0.113.7\t%s:%s\tpath:/a\tua:ExampleBot/1.0",
		} {
			checkClient(t, fmt.Sprintf(format, name, "shop.example"), "203.0.113.7", want)
		}
	}
	for _, c := range []struct{ name, value, want string }{
		{"v", "1.4", ""}, {"server", "web1", ""}, {"server", "nginx/1.28", ""}, {"zone", "eu-west-1", ""},
		{"jsonpayload_host", "web1", ""}, {"host", "web1", "web1"},
	} {
		line := fmt.Sprintf(`{"time":"2026-11-26T10:00:00Z","ip":"203.0.113.7","%s":"%s","path":"/a",`+
			`"ua":"ExampleBot/1.0"}`, c.name, c.value)
		checkClient(t, line, "203.0.113.7", c.want)
	}
	checkClient(t, `{"host":"app-1.vercel.app","timestamp":1795687200000,"proxy":{"host":"shop.example","path":"/a",`+
		`"clientIp":"203.0.113.7","userAgent":["ExampleBot/1.0"]}}`, "203.0.113.7", "shop.example")
}

// TestSplitPaths reads a path and a query that have names of their own, and a path that is empty.
func TestSplitPaths(t *testing.T) {
	for _, c := range []struct{ members, want string }{
		{`"ClientRequestPath":"/a","ClientRequestQuery":"?x=1"`, "/a?x=1"},
		{`"ClientRequestPath":"/a","ClientRequestQuery":""`, "/a"},
		{`"rawPath":"/a","rawQueryString":"x=1"`, "/a?x=1"},
		{`"reqPath":"a","queryStr":"x=1"`, "/a?x=1"},
		{`"reqPath":"","queryStr":"-"`, "/"},
		{`"reqPath":"-","queryStr":"x=1"`, "/?x=1"},
	} {
		var r accesslog.Reader
		line := `{"time":"2026-11-26T10:00:00Z","ip":"203.0.113.7",` + c.members + `,"clientUa":"ExampleBot/1.0"}`
		for q, err := range r.From("log", strings.NewReader(line)).Requests() {
			if err != nil || string(q.Path) != c.want || string(q.UserAgent) != "ExampleBot/1.0" {
				t.Errorf("%s: path %q, User-Agent %q, %v; want %s", line, q.Path, q.UserAgent, err, c.want)
			}
		}
	}
}

// checkProduct reads a line of testdata/products.txt, which all tell of the same request.
func checkProduct(t *testing.T, line string) {
	t.Helper()
	const agent = "Mozilla/5.0 (compatible; ExampleBot/1.0)"
	var r accesslog.Reader
	scan := r.From("log", strings.NewReader(line))
	for q, err := range scan.Requests() {
		if err != nil {
			t.Errorf("%s: %v", line, err)
			continue
		}
		if q.Client.String() != "203.0.113.7" || string(q.Path) != "/a" || string(q.UserAgent) != agent ||
			q.Time.Format("2006-01-02 15:04") != "2026-11-26 10:00" {
			t.Errorf("%s\nis read in format %v as time %v, client %v, path %q, User-Agent %q", line,
				scan.Logs()[0].Format, q.Time, q.Client, q.Path, q.UserAgent)
		}
		if h := string(q.Host); h != "" && h != "shop.example" && h != "web-5d" {
			t.Errorf("%s\nhas host %q", line, h)
		}
	}
}

// TestLogFormat reads lines in formats of HAProxy's configuration.
func TestLogFormat(t *testing.T) {
	for _, c := range []struct{ format, line, want string }{
		{`log-format "%ci:%cp [%tr] %ft %b/%s %TR/%Tw/%Tc/%Tr/%Ta %ST %B %CC %CS %tsc ` +
			`%ac/%fc/%bc/%sc/%rc %sq/%bq %hr %hs %{+Q}r"`,
			`2001:db8::7:4711 [26/Nov/2026:10:00:00.655] web static/srv1 10/0/30/69/109 200 2750 - - ---- 1/1/1/1/0 ` +
				`0/0 {shop.example|Mozilla/5.0 (a; ExampleBot/1.0)} {} "GET /a HTTP/1.1"`,
			`2001:db8::7 shop.example /a Mozilla/5.0 (a; ExampleBot/1.0)`},
		{`%ci:%cp\ [%tr]\ %ST\ %B\ %{+Q}r`,
			`203.0.113.7:4711 [26/Nov/2026:10:00:00.655] 200 5 "GET /a HTTP/1.1"`, `203.0.113.7  /a `},
		{`%{+Q}o %{-Q}ci - - [%trg] %r %ST %B %[capture.req.hdr(1)] %{-Q}Ta`,
			`203.0.113.7 - - [26/Nov/2026:10:00:00 +0000] "GET /a HTTP/1.1" 200 5 "Mozilla/5.0 (a; ExampleBot/1.0)" 17`,
			`203.0.113.7  /a Mozilla/5.0 (a; ExampleBot/1.0)`},
		{`[%t] %[src] %HM "%HU" %ST "%[req.hdr(User-Agent)]"`,
			`[26/Nov/2026:10:00:00.655] 203.0.113.7 GET "/a" 200 "ExampleBot"`,
			`203.0.113.7  /a ExampleBot`},
		{`$remote_addr:$remote_port [$time_local] "$request" "$http_user_agent"`,
			`2001:db8::7:443 [26/Nov/2026:10:00:00 +0000] "GET /a HTTP/1.1" "ExampleBot"`,
			`2001:db8::7  /a ExampleBot`},
		{`%{X-Forwarded-For}i %l %u %t \"%r\" %>s %b \"%{User-agent}i\"`,
			`203.0.113.7, 10.0.0.1 - - [26/Nov/2026:10:00:00 +0000] "GET /a HTTP/1.1" 200 5 "ExampleBot"`,
			`203.0.113.7  /a ExampleBot`},
	} {
		f, err := accesslog.ParseFormat(c.format)
		fatal.If(t, err)
		r := accesslog.Reader{Formats: []*accesslog.Format{f}}
		for q, err := range r.From("log", strings.NewReader(c.line)).Requests() {
			if err != nil {
				t.Errorf("%s, %s: %v", c.format, c.line, err)
				continue
			}
			got := q.Client.String() + " " + string(q.Host) + " " + string(q.Path) + " " + string(q.UserAgent)
			if got != c.want {
				t.Errorf("%s, %s: got %q, want %q", c.format, c.line, got, c.want)
			}
		}
	}
}

// TestNotMoved checks lines that are in no format, and must not be read with fields of others.
func TestNotMoved(t *testing.T) {
	for _, line := range []string{
		// The client wrote a line into the name of its user, or its header.
		`web1 nginx - 66.249.66.1 - - [26/Nov/2026:10:00:00 +0000] x "GET /a HTTP/1.1" 200 5 "-" "Googlebot"`,
		`2026/11/26 10:00:00 [error] 812#812: *1 open() "/a" failed, ` +
			`client: 203.0.113.7, server: x, request: "GET /a HTTP/1.1"`,
		`x "a 66.249.66.1 - - [26/Nov/2026:10:00:00 +0000] GET /a" time=2026-11-26T10:00:00Z uri=/a ua=Googlebot`,
		`Nov 26 10:00:00 web1 sshd[812]: Accepted publickey for joe from 203.0.113.7 port 4711 ssh2`,
	} {
		var r accesslog.Reader
		for q, err := range r.From("log", strings.NewReader(line)).Requests() {
			if err == nil {
				t.Errorf("%s\nis read as client %v %q, path %q, User-Agent %q", line, q.Client, q.ClientName,
					q.Path, q.UserAgent)
			}
		}
	}
}
